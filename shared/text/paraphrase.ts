/** Whether two questions ask the same in other words. */
import { factsIn } from './facts.ts'
import { comparatives, contrasts, directions, evenContrasts, koreanDirections } from './opposites.ts'
import { termsOf, wordsOf } from './tokens.ts'

/** What of a question is compared; made once where it is compared with many. */
export interface Asking {
  terms: ReadonlySet<string>
  /** Its numbers and names in their order, whether it negates, which way it points. */
  claims: string
}

/** Words that a question has whatever it asks. */
const frame = new Set(termsOf(`regarding according paper report reports state states say says show shows shown figure fig table
caption author authors text study work use uses used using question describe describes described mention give given statement correct observed find found
논문 그림 따르면 다음 진술 옳은가 무엇인가`).map(stemOf))

export function askingOf (question: string): Asking {
  const terms = new Set(termsOf(question).map(stemOf).filter(term => !frame.has(term)))
  return { terms, claims: claimsOf(question) }
}

/** Of the stems either has, both have so many: where one has nothing of its own, and where both do. */
const commonMin = { contained: 0.6, crossing: 0.8 }

/**
 * Two questions ask the same when they share most of their word stems, the usual words of a question
 * left out, and claim the same: neither has a number, name, negation or side (left, first) that the
 * other lacks or has elsewhere, and neither points the other way (highest, lowest; rises, falls). Where
 * each has words of its own they must share more, for one thing may stand in the place of another.
 * Lexical: a synonym is another word, and the order of common words does not count.
 */
export function sameAsking (a: Asking, b: Asking): boolean {
  if (a.claims !== b.claims) return false
  const [few, many] = a.terms.size <= b.terms.size ? [a.terms, b.terms] : [b.terms, a.terms]
  if (few.size < commonMin.contained * many.size) return false
  let common = 0
  for (const term of few) if (many.has(term)) common++
  const least = common === few.size ? commonMin.contained : commonMin.crossing
  return common >= least * (few.size + many.size - common)
}

function claimsOf (text: string): string {
  const named: string[] = []
  const turned = new Set<string>()
  for (const { kind, text: word, value, unit } of factsIn(text)) {
    if (value !== undefined) named.push(`${value} ${unit}`)
    else if (kind === 'negation') turned.add('not')
    else if (kind !== 'entity') turned.add(signOf(word))
    // Fig. 2 and Figure 2 are the same; so are IL-6 and IL6.
    else if (!frame.has(stemOf(word.toLowerCase()))) named.push(word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
  }
  for (const { text: word } of wordsOf(text)) if (isSide(word.toLowerCase())) turned.add(word.toLowerCase())
  return [...named, ...[...turned].sort()].join('|')
}

const sides = new Set(['left', 'right', 'first', 'second', 'third', 'fourth', 'fifth', 'last'])

/** One of a few that stand for each other, so that a question about the one is none about another. */
function isSide (word: string): boolean {
  return sides.has(word) || (word !== 'with' && contrasts.has(word)) || evenContrasts.has(word)
}

/** Whether the word says more or less; how it is said does not matter. */
function signOf (word: string): string {
  const lower = word.toLowerCase()
  const { sign } = directions.get(lower) ?? comparatives.get(lower) ?? {}
  if (sign !== undefined) return sign > 0 ? 'more' : 'less'
  return koreanDirections.some(([, less]) => word.includes(less)) ? 'less' : 'more'
}

/** Endings of English verbs and adverbs cut, so that "measured" meets "measuring". */
function stemOf (term: string): string {
  if (term.length < 5 || !/^[a-z]+$/u.test(term)) return term
  const stem = term.replace(/(?:ing|ed|ly|es|e)$/u, '')
  return stem.length < 3 ? term : stem
}
