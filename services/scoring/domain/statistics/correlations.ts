/** Correlations, ranks and percentiles, under the names their reference implementations have. */
import { Type } from 'typebox'
import {
  pearson, pearsonInterval, reasonAgainst, spearman, type Alternative, type Correlation, type Pairs
} from '../../../../shared/stats/correlation.ts'
import { kendallExactP, kendallTauB, kendallTauC } from '../../../../shared/stats/kendall.ts'
import { quantileMethods, quantileOfSorted } from '../../../../shared/stats/quantile.ts'
import { ranksOf, type TieMethod } from '../../../../shared/stats/ranks.ts'
import { assertSameLength, because, bodyOf, Defined, DefinedList, Ends, Numbers, statistic, TestResult } from './statistic.ts'

const TwoLists = bodyOf({ x: Numbers, y: Numbers }, { x: [1, 2, 3, 4, 5], y: [2, 1, 4, 3, 5] })
const threeWays = ['two-sided', 'less', 'greater'] as const

function result ({ statistic, pValue }: Correlation) {
  return { statistic, pvalue: pValue }
}

function eachWay (run: (alternative: Alternative) => Correlation) {
  const [both, less, greater] = threeWays.map(way => result(run(way)))
  return { two_sided: both!, less: less!, greater: greater! }
}

function noTail (pairs: Pairs): string | null {
  return pairs.x.length === 2 ? 'Two pairs leave no degree of freedom for a p-value.' : null
}

function kendallReason (pairs: Pairs): string | null {
  const against = reasonAgainst(pairs) ?? noTail(pairs)
  if (against !== null) return against
  return Number.isNaN(kendallExactP(pairs)) ? 'The exact p-value is of up to 170 values without ties.' : null
}

const kendall = statistic({
  summary: 'Kendall\'s tau-b and tau-c, with p-values',
  body: TwoLists,
  answer: {
    auto: TestResult,
    asymptotic: TestResult,
    exact: TestResult,
    auto_less: TestResult,
    auto_greater: TestResult,
    tau_c: Defined
  },
  compute (pairs) {
    assertSameLength({ x: pairs.x, y: pairs.y })
    const auto = kendallTauB(pairs)
    const exact = kendallExactP(pairs)
    return {
      auto: result(auto),
      asymptotic: result(kendallTauB(pairs, { method: 'normal' })),
      exact: { statistic: Number.isNaN(exact) ? NaN : auto.statistic, pvalue: exact },
      auto_less: result(kendallTauB(pairs, { alternative: 'less' })),
      auto_greater: result(kendallTauB(pairs, { alternative: 'greater' })),
      tau_c: kendallTauC(pairs),
      ...because(kendallReason(pairs))
    }
  }
})

const spearmans = statistic({
  summary: 'Spearman\'s rank correlation, with p-values',
  body: TwoLists,
  answer: { two_sided: TestResult, less: TestResult, greater: TestResult },
  compute (pairs) {
    assertSameLength({ x: pairs.x, y: pairs.y })
    return { ...eachWay(way => spearman(pairs, way)), ...because(reasonAgainst(pairs) ?? noTail(pairs)) }
  }
})

const pearsons = statistic({
  summary: 'Pearson\'s correlation, with p-values and Fisher\'s interval',
  body: TwoLists,
  answer: {
    two_sided: Type.Object({ statistic: Defined, pvalue: Defined, ci95: Ends }),
    less: TestResult,
    greater: TestResult
  },
  compute (pairs) {
    assertSameLength({ x: pairs.x, y: pairs.y })
    const found = eachWay(way => pearson(pairs, way))
    const { low, high } = pearsonInterval(found.two_sided.statistic, pairs.x.length)
    const both = { ...found.two_sided, ci95: [low, high] }
    return { ...found, two_sided: both, ...because(reasonAgainst(pairs)) }
  }
})

const tieMethods: TieMethod[] = ['average', 'min', 'max', 'dense', 'ordinal']

const rankdata = statistic({
  summary: 'Ranks from 1, with equals ranked in five ways',
  body: bodyOf({ x: Numbers }, { x: [3, 1, 1, 2] }),
  answer: Object.fromEntries(tieMethods.map(method => [method, DefinedList])),
  compute: ({ x }) => Object.fromEntries(tieMethods.map(method => [method, ranksOf(x, method)]))
})

const percentile = statistic({
  summary: 'One percentile, by nine definitions',
  sized: { fields: ['x'], inUnits: Object.fromEntries(quantileMethods.map(method => [method, 1 as const])) },
  body: bodyOf({ x: Numbers, q: Type.Number({ minimum: 0, maximum: 100 }) }, { x: [3, 1, 4, 1, 5], q: 97.5 }),
  answer: Object.fromEntries(quantileMethods.map(method => [method, Defined])),
  compute ({ x, q }) {
    const sorted = Float64Array.from(x).sort()
    return Object.fromEntries(
      quantileMethods.map(method => [method, quantileOfSorted(sorted, q / 100, method)]))
  }
})

export const correlations = {
  'kendall-tau-b': kendall, spearman: spearmans, pearson: pearsons, rankdata, percentile
}
