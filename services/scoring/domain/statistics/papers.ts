/** Tests, intervals and ranks over papers that are found by resampling whole papers. */
import { Type } from 'typebox'
import { maxT } from '../../../../shared/stats/max-t.ts'
import { rankConfidenceSets } from '../../../../shared/stats/rank-confidence-sets.ts'
import { wildBootstrap } from '../../../../shared/stats/wild-bootstrap.ts'
import {
  assertRectangle, assertSameLength, because, bodyOf, Cluster, clusterNames, contradiction,
  Defined, Ends, Level, Names, namesFor, Numbers, Replicates, Seed, statistic, valuesMax
} from './statistic.ts'

const observationsOf = (values: readonly number[], cluster: ReadonlyArray<number | string>) =>
  clusterNames(cluster).map((name, i) => ({ value: values[i]!, cluster: name }))

const wild = statistic({
  summary: 'Wild cluster bootstrap-t of a mean (or mean difference) over papers: test and interval',
  sized: { fields: ['x', 'hypothesis'], inUnits: { mean: 1, se_cr1: 1, ci: 1 } },
  body: bodyOf({
    x: Numbers,
    cluster: Cluster,
    hypothesis: Type.Number({ default: 0, description: 'Mean that is tested.' }),
    weights: Type.Enum(['rademacher', 'webb'], { default: 'rademacher', description: 'Rademacher goes through all signs up to 12 papers; Webb has six points, for fewer than about ten.' }),
    replicates: Replicates(9_999),
    seed: Seed,
    level: Level
  }, { x: [1, 0, 1, 1, 1, 0, 1, 1], cluster: [0, 0, 1, 2, 3, 4, 5, 6], hypothesis: 0.5 }),
  answer: {
    mean: Defined,
    se_cr1: Defined,
    t: Defined,
    pvalue: Defined,
    smallest_p: Defined,
    ci: Ends,
    clusters: Type.Integer(),
    replicates: Type.Integer(),
    exact: Type.Boolean()
  },
  isHeavy: () => true,
  compute ({ x, cluster, ...options }) {
    assertSameLength({ x, cluster })
    const observations = observationsOf(x, cluster)
    const found = wildBootstrap(observations, options)
    if (!('mean' in found)) {
      const none = { mean: NaN, se_cr1: NaN, t: NaN, pvalue: NaN, smallest_p: NaN, ci: [NaN, NaN] }
      return { ...none, clusters: new Set(clusterNames(cluster)).size, replicates: 0, exact: false, ...found }
    }
    const { mean, error, t, pValue, smallestP, interval, clusters, replicates, exact, reason } = found
    return {
      mean,
      se_cr1: error,
      t,
      pvalue: pValue,
      smallest_p: smallestP,
      ci: [interval.low, interval.high],
      clusters,
      replicates,
      exact,
      ...because(reason)
    }
  }
})

/** Numbers of one matrix; models or hypotheses by items. */
const tableMax = 500_000
const SparseRows = Type.Array(Type.Array(Defined, { minItems: 1, maxItems: valuesMax }), { minItems: 1, maxItems: 500, description: 'One row each, of as many values as there are items; null where there is none.' })

function assertTable (
  name: string, rows: ReadonlyArray<readonly unknown[]>, cluster: readonly unknown[]
): void {
  assertRectangle(name, rows)
  assertSameLength({ [`${name}/0`]: rows[0]!, cluster })
  if (rows.length * cluster.length > tableMax) throw contradiction(`/${name}`, `${rows.length} rows of ${cluster.length} values are more than ${tableMax} numbers: send fewer.`)
}

