/** BibTeX files read into entries (Patashnik, BibTeXing, 1988): fields as source text, strings put in. */

export interface BibEntry { type: string, key: string, fields: Map<string, string> }

const entriesMax = 20_000
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Broken entries end at the next "@"; of two with one key the first counts. */
export function readBibtex (text: string): Map<string, BibEntry> {
  const entries = new Map<string, BibEntry>()
  const strings = new Map(months.map(month => [month, month[0]!.toUpperCase() + month.slice(1)]))
  const head = /@\s*([A-Za-z]{1,40})\s*[{(]/gu
  for (let match = head.exec(text); match !== null && entries.size < entriesMax; match = head.exec(text)) {
    const type = match[1]!.toLowerCase()
    if (type === 'comment' || type === 'preamble') continue
    const scan = { text, at: head.lastIndex, strings }
    if (type === 'string') {
      const name = word(scan).toLowerCase()
      if (skip(scan, '=')) strings.set(name, value(scan))
    } else {
      const key = upTo(scan, /[,}\s]/u)
      skip(scan, ',')
      const fields = fieldsOf(scan)
      const folded = key.toLowerCase()
      if (key !== '' && !entries.has(folded)) entries.set(folded, { type, key, fields })
    }
    head.lastIndex = Math.max(head.lastIndex, scan.at)
  }
  return entries
}

interface Scan { text: string, at: number, strings: ReadonlyMap<string, string> }

function fieldsOf (scan: Scan): Map<string, string> {
  const fields = new Map<string, string>()
  for (let i = 0; i < 200; i++) {
    const name = word(scan).toLowerCase()
    if (name === '' || !skip(scan, '=')) break
    const text = value(scan)
    if (!fields.has(name)) fields.set(name, text)
    if (!skip(scan, ',')) break
  }
  return fields
}

function space (scan: Scan): void {
  while (/\s/u.test(scan.text[scan.at] ?? '')) scan.at++
}

function skip (scan: Scan, symbol: string): boolean {
  space(scan)
  if (scan.text[scan.at] !== symbol) return false
  scan.at++
  return true
}

function upTo (scan: Scan, end: RegExp): string {
  space(scan)
  const start = scan.at
  while (scan.at < scan.text.length && scan.at - start < 500 && !end.test(scan.text[scan.at]!)) scan.at++
  return scan.text.slice(start, scan.at)
}

function word (scan: Scan): string {
  return upTo(scan, /[^\w:.+/-]/u)
}

/** Parts joined by "#": in braces, in quotes, a number or the name of a string. */
function value (scan: Scan): string {
  let text = ''
  do {
    space(scan)
    const open = scan.text[scan.at]
    if (open === '{' || open === '"') text += quoted(scan, open)
    else {
      const name = word(scan)
      text += scan.strings.get(name.toLowerCase()) ?? name
    }
  } while (text.length < 100_000 && skip(scan, '#'))
  return text
}

function quoted (scan: Scan, open: string): string {
  const start = ++scan.at
  for (let depth = 0; scan.at < scan.text.length && scan.at - start < 100_000; scan.at++) {
    const symbol = scan.text[scan.at]!
    if (symbol === '\\') scan.at++
    else if (depth === 0 && symbol === (open === '{' ? '}' : '"')) return scan.text.slice(start, scan.at++)
    else if (symbol === '{') depth++
    else if (symbol === '}') depth--
  }
  return scan.text.slice(start, scan.at)
}

/** "Last, First and Last, First" as names in the order in which they are spoken. */
export function bibNames (text: string): string[] {
  return text.split(/\s+and\s+/u).slice(0, 200).map(name => {
    const [last = '', ...rest] = name.split(',').map(part => part.trim())
    const first = rest.at(-1) ?? ''
    return `${first} ${last}`.trim()
  }).filter(name => name !== '')
}
