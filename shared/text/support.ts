/** Whether a paper says, anywhere, something like what a false member says. */
import { factsIn, numbersIn } from './facts.ts'
import { comparatives, directions } from './opposites.ts'
import { amountOf, tells } from './quantities.ts'
import type { PlacedSentence, Said } from './said-sentences.ts'
import { termsOf, wordsOf } from './tokens.ts'

export const editKinds = ['number', 'percentage', 'direction', 'comparative', 'contrast', 'negation', 'entity'] as const
export type EditKind = (typeof editKinds)[number]

/** A false statement: it has `to` where the true one has `from`. */
export interface Edit { kind: EditKind, text: string, from: string, to: string }

/** Share of a claim's content, weighted by rarity, from which a sentence counts as about the same. */
const overlapMin = { value: 0.25, word: 0.34 } as const

/** What is searched for: the text of a statement, the words it was changed by, how to find the new ones. */
export interface Statement {
  text: string
  changed: string
  holds: (sentence: string) => boolean
  /** Share of the rest of the statement, weighted by rarity, in [0, 1]. */
  overlapMin: number
}

/**
 * The first sentence or table row that may support the false member: it holds what the edit
 * put in, and shares enough of the rest of the claim. Errs on the side of support: a pair too few
 * costs less than a wrong label.
 *
 * @param own  the sentence the claim comes from, which holds the true value
 */
export function supportOf (foil: Edit, source: Said, own: PlacedSentence): string | undefined {
  const statement = { text: foil.text, changed: `${foil.from} ${foil.to}`, holds: holderOf(foil), overlapMin: overlapMinOf(foil) }
  return statementSupport(statement, source, new Set([own]))
}

export function overlapMinOf ({ kind }: Pick<Edit, 'kind'>): number {
  return kind === 'number' || kind === 'percentage' ? overlapMin.value : overlapMin.word
}

/** As `supportOf`, of any statement, outside the sentences it comes from. */
export function statementSupport (
  { text, changed, holds, overlapMin: least }: Statement, source: Said, own: ReadonlySet<PlacedSentence>
): string | undefined {
  const left = new Set(termsOf(changed))
  const terms = termsOf(text).filter(term => !left.has(term))
  const weightOf = (shared: readonly string[]) => shared.reduce((sum, term) => sum + source.idf(term), 0)
  const total = weightOf(terms)
  const near = [...source.sentences.filter(sentence => !own.has(sentence)), ...source.rows]
  return near.find(({ text, terms: others }) => {
    const shared = weightOf(terms.filter(term => others.has(term)))
    return total > 0 && shared / total >= least && holds(text)
  })?.text
}

/** Words this close to "higher" say what is higher. */
const reach = 6

function signOf (word: string): number | undefined {
  return (directions.get(word) ?? comparatives.get(word))?.sign
}

/** Terms around each word that is one of those asked for; the turning words themselves left out. */
function surroundings (text: string, isOne: (word: string) => boolean): string[] {
  const words = wordsOf(text.toLowerCase().replaceAll('least squares', '')).map(({ text }) => text)
  return words.flatMap((word, i) => isOne(word)
    ? termsOf(words.slice(Math.max(0, i - reach), i + reach + 1).filter(word => signOf(word) === undefined).join(' '))
    : [])
}

/** Whether a sentence holds what the edit put in. */
export function holderOf ({ kind, to, text }: Pick<Edit, 'kind' | 'to' | 'text'>): (sentence: string) => boolean {
  if (kind === 'number' || kind === 'percentage') {
    const fact = numbersIn(text).find(fact => fact.text === to)
    if (fact?.value === undefined) {
      return sentence => wordsOf(sentence.toLowerCase()).some(({ text }) => text === to)
    }
    const wanted = amountOf(fact)
    return sentence => tells(sentence, wanted)
  }
  if (kind === 'negation') {
    return to.endsWith('not')
      ? sentence => factsIn(sentence).some(fact => fact.kind === 'negation')
      : sentence => !factsIn(sentence).some(fact => fact.kind === 'negation')
  }
  if (kind === 'entity') return sentence => sentence.includes(to)
  if (kind === 'direction' || kind === 'comparative') {
    const sign = signOf(to)
    const about = new Set(surroundings(text, word => word === to.toLowerCase()))
    return sentence => surroundings(sentence, word => signOf(word) === sign).some(term => about.has(term))
  }
  return wordsOf(to).length > 1 || /[\uAC00-\uD7A3]/u.test(to)
    ? phraseHolder(to)
    : sentence => wordsOf(sentence).some(({ text }) => text.toLowerCase() === to.toLowerCase())
}

/** Several words, in whatever order and endings; words that mean nothing alone as they stand. */
function phraseHolder (to: string): (sentence: string) => boolean {
  const wanted = termsOf(to)
  if (wanted.length === 0) return sentence => sentence.toLowerCase().includes(to.toLowerCase())
  return sentence => {
    const terms = new Set(termsOf(sentence))
    return wanted.every(term => terms.has(term))
  }
}
