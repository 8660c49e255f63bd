/** Golden cases of statistics, recorded from scipy, statsmodels and others. */
import { clusteredMean } from '../../shared/stats/clustered.ts'
import {
  betaCdf, betaQuantile, fQuantile, fTail, normalCdf, normalQuantile, normalTail, tQuantile
} from '../../shared/stats/distributions.ts'
import {
  agrestiCoullInterval, binomialTest, clopperPearsonInterval, jeffreysInterval, waldInterval,
  wilsonInterval, type Range, type Successes
} from '../../shared/stats/proportions.ts'
import { difference, type Adapter, type GoldenCase } from './compare.ts'

type Triple = [number, number, number]

/** Numbers JSON has no word for are null in our answers. */
function orNull (value: number): number | null {
  return Number.isFinite(value) ? value : null
}

function adapter<Input> (run: (input: Input) => unknown): Adapter {
  return (golden: GoldenCase) => difference(run(golden.input as Input), golden.expected)
}

function intervals ({ k, n }: { k: number, n: number }) {
  const found: Successes = { successes: k, trials: n }
  const ends = ({ low, high }: Range) => [low, high]
  return {
    normal: ends(waldInterval(found)),
    wilson: ends(wilsonInterval(found)),
    beta: ends(clopperPearsonInterval(found)),
    agresti_coull: ends(agrestiCoullInterval(found)),
    jeffreys: ends(jeffreysInterval(found))
  }
}

function clustered ({ x, cluster }: { x: number[], cluster: number[] }) {
  const found = clusteredMean(x.map((value, i) => ({ value, cluster: String(cluster[i]) })))
  const df = found.clusters - 1
  return {
    mean: found.mean,
    se_iid_ddof1: orNull(found.seIndependent),
    se_clustered_no_correction: found.seUncorrected,
    // The reference says 0 for one cluster; ours is "not defined".
    se_clustered_finite_correction: df === 0 ? found.seUncorrected : found.seFinite,
    t_crit_95_df_clusters_minus_1: df === 0 ? null : tQuantile(0.975, df)
  }
}

export const statisticsAdapters: Record<string, Adapter> = {
  proportion_ci: adapter(intervals),
  binom_test: adapter(({ k, n, p }: { k: number, n: number, p: number }) => {
    const { twoSided, less, greater } = binomialTest(k, { n, p })
    return { two_sided: twoSided, less, greater }
  }),
  clustered_se: adapter(clustered),
  norm: adapter(({ z }: { z: number[] }) => ({ cdf: z.map(normalCdf), sf: z.map(normalTail) })),
  norm_ppf: adapter(({ p }: { p: number[] }) => ({ ppf: p.map(normalQuantile) })),
  beta: adapter(({ pab }: { pab: Triple[] }) => ({
    ppf: pab.map(([p, a, b]) => betaQuantile(p, { a, b })),
    cdf: pab.map(([p, a, b]) => betaCdf(p, { a, b }))
  })),
  f_ppf_sf: adapter(({ triples }: { triples: Triple[] }) => {
    const each = (run: (p: number, degrees: { df1: number, df2: number }) => number) =>
      triples.map(([p, df1, df2]) => run(p, { df1, df2 }))
    return {
      ppf: each(fQuantile),
      sf_at_ppf: each((p, degrees) => fTail(fQuantile(p, degrees), degrees)),
      sf_3: each((_, degrees) => fTail(3, degrees)),
      sf_200: each((_, degrees) => fTail(200, degrees))
    }
  })
}
