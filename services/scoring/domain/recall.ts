/**
 * What of the reference an answer still says: its numbers and its terms. Overlap measures forgive
 * a wrong number, for it is one token of forty; these do not.
 */
import { isUnitSymbol, numbersIn, type Fact } from '../../../shared/text/facts.ts'
import { normalised } from '../../../shared/text/normalise.ts'
import { termsOf } from '../../../shared/text/tokens.ts'

export const numberRecallSignature = 'distinct numerals of reference in reply|equal value, sign and, where both have one, unit symbol'
export const termRecallSignature = 'distinct terms of reference in reply|lower case, no stop words, no numerals, plurals folded'

/** What the reference says, read once for all replies. */
export interface Said { numbers: Fact[], terms: ReadonlySet<string> }

export function saidIn (text: string): Said {
  const plain = normalised(text)
  return { numbers: distinct(numbersIn(plain)), terms: new Set(termsOf(plain).filter(term => !/\p{N}/u.test(term))) }
}

const referencesKept = 2_048
const references = new Map<string, Said>()

/** The same, kept a while: a reference is read for every run, and for each item that it is a floor of. */
export function saidInReference (text: string): Said {
  const said = references.get(text) ?? saidIn(text)
  references.delete(text)
  references.set(text, said)
  if (references.size > referencesKept) references.delete(references.keys().next().value!)
  return said
}

/** 0 to 1; null when the reference has no number. */
export function numberRecall (reference: Said, reply: Said): number | null {
  return share(reference.numbers, number => reply.numbers.some(other => agree(number, other)))
}

/** 0 to 1; null when the reference has no term. */
export function termRecall (reference: Said, reply: Said): number | null {
  return share([...reference.terms], term => reply.terms.has(term))
}

function share<T> (wanted: readonly T[], found: (one: T) => boolean): number | null {
  return wanted.length === 0 ? null : wanted.filter(found).length / wanted.length
}

/** "5 mm" is not "5 s"; a bare 5, or 5 layers, may be either. */
function agree (a: Fact, b: Fact): boolean {
  const units = [a.unit ?? '', b.unit ?? '']
  return a.value === b.value && (!units.every(isUnitSymbol) || units[0] === units[1])
}

function distinct (numbers: readonly Fact[]): Fact[] {
  return [...new Map(numbers.map(number => [`${number.value} ${number.unit}`, number])).values()]
}
