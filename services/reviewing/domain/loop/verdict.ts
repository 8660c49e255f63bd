/** From six scores to a verdict. AutoPaperBench's rule, its gaps closed (see the README). */
import type { Verdict } from '../../../../shared/contracts/review.ts'
import type { Criterion } from './rubric.ts'

export type Scores = Partial<Record<Criterion, number>>

/** A review that may be counted, or what is wrong with it, in words for whoever wrote it. */
export type Read =
  | { scores: Scores, reasons: Record<string, string>, faults?: never }
  | { faults: readonly string[] }

/**
 * A reply as scores, nothing altered: no score is rounded, clamped or filled in.
 *
 * @param value     whatever the reviewer replied
 * @param criteria  those that go with the item; another one in the reply is a fault
 */
export function readScores (value: unknown, criteria: readonly Criterion[]): Read {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { faults: ['The reply is no object.'] }
  const given = new Map(Object.entries(value))
  const faults = [...given.keys()].filter(name => !(criteria as readonly string[]).includes(name))
    .map(name => `${name.slice(0, 40)} was not asked for.`)
  const scores: Scores = {}
  const reasons: Record<string, string> = {}
  for (const name of criteria) {
    const { score, reason } = (given.get(name) ?? {}) as { score?: unknown, reason?: unknown }
    if (!isScore(score)) faults.push(`The score of ${name} must be a whole number from 1 to 5.`)
    else scores[name] = score
    if (typeof reason !== 'string' || reason.trim() === '') faults.push(`The reason for ${name} is missing.`)
    else reasons[name] = reason.trim()
  }
  return faults.length > 0 ? { faults } : { scores, reasons }
}

const isScore = (score: unknown): score is number =>
  typeof score === 'number' && Number.isInteger(score) && score >= 1 && score <= 5

/**
 * `error` first of all: a sum of at most 7 over six, that is a mean of at most 7/6 over those
 * scored. Then by the lowest score m: good from 4, fair from 2, poor below.
 *
 * @throws RangeError without a score, or for one that is no whole number from 1 to 5: such a review
 *   is invalid and has no verdict
 */
export function verdictOf (scores: Scores): Exclude<Verdict, 'unreviewed'> {
  const all = Object.values(scores)
  if (all.length === 0 || !all.every(isScore)) throw new RangeError('Scores are whole numbers from 1 to 5')
  const sum = all.reduce((total, score) => total + score, 0)
  const lowest = Math.min(...all)
  if (sum * 6 <= 7 * all.length) return 'error'
  if (lowest >= 4) return 'good'
  return lowest >= 2 ? 'fair' : 'poor'
}

/** From worst to best; a pair is worth what its worse member is. */
const ranks: readonly Verdict[] = ['error', 'unreviewed', 'poor', 'fair', 'good']

/** @throws RangeError without a verdict */
export function worstOf (verdicts: readonly Verdict[]): Verdict {
  const worst = ranks.find(verdict => verdicts.includes(verdict))
  if (worst === undefined) throw new RangeError('A unit has at least one item')
  return worst
}

/** How two versions compare: by their lowest score, as verdicts do, then by the mean. */
export interface Standing { lowest: number, mean: number }

/** Of all members of a unit together. */
export function standingOf (scores: readonly Scores[]): Standing {
  const all = scores.flatMap(each => Object.values(each))
  return { lowest: Math.min(...all), mean: all.reduce((sum, score) => sum + score, 0) / all.length }
}

/** Above 0 when `a` is better. */
export function compareStandings (a: Standing, b: Standing): number {
  return a.lowest - b.lowest || a.mean - b.mean
}
