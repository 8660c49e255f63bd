/** Ranks over the same items: who is surely better stands above, whatever is between may be in any order. */
import { clusteredMean } from '../../../../shared/stats/clustered.ts'
import { tTail } from '../../../../shared/stats/distributions.ts'
import { familyWiseRates } from '../../../../shared/stats/family-wise.ts'
import { movingClusters } from '../../../../shared/stats/moving-clusters.ts'
import { rankConfidenceSets } from '../../../../shared/stats/rank-confidence-sets.ts'
import { ranksOf } from '../../../../shared/stats/ranks.ts'

/** Values of rows on the same units, and the cluster of each unit. */
export interface Standings { values: ReadonlyArray<readonly number[]>, clusters: readonly string[] }

export interface Ranked {
  mean: number
  /** Equals share the better one. */
  rank: number
  rankSet: { best: number, worst: number } | null
  tieGroup: number
  leaveOneOut: { best: number, worst: number } | null
}

const differences =
  'paired differences of every two rows over the common items, t on CR2 and exact sign-flips of what differs'

export interface Ranking {
  rows: Ranked[]
  method: string
  /** Pairs that differ in so few clusters that no p can be small enough, and the largest of their least p. */
  fewMoving: { pairs: number, of: number, smallestP: number } | null
}

/** Pairs by papers, each drawn again 2,000 times: about 0.1 s of the event loop. */
const bootstrapWork = 10_000

/**
 * Rank confidence sets: with the probability `level` no row is outside its set. A row is surely better
 * than another where their |t| is above the simultaneous critical value of a wild bootstrap of whole
 * papers; where that is too much work, or some difference is the same in every paper, where Holm's
 * adjusted p says so. Neither claims what the exact sign-flip over the papers that differ does not: t takes
 * papers in which nothing differs for proof of a small error. Null where there is one cluster, which says
 * nothing of how they vary. Gives way after each row.
 *
 * @see Mogstad, Romano, Shaikh & Wilhelm 2024, doi:10.1093/restud/rdad006 (sets from paired differences)
 */
export function * rankRows ({ values, clusters }: Standings, level: number): Generator<void, Ranking> {
  const means = values.map(mean)
  const ranks = ranksOf(means.map(each => -each), 'min')
  const pairs: Pair[] = []
  for (let j = 0; j < values.length; j++) {
    for (
      let k = j + 1; k < values.length; k++
    ) pairs.push({ j, k, ...differenceOf(values[j]!, values[k]!, clusters) })
    yield
  }
  const { sure, method } = surePairs(pairs, { values, clusters }, level)
  const sets = values.map((_, row) => ({
    best: 1 + sure.filter(({ j, k, ahead }) => (k === row && ahead > 0) || (j === row && ahead < 0)).length,
    worst: values.length - sure.filter(
      ({ j, k, ahead }) => (j === row && ahead > 0) || (k === row && ahead < 0)
    ).length
  }))
  const known = new Set(clusters).size > 1
  const groups = tieGroups(
    means, (a, b) => sure.some(({ j, k }) => (j === a && k === b) || (j === b && k === a))
  )
  const left = yield * leaveOneOut({ values, clusters })
  return {
    method,
    fewMoving: fewMovingOf(pairs, level),
    rows: means.map((value, row) => ({
      mean: value,
      rank: ranks[row]!,
      rankSet: known ? sets[row]! : null,
      tieGroup: groups[row]!,
      leaveOneOut: left?.[row] ?? null
    }))
  }
}

/** `t` is Infinity where a difference is the same in every paper. */
interface Pair {
  j: number,
  k: number,
  ahead: number,
  t: number,
  /** The larger of those of t and of the sign-flip. */
  p: number,
  smallestP: number
}

function fewMovingOf (pairs: readonly Pair[], level: number): Ranking['fewMoving'] {
  const few = pairs.filter(({ ahead, smallestP }) => ahead !== 0 && smallestP > alphaOf(level))
  return few.length === 0
    ? null
    : { pairs: few.length, of: pairs.length, smallestP: Math.min(...few.map(({ smallestP }) => smallestP)) }
}

