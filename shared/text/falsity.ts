/** Two statements that differ in one fact: that the paper says the one, and nowhere the other. */
import type { Check, Evidence } from '../contracts/item.ts'
import { claimFault, sentencesOfEvidence, standsIn, withoutMentions } from './claim-guard.ts'
import { factsIn, numbersIn } from './facts.ts'
import { comparatives, directions } from './opposites.ts'
import { isOfQuantity, sameQuantities } from './quantities.ts'
import type { Said } from './said-sentences.ts'
import { startOf } from './start-of.ts'
import { holderOf, overlapMinOf, statementSupport, type EditKind } from './support.ts'
import { termsOf } from './tokens.ts'
import { isTrivialFact } from './trivial-facts.ts'
import { oneFactBetween, type Change } from './word-changes.ts'

/** What is wrong: a stable reason, and words for who wrote it. */
export interface Fault { reason: string, detail: string }

export interface Contrast { yes: string, no: string, evidence: readonly Evidence[] }

export interface Contrasted {
  changes: Change[]
  checks: Check[]
  /** Whether what the false one puts in is a value or name of the paper itself. */
  own: boolean
}

/** Words that only a writer of false statements would add. */
const telltale = /(?<!\p{L})(?:only|all|always|never|every|none|exclusively|solely|completely|entirely|항상|모든|오직|절대|전혀)(?!\p{L})/iu

/**
 * @param around  title and caption: names may stand there
 * @returns the checks that were passed, or the first that was not
 */
export function contrastOf (
  { yes, no, evidence }: Contrast, said: Said, around: string
): Contrasted | Fault {
  const changes = oneFactBetween(yes, no)
  if (typeof changes === 'string') return { reason: 'not-minimal', detail: changes }
  const quotes = evidence.map(({ quote }) => quote)
  const loose = claimFault(yes, quotes, around)
  if (loose !== undefined) return { reason: 'not-in-evidence', detail: `The true statement: ${loose}` }
  const [change] = changes
  if (change === undefined || change.from === '' || change.to === '') {
    return { reason: 'not-minimal', detail: 'The false one only adds or leaves out words; it has to replace a fact.' }
  }
  if (isTrivialFact(change.from, { yes, no, quotes })) {
    return { reason: 'trivial-fact', detail: `"${startOf(change.from, 60)}" against "${startOf(change.to, 60)}" is a mark or year of a citation, or the number of a section, list, figure, table or equation; change a fact that the paper states.` }
  }
  if (!standsIn(change.from, quotes)) return { reason: 'not-in-evidence', detail: `"${change.from}" does not stand in the quotes.` }
  if (factsIn(change.to).some(({ kind }) => kind === 'negation') || (telltale.test(change.to) && !telltale.test(change.from))) {
    return { reason: 'telltale', detail: `"${change.to}" tells by itself that it is false; misstate a fact instead of denying or overstating it.` }
  }
  if (changes.length === 1 && sayTheSame({ yes, no }, change)) {
    return { reason: 'same-meaning', detail: `"${change.to}" says the same as "${change.from}"; misstate a fact instead of wording it otherwise.` }
  }
  const odd = oddNumber(change)
  if (odd !== undefined) return odd
  const contrast = { yes, no, evidence }
  const unsafe = heldByEvidence(contrast, changes, said) ?? supportFault(contrast, changes, said)
  if (unsafe !== undefined) return unsafe
  return {
    changes,
    own: isOwn(change.to, said),
    checks: [
      { name: 'critical-tokens', passed: true, detail: 'Numbers, units, names, directions and negations of the true statement stand in the quotes.' },
      { name: 'one-fact-apart', passed: true, detail: `"${change.from}" against "${change.to}".` },
      { name: 'false-member-unsupported', passed: true, detail: 'No sentence, caption or table row of the paper supports the false member.' }
    ]
  }
}

/** An amount printed otherwise (24 ms, 24.0 ms, 24 milliseconds), or a direction by another word. */
function sayTheSame ({ yes, no }: Pick<Contrast, 'yes' | 'no'>, { from, to }: Change): boolean {
  const [one, other] = [from, to].map(words => bare(words, '').toLowerCase())
  const turned = [directions, comparatives].some(words =>
    words.has(one!) && words.get(one!)?.sign === words.get(other!)?.sign)
  if (turned) return true
  return isOfQuantity(bare(from, yes)) && isOfQuantity(bare(to, no)) &&
    sameQuantities(withoutMentions(yes), withoutMentions(no))
}

/** So much nearer is a rounding, so much farther tells by itself. */
const ratioMin = 1.05
const ratioMax = 10

