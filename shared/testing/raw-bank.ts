/**
 * A bank as it comes from many sessions of an examination: questions that are asked again, word for word,
 * with other orders of the choices, in other type, in other words, with a wrong key, and turned round. What
 * was planted is known.
 */
import { idOf } from '../contracts/hash.ts'
import type { Item } from '../contracts/item.ts'
import { heldOutEnglish, heldOutKorean } from './held-out-bank-words.ts'
import { englishWords, koreanWords, type BankWords } from './raw-bank-words.ts'
import { seededRandom, type Random } from './random.ts'

/**
 * copy, permuted (choices), retyped (spacing, punctuation, widths, numbering): the same question. paraphrase:
 * the same in other words. turned, swapped: another question in nearly the same words, by a word that asks
 * for the opposite or by one for another case; of half of them choices and key were left as they were.
 * miskeyed: the same question with another key.
 */
export const plants = ['copy', 'permuted', 'retyped', 'paraphrase', 'turned', 'swapped', 'miskeyed'] as const
export type Plant = typeof plants[number]
export interface Planted { id: string, of: string, plant: Plant }
export interface RawBank { items: Item[], planted: Planted[] }

interface Made { question: string, choices: string[], answerIndex: number, filled: Filled }
interface Filled { words: BankWords, stem: number, topic: string, setting: string }

export interface RawBankOptions {
  total: number
  seed: number
  bankId?: string
  /** Which words it is made of: see held-out-bank-words.ts. */
  words?: 'first' | 'held-out'
  /** So many invented terms, some far more often than others; 0: the few of the lists. */
  termCount?: number
}

/** @returns items in a random order; a planted one always stands after the one it was made of */
export function rawBank (options: RawBankOptions): RawBank {
  const { total, seed, bankId = `imp_${'0'.repeat(32)}`, termCount = 0, words = 'first' } = options
  const random = seededRandom(seed)
  const bases: Made[] = []
  const seen = new Set<string>()
  const made: Array<{ made: Made, of: number | null, plant: Plant | null }> = []
  while (made.length < total) {
    const plant = random.chance(0.4) && bases.length > 20 ? random.pick(plants) : null
    if (plant === null) {
      const base = baseOf(random, seen, { termCount, languages: wordSets[words] })
      bases.push(base)
      made.push({ made: base, of: null, plant })
      continue
    }
    const of = random.whole(0, made.length - 1)
    const origin = made[of]!
    const changed = origin.plant === null ? variantOf(origin.made, plant, random) : null
    // One variant of a question each, so that what was planted says what each pair is.
    if (changed === null) continue
    origin.plant = 'copy'
    made.push({ made: changed, of, plant })
  }
  const items = made.map((each, row) => itemOf(each.made, { bankId, row: row + 1 }))
  const planted = made.flatMap(({ of, plant }, at) => of === null || plant === null
    ? []
    : [{ id: items[at]!.id, of: items[of]!.id, plant }])
  return { items, planted }
}

const wordSets = {
  first: { en: englishWords, ko: koreanWords }, 'held-out': { en: heldOutEnglish, ko: heldOutKorean }
}

interface Making { termCount: number, languages: { en: BankWords, ko: BankWords } }

function baseOf (random: Random, seen: Set<string>, { termCount, languages }: Making): Made {
  for (;;) {
    const words = random.chance(0.5) ? languages.ko : languages.en
    const stem = random.whole(0, words.stems.length - 1)
    const topic = termOf(words, random, termCount)
    const filled = { words, stem, topic, setting: random.pick(words.settings) }
    const choices = new Set<string>()
    while (choices.size < 4) choices.add(choiceOf(words, random, termCount))
    const listed = [...choices]
    if (random.chance(0.1)) listed[3] = words.last
    const key = `${filled.words.language} ${filled.stem} ${filled.topic} ${filled.setting}`
    if (seen.has(key)) continue
    // Asked of every pair of topic and setting once while there are any left.
    seen.add(key)
    if (termCount === 0 && seen.size > 6000) seen.clear()
    return { question: stemOf(filled, 0), choices: listed, answerIndex: random.whole(0, 3), filled }
  }
}

