/** Two statements that differ in one fact: that the paper says the one, and nowhere the other. */
import type { Check, Evidence } from '../../../../shared/contracts/item.ts'
import { factsIn, numbersIn } from '../../../../shared/text/facts.ts'
import { comparatives, directions } from '../../../../shared/text/opposites.ts'
import { startOf } from '../../../../shared/text/start-of.ts'
import { termsOf } from '../../../../shared/text/tokens.ts'
import { oneFactBetween, type Change } from '../../../../shared/text/word-changes.ts'
import type { EditKind } from '../foil.ts'
import type { SourceText } from '../source-text.ts'
import { holderOf, overlapMinOf, statementSupport } from '../support.ts'
import { claimFault, sentencesOfEvidence, standsIn, withoutMentions } from './claim-guard.ts'
import type { Fault } from './writer.ts'

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
  { yes, no, evidence }: Contrast, source: SourceText, around: string
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
  if (!standsIn(change.from, quotes)) return { reason: 'not-in-evidence', detail: `"${change.from}" does not stand in the quotes.` }
  if (factsIn(change.to).some(({ kind }) => kind === 'negation') || (telltale.test(change.to) && !telltale.test(change.from))) {
    return { reason: 'telltale', detail: `"${change.to}" tells by itself that it is false; misstate a fact instead of denying or overstating it.` }
  }
  const odd = oddNumber(change)
  if (odd !== undefined) return odd
  const contrast = { yes, no, evidence }
  const supported = changes.length > 1
    ? swapSupport(contrast, changes, source)
    : support(contrast, change, source)
  if (supported !== undefined) return supported
  return {
    changes,
    own: isOwn(change.to, source),
    checks: [
      { name: 'critical-tokens', passed: true, detail: 'Numbers, units, names, directions and negations of the true statement stand in the quotes.' },
      { name: 'one-fact-apart', passed: true, detail: `"${change.from}" against "${change.to}".` },
      { name: 'false-member-unsupported', passed: true, detail: 'No sentence, caption or table row of the paper supports the false member.' }
    ]
  }
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

function support ({ no, evidence }: Contrast, { from, to }: Change, source: SourceText): Fault | undefined {
  const text = withoutMentions(no)
  const foil = { kind: kindOf(from, to), text, to: bare(to, no) }
  const holds = holderOf(foil)
  const own = sentencesOfEvidence(evidence, source)
  const said = [...[...own].map(({ text }) => text), ...evidence.map(({ quote }) => quote)].find(holds)
  if (said !== undefined) {
    return { reason: 'false-member-in-evidence', detail: `"${to}" stands in the evidence too: "${startOf(said, 160)}".` }
  }
  const overlapMin = overlapMinOf(foil)
  const found = statementSupport({ text, changed: `${from} ${to}`, holds, overlapMin }, source, own)
  return found === undefined ? undefined : supportFault(found)
}

/** Two things that changed places: somebody else may say it just so. */
function swapSupport (
  { no, evidence }: Contrast, changes: readonly Change[], source: SourceText
): Fault | undefined {
  const [first = '', second = ''] = changes.map(({ to }) => to.toLowerCase().replace(/[?.,;]+$/u, ''))
  const holds = (sentence: string) => {
    const text = sentence.toLowerCase()
    const at = text.indexOf(first)
    return at >= 0 && text.indexOf(second, at + first.length) >= 0
  }
  const found = statementSupport({
    text: withoutMentions(no), changed: `${first} ${second}`, holds, overlapMin: overlapMinOf({ kind: 'entity' })
  }, source, sentencesOfEvidence(evidence, source))
  return found === undefined ? undefined : supportFault(found)
}

function supportFault (found: string): Fault {
  return { reason: 'false-member-supported', detail: `The paper may say so: "${startOf(found, 160)}".` }
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
export function isOwn (to: string, source: SourceText): boolean {
  const numbers = numbersIn(to)
  if (numbers.length > 0) {
    return numbers.every(({ text: digits, value }) => source.sentences.some(({ text }) =>
      text.includes(digits) && numbersIn(text).some(number => number.value === value)))
  }
  const wanted = termsOf(to)
  return wanted.length > 0 && source.sentences.some(({ terms }) => wanted.every(term => terms.has(term)))
}