function oddNumber ({ from, to }: Change): Fault | undefined {
  const [[number], [other]] = [numbersIn(from), numbersIn(to)]
  if (number?.value === undefined || other?.value === undefined) return undefined
  if (number.value === other.value) return undefined
  const sizes = [Math.abs(number.value), Math.abs(other.value)]
  const [less, more] = [Math.min(...sizes), Math.max(...sizes)]
  if (less > 0 && more / less < ratioMin && Math.sign(number.value) === Math.sign(other.value)) {
    return { reason: 'too-close', detail: `${other.text} is within five percent of ${number.text}: it might be a rounding.` }
  }
  const beyond = other.unit === '%' && other.value > 100 && number.value <= 100
  return beyond || (less > 0 && more / less > ratioMax)
    ? { reason: 'implausible', detail: `${other.text} in place of ${number.text} tells by itself that it is false.` }
    : undefined
}

/** Whether what the false one puts in stands in the evidence too, whatever is said of it there. */
function heldByEvidence (
  { no, evidence }: Contrast, changes: readonly Change[], said: Said
): Fault | undefined {
  const [{ from, to } = { from: '', to: '' }] = changes
  if (changes.length > 1) return undefined
  const edit = editOf(from, to, no)
  const holds = holderOf({ text: withoutMentions(no), ...edit })
  const own = [...sentencesOfEvidence(evidence, said)].map(({ text }) => text)
  const held = [...own, ...evidence.map(({ quote }) => quote)].find(holds)
  return held === undefined
    ? undefined
    : { reason: 'false-member-in-evidence', detail: `"${edit.to}" stands in the evidence too: "${startOf(held, 160)}".` }
}

/**
 * Whether any sentence, caption or table row but those of the evidence may say what the false one says.
 *
 * @param changes  between the two, as `oneFactBetween` has them
 */
export function supportFault (
  contrast: Contrast, changes: readonly Change[], said: Said
): Fault | undefined {
  const [change] = changes
  if (change === undefined) return undefined
  return changes.length > 1 ? swapSupport(contrast, changes, said) : support(contrast, change, said)
}

function support ({ no, evidence }: Contrast, { from, to }: Change, said: Said): Fault | undefined {
  const text = withoutMentions(no)
  const foil = { text, ...editOf(from, to, no) }
  const holds = holderOf(foil)
  const own = sentencesOfEvidence(evidence, said)
  const overlapMin = overlapMinOf(foil)
  const found = statementSupport({ text, changed: `${from} ${to}`, holds, overlapMin }, said, own)
  return found === undefined ? undefined : supported(found)
}

/** Two things that changed places: somebody else may say it just so. */
function swapSupport (
  { no, evidence }: Contrast, changes: readonly Change[], said: Said
): Fault | undefined {
  const [first = '', second = ''] = changes.map(({ to }) => to.toLowerCase().replace(/[?.,;]+$/u, ''))
  const holds = (sentence: string) => {
    const text = sentence.toLowerCase()
    const at = text.indexOf(first)
    return at >= 0 && text.indexOf(second, at + first.length) >= 0
  }
  const found = statementSupport({
    text: withoutMentions(no), changed: `${first} ${second}`, holds, overlapMin: overlapMinOf({ kind: 'entity' })
  }, said, sentencesOfEvidence(evidence, said))
  return found === undefined ? undefined : supported(found)
}

function supported (found: string): Fault {
  return { reason: 'false-member-supported', detail: `The paper may say so: "${startOf(found, 160)}".` }
}

const isNegated = (text: string) => factsIn(text).some(({ kind }) => kind === 'negation')

function editOf (from: string, to: string, text: string): { kind: EditKind, to: string } {
  if (isNegated(to) && !isNegated(from)) return { kind: 'negation', to: 'not' }
  if (to === '' && isNegated(from)) return { kind: 'negation', to }
  return { kind: kindOf(from, to), to: bare(to, text) }
}

function kindOf (from: string, to: string): EditKind {
  const [numbers, others] = [numbersIn(from), numbersIn(to)]
  // A unit changed is found by its word; so is a number with words around it.
  if (others.length === 1 && numbers[0]?.value !== others[0]?.value) return 'number'
  const word = bare(to, '').toLowerCase()
  if (directions.has(word)) return 'direction'
  if (comparatives.has(word)) return 'comparative'
  return 'contrast'
}

/** As the text has it, without marks at its end; of a number only the digits, as they are read there. */
function bare (to: string, text: string): string {
  const numbers = numbersIn(to)
  const [number] = numbers
  if (number !== undefined && numbers.length === 1) {
    return numbersIn(text).find(({ value }) => value === number.value)?.text ?? number.text
  }
  return to.replaceAll(/^[("“]+|[)"”?.,;:]+$/gu, '')
}

/** Whether what was put in is a value, or are words, of the paper itself. */
export function isOwn (to: string, said: Said): boolean {
  const numbers = numbersIn(to)
  if (numbers.length > 0) {
    return numbers.every(({ text: digits, value }) => said.sentences.some(({ text }) =>
      text.includes(digits) && numbersIn(text).some(number => number.value === value)))
  }
  const wanted = termsOf(to)
  return wanted.length > 0 && said.sentences.some(({ terms }) => wanted.every(term => terms.has(term)))
}
