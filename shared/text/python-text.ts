/**
 * Blanks as Python counts them. The reference implementations split on these, and JavaScript's
 * `\s` lacks U+001C-1F and U+0085 and has U+FEFF.
 */
export const pythonBlanks = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const word = new RegExp(`[^${pythonBlanks}]+`, 'g')
const blank = new RegExp(`[${pythonBlanks}]`)

/** Python's `text.split()`. */
export function splitOnBlanks (text: string): string[] {
  return text.match(word) ?? []
}

/** Python's `text.rstrip()`: by hand, for a regex anchored at the end is quadratic. */
export function trimEndBlanks (text: string): string {
  let end = text.length
  while (end > 0 && blank.test(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Python's `text.strip()`. */
export function trimBlanks (text: string): string {
  let start = 0
  while (start < text.length && blank.test(text[start]!)) start++
  return trimEndBlanks(text.slice(start))
}
