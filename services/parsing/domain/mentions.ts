/** Which figures and tables a text names: "Figs. 2 and 3", "Fig. 2a-c", "Tables 1-3". */
import { labelKey } from './captions.ts'

const naming = /(supplementary\s+|extended data\s+)?\b(fig(?:ure)?s?|schemes?|charts?|tables?|tabs?)\.?\s*|(\uADF8\uB9BC|\uD45C|\u56FE|\u8868)\s*/giu
const listed = /^(?:\(?\s*((?:[A-Z]{1,2}\.?)?\d{1,3}|[IVXLC]{1,6}(?![\p{L}]))((?:\.\d{1,2})?)[a-zA-Z]?(?:\s?[-\u2013\u2014,]\s?[a-zA-Z](?![\p{L}]))*\)?)/u

export interface Mentioned { kind: 'figure' | 'table', key: string }

/** In the order of the text, each once; keys as `labelKey` makes them. */
export function findMentions (text: string): Mentioned[] {
  const found: Mentioned[] = []
  for (const match of text.matchAll(naming)) {
    const word = (match[2] ?? match[3])!.toLowerCase()
    const kind = /^(?:tab|\uD45C|\u8868)/.test(word) ? 'table' : 'figure'
    const prefix = `${match[1] ?? ''}${word.replace(/s$/, '')} `
    const numbers = readNumbers(text.slice(match.index + match[0].length, match.index + match[0].length + 80))
    for (const number of numbers) {
      const key = labelKey(prefix + number)
      if (!found.some(other => other.kind === kind && other.key === key)) found.push({ kind, key })
    }
  }
  return found
}

/** Numbers of a list such as "2a, 3 and 5-7"; a range names all its members. */
function readNumbers (text: string): string[] {
  const numbers: string[] = []
  let rest = text
  let ranged = false
  for (let i = 0; i < 12; i++) {
    const match = listed.exec(rest)
    if (match === null) break
    const number = `${match[1]!}${match[2]!}`
    if (ranged) numbers.push(...between(numbers.at(-1)!, number))
    numbers.push(number)
    rest = rest.slice(match[0].length)
    const joint = /^\s*(?:,\s*(?:and\s+)?|(?:and|&|or)\s+|([-\u2013\u2014]|to\s)\s*)(?:fig(?:ure)?s?\.?\s*|tables?\s*)?(?=\(?(?:[A-Z]{0,2}\.?\d|[IVX]))/i.exec(rest)
    if (joint === null) break
    ranged = joint[1] !== undefined
    rest = rest.slice(joint[0].length)
  }
  return numbers
}

function between (from: string, to: string): string[] {
  const low = Number(from)
  const high = Number(to)
  if (!(high - low > 1 && high - low < 30)) return []
  return Array.from({ length: high - low - 1 }, (_, i) => String(low + 1 + i))
}
