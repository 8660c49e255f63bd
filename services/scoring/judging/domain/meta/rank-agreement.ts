/** Whether two order replies alike: over models, over replies, and among the replies to one item. */
import type { Tau, WithinItem } from '../../../../../shared/contracts/meta-evaluation.ts'
import { reasonAgainst } from '../../../../../shared/stats/correlation.ts'
import { kendallTauB } from '../../../../../shared/stats/kendall.ts'
import { meanOf } from '../summary/judged.ts'
import { groupedBy, orNull } from '../summary/numbers.ts'
import { meansByRun, type Twice } from './labelled.ts'

/**
 * tau-b of the means of models. Flattering: few means that were chosen to lie apart are easily ordered.
 * With four models a perfect one has p = .083.
 */
export function modelLevel (replies: readonly Twice[]): Tau {
  const means = meansByRun(replies)
  return tauOf(means.map(({ a }) => a), means.map(({ b }) => b))
}

export function responseLevel (replies: readonly Twice[]): Tau {
  return tauOf(replies.map(({ a }) => a), replies.map(({ b }) => b))
}

function tauOf (x: readonly number[], y: readonly number[]): Tau {
  const why = reasonAgainst({ x, y })
  if (why !== null) return { tauB: null, p: null, n: x.length, reason: why }
  const { statistic, pValue } = kendallTauB({ x, y })
  return { tauB: orNull(statistic), p: orNull(pValue), n: x.length }
}

/** Above this differences of sums are differences. */
const slack = 1e-9

/**
 * Of the pairs of replies to one item, the share that both order the same way or both call a tie: pairwise
 * accuracy with ties, mean over items. `calibrated` calls replies tied whose totals by `a` are no further
 * apart than the one threshold that is best for it: a scale with few ties is else punished for having few.
 *
 * @param replies  `a`: the judge, `b`: people
 * @see Deutsch, Foster & Freitag 2023, arXiv:2305.14324 (acc_eq, tie calibration, group-by-item)
 */
export function withinItem (replies: readonly Twice[]): WithinItem {
  const groups = [...groupedBy(replies, ({ item }) => item).values()].map(pairsOf)
    .filter(pairs => pairs.length > 0)
  const counts = { pairs: groups.reduce((sum, pairs) => sum + pairs.length, 0), items: groups.length }
  if (groups.length === 0) {
    return { accuracy: null, tieThreshold: null, calibrated: null, ...counts, reason: 'No item has two labelled replies.' }
  }
  const accuracy = meanOf(groups.map(pairs => meanOf(pairs.map(pair => agrees(pair, Math.sign(pair.a))))))
  return { accuracy, ...calibrated(groups, accuracy), ...counts }
}

/** The pairs become tied one after the other, those least apart first. */
function calibrated (groups: readonly Difference[][], untied: number) {
  const pairs = groups.flatMap(own => own.map(pair => (
    { ...pair, apart: Math.abs(pair.a), weight: 1 / own.length / groups.length })))
    .sort((one, other) => one.apart - other.apart)
  let best = { tieThreshold: 0, calibrated: untied }
  let accuracy = untied
  for (const [i, pair] of pairs.entries()) {
    accuracy += pair.weight * (agrees(pair, 0) - agrees(pair, Math.sign(pair.a)))
    const isLast = !(pairs[i + 1] !== undefined && pairs[i + 1]!.apart <= pair.apart + slack)
    if (!isLast || accuracy <= best.calibrated + slack) continue
    best = { tieThreshold: pair.apart, calibrated: accuracy }
  }
  return best
}

interface Difference { a: number, b: number }

function pairsOf (replies: readonly Twice[]): Difference[] {
  const between = (x: number, y: number) => Math.abs(x - y) <= slack ? 0 : x - y
  return replies.flatMap((one, i) => replies.slice(i + 1).map(other => (
    { a: between(one.a, other.a), b: between(one.b, other.b) })))
}

/** 1 where people order the pair as `sign` does. */
function agrees ({ b }: Difference, sign: number): 0 | 1 {
  return Math.sign(b) === sign ? 1 : 0
}
