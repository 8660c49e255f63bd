/** Tests of two models on the same items, and p-values of several tests at once. */
import { Type } from 'typebox'
import { falseDiscoveryRates } from '../../../../shared/stats/false-discovery.ts'
import { familyWiseRates } from '../../../../shared/stats/family-wise.ts'
import { mcnemar } from '../../../../shared/stats/mcnemar.ts'
import { pairedT, wilcoxon, wilcoxonNormal, type PairedTest } from '../../../../shared/stats/paired-tests.ts'
import { exactFlipsMax, signFlipCounts, signFlipTest } from '../../../../shared/stats/sign-flip.ts'
import {
  assertSameLength, because, bodyOf, contradiction, Defined, DefinedList, Numbers, statistic, TestResult,
  valuesMax
} from './statistic.ts'

const Count = Type.Integer({ minimum: 0, maximum: 1e9 })
const CountRow = Type.Array(Count, { minItems: 2, maxItems: 2 })

const mcnemars = statistic({
  summary: 'McNemar\'s tests of two models on independent items: exact, chi-square, mid-p',
  body: bodyOf({
    table: Type.Array(CountRow, { minItems: 2, maxItems: 2, description: '[[both right, only A right], [only B right, both wrong]]' })
  }, { table: [[50, 15], [7, 20]] }),
  answer: { exact: TestResult, chi2_cc: TestResult, chi2: TestResult, midp: Defined },
  compute ({ table }) {
    const [onlyFirst, onlySecond] = [table[0]![1]!, table[1]![0]!]
    const { exact, corrected, chiSquare, midP } = mcnemar({ onlyFirst, onlySecond })
    const none = onlyFirst + onlySecond === 0
    return {
      exact: result(exact),
      chi2_cc: result(corrected),
      chi2: result(chiSquare),
      midp: midP,
      ...because(none ? 'No item was answered rightly by one of the two only: there is no chi-square, and p is 1.' : null)
    }
  }
})

const exactFlips = statistic({
  summary: 'Sign-flip test of paired differences, over all sign patterns',
  sized: { fields: ['diff'], inUnits: { statistic: 1 } },
  body: bodyOf({
    diff: Type.Array(Type.Number(), { minItems: 1, maxItems: exactFlipsMax })
  }, { diff: [1, 1, 0, -1, 1, 0, 1] }),
  answer: { statistic: Defined, two_sided: Defined, n_null: Type.Integer(), less: Defined, greater: Defined },
  isHeavy: ({ diff }) => diff.length > 24,
  compute ({ diff }) {
    const { statistic, twoSided, patterns, less, greater } = signFlipTest(diff)
    return { statistic, two_sided: twoSided, n_null: patterns, less, greater }
  }
})

const listOfMany = { minItems: 1, maxItems: valuesMax }
const Sign = Type.Enum([1, -1])

const givenFlips = statistic({
  summary: 'Sign-flip test of paired differences, over the sign patterns in the body',
  sized: { fields: ['a', 'b'], inUnits: { observed_sum: 1 } },
  body: bodyOf({
    a: Numbers,
    b: Numbers,
    signs: Type.Array(Type.Array(Sign, listOfMany), listOfMany)
  }, { a: [1, 0, 1], b: [0, 0, 1], signs: [[1, -1, 1], [-1, 1, 1]] }),
  answer: {
    observed_sum: Defined,
    count_ge: Type.Integer(),
    count_le: Type.Integer(),
    count_abs_ge: Type.Integer(),
    p_abs_plus1: Defined,
    p_greater_plus1: Defined,
    p_less_plus1: Defined,
    p_two_sided_scipy: Defined
  },
  compute ({ a, b, signs }) {
    assertSameLength({ a, b })
    const odd = signs.findIndex(row => row.length !== a.length)
    if (odd >= 0) throw contradiction(`/signs/${odd}`, `A row of signs has ${signs[odd]!.length} of them for ${a.length} items: give one each.`)
    const found = signFlipCounts(a.map((value, i) => value - b[i]!), signs)
    const p = (count: number) => (count + 1) / (signs.length + 1)
    const [greater, less] = [p(found.atLeast), p(found.atMost)]
    return {
      observed_sum: found.observed,
      count_ge: found.atLeast,
      count_le: found.atMost,
      count_abs_ge: found.atLeastInSize,
      p_abs_plus1: p(found.atLeastInSize),
      p_greater_plus1: greater,
      p_less_plus1: less,
      p_two_sided_scipy: Math.min(1, 2 * Math.min(greater, less))
    }
  }
})

const wilcoxonAndT = statistic({
  summary: 'Wilcoxon\'s signed-rank test and Student\'s t of pairs, two-sided',
  sized: { fields: ['x', 'y'] },
  body: bodyOf({ x: Numbers, y: Numbers }, { x: [3, 5, 4, 2, 5], y: [2, 4, 4, 3, 1] }),
  answer: {
    wilcox_cc0_approx: TestResult,
    wilcox_cc1_approx: TestResult,
    pratt_cc0_approx: TestResult,
    pratt_cc1_approx: TestResult,
    auto: TestResult,
    ttest_rel: Type.Object({ statistic: Defined, pvalue: Defined, df: Type.Integer() })
  },
  compute ({ x, y }) {
    assertSameLength({ x, y })
    const differences = x.map((value, i) => value - y[i]!)
    const normal = (zeros: 'wilcox' | 'pratt', continuity: boolean) =>
      result(wilcoxonNormal(differences, { zeros, continuity }))
    const t = pairedT(differences)
    const reason = differences.every(value => value === 0)
      ? 'No pair differs: there is nothing to rank, and no error to divide by.'
      : Number.isNaN(t.statistic) ? 'The differences do not vary, or there is but one: t is not defined.' : null
    return {
      wilcox_cc0_approx: normal('wilcox', false),
      wilcox_cc1_approx: normal('wilcox', true),
      pratt_cc0_approx: normal('pratt', false),
      pratt_cc1_approx: normal('pratt', true),
      auto: result(wilcoxon(differences)),
      ttest_rel: { ...result(t), df: t.df },
      ...because(reason)
    }
  }
})

const adjusted = statistic({
  summary: 'p-values adjusted for their number: Bonferroni, Holm, Holm-Sidak, Benjamini-Hochberg, Benjamini-Yekutieli',
  body: bodyOf({
    p: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { minItems: 1, maxItems: valuesMax, description: 'The family: all tests that were made.' })
  }, { p: [0.01, 0.04, 0.03] }),
  answer: { bonferroni: DefinedList, holm: DefinedList, fdr_bh: DefinedList, fdr_by: DefinedList, 'holm-sidak': DefinedList },
  compute: ({ p }) => ({
    bonferroni: familyWiseRates(p, 'bonferroni'),
    holm: familyWiseRates(p, 'holm'),
    fdr_bh: falseDiscoveryRates(p, 'bh'),
    fdr_by: falseDiscoveryRates(p, 'by'),
    'holm-sidak': familyWiseRates(p, 'holm-sidak')
  })
})

function result ({ statistic, pValue }: PairedTest) {
  return { statistic, pvalue: pValue }
}

export const paired = {
  mcnemar: mcnemars,
  'paired-permutation-exact': exactFlips,
  'paired-permutation-signs': givenFlips,
  'wilcoxon-ttest': wilcoxonAndT,
  'adjust-pvalues': adjusted
}
