/**
 * Faults put into sound items on purpose, and rewrites that change no meaning: what a reviewer is
 * held to. Pure and seeded: the same item and seed give the same text.
 */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import { seededRandom, type Random } from '../../../shared/testing/random.ts'
import { numbersIn } from '../../../shared/text/facts.ts'
import { comparatives, directions } from '../../../shared/text/opposites.ts'
import { splitSentences } from '../../../shared/text/sentences.ts'
import { wordsOf } from '../../../shared/text/tokens.ts'
import { sha256 } from '../../../shared/contracts/hash.ts'

export const faultClasses = [
  'wrong-number', 'wrong-figure', 'unsupported-claim', 'missing-half', 'contradiction', 'vague-style', 'hedging',
  'wrong-answer', 'figure-only'
] as const
/** The last is no fault: it must not lower the score. */
export type FaultClass = (typeof faultClasses)[number] | 'rewrite'

interface Given { item: Item, document: Document, random: Random }
/** Null where the item has nothing that this fault could be put into. */
type Fault = (given: Given) => Item | null

/** `figure-only` is not made from items of papers: see drawn-figures.ts. */
const faults: Record<Exclude<FaultClass, 'figure-only'>, Fault> = {
  'wrong-number': inText(wrongNumber),
  'wrong-figure': wrongFigure,
  'unsupported-claim': inAnswer((text, { random }) => `${text} ${random.pick(claims)}`),
  'missing-half': inAnswer(missingHalf),
  contradiction: inAnswer(contradicted),
  'vague-style': inAnswer(vague),
  hedging: inAnswer(hedged),
  'wrong-answer': wrongAnswer,
  rewrite: inText(reworded)
}

/** @returns the item with the fault in it, under its own id; null where it does not apply */
export function withFault (
  faultClass: Exclude<FaultClass, 'figure-only'>, item: Item, at: { document: Document, seed: number }
): Item | null {
  const { document, seed } = at
  const random = seededRandom(Number.parseInt(sha256(`${seed} ${faultClass} ${item.id}`).slice(0, 8), 16))
  return faults[faultClass]({ item, document, random })
}

type Change = (text: string, given: Given) => string | null

/** In the answer of a descriptive item. */
function inAnswer (change: Change): Fault {
  return given => {
    const { answer } = given.item
    const changed = answer === undefined ? null : change(answer, given)
    return changed === null || changed === answer ? null : { ...given.item, answer: changed }
  }
}

/** In what an item claims: its answer, the right choice, the statement of a question that is true. */
function inText (change: Change): Fault {
  const ofAnswer = inAnswer(change)
  return given => {
    const { item } = given
    const { choices = [], answerIndex } = item
    if (item.answer !== undefined) return ofAnswer(given)
    if (item.kind === 'binary') {
      const question = item.answerIndex === 0 ? change(item.question, given) : null
      return question === null || question === item.question ? null : { ...item, question }
    }
    const right = choices[answerIndex ?? -1]
    const text = right === undefined ? null : change(right.text, given)
    if (text === null || choices.some(choice => choice.text === text)) return null
    return { ...item, choices: choices.map((choice, i) => i === answerIndex ? { ...choice, text } : choice) }
  }
}

function wrongNumber (text: string, { item, random }: Given): string | null {
  const evidence = item.evidence.map(({ quote }) => quote).join('\n')
  const known = new Set(numbersIn(evidence).map(({ value }) => value))
  // A number that the evidence does not have is none of the item's claims: of a figure's label, say.
  const candidates = numbersIn(text).filter(({ value }) => known.has(value))
  if (candidates.length === 0) return null
  const { start, end, text: digits } = random.pick(candidates)
  const places = [...digits].flatMap((digit, at) => /\d/u.test(digit) ? [at] : [])
  const at = random.pick(places)
  const other = random.pick([...'123456789'].filter(digit => digit !== digits[at]))
  return text.slice(0, start) + digits.slice(0, at) + other + digits.slice(at + 1) + text.slice(end)
}

