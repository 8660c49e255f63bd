/** Which figures and tables a text names: "Figs. 2 and 3", "Fig. 2a-c", "Tables 1-3". */
import { labelKey } from './captions.ts'

const naming = /(supplementary\s+|supporting\s+|extended data\s+)?\b(fig(?:ure)?s?|schemes?|charts?|plates?|maps?|photos?|graphs?|illustrations?|tables?|tabs?|abb(?:ildung(?:en)?)?|figuras?|tabellen?)(?![\p{L}])\.?\s*|(\uADF8\uB9BC|\uD45C|\u56FE|\u5716|\u56F3|\u8868)\s*/giu
const listed = /^(?:\(?\s*((?:[A-Z]{1,2}\.?)?\d{1,3}|[IVXLC]{1,6}(?![\p{L}]))((?:\.\d{1,2})?)(?:[a-zA-Z](?![\p{L}]))?(?:\s?[-\u2013\u2014,]\s?[a-zA-Z](?![\p{L}\d]))*\)?(?:\s?\([a-zA-Z](?:\s?[-\u2013,]\s?[a-zA-Z])*\))*)/u

export interface Mentioned { kind: 'figure' | 'table', key: string }

/** In the order of the text, each once; keys as `labelKey` makes them. */
export function findMentions (text: string): Mentioned[] {
  const found: Mentioned[] = []
  for (const match of text.matchAll(naming)) {
    const word = (match[2] ?? match[3])!.toLowerCase()
    const kind = /^(?:tab|\uD45C|\u8868)/.test(word) ? 'table' : 'figure'
    const prefix = `${match[1] ?? ''}${word.replace(/s$/, '')} `
    const behind = match.index + match[0].length
    const numbers = readNumbers(text.slice(behind, behind + 80), kind, /s$/.test(word))
    for (const number of numbers) {
      const key = labelKey(prefix + number)
      if (!found.some(other => other.kind === kind && other.key === key)) found.push({ kind, key })
    }
  }
  return found
}

/** What goes on in a list: a word of the same kind may be said again. */
const joints = {
  figure: /^\s*(?:,\s*(?:and\s+)?|(?:and|&|or|und)\s*|([-\u2013\u2014]|to\s)\s*)(?:fig(?:ure)?s?\.?\s*)?(?=\(?(?:[A-Z]{0,2}\.?\d|[IVX]))/i,
  table: /^\s*(?:,\s*(?:and\s+)?|(?:and|&|or|und)\s*|([-\u2013\u2014]|to\s)\s*)(?:tables?\s*)?(?=\(?(?:[A-Z]{0,2}\.?\d|[IVX]))/i
}

/** Numbers of a list such as "2a, 3 and 5-7"; a range names all its members. */
function readNumbers (text: string, kind: Mentioned['kind'], plural: boolean): string[] {
  const numbers: string[] = []
  let rest = text
  let ranged = false
  for (let i = 0; i < 12; i++) {
    const match = listed.exec(rest)
    if (match === null) break
    const number = `${match[1]!}${match[2]!}`
    // "Figure 3-1" is one label or a range: what it names is seen from the labels there are.
    const before = numbers.at(-1)
    if (ranged && !plural) numbers.push(`${before}-${number}`)
    if (ranged) numbers.push(...between(before!, number))
    numbers.push(number)
    rest = rest.slice(match[0].length)
    const joint = joints[kind].exec(rest)
    if (joint === null) break
    ranged = joint[1] !== undefined
    rest = rest.slice(joint[0].length)
  }
  return numbers
}

function between (from: string, to: string): string[] {
  const [, letters = '', first = ''] = /^(\D*)(\d+)$/.exec(from) ?? []
  const [, same, last = ''] = /^(\D*)(\d+)$/.exec(to) ?? []
  const low = Number(first)
  const count = Number(last) - low - 1
  if (first === '' || (same !== letters && same !== '') || !(count > 0 && count < 30)) return []
  return Array.from({ length: count }, (_, i) => `${letters}${low + 1 + i}`)
}
