/** How well leaky items are found, over many simulated sets. */
import { binomialTail } from '../../../shared/stats/distributions.ts'
import type { PartialItemVerdict } from '../../../shared/contracts/partial-input.ts'
import { simulate, type Found, type Scenario } from './simulate.ts'

export interface Measured {
  replicates: number
  /** That a leaky item looks leakier than another, ties half; null where there are none. */
  auc: number | null
  /** At a bound on the share of false discoveries: leaky items found, and false ones among the found. */
  at: Record<'0.05' | '0.1', { found: number | null, falseShare: number, flaggedOfSound: number }>
  /** Sets in which a sound item was flagged at .05. */
  anyFalse: number
  /** Sound items said to need their paper, and leaky ones. */
  yesOfSound: number
  yesOfLeaky: number | null
  /** Sound items that a binomial test over all askings flags at .05: what is not to be done. */
  naive: number
}

export function measure (
  scenario: Scenario, { replicates, seed }: { replicates: number, seed: number }
): Measured {
  const sets = Array.from({ length: replicates }, (_, i) => simulate(scenario, seed * 100_003 + i))
  const all = sets.flat()
  const leaky = all.filter(each => each.leaky)
  const sound = all.filter(each => !each.leaky)
  const at = (bound: number) => ({
    found: shareOf(leaky, each => isFlagged(each, bound)),
    falseShare: mean(sets.map(set => {
      const flagged = set.filter(each => isFlagged(each, bound))
      return flagged.length === 0 ? 0 : flagged.filter(each => !each.leaky).length / flagged.length
    })),
    flaggedOfSound: shareOf(sound, each => isFlagged(each, bound)) ?? 0
  })
  const yes = (each: Found) => needs(each).verdict === 'yes'
  return {
    replicates,
    auc: aucOf(leaky.map(scoreOf), sound.map(scoreOf)),
    at: { 0.05: at(0.05), 0.1: at(0.1) },
    anyFalse: mean(sets.map(set => set.some(each => !each.leaky && isFlagged(each, 0.05)) ? 1 : 0)),
    yesOfSound: shareOf(sound, yes) ?? 0,
    yesOfLeaky: shareOf(leaky, yes),
    naive: shareOf(sound, ({ asked, right }) =>
      binomialTail(right - 1, { n: asked, p: 1 / scenario.alternatives }) <= 0.05) ?? 0
  }
}

const needs = ({ item }: Found): PartialItemVerdict => item.needsPaper!

/** As verdicts are made, at another bound. */
function isFlagged (found: Found, bound: number): boolean {
  const { families, right, reached: { q, decoyQ } } = needs(found)
  return right * 2 >= families && q !== null && q <= bound && decoyQ !== null && decoyQ <= bound
}

const scoreOf = (found: Found) => -needs(found).reached.p!

/** Area under the ROC curve by ranks; ties half. */
function aucOf (positives: readonly number[], negatives: readonly number[]): number | null {
  if (positives.length === 0 || negatives.length === 0) return null
  const marked = (scores: readonly number[], positive: 0 | 1) => scores.map(score => ({ score, positive }))
  const sorted = [...marked(positives, 1), ...marked(negatives, 0)]
    .sort((a, b) => a.score - b.score)
  let won = 0
  let below = 0
  for (let start = 0; start < sorted.length;) {
    let end = start
    while (end < sorted.length && sorted[end]!.score === sorted[start]!.score) end++
    const tied = sorted.slice(start, end)
    const up = tied.filter(({ positive }) => positive === 1).length
    won += up * (below + (tied.length - up) / 2)
    below += tied.length - up
    start = end
  }
  return won / positives.length / negatives.length
}

function shareOf<T> (all: readonly T[], holds: (each: T) => boolean): number | null {
  return all.length === 0 ? null : all.filter(holds).length / all.length
}

function mean (values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
