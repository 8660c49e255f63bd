/** What a caption says about the picture in brackets: "PCT-1 (green)" is a claim about green. */
import { exclusiveSets } from '../../../shared/text/opposites.ts'
import type { Claim } from './claims.ts'

const looks = exclusiveSets.flat().filter(word => !/^(?:left|right|top|bottom|middle|horizontal|vertical|open|filled|white)$/u.test(word))
const entry = new RegExp(`([^(),;:.]{2,80}) \\((${looks.join('|')})( (?:lines?|curves?|dots?|circles?|bars?|symbols?|squares?|triangles?|arrows?|points?|markers?|areas?|dashed line|solid line))?\\)`, 'gu')

/**
 * One claim for each name with a look, unless the sentence gives the name two. `panel` is taken
 * from a sentence that opens with one.
 */
export function legendClaims (sentence: string): Claim[] {
  const panel = /^\(([A-Ha-h])\) /u.exec(sentence)?.[1]
  const entries = Array.from(sentence.matchAll(entry), ([, before = '', look = '', noun = '']) =>
    ({ name: nameIn(before), look: `${look}${noun}` }))
  return entries.filter(({ name }) => name !== '' && entries.filter(other => other.name === name).length === 1)
    .map(({ name, look }) => ({ text: `${subjectOf(look)} ${name}`, ...panel !== undefined && { panel } }))
}

/** The last name of a list: "patterns of A (red), B" is B. Prose rather than a name gives ''. */
function nameIn (before: string): string {
  const name = before.split(/ (?:and|of|for|or|versus|vs|by|with|in|as) /u).at(-1)?.trim().replace(/^(?:and|the|a|of) /u, '') ?? ''
  const words = name.split(' ')
  return words.length <= 5 && /\p{L}{2}|\p{L}\d/u.test(name) && !/[<>=≤≥~]/u.test(before) && !/^(?:left|right|panel|it|they|respectively)$/iu.test(name) ? name : ''
}

/** "red stands for", "the dashed line stands for", "circles stand for". */
function subjectOf (look: string): string {
  const plural = look.endsWith('s')
  const bare = !look.includes(' ') && !plural
  if (bare && /^(?:solid|dashed|dotted)$/u.test(look)) return `the ${look} line stands for`
  return bare ? `${look} stands for` : `the ${look} ${plural ? 'stand' : 'stands'} for`
}