function choiceOf (words: BankWords, random: Random, termCount: number): string {
  const choice = `${random.pick(words.subjects)} ${random.pick(words.predicates)}`
  return termCount === 0 ? choice : `${termOf(words, random, termCount)}: ${choice}`
}

const syllables = { en: ['ba', 'cor', 'den', 'fil', 'gra', 'hy', 'jun', 'kel', 'lim', 'mor', 'nas', 'pre', 'qua', 'ros', 'sten', 'tur'], ko: ['가', '노', '단', '라', '모', '빈', '속', '온', '준', '철', '큰', '탐', '파', '형', '국', '진'] }

/** Log-uniform over the invented ones: the first is as frequent as words of Zipf's law are. */
function termOf (words: BankWords, random: Random, termCount: number): string {
  if (termCount === 0) return random.pick(words.topics)
  let number = Math.floor(termCount ** random.next())
  let term = ''
  for (let at = 0; at < 5; at++, number = Math.floor(number / 16)) {
    term += syllables[words.language][(number + 3 * at) % 16]
  }
  return term
}

function stemOf ({ words, stem, topic, setting }: Filled, wording: number): string {
  const text = words.stems[stem]!.wordings[wording]!.replace('{t}', topic).replace('{c}', setting)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Null where the plant cannot be made of it. */
function variantOf (made: Made, plant: Plant, random: Random): Made | null {
  const { filled, choices, answerIndex } = made
  const { words } = filled
  switch (plant) {
    case 'copy': return { ...made }
    case 'permuted': return permuted(made, random)
    case 'retyped': return { ...permuted(made, random), question: retyped(made.question, random) }
    case 'miskeyed': return { ...permuted({ ...made, answerIndex: (answerIndex + random.whole(1, choices.length - 1)) % choices.length }, random) }
    case 'paraphrase': {
      const wording = random.whole(1, words.stems[filled.stem]!.wordings.length - 1)
      return { ...permuted(made, random), question: stemOf(filled, wording) }
    }
    case 'turned': {
      const pair = words.turned.find(([from]) => made.question.includes(from))
      if (pair === undefined) return null
      return { ...keyed(made, random), question: made.question.replace(pair[0], pair[1]) }
    }
    case 'swapped': {
      const swap = words.swaps.find(([from]) => from === filled.setting)
      if (swap === undefined) return null
      return { ...keyed(made, random), question: stemOf({ ...filled, setting: swap[1] }, 0) }
    }
  }
}

/** Half of those who turn a question round forget its key. */
function keyed (made: Made, random: Random): Made {
  if (random.chance(0.5)) return made
  return permuted({ ...made, answerIndex: (made.answerIndex + 1) % made.choices.length }, random)
}

function permuted (made: Made, random: Random): Made {
  const order = [...made.choices.keys()]
  for (let at = order.length - 1; at > 0; at--) {
    const with_ = random.whole(0, at)
    ;[order[at], order[with_]] = [order[with_]!, order[at]!]
  }
  const choices = order.map(from => made.choices[from]!)
  return { ...made, choices, answerIndex: order.indexOf(made.answerIndex) }
}

function retyped (question: string, random: Random): string {
  const ways = [
    (text: string) => `${random.whole(1, 100)}. ${text}`,
    (text: string) => text.replaceAll(' ', '  '),
    (text: string) => text.replace('?', ' ?').replace('.', ' .'),
    (text: string) => text.replaceAll(/[A-Za-z]/gu, letter => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)),
    (text: string) => text.normalize('NFD')
  ]
  return random.pick(ways)(random.pick(ways)(question))
}

function itemOf (
  { question, choices, answerIndex, filled }: Made, source: { bankId: string, row: number }
): Item {
  return {
    id: idOf('item', source),
    kind: 'choice',
    source,
    place: `row-${source.row}`,
    figureIds: [],
    question,
    choices: choices.map(text => ({ text })),
    answerIndex,
    evidence: [],
    language: filled.words.language,
    slices: { part: String(1 + filled.stem % 5) },
    checks: [],
    provenance: {
      strategy: 'import', strategyVersion: '1', seed: 0, prompt: null, promptHash: null, model: null, upstreamVersion: null, sampling: null, requestHash: null
    }
  }
}
