/** Bootstrap with draws of its own, of items and of papers. */
import { Type } from 'typebox'
import { basicInterval, bcaInterval, bootstrapError, percentileInterval } from '../../../../shared/stats/bootstrap.ts'
import { placesOf } from '../../../../shared/stats/cluster-sums.ts'
import { drawsOf } from '../../../../shared/stats/draws.ts'
import { pairedDifference, replicateMeans, sumsByPaper } from '../../../../shared/stats/paired-bootstrap.ts'
import { seededReplicates } from '../../../../shared/stats/seeded-bootstrap.ts'
import {
  assertRectangle, assertSameLength, because, bodyOf, Cluster, clusterNames, contradiction,
  Defined, Ends, Level, Names, namesFor, Numbers, Replicates, Seed, statistic
} from './statistic.ts'

/** Values drawn in all: a few seconds. */
const drawnMax = 200_000_000

const bootstrap = statistic({
  summary: 'Bootstrap with seeded draws of a mean, median or standard deviation, over items or papers: percentile, basic and BCa intervals',
  sized: { fields: ['x'], inUnits: { estimate: 1, se: 1, percentile: 1, basic: 1, bca: 1 } },
  body: bodyOf({
    x: Numbers,
    cluster: Type.Optional(Cluster),
    statistic: Type.Enum(['mean', 'median', 'std1'], { default: 'mean' }),
    replicates: Replicates(1_000),
    seed: Seed,
    level: Level
  }, { x: [1, 0, 1, 1, 0, 1], statistic: 'mean', replicates: 1000, seed: 42 }),
  answer: {
    estimate: Defined,
    se: Defined,
    percentile: Ends,
    basic: Ends,
    bca: Ends,
    units: Type.Integer({ description: 'Items, or papers.' }),
    replicates: Type.Integer(),
    note: Type.String()
  },
  isHeavy: () => true,
  compute ({ x, cluster, statistic, replicates, seed, level }) {
    if (cluster !== undefined) assertSameLength({ x, cluster })
    if (x.length * replicates > drawnMax) throw contradiction('/replicates', `${replicates} replicates of ${x.length} values are more than ${drawnMax} draws: ask for fewer.`)
    const units = unitsOf(x, cluster)
    const found = seededReplicates(units, statistic, { replicates, draws: drawsOf(seed) })
    const ends = ({ low, high }: { low: number, high: number }) => [low, high]
    const varies = !(found.sorted[0] === found.sorted.at(-1))
    const bca = varies ? ends(bcaInterval(found, found.leftOut, level)) : [NaN, NaN]
    const none = [NaN, NaN]
    return {
      estimate: found.estimate,
      se: varies ? bootstrapError(found) : NaN,
      percentile: varies ? ends(percentileInterval(found, level)) : none,
      basic: varies ? ends(basicInterval(found, level)) : none,
      bca,
      units: units.length,
      replicates,
      note: cluster !== undefined && units.length < 20 ? 'With few papers a bootstrap interval is too narrow: take paired-over-papers or wild-bootstrap.' : '',
      ...because(varies
        ? Number.isNaN(bca[0]) ? 'The estimate lies outside the replicates, or leaving units out changes nothing: no BCa interval.' : null
        : 'All replicates are equal: there is no interval. For a proportion take the exact one of proportion-ci.')
    }
  }
})

function unitsOf (x: readonly number[], cluster: ReadonlyArray<number | string> | undefined): number[][] {
  if (cluster === undefined) return x.map(value => [value])
  const { names, at } = placesOf(clusterNames(cluster))
  const units: number[][] = names.map(() => [])
  for (const [i, value] of x.entries()) units[at[i]!]!.push(value)
  return units
}

const tableMax = 200_000

const paired = statistic({
  summary: 'Paired bootstrap over papers of the differences of all pairs of models, with seeded draws',
  sized: { fields: ['scores'], inUnits: { mean: 1, ci: 1, difference: 1 } },
  body: bodyOf({
    scores: Type.Array(Numbers, { minItems: 2, maxItems: 100, description: 'One row for each model, of one value for each item.' }),
    cluster: Type.Optional(Cluster),
    names: Names,
    replicates: Replicates(10_000),
    seed: Seed,
    level: Level
  }, { scores: [[1, 1, 0, 1], [0, 1, 0, 0]], cluster: ['a', 'a', 'b', 'c'], replicates: 1000 }),
  answer: {
    names: Type.Array(Type.String()),
    mean: Type.Array(Defined),
    ci: Type.Array(Ends),
    pairs: Type.Array(Type.Object({
      first: Type.Integer(), second: Type.Integer(), difference: Defined, ci: Ends, pvalue: Defined
    })),
    papers: Type.Integer(),
    note: Type.String()
  },
  isHeavy: () => true,
  compute ({ scores, cluster, names, replicates, seed, level }) {
    assertRectangle('scores', scores)
    const items = scores[0]!.length
    if (cluster !== undefined) assertSameLength({ 'scores/0': scores[0]!, cluster })
    if (items * scores.length > tableMax) throw contradiction('/scores', `More than ${tableMax} values: send fewer items.`)
    const sums = sumsByPaper(
      scores, cluster === undefined ? scores[0]!.map((_, i) => String(i)) : clusterNames(cluster)
    )
    const none = sums.papers < 2
    const means = replicateMeans(sums, none ? 1 : replicates, drawsOf(seed))
    const zeros = new Float64Array(means[0]!.length)
    const differenceOf = (
      first: number, second: number | null
    ) => pairedDifference(means[first]!, second === null ? zeros : means[second]!, {
      level, difference: sums.means[first]! - (second === null ? 0 : sums.means[second]!)
    })
    const ends = ({ low, high }: { low: number, high: number }) => none ? [NaN, NaN] : [low, high]
    return {
      names: namesFor(names, scores, '/names'),
      mean: sums.means,
      ci: scores.map((_, model) => ends(differenceOf(model, null))),
      pairs: scores.flatMap((_, first) => scores.slice(first + 1).map((_, i) => {
        const found = differenceOf(first, first + 1 + i)
        return {
          first,
          second: first + 1 + i,
          difference: found.difference,
          ci: ends(found),
          pvalue: none ? NaN : found.pValue
        }
      })),
      papers: sums.papers,
      note: sums.papers < 20 ? 'With few papers a bootstrap interval is too narrow: take rank-confidence-sets or max-t.' : '',
      ...because(none ? 'One paper says nothing of how papers vary.' : null)
    }
  }
})

export const seeded = {
  bootstrap,
  'paired-bootstrap': paired
}