/** Without what the subtraction leaves: 1 - .95 is below .05. */
const alphaOf = (level: number) => 1 - level + 1e-12

function surePairs (pairs: readonly Pair[], { values, clusters }: Standings, level: number) {
  const papers = new Set(clusters).size
  if (pairs.length * papers <= bootstrapWork && pairs.every(({ t }) => Number.isFinite(t))) {
    const found = rankConfidenceSets(values, clusters, { level })
    if (!('reason' in found)) {
      return { sure: pairs.filter(({ t, p }) => t > found.critical && p <= alphaOf(level)), method: `${differences}, simultaneous bounds by a wild bootstrap of papers` }
    }
  }
  const adjusted = familyWiseRates(pairs.map(({ p }) => p))
  return {
    sure: pairs.filter((_, at) => adjusted[at]! <= alphaOf(level)),
    method: `${differences} (sign-flip where papers do not vary), Holm over all pairs`
  }
}

function differenceOf (own: readonly number[], other: readonly number[], clusters: readonly string[]) {
  const { mean, seCr2, clusters: count } = clusteredMean(own.map((value, at) =>
    ({ value: value - other[at]!, cluster: clusters[at]! })))
  // The same repeats added up in another order are no difference.
  const ahead = Math.abs(mean) <= 1e-12 ? 0 : mean
  const sums = new Map<string, number>()
  for (const [at, value] of own.entries()) {
    sums.set(clusters[at]!, (sums.get(clusters[at]!) ?? 0) + value - other[at]!)
  }
  // Without variance over papers there is no t; that all lean to one side has a probability by chance.
  const { smallestP, p: flip } = movingClusters(sums.values())
  const exact = ahead === 0 ? 1 : Math.max(smallestP, flip)
  const varies = seCr2 > 1e-12
  const t = varies ? Math.abs(ahead / seCr2) : ahead === 0 ? 0 : Infinity
  return { ahead, t, smallestP, p: varies ? Math.min(1, Math.max(flip, 2 * tTail(t, count - 1))) : exact }
}

/** Down the ranking: a group begins with the first row that is shown to be worse than the group's first. */
export function tieGroups (means: readonly number[], apart: (a: number, b: number) => boolean): number[] {
  const groups = means.map(() => 0)
  let [group, leader] = [0, -1]
  for (const row of means.map((_, at) => at).sort((a, b) => means[b]! - means[a]! || a - b)) {
    if (leader < 0 || apart(leader, row)) {
      group++
      leader = row
    }
    groups[row] = group
  }
  return groups
}

interface Range { best: number, worst: number }

const papersAtOnce = 50

/** Null with one cluster: nothing would be left. Gives way after some papers. */
function * leaveOneOut ({ values, clusters }: Standings): Generator<void, Range[] | null> {
  const names = [...new Set(clusters)]
  if (names.length < 2) return null
  const sizes = new Map<string, number>()
  for (const name of clusters) sizes.set(name, (sizes.get(name) ?? 0) + 1)
  const sums = values.map(row => {
    const of = new Map<string, number>()
    for (const [at, value] of row.entries()) of.set(clusters[at]!, (of.get(clusters[at]!) ?? 0) + value)
    return { of, all: row.reduce((sum, value) => sum + value, 0) }
  })
  const ranges = values.map(() => ({ best: values.length, worst: 1 }))
  for (const [at, name] of names.entries()) {
    if (at % papersAtOnce === 0) yield
    const n = clusters.length - sizes.get(name)!
    // Sums of the same values in another order differ in the last digits.
    const left = sums.map(({ of, all }) => -Math.round((all - of.get(name)!) / n * 1e12) / 1e12)
    for (const [row, rank] of ranksOf(left, 'min').entries()) {
      ranges[row] = { best: Math.min(ranges[row]!.best, rank), worst: Math.max(ranges[row]!.worst, rank) }
    }
  }
  return ranges
}

function mean (values: readonly number[]): number {
  return Number((values.reduce((sum, value) => sum + value, 0) / values.length).toPrecision(15))
}
