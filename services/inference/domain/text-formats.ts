/** The formats a schema may name, each checked in linear time (RFC 3339, RFC 3986, RFC 9562). */
const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const time = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

function isDate (text: string): boolean {
  if (!day.test(text)) return false
  const [year = 0, month = 0, date = 0] = text.split('-').map(Number)
  return date <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

export const formats: Record<string, (text: string) => boolean> = {
  date: isDate,
  time: text => time.test(text),
  'date-time': text => isDate(text.slice(0, 10)) && /^[Tt ]$/.test(text[10] ?? '') && time.test(text.slice(11)),
  uri: text => text.length <= 2_000 && /^[a-z][a-z0-9+.-]{0,30}:/i.test(text) && URL.canParse(text),
  uuid: text => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
  email: text => text.length <= 254 && /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(text),
  ipv4: text => /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/.test(text)
}
