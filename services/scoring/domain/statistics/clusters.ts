/** Comparisons over papers, and of groups of models on one item. */
import { Type } from 'typebox'
import { clusterSignFlip } from '../../../../shared/stats/cluster-sign-flip.ts'
import { clusteredProportion } from '../../../../shared/stats/clustered-proportion.ts'
import { clusteredMean } from '../../../../shared/stats/clustered.ts'
import { detectableEffect } from '../../../../shared/stats/detectable-effect.ts'
import { mantelHaenszel } from '../../../../shared/stats/mantel-haenszel.ts'
import { intervalOfMean } from '../metrics/interval-of-mean.ts'
import {
  assertSameLength, because, bodyOf, Cluster, clusterNames, Defined, Ends, Level, Numbers, statistic,
  valuesMax
} from './statistic.ts'

const Differences = { diff: Numbers, cluster: Cluster }
const example = { diff: [1, 0, 0, 1, -1, 1, 0, 1], cluster: ['a', 'a', 'b', 'b', 'c', 'd', 'e', 'f'] }

function observationsOf ({ diff, cluster }: { diff: number[], cluster: Array<number | string> }) {
  assertSameLength({ diff, cluster })
  return clusterNames(cluster).map((name, i) => ({ value: diff[i]!, cluster: name }))
}

const pairedOverPapers = statistic({
  summary: 'A paired difference over papers: t on the cluster-robust (CR2) error, sign-flip test, detectable effect',
  sized: { fields: ['diff'], inUnits: { mean: 1, ci95: 1, se_cr2: 1, minimum_detectable_effect: 1 } },
  body: bodyOf(Differences, example),
  answer: {
    mean: Defined,
    ci95: Ends,
    method: Type.Union([Type.String(), Type.Null()]),
    note: Type.String(),
    clusters: Type.Integer(),
    se_cr2: Defined,
    sign_flip: Type.Object({ less: Defined, greater: Defined, two_sided: Defined, smallest_p: Defined }),
    minimum_detectable_effect: Defined
  },
  isHeavy: () => true,
  compute (body) {
    const observations = observationsOf(body)
    const estimate = intervalOfMean(observations, { proportion: false })
    const { seCr2 } = clusteredMean(observations)
    const flips = clusterSignFlip(observations)
    const df = estimate.clusters - 1
    const reasons = [
      'reason' in flips && flips.reason,
      df === 0 && 'One paper says nothing of how papers vary.',
      !(seCr2 > 0) && 'The differences do not vary over papers.',
      estimate.interval === null && estimate.reason
    ]
    return {
      mean: estimate.value,
      ci95: [estimate.interval?.low ?? NaN, estimate.interval?.high ?? NaN],
      method: estimate.interval?.method ?? null,
      note: estimate.interval?.note ?? '',
      clusters: estimate.clusters,
      se_cr2: seCr2,
      sign_flip: 'reason' in flips
        ? { less: NaN, greater: NaN, two_sided: NaN, smallest_p: NaN }
        : {
            less: flips.less,
            greater: flips.greater,
            two_sided: flips.twoSided,
            smallest_p: flips.smallestP
          },
      minimum_detectable_effect: seCr2 > 0 ? detectableEffect(seCr2, { df }) : NaN,
      ...because(reasons.find(reason => typeof reason === 'string'))
    }
  }
})

const proportion = statistic({
  summary: 'A proportion over papers by Wilson\'s interval on the effective number of items, which covers near 0 and 1 where t does not',
  body: bodyOf({
    x: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { minItems: 1, maxItems: valuesMax }),
    cluster: Cluster,
    level: Level
  }, { x: [1, 1, 0, 1, 1, 1], cluster: ['a', 'a', 'a', 'b', 'b', 'c'] }),
  answer: {
    share: Defined,
    ci: Ends,
    effective_n: Defined,
    clusters: Type.Integer(),
    method: Type.Union([Type.String(), Type.Null()])
  },
  compute ({ x, cluster, level }) {
    assertSameLength({ x, cluster })
    const observations = clusterNames(cluster).map((name, i) => ({ value: x[i]!, cluster: name }))
    const found = clusteredProportion(observations, level)
    if ('reason' in found) return { share: NaN, ci: [NaN, NaN], effective_n: NaN, clusters: 1, method: null, ...found }
    const { share, interval, effectiveN, clusters, method } = found
    return { share, ci: [interval.low, interval.high], effective_n: effectiveN, clusters, method }
  }
})

const Count = Type.Integer({ minimum: 0, maximum: 1e6 })

const itemFunctioning = statistic({
  summary: 'Mantel-Haenszel: whether an item is harder for one group of models than for another of the same ability',
  body: bodyOf({
    strata: Type.Array(Type.Object({
      reference_right: Count, reference_wrong: Count, focal_right: Count, focal_wrong: Count
    }, { additionalProperties: false }), { minItems: 1, maxItems: 1_000, description: 'Models by ability, for example by score on the other items.' })
  }, { strata: [{ reference_right: 8, reference_wrong: 2, focal_right: 5, focal_wrong: 5 }] }),
  answer: {
    odds_ratio: Defined,
    ci95: Ends,
    delta: Defined,
    statistic: Defined,
    pvalue: Defined,
    category: Type.Union([Type.Enum(['A', 'B', 'C']), Type.Null()])
  },
  compute ({ strata }) {
    const found = mantelHaenszel(strata.map(stratum => ({
      referenceRight: stratum.reference_right,
      referenceWrong: stratum.reference_wrong,
      focalRight: stratum.focal_right,
      focalWrong: stratum.focal_wrong
    })))
    if ('reason' in found) {
      const none = { odds_ratio: NaN, ci95: [NaN, NaN], delta: NaN, statistic: NaN, pvalue: NaN }
      return { ...none, category: null, ...found }
    }
    const { oddsRatio, interval, pValue, ...rest } = found
    return { odds_ratio: oddsRatio, ci95: [interval.low, interval.high], pvalue: pValue, ...rest }
  }
})

export const clusters = {
  'paired-over-papers': pairedOverPapers,
  'proportion-over-papers': proportion,
  'mantel-haenszel-dif': itemFunctioning
}
