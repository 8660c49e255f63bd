/** Whether a statement says what its quotes say: the critical tokens of one stand in the other. */
import type { Evidence } from '../contracts/item.ts'
import { factsIn, isUnitSymbol, numbersIn } from './facts.ts'
import { codePointOffset, normalised } from './normalise.ts'
import { comparatives, directions } from './opposites.ts'
import { termsOf } from './tokens.ts'
import type { PlacedSentence, Said } from './said-sentences.ts'

/** "Figure 2", "Fig. 2b", "Table 1", "그림 2": what is asked about, and no fact. */
const mention = /(?<!\p{L})(?:figures?|figs?\.?|tables?|tab\.|equations?|eqs?\.?|panels?|sections?|그림|표|식)\s?\(?(?:S?\d{1,4}(?:\.\d{1,3})?[a-z]?|[IVX]{1,5}|[A-H])\b\)?/giu

/** What Korean writes onto a name: "NX의", "BERT에서". */
const particle = /(?<=[\p{Script=Latin}\p{N}])[\uAC00-\uD7A3]{1,4}$/u

export function withoutMentions (text: string): string {
  return text.replaceAll(mention, ' ')
}

/**
 * Numbers with their units, names, directions and negations of the claim must stand in the quotes;
 * names that are no measurement may stand in `around` (title, caption) instead.
 */
export function claimFault (claim: string, quotes: readonly string[], around = ''): string | undefined {
  const fault = valueFault(claim, quotes, around)
  if (fault !== undefined) return fault
  const stated = withoutMentions(normalised(claim))
  const said = normalised(quotes.join(' \n '))
  const signs = signsOf(said)
  for (const { kind, text } of factsIn(stated)) {
    const sign = signOf(text)
    if ((kind === 'direction' || kind === 'comparative') && sign !== undefined && !signs.has(sign)) return `The quotes do not say "${text}".`
  }
  const negated = (text: string) => factsIn(text).some(({ kind }) => kind === 'negation')
  return negated(stated) && !negated(said) ? 'It is negated, the quotes are not.' : undefined
}

/** Numbers with their units, and names: what is the same in every language. */
export function valueFault (claim: string, quotes: readonly string[], around = ''): string | undefined {
  const stated = withoutMentions(normalised(claim))
  const said = normalised(quotes.join(' \n '))
  const numbers = numbersIn(withoutMentions(said))
  for (const { text, value, unit = '' } of numbersIn(stated)) {
    const same = numbers.filter(number => number.value === value)
    if (same.length === 0) return `The number ${text} does not stand in the quotes.`
    if (isUnitSymbol(unit) && !same.some(number => number.unit === unit)) return `The quotes give ${text} another unit than ${unit}.`
  }
  const known = fold(`${said} ${around}`)
  for (const { kind, text } of factsIn(stated)) {
    if (kind !== 'entity') continue
    const name = text.replace(particle, '')
    const where = /\p{N}/u.test(name) ? fold(said) : known
    if (!where.includes(fold(name).trim())) return `The name ${text} does not stand in the quotes.`
  }
}

/** Whether what a run of words says stands in the quotes: its value, its direction, or its terms. */
export function standsIn (words: string, quotes: readonly string[]): boolean {
  const said = quotes.join(' \n ')
  const numbers = numbersIn(words)
  if (numbers.length > 0) {
    return numbers.every(({ value }) => numbersIn(said).some(number => number.value === value))
  }
  const turning = words.split(/\s+/u).map(word => signOf(word.replace(/[^\p{L}-]/gu, '')))
    .find(sign => sign !== undefined)
  if (turning !== undefined) return signsOf(said).has(turning)
  const terms = new Set(termsOf(said))
  const wanted = termsOf(words)
  return wanted.length === 0
    ? said.toLowerCase().includes(words.toLowerCase().replace(/[?.,;]+$/u, ''))
    : wanted.every(term => terms.has(term))
}

/** The sentences that the evidence is of. */
export function sentencesOfEvidence (
  evidence: readonly Evidence[], { sentences }: Said
): Set<PlacedSentence> {
  return new Set(sentences.filter(({ passage, start, end }) => evidence.some(
    ({ target, charStart, charEnd, cell }) => cell === undefined && keyOf(target) === keyOf(passage.target) &&
    codePointOffset(passage.text, start) < charEnd && codePointOffset(passage.text, end) > charStart)))
}

function keyOf ({ type, id = '' }: Evidence['target']): string {
  return `${type} ${id}`
}

function signOf (word: string): number | undefined {
  const lower = word.toLowerCase()
  return (directions.get(lower) ?? comparatives.get(lower))?.sign
}

function signsOf (text: string): Set<number> {
  return new Set(factsIn(text).flatMap(({ text }) => signOf(text) ?? []))
}

function fold (text: string): string {
  return text.toLowerCase().replaceAll(/[\s-]+/gu, ' ')
}
