/**
 * The reviewing loop of one unit (an item, or a pair as a whole) as pure steps: it says what is to
 * be asked next and is told what came of it; who asks, and what, it does not know.
 */
import type { Check, Item } from '../../../../shared/contracts/item.ts'
import { shorteningsMax } from '../../../../shared/contracts/review-recipe.ts'
import type { Verdict } from '../../../../shared/contracts/review.ts'
import { wordsOf } from '../../../../shared/text/tokens.ts'
import { compareStandings, type Standing } from './verdict.ts'

/** A unit as it was made or rewritten; `revision` numbers the versions in the order they came about. */
export interface Version {
  revision: number
  items: readonly Item[]
  /** Of each item, in their order. */
  checks: ReadonlyArray<readonly Check[]>
}

/** Something to be done better: a criterion or a check, and why. */
export interface Objection { round: number, about: string, reason: string }

/** What a review of a version came to; `standing` is null when no review could be had. */
export interface Judged {
  verdict: Verdict
  standing: Standing | null
  objections: ReadonlyArray<Omit<Objection, 'round'>>
}

/** A new version, or why what was written is not taken. */
export type Written = { version: Version } | { rejected: ReadonlyArray<Omit<Objection, 'round'>> }

export type Step =
  | { ask: 'review', version: Version, role: 'round' | 'confirmatory', round: number | null }
  | { ask: 'rewrite', from: Version, revision: number, round: number, objections: readonly Objection[] }
  | { ask: 'shorten', from: Version, revision: number, round: number }

export interface Ended {
  kept: Version
  verdict: Verdict
  /** Regenerations asked for, 0 to `maxRounds`. */
  rounds: number
}

interface Seen { version: Version, judged: Judged }
type Loop<T> = Generator<Step, T, Judged | Written>

/** AutoPaperBench's bound: answers of so many words or more are shortened. */
export const longAnswerWords = 100

/**
 * Review; while not good, rewrite and review again, at most `maxRounds` times; keep the version that
 * stands best, the earlier of equals; shorten it if it is long; have that one judged once more, by
 * one who knows nothing of before: that verdict is final. The last review inside the loop would be
 * optional stopping (methodology: six criteria at quality 3.8 end good 30 % of the time so).
 *
 * It ends after at most 2 `maxRounds` + 6 steps. What is a creation error as made is excluded at once,
 * and without a first review nothing can be rewritten from it: the unit stays unreviewed.
 */
export function * reviewLoop (made: Version, { maxRounds }: { maxRounds: number }): Loop<Ended> {
  let best: Seen = { version: made, judged: yield * judge(made, 'round', 0) }
  const first = best.judged
  if (first.verdict === 'error' || first.standing === null) return { kept: made, verdict: first.verdict, rounds: 0 }

  const objections: Objection[] = objectionsTo(best, 0)
  let revision = 0
  let round = 0
  while (!isGood(best) && round < maxRounds) {
    round++
    const written = yield * write({ ask: 'rewrite', from: best.version, revision: revision + 1, round, objections })
    if ('rejected' in written) {
      objections.push(...written.rejected.map(each => ({ round, ...each })))
      continue
    }
    revision++
    const next: Seen = { version: written.version, judged: yield * judge(written.version, 'round', round) }
    objections.push(...objectionsTo(next, round))
    if (isBetter(next, best)) best = next
  }
  const rounds = round
  const kept = yield * shortened(best, { revision, round })
  const { verdict } = yield * judge(kept, 'confirmatory', null)
  return { kept, verdict, rounds }
}

/** The short form where it passes the checks and stands no lower than the long one by its verdict. */
function * shortened (best: Seen, at: { revision: number, round: number }): Loop<Version> {
  let { revision, round } = at
  if (!isLong(best.version) || best.judged.verdict === 'poor') return best.version
  for (let i = 0; i < shorteningsMax; i++) {
    round++
    const written = yield * write({ ask: 'shorten', from: best.version, revision: revision + 1, round })
    if ('rejected' in written) continue
    revision++
    const judged = yield * judge(written.version, 'round', round)
    if (judged.standing !== null && (judged.verdict === 'good' || judged.verdict === best.judged.verdict)) return written.version
  }
  return best.version
}

function * judge (version: Version, role: 'round' | 'confirmatory', round: number | null): Loop<Judged> {
  const answer = yield { ask: 'review', version, role, round }
  if ('verdict' in answer) return answer
  throw new TypeError('A review was asked for')
}

function * write (step: Extract<Step, { ask: 'rewrite' | 'shorten' }>): Loop<Written> {
  const answer = yield step
  if ('verdict' in answer) throw new TypeError('A text was asked for')
  return answer
}

function isGood ({ version, judged }: Seen): boolean {
  return judged.verdict === 'good' && failuresOf(version).length === 0
}

/** Checks come first: no score makes up for a quote that is not in the paper. */
function isBetter (a: Seen, b: Seen): boolean {
  if (a.judged.standing === null || a.judged.verdict === 'error') return false
  const fails = failuresOf(b.version).length - failuresOf(a.version).length
  return fails !== 0 ? fails > 0 : compareStandings(a.judged.standing, b.judged.standing!) > 0
}

function objectionsTo ({ version, judged }: Seen, round: number): Objection[] {
  const failed = failuresOf(version).map(({ name, detail }) => ({ about: name, reason: detail }))
  return [...failed, ...judged.objections].map(each => ({ round, ...each }))
}

export function failuresOf ({ checks }: Version): Check[] {
  return checks.flat().filter(check => !check.passed)
}

/** Descriptive answers only: choices are short, and a pair has none. */
export function isLong ({ items }: Version): boolean {
  return items.some(({ answer, choices }) =>
    choices === undefined && answer !== undefined && wordsOf(answer).length >= longAnswerWords)
}
