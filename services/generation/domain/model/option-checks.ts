/** What options must be: alike in form, different in what they say, one right. */
import type { Evidence } from '../../../../shared/contracts/item.ts'
import { sentencesOfEvidence, withoutMentions } from '../../../../shared/text/claim-guard.ts'
import { isUnitSymbol, numbersIn } from '../../../../shared/text/facts.ts'
import { languageFault } from '../../../../shared/text/language.ts'
import { normalised } from '../../../../shared/text/normalise.ts'
import { isUnitWord, sameQuantities } from '../../../../shared/text/quantities.ts'
import { nearDuplicates } from '../../../../shared/text/similarity.ts'
import { startOf } from '../../../../shared/text/start-of.ts'
import { holderOf, overlapMinOf } from '../../../../shared/text/support.ts'
import { stopWords, termsOf, wordsOf } from '../../../../shared/text/tokens.ts'
import type { SourceText } from '../source-text.ts'
import type { Fault } from './writer.ts'

export const optionCharsMax = 300
const longerTimes = 2
const longerChars = 20
const rightLongerTimes = 1.3
const rightLongerChars = 8

const ofOthers = /(?<!\p{L})(?:(?:all|none|both|neither|any|some|two) of (?:the )?(?:above|these|them|options|others|other)|both [A-D] and [A-D]|the (?:above|other options)|위의 (?:모두|모든)|모두 (?:맞|옳|해당)|정답 없음|해당 없음)/iu

/** The options of the model, the right one first where there is one. */
export function optionsFault (
  options: readonly string[], { language, right }: { language: string, right: boolean }
): Fault | undefined {
  for (const option of options) {
    if (option === '' || [...option].length > optionCharsMax) return { reason: 'option-length', detail: `An option has ${[...option].length} characters; 1 to ${optionCharsMax} are allowed.` }
    if (ofOthers.test(option)) return { reason: 'option-of-options', detail: `"${option}" speaks of other options.` }
    const mixed = languageFault(option, language)
    if (mixed !== undefined) return { reason: 'language', detail: `The option "${startOf(option, 80)}": ${mixed}` }
  }
  return alikeFault(options) ?? formFault(options) ?? lengthFault(options, right)
}

function alikeFault (options: readonly string[]): Fault | undefined {
  const said = options.map(option =>
    [...new Set(wordsOf(normalised(option)).map(({ text }) => text.toLowerCase()))].sort().join(' '))
  for (const [i, option] of options.entries()) {
    const same = options.findIndex((other, at) =>
      at < i && (said[at] === said[i] || nearDuplicates(other, option) || sameAmount(other, option)))
    if (same >= 0) return { reason: 'options-alike', detail: `"${option}" and "${options[same]}" say the same.` }
  }
  return undefined
}

const hedging = new Set(['about', 'around', 'approximately', 'roughly', 'nearly', 'ca', 'circa', 'some', '약'])

/** The same amounts of the same thing, printed otherwise: 1,000 and 1000, 95 m and 95.0 m. */
function sameAmount (a: string, b: string): boolean {
  const thingOf = (option: string) => wordsOf(option.replaceAll(/per cent/giu, '%')).map(({ text }) => text)
    .filter(word => !/^\p{N}/u.test(word) && !isUnitWord(word))
    .map(word => word.toLowerCase()).filter(word => !stopWords.has(word) && !hedging.has(word)).join(' ')
  return thingOf(a) === thingOf(b) && sameQuantities(a, b)
}

/** All with numbers or none, in the same units; all sentences or none. */
function formFault (options: readonly string[]): Fault | undefined {
  const forms = options.map(option => {
    const numbers = numbersIn(option)
    const units = [...new Set(numbers.flatMap(({ unit = '' }) => isUnitSymbol(unit) ? unit : []))].sort()
    return { numbers: numbers.length > 0, units: units.join(' '), sentence: /[.。]$/u.test(option) }
  })
  for (const [name, detail] of [
    ['numbers', 'Some options have a number and others have none.'],
    ['units', 'The options differ in their units.'],
    ['sentence', 'Some options are sentences and others are not.']
  ] as const) {
    if (new Set(forms.map(form => form[name])).size > 1) return { reason: 'options-differ-in-form', detail }
  }
  return undefined
}

function lengthFault (options: readonly string[], right: boolean): Fault | undefined {
  const lengths = options.map(option => [...option].length)
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)]
  if (most > longerTimes * least + longerChars) {
    return { reason: 'options-differ-in-length', detail: `The longest option has ${most} characters, the shortest ${least}.` }
  }
  const [first = 0, ...others] = lengths
  return right && first > rightLongerTimes * Math.max(...others) + rightLongerChars
    ? { reason: 'right-option-longest', detail: `The right option has ${first} characters, the longest other one ${Math.max(...others)}.` }
    : undefined
}

export interface Asked { question: string, right: string, evidence: readonly Evidence[] }

/** As near to the question as the evidence itself, or nearly. */
const nearShare = 0.8

/**
 * A wrong option that the paper may support: a sentence or row holds it that is about as near to the
 * question as the evidence, or it stands in the evidence as near to what is asked as the right one.
 */
export function supportedOption (
  option: string, { question, right, evidence }: Asked, source: SourceText
): Fault | undefined {
  const asked = new Set(termsOf(withoutMentions(question)))
  const weightOf = (terms: Iterable<string>) =>
    [...new Set(terms)].reduce((sum, term) => sum + (asked.has(term) ? source.idf(term) : 0), 0)
  const [holds, holdsRight] = [option, right].map(holder)
  const own = sentencesOfEvidence(evidence, source)
  const rows = source.rows.filter(({ text }) => holdsRight!(text))
  const reach = Math.max(...[...own, ...rows].map(({ terms }) => weightOf(terms)), 0)
  const least = Math.max(nearShare * reach, overlapMinOf({ kind: 'contrast' }) * weightOf(asked))
  const others = [
    ...source.sentences.filter(sentence => !own.has(sentence)),
    ...source.rows.filter(row => !rows.includes(row))
  ]
  const beside = others.find(({ text, terms }) => holds!(text) && weightOf(terms) >= least)
  if (beside !== undefined) return { reason: 'distractor-supported', detail: `"${option}" may be right too: "${startOf(beside.text, 160)}".` }
  const nearer = [...own].find(({ text }) =>
    holds!(text) && weightOf(around(text, option)) >= weightOf(around(text, right)))
  return nearer === undefined
    ? undefined
    : { reason: 'distractor-in-evidence', detail: `"${option}" stands in the evidence as near to what is asked as the right option.` }
}

function holder (option: string): (sentence: string) => boolean {
  const [number, ...more] = numbersIn(option)
  if (number !== undefined && more.length === 0) {
    const kind = number.kind === 'percentage' ? 'percentage' : 'number'
    return holderOf({ kind, to: number.text, text: option })
  }
  return holderOf({ kind: 'contrast', to: option, text: option })
}

/** Words this close to an option in a sentence say what it is the answer to. */
const reachWords = 6

function around (text: string, option: string): string[] {
  const words = wordsOf(text.toLowerCase()).map(({ text }) => text)
  const of = new Set(wordsOf(option.toLowerCase()).map(({ text }) => text))
  return words.flatMap((word, i) => of.has(word)
    ? termsOf(words.slice(Math.max(0, i - reachWords), i + reachWords + 1).join(' '))
    : [])
}