const multiplicity = statistic({
  summary: 'Max-T (Westfall-Young, step-down) over papers: p-values of a family of mean differences tested together',
  sized: { fields: ['differences'], eachRow: true, inUnits: { mean: 1 } },
  body: bodyOf({
    differences: SparseRows, cluster: Cluster, names: Names, replicates: Replicates(9_999), seed: Seed
  }, {
    differences: [[1, 0, 1, 1, 0, 1], [0, -1, 1, 0, 0, 1]], cluster: ['a', 'a', 'b', 'c', 'd', 'e'], names: ['first against second', 'first against third']
  }),
  answer: {
    family: Type.Array(Type.String(), { description: 'What was adjusted for.' }),
    mean: Type.Array(Defined),
    t: Type.Array(Defined),
    pvalue: Type.Array(Defined),
    adjusted: Type.Array(Defined),
    reasons: Type.Array(Type.Union([Type.String(), Type.Null()]), { description: 'Why a hypothesis is not in the family.' }),
    clusters: Type.Integer(),
    replicates: Type.Integer(),
    exact: Type.Boolean(),
    smallest_p: Type.Union([Type.Number(), Type.Null()], { description: 'Least of smallest_p_each.' }),
    smallest_p_each: Type.Array(Defined, { description: 'Least p so many papers can give, of those whose differences do not add up to 0: either sign of 0 is the same. The adjusted p is not below it.' })
  },
  isHeavy: () => true,
  compute ({ differences, cluster, names, replicates, seed }) {
    assertTable('differences', differences, cluster)
    const hypotheses = namesFor(names, differences, '/names').map((name, i) => ({ name, values: differences[i]! }))
    const found = maxT(hypotheses, clusterNames(cluster), { replicates, seed })
    if ('reason' in found) {
      const none = hypotheses.map(() => NaN)
      return {
        family: [],
        mean: none,
        t: none,
        pvalue: none,
        adjusted: none,
        reasons: none.map(() => found.reason),
        clusters: 1,
        replicates: 0,
        exact: false,
        smallest_p: NaN,
        smallest_p_each: none,
        ...found
      }
    }
    const { tests, smallestP, ...rest } = found
    const column = (key: 'mean' | 't' | 'pValue' | 'adjusted' | 'smallestP') => tests.map(test => 'reason' in test ? NaN : test[key])
    const reasons = tests.map(test => 'reason' in test ? test.reason : null)
    return {
      ...rest,
      mean: column('mean'),
      t: column('t'),
      pvalue: column('pValue'),
      adjusted: column('adjusted'),
      reasons,
      smallest_p: smallestP,
      smallest_p_each: column('smallestP'),
      ...because(reasons.find(reason => reason !== null))
    }
  }
})

const Ranks = Type.Array(Type.Union([Type.Integer(), Type.Null()]))
const modelsMax = 200

const rankSets = statistic({
  summary: 'Rank confidence sets of models over papers, from paired differences with simultaneous bounds',
  sized: { fields: ['scores'] },
  body: bodyOf({
    scores: Type.Array(Type.Array(Defined, { minItems: 1, maxItems: valuesMax }), { minItems: 1, maxItems: modelsMax, description: 'One row for each model, of one value for each item; higher is better; null where there is none.' }),
    cluster: Cluster,
    replicates: Replicates(2_000),
    seed: Seed,
    level: Level
  }, { scores: [[1, 1, 1, 1, 0, 1], [0, 0, 1, 0, 0, 1]], cluster: ['a', 'a', 'b', 'c', 'd', 'e'] }),
  answer: {
    rank: Ranks,
    marginal_best: Ranks,
    marginal_worst: Ranks,
    simultaneous_best: Ranks,
    simultaneous_worst: Ranks,
    critical: Defined,
    undecided: Type.Integer({ description: 'Pairs that no common item compares, or that do not vary: their order is left open.' }),
    clusters: Type.Integer()
  },
  isHeavy: () => true,
  compute ({ scores, cluster, ...options }) {
    assertTable('scores', scores, cluster)
    const found = rankConfidenceSets(scores, clusterNames(cluster), options)
    if ('reason' in found) {
      const none = scores.map(() => null)
      return {
        rank: none,
        marginal_best: none,
        marginal_worst: none,
        simultaneous_best: none,
        simultaneous_worst: none,
        critical: NaN,
        undecided: 0,
        clusters: new Set(clusterNames(cluster)).size,
        ...found
      }
    }
    const { sets, critical, undecided, fewMoving, clusters } = found
    const reasons = [
      ...undecided > 0 ? [`${undecided} pairs of models have no common item, or differences that do not vary over papers.`] : [],
      ...fewMoving > 0 ? [`Of ${fewMoving} pairs so few papers differ that no exact p can be small enough: their order is left open.`] : []
    ]
    return {
      rank: sets.map(({ rank }) => rank),
      marginal_best: sets.map(({ marginal }) => marginal.best),
      marginal_worst: sets.map(({ marginal }) => marginal.worst),
      simultaneous_best: sets.map(({ simultaneous }) => simultaneous.best),
      simultaneous_worst: sets.map(({ simultaneous }) => simultaneous.worst),
      critical,
      undecided,
      clusters,
      ...because(reasons.length > 0 ? reasons.join(' ') : null)
    }
  }
})

export const papers = {
  'wild-bootstrap': wild,
  'max-t': multiplicity,
  'rank-confidence-sets': rankSets
}
