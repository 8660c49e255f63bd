/** Bootstrap from draws in the body, and the jackknife. */
import { Type } from 'typebox'
import {
  basicInterval, bcaInterval, bootstrapError, meanOf, replicatesOf, type Replicates
} from '../../../../shared/stats/bootstrap.ts'
import { jackknifeMean } from '../../../../shared/stats/jackknife.ts'
import { quantile, quantileOfSorted } from '../../../../shared/stats/quantile.ts'
import {
  assertSameLength, because, bodyOf, contradiction, Defined, DefinedList, Ends, Numbers, statistic, valuesMax
} from './statistic.ts'

const Index = Type.Integer({ minimum: 0, maximum: valuesMax })
const Draws = Type.Array(Type.Array(Index, { minItems: 1, maxItems: valuesMax }), {
  minItems: 1, maxItems: valuesMax, description: 'One row for each replicate: as many indices into the items as there are items.'
})

function assertDraws (draws: ReadonlyArray<readonly number[]>, size: number): void {
  for (const [row, indices] of draws.entries()) {
    if (indices.length !== size) throw contradiction(`/indices/${row}`, `There are ${indices.length} indices for ${size} items: draw as many as there are items.`)
    const wrong = indices.findIndex(index => index >= size)
    if (wrong >= 0) throw contradiction(`/indices/${row}/${wrong}`, `Indices are below ${size}, the number of items.`)
  }
}

const Summary = {
  estimate: Defined,
  'linear_2.5_50_97.5': Type.Array(Defined, { minItems: 3, maxItems: 3 }),
  p5_p95: Ends,
  se_ddof1: Defined,
  mean: Defined,
  sacrebleu_ci: Ends
}

const summaryUnits = {
  estimate: 1,
  'linear_2.5_50_97.5': 1,
  p5_p95: 1,
  se_ddof1: 1,
  mean: 1,
  sacrebleu_ci: 1,
  first3: 1,
  basic: 1,
  ci: 1
} as const

function summary (replicates: Replicates) {
  const { estimate, values, sorted } = replicates
  const at = (share: number) => quantileOfSorted(sorted, share)
  const skipped = Math.floor(sorted.length / 40)
  return {
    estimate,
    'linear_2.5_50_97.5': [at(0.025), at(0.5), at(0.975)],
    p5_p95: [at(0.05), at(0.95)],
    se_ddof1: bootstrapError(replicates),
    mean: meanOf(values),
    sacrebleu_ci: [sorted[skipped]!, sorted[sorted.length - skipped - 1]!]
  }
}

const OneStatistic = Type.Object({
  ...Summary,
  first3: Type.Array(Defined, { maxItems: 3 }),
  basic: Ends,
  bca: Type.Optional(Type.Object({ percentile_levels: Ends, ci: Ends }))
})

function standardDeviation (values: readonly number[]): number {
  const mean = meanOf(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}

function intervals (replicates: Replicates) {
  const { low, high } = basicInterval(replicates)
  return { ...summary(replicates), first3: [...replicates.values.slice(0, 3)], basic: [low, high] }
}

function bca (replicates: Replicates, x: readonly number[]) {
  const { low, high, shares } = bcaInterval(replicates, x.length > 1 ? jackknifeMean(x).leftOut : [])
  return { percentile_levels: shares, ci: [low, high] }
}

const bootstrap = statistic({
  summary: 'Bootstrap of mean, median and standard deviation from given draws: percentile, basic and BCa intervals',
  sized: { fields: ['x'], inUnits: summaryUnits },
  body: bodyOf({ x: Numbers, indices: Draws }, { x: [1, 0, 1], indices: [[0, 0, 2], [1, 2, 2], [0, 1, 2]] }),
  answer: { mean: OneStatistic, median: OneStatistic, std1: OneStatistic },
  compute ({ x, indices }) {
    assertDraws(indices, x.length)
    const replicates = (of: (values: number[]) => number) =>
      replicatesOf(x.length, indices, row => of(Array.from(row, index => x[index]!)))
    const mean = replicates(meanOf)
    const corrected = bca(mean, x)
    const reasons = [
      x.length < 2 && 'One value has no standard deviation and no jackknife.',
      indices.length < 2 && 'One replicate has no standard error.',
      Number.isNaN(corrected.ci[0]) && 'Without values that vary, and replicates on both sides of the estimate, there is no BCa interval.'
    ]
    return {
      mean: { ...intervals(mean), bca: corrected },
      median: intervals(replicates(values => quantile(values, 0.5))),
      std1: intervals(replicates(standardDeviation)),
      ...because(reasons.find(reason => reason !== false))
    }
  }
})

const pairedBootstrap = statistic({
  summary: 'Bootstrap of the difference of two means over the same items, from given draws',
  sized: { fields: ['a', 'b'], inUnits: summaryUnits },
  body: bodyOf({ a: Numbers, b: Numbers, indices: Draws }, {
    a: [1, 0, 1], b: [0, 0, 1], indices: [[0, 0, 2], [1, 2, 2]]
  }),
  answer: { ...Summary, count_le0: Type.Integer(), count_lt0: Type.Integer() },
  compute ({ a, b, indices }) {
    assertSameLength({ a, b })
    assertDraws(indices, a.length)
    const mean = (values: readonly number[], row: ArrayLike<number>) =>
      meanOf(Array.from(row, index => values[index]!))
    const replicates = replicatesOf(a.length, indices, row => mean(a, row) - mean(b, row))
    const count = (holds: (value: number) => boolean) => replicates.values.filter(holds).length
    return {
      ...summary(replicates),
      count_le0: count(value => value <= 0),
      count_lt0: count(value => value < 0),
      ...because(indices.length < 2 ? 'One replicate has no standard error.' : null)
    }
  }
})

const jackknife = statistic({
  summary: 'The mean without each item in turn, its standard error and the item that moves it most',
  sized: { fields: ['x'], inUnits: { loo: 1, jack_se: 1, jack_bias: 1 } },
  body: bodyOf({ x: Numbers }, { x: [1, 0, 1, 1] }),
  answer: {
    loo: DefinedList,
    jack_se: Defined,
    jack_bias: Defined,
    max_abs_shift_index: Type.Union([Type.Integer(), Type.Null()])
  },
  compute ({ x }) {
    if (x.length < 2) {
      return { loo: [null], jack_se: null, jack_bias: null, max_abs_shift_index: null, reason: 'Without one of one value nothing is left.' }
    }
    const { leftOut, error, bias, strongest } = jackknifeMean(x)
    return { loo: leftOut, jack_se: error, jack_bias: bias, max_abs_shift_index: strongest }
  }
})

export const resampling = {
  'bootstrap-indices': bootstrap,
  'paired-bootstrap-indices': pairedBootstrap,
  'jackknife-mean': jackknife
}
