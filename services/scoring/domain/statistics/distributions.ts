/** Proportions, means over clusters, and the distributions their intervals come from. */
import { Type } from 'typebox'
import { clusteredMean } from '../../../../shared/stats/clustered.ts'
import {
  betaCdf, betaQuantile, fQuantile, fTail, normalCdf, normalQuantile, normalTail, tQuantile
} from '../../../../shared/stats/distributions.ts'
import {
  agrestiCoullInterval, binomialTest, clopperPearsonInterval, jeffreysInterval, waldInterval, wilsonInterval,
  type Range, type Successes
} from '../../../../shared/stats/proportions.ts'
import {
  assertSameLength, because, bodyOf, Cluster, clusterNames, contradiction, Defined, DefinedList, Ends,
  Numbers, statistic
} from './statistic.ts'

const trialsMax = 1_000_000
const Successes = Type.Integer({ minimum: 0, maximum: trialsMax })
const Trials = Type.Integer({ minimum: 1, maximum: trialsMax })
const Share = Type.Number({ minimum: 0, maximum: 1 })
const Positive = Type.Number({ minimum: 1e-9, maximum: 1e9 })
const triplesMax = 1_000

function assertPossible ({ k, n }: { k: number, n: number }): void {
  if (k > n) throw contradiction('/k', `There are ${k} successes in ${n} trials: give at most as many.`)
}

const proportion = statistic({
  summary: 'Intervals of a proportion of independent items, 95 %, by five methods',
  body: bodyOf({ k: Successes, n: Trials }, { k: 7, n: 10 }),
  answer: { normal: Ends, wilson: Ends, beta: Ends, agresti_coull: Ends, jeffreys: Ends },
  compute (body) {
    assertPossible(body)
    const found: Successes = { successes: body.k, trials: body.n }
    const ends = ({ low, high }: Range) => [low, high]
    return {
      normal: ends(waldInterval(found)),
      wilson: ends(wilsonInterval(found)),
      beta: ends(clopperPearsonInterval(found)),
      agresti_coull: ends(agrestiCoullInterval(found)),
      jeffreys: ends(jeffreysInterval(found))
    }
  }
})

const binomial = statistic({
  summary: 'Exact binomial test',
  body: bodyOf({ k: Successes, n: Trials, p: Share }, { k: 7, n: 10, p: 0.5 }),
  answer: { two_sided: Defined, less: Defined, greater: Defined },
  // The two-sided one adds up outcomes one by one.
  isHeavy: ({ n }) => n > 10_000,
  compute (body) {
    assertPossible(body)
    const { twoSided, less, greater } = binomialTest(body.k, body)
    return { two_sided: twoSided, less, greater }
  }
})

const clustered = statistic({
  summary: 'Mean over items that come in clusters (papers), with standard errors',
  sized: {
    fields: ['x'],
    inUnits: {
      mean: 1,
      se_iid_ddof1: 1,
      se_clustered_no_correction: 1,
      se_clustered_finite_correction: 1,
      se_clustered_cr2: 1
    }
  },
  body: bodyOf({ x: Numbers, cluster: Cluster }, { x: [1, 0, 1, 1], cluster: [0, 0, 1, 2] }),
  answer: {
    mean: Defined,
    se_iid_ddof1: Defined,
    se_clustered_no_correction: Defined,
    se_clustered_finite_correction: Defined,
    se_clustered_cr2: Defined,
    t_crit_95_df_clusters_minus_1: Defined
  },
  compute ({ x, cluster }) {
    assertSameLength({ x, cluster })
    const found = clusteredMean(clusterNames(cluster).map((name, i) => ({ value: x[i]!, cluster: name })))
    const df = found.clusters - 1
    return {
      mean: found.mean,
      se_iid_ddof1: found.seIndependent,
      se_clustered_no_correction: found.seUncorrected,
      se_clustered_finite_correction: found.seFinite,
      se_clustered_cr2: found.seCr2,
      t_crit_95_df_clusters_minus_1: df === 0 ? NaN : tQuantile(0.975, df),
      ...because(df === 0 ? 'One cluster says nothing of how clusters vary.' : null)
    }
  }
})

const norm = statistic({
  summary: 'Normal distribution: both tails',
  body: bodyOf({ z: Numbers }, { z: [-1.96, 0, 1.96] }),
  answer: { cdf: DefinedList, sf: DefinedList },
  compute: ({ z }) => ({ cdf: z.map(normalCdf), sf: z.map(normalTail) })
})

const normPpf = statistic({
  summary: 'Normal distribution: quantiles',
  body: bodyOf({ p: Type.Array(Share, { minItems: 1, maxItems: 10_000 }) }, { p: [0.025, 0.975] }),
  answer: { ppf: DefinedList },
  isHeavy: ({ p }) => p.length > 100,
  compute: ({ p }) => ({
    ppf: p.map(share => share === 0 || share === 1 ? NaN : normalQuantile(share)),
    ...because(p.some(share => share === 0 || share === 1) ? 'The quantiles of 0 and 1 are infinite.' : null)
  })
})

/** Quantiles at 0 and 1 are the ends of the support. */
function quantileOr (p: number, { ends, inner }: { ends: [number, number], inner: () => number }): number {
  return p === 0 ? ends[0] : p === 1 ? ends[1] : inner()
}

const Triples = Type.Array(Type.Tuple([Share, Positive, Positive]), { minItems: 1, maxItems: triplesMax })

const beta = statistic({
  summary: 'Beta distribution: quantile of p, and probability below p',
  body: bodyOf({ pab: Triples }, { pab: [[0.5, 2, 3]] }),
  answer: { ppf: DefinedList, cdf: DefinedList },
  isHeavy: ({ pab }) => pab.length > 20,
  compute: ({ pab }) => ({
    ppf: pab.map(([p, a, b]) => quantileOr(p, { ends: [0, 1], inner: () => betaQuantile(p, { a, b }) })),
    cdf: pab.map(([p, a, b]) => betaCdf(p, { a, b }))
  })
})

const f = statistic({
  summary: 'F distribution: quantile of p, and upper tails there, at 3 and at 200',
  body: bodyOf({ triples: Triples }, { triples: [[0.975, 3, 10]] }),
  answer: { ppf: DefinedList, sf_at_ppf: DefinedList, sf_3: DefinedList, sf_200: DefinedList },
  isHeavy: ({ triples }) => triples.length > 20,
  compute ({ triples }) {
    const ppf = triples.map(([p, df1, df2]) =>
      quantileOr(p, { ends: [0, Infinity], inner: () => fQuantile(p, { df1, df2 }) }))
    const tails = (at: (i: number) => number) => triples.map(([, df1, df2], i) => fTail(at(i), { df1, df2 }))
    return {
      ppf,
      sf_at_ppf: tails(i => ppf[i]!).map((tail, i) => ppf[i] === Infinity ? 0 : tail),
      sf_3: tails(() => 3),
      sf_200: tails(() => 200),
      ...because(ppf.includes(Infinity) ? 'The quantile of 1 is infinite.' : null)
    }
  }
})

export const distributions = {
  'proportion-ci': proportion,
  'binom-test': binomial,
  'clustered-se': clustered,
  norm,
  'norm-ppf': normPpf,
  beta,
  'f-ppf-sf': f
}