/** Another figure of the same paper is asked about, by name and by image. */
function wrongFigure ({ item, document, random }: Given): Item | null {
  const own = document.figures.find(({ id }) => item.figureIds.includes(id))
  const others = document.figures.filter(({ id, imageId }) => id !== own?.id && imageId !== null)
  if (own === undefined || others.length === 0) return null
  const other = random.pick(others)
  return {
    ...item,
    place: item.place === own.id ? other.id : item.place,
    figureIds: item.figureIds.map(id => id === own.id ? other.id : id),
    question: own.label === '' ? item.question : item.question.replaceAll(own.label, other.label)
  }
}

const claims = [
  'The same was found in an independent cohort of 240 volunteers.',
  'A later replication by two other groups confirmed the effect.',
  'The code needs about 18 hours on a single graphics card.',
  'The authors attribute this to seasonal changes in humidity.',
  'This holds for all temperatures between 4 and 90 °C.'
]

function missingHalf (text: string): string | null {
  const sentences = splitSentences(text)
  if (sentences.length < 2) return null
  return sentences.slice(0, Math.floor(sentences.length / 2)).map(sentence => sentence.text).join(' ')
}

/** The last sentence says the opposite of an earlier one. */
function contradicted (text: string): string {
  const [first] = splitSentences(text)
  const turned = first === undefined ? undefined : opposite(first.text)
  return `${text} ${turned === undefined ? 'However, none of this is the case.' : `However, ${lowered(turned)}`}`
}

function opposite (sentence: string): string | undefined {
  for (const { text, start, end } of wordsOf(sentence)) {
    const other = directions.get(text.toLowerCase()) ?? comparatives.get(text.toLowerCase())
    if (other !== undefined) return sentence.slice(0, start) + other.word + sentence.slice(end)
  }
  const verb = /\b(?:is|are|was|were|can|has|have|did|does|will)\b/u.exec(sentence)
  if (verb === null) return undefined
  const end = verb.index + verb[0].length
  return `${sentence.slice(0, end)} not${sentence.slice(end)}`
}

const lowered = (text: string) => text.replace(/^(?:The|A|An|We|In|This|These|It|Our|For)\b/u, word => word.toLowerCase())

/** Numbers and their units give way to words that commit to nothing. */
function vague (text: string): string {
  let out = ''
  let from = 0
  for (const { start, end } of numbersIn(text)) {
    out += `${text.slice(from, start)}some`
    from = end
  }
  return `${out}${text.slice(from)} Various factors play a role in this, among other things.`
}

function hedged (text: string): string {
  return `It is likely to be the case that ${lowered(text).replace(/\.$/u, '')}, though this might perhaps be different.`
}

function wrongAnswer ({ item, random }: Given): Item | null {
  const { choices = [], answerIndex } = item
  if (answerIndex === undefined || choices.length < 2) return null
  return { ...item, answerIndex: (answerIndex + random.whole(1, choices.length - 1)) % choices.length }
}

/** Either side may stand for the other in scientific prose. */
const equals: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bshows\b/u, 'demonstrates'], [/\bshow\b/u, 'demonstrate'], [/\bshowed\b/u, 'demonstrated'],
  [/\buse\b/u, 'employ'], [/\bused\b/u, 'employed'], [/\busing\b/u, 'with'],
  [/\babout\b/u, 'approximately'], [/\bapproximately\b/u, 'about'], [/\bbecause\b/u, 'since'],
  [/\bwhich\b/u, 'that'], [/\bhowever\b/u, 'nevertheless'], [/\bthus\b/u, 'therefore'], [/\btherefore\b/u, 'hence'],
  [/\bobtain\b/u, 'get'], [/\bobtained\b/u, 'found'], [/\bpropose\b/u, 'put forward'], [/\balso\b/u, 'as well'],
  [/(?<=\d) ?%/u, ' percent'], [/\bfor example\b/u, 'for instance'], [/\bin order to\b/u, 'to'], [/; /u, ', and '],
  [/\bthan those of\b/u, 'than the ones of'], [/\bbetween (\S+) and (\S+)\b/u, 'from $1 to $2'], [/\bwe find\b/iu, 'it is found']
]

/** Another wording of the same: the first word for which there is an equal. */
function reworded (text: string, { random }: Given): string | null {
  const possible = equals.filter(([from]) => from.test(text))
  if (possible.length === 0) return null
  const [from, to] = random.pick(possible)
  return text.replace(from, to)
}
