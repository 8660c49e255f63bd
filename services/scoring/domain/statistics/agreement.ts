/** How far raters agree. */
import { Type } from 'typebox'
import { Problem } from '../../../../shared/errors/problem.ts'
import {
  cohenKappa, gwetAC, weightsOf, type NotComputable, type RatedUnit, type WeightKind
} from '../../../../shared/stats/agreement.ts'
import { alphaOfCounts, krippendorffAlpha, type AlphaLevel } from '../../../../shared/stats/agreement-alpha.ts'
import { intraclassForms, type IntraclassForm } from '../../../../shared/stats/agreement-icc-forms.ts'
import { fleissKappa } from '../../../../shared/stats/fleiss.ts'
import {
  assertRectangle, assertSameLength, because, bodyOf, contradiction, Defined, Ends, Matrix, statistic,
  valuesMax
} from './statistic.ts'

/** Alpha compares every value with every value. */
const categoriesMax = 500
const ratersMax = 1_000

const Label = Type.Union([Type.Number(), Type.String({ maxLength: 200 })])
type Label = number | string
const Rating = Type.Union([Type.Number(), Type.Null()])
const Row = Type.Array(Rating, { minItems: 1, maxItems: valuesMax })
const Ratings = Type.Array(Row, {
  minItems: 1, maxItems: ratersMax, description: 'One row for each rater, one column for each unit; null is missing.'
})
const ratingsExample = [[1, 2, 3, 3], [1, 2, 3, 4], [null, 2, 3, 3]]

const levels: AlphaLevel[] = ['nominal', 'ordinal', 'interval', 'ratio']
const levelsAnswer = (of: readonly AlphaLevel[]) => Object.fromEntries(of.map(level => [level, Defined]))

/** Raters × units to units, ratings as indices into the domain. */
function unitsOf (rows: ReadonlyArray<ReadonlyArray<Label | null>>, domain: readonly Label[]): RatedUnit[] {
  assertRectangle('reliability_data', rows)
  const places = new Map(domain.map((value, at) => [value, at]))
  if (places.size < domain.length) throw contradiction('/value_domain', 'A value stands in value_domain twice; name each once, least first.')
  return rows[0]!.map((_, unit) => ({
    ratings: rows.map((row, rater) => {
      const rating = row[unit]!
      if (rating === null) return null
      const place = places.get(rating)
      if (place === undefined) throw contradiction(`/reliability_data/${rater}/${unit}`, 'This rating is not in value_domain; add it there, in its place.')
      return place
    })
  }))
}

function domainOf (rows: ReadonlyArray<ReadonlyArray<number | null>>): number[] {
  const values = new Set<number>()
  for (const row of rows) for (const value of row) if (value !== null) values.add(value)
  if (values.size > categoriesMax) {
    throw new Problem('limit-exceeded', `There are ${values.size} different ratings and alpha takes ${categoriesMax}; round them.`)
  }
  return [...values].sort((a, b) => a - b)
}

type Found = { value: number } | NotComputable

function alphas (of: readonly AlphaLevel[], run: (level: AlphaLevel) => Found) {
  const found = of.map(run)
  return {
    ...Object.fromEntries(of.map((level, i) => [level, valueOf(found[i]!)])),
    ...because(found.map(reasonOf).find(reason => reason !== null))
  }
}

function valueOf (found: Found): number {
  return 'reason' in found ? NaN : found.value
}

function reasonOf (found: object): string | null {
  return 'reason' in found ? String(found.reason) : null
}

/** Every level compares every value with every value. */
function isLong (body: { reliability_data: ReadonlyArray<readonly unknown[]> }): boolean {
  return body.reliability_data.length * body.reliability_data[0]!.length > 500
}

const alpha = statistic({
  summary: 'Krippendorff\'s alpha at four levels of measurement',
  sized: { fields: ['reliability_data'] },
  body: bodyOf({ reliability_data: Ratings }, { reliability_data: ratingsExample }),
  answer: levelsAnswer(levels),
  isHeavy: isLong,
  compute ({ reliability_data: rows }) {
    const values = domainOf(rows)
    const units = unitsOf(rows, values)
    return alphas(levels, level => krippendorffAlpha(units, { level, values }))
  }
})

const alphaOfLabels = statistic({
  summary: 'Krippendorff\'s alpha of labels, nominal and in their order',
  body: bodyOf({
    reliability_data: Type.Array(
      Type.Array(Type.Union([Label, Type.Null()]), { minItems: 1, maxItems: valuesMax }),
      { minItems: 1, maxItems: ratersMax }),
    value_domain: Type.Array(Label, { minItems: 1, maxItems: categoriesMax, description: 'All labels, least first.' })
  }, { reliability_data: [['good', 'bad', 'ok'], ['good', 'ok', null]], value_domain: ['bad', 'ok', 'good'] }),
  answer: levelsAnswer(['nominal', 'ordinal']),
  compute ({ reliability_data: rows, value_domain: domain }) {
    const units = unitsOf(rows, domain)
    const values = domain.map((_, at) => at)
    return alphas(['nominal', 'ordinal'], level => krippendorffAlpha(units, { level, values }))
  }
})

const countsTable = (description: string) => Type.Array(
  Type.Array(Type.Integer({ minimum: 0, maximum: 1e6 }), { minItems: 1, maxItems: categoriesMax }),
  { minItems: 1, maxItems: valuesMax, description })

const alphaOfTable = statistic({
  summary: 'Krippendorff\'s alpha of counts of each value, values being 0, 1, 2, …',
  body: bodyOf({
    value_counts: countsTable('One row for each unit.')
  }, { value_counts: [[3, 0], [1, 2]] }),
  answer: levelsAnswer(levels),
  compute ({ value_counts: counts }) {
    assertRectangle('value_counts', counts)
    const values = counts[0]!.map((_, at) => at)
    return alphas(levels, level => alphaOfCounts(counts, { level, values }))
  }
})

const alphaOfDomain = statistic({
  summary: 'Krippendorff\'s alpha of numbers from a stated scale',
  sized: { fields: ['reliability_data', 'value_domain'] },
  body: bodyOf({
    reliability_data: Ratings,
    value_domain: Type.Array(Type.Number(), { minItems: 1, maxItems: categoriesMax, description: 'The scale, least first.' })
  }, { reliability_data: ratingsExample, value_domain: [1, 2, 3, 4, 5] }),
  answer: levelsAnswer(levels),
  isHeavy: isLong,
  compute ({ reliability_data: rows, value_domain: values }) {
    const units = unitsOf(rows, values)
    return alphas(levels, level => krippendorffAlpha(units, { level, values }))
  }
})

const leaveOneRaterOut = statistic({
  summary: 'Krippendorff\'s alpha of all raters and without each one',
  sized: { fields: ['reliability_data'] },
  body: bodyOf({
    reliability_data: Type.Array(Row, { minItems: 2, maxItems: 100, description: 'One row for each rater.' })
  }, { reliability_data: ratingsExample }),
  answer: Object.fromEntries(levels.slice(0, 3).map(level =>
    [level, Type.Object({ all: Defined, without: Type.Array(Defined) })])),
  isHeavy: isLong,
  compute ({ reliability_data: rows }) {
    const groups = [rows, ...rows.map((_, left) => rows.filter((_, rater) => rater !== left))]
    const prepared = groups.map(own => ({ values: domainOf(own), rows: own }))
      .map(({ values, rows: own }) => ({ values, units: unitsOf(own, values) }))
    let reason: string | null = null
    const fields = levels.slice(0, 3).map(level => {
      const [all, ...without] = prepared.map(({ units, values }) => {
        const found = krippendorffAlpha(units, { level, values })
        reason ??= reasonOf(found)
        return valueOf(found)
      })
      return [level, { all, without }]
    })
    return { ...Object.fromEntries(fields), ...because(reason) }
  }
})

const Intraclass = Type.Object({
  icc: Defined, F: Defined, df1: Defined, df2: Defined, pval: Defined, ci95: Ends
})

function formOf (form: IntraclassForm | undefined) {
  const { value = NaN, f = NaN, df1 = NaN, df2 = NaN, pValue = NaN, interval } = form ?? {}
  return { icc: value, F: f, df1, df2, pval: pValue, ci95: [interval?.low ?? NaN, interval?.high ?? NaN] }
}

const icc = statistic({
  summary: 'The six intraclass correlations of Shrout and Fleiss, with intervals and F tests',
  sized: { fields: ['ratings'] },
  body: bodyOf({ ratings: Matrix }, { ratings: [[9, 2, 5], [6, 1, 3], [8, 4, 6], [7, 1, 2]] }),
  answer: Object.fromEntries(
    ['ICC1', 'ICC2', 'ICC3', 'ICC1k', 'ICC2k', 'ICC3k'].map(name => [name, Intraclass])),
  compute ({ ratings }) {
    assertRectangle('ratings', ratings)
    const found = intraclassForms(ratings)
    const forms = 'reason' in found ? undefined : found
    const answers = {
      ICC1: formOf(forms?.oneWay.single),
      ICC2: formOf(forms?.agreement.single),
      ICC3: formOf(forms?.consistency.single),
      ICC1k: formOf(forms?.oneWay.average),
      ICC2k: formOf(forms?.agreement.average),
      ICC3k: formOf(forms?.consistency.average)
    }
    const undefinedSome = Object.values(answers)
      .some(({ icc, F, ci95 }) => ![icc, F, ...ci95].every(Number.isFinite))
    const border = undefinedSome ? 'The ratings of a unit do not vary, but for a constant between raters, or the approximation has no degree of freedom: what rests on that variance is not defined.' : null
    return { ...answers, ...because(reasonOf(found) ?? border) }
  }
})

const Labels = Type.Array(Label, { minItems: 1, maxItems: valuesMax })
const kappaWeights: Array<[string, WeightKind]> = [['unweighted', 'identity'], ['linear', 'linear'], ['quadratic', 'quadratic']]

const cohen = statistic({
  summary: 'Cohen\'s kappa of two raters, unweighted and weighted by places in `labels`',
  body: bodyOf({
    a: Labels, b: Labels, labels: Type.Array(Label, { minItems: 1, maxItems: categoriesMax })
  }, { a: [1, 2, 3, 1], b: [1, 2, 2, 1], labels: [1, 2, 3] }),
  answer: { unweighted: Defined, linear: Defined, quadratic: Defined },
  compute ({ a, b, labels }) {
    assertSameLength({ a, b })
    const units = unitsOf([a, b], labels)
    const places = labels.map((_, at) => at)
    const found = kappaWeights.map(([name, kind]) => [name, labels.length < 2
      ? { reason: 'There is one category only.' }
      : cohenKappa(units, weightsOf(kind, places))] as const)
    return {
      ...Object.fromEntries(found.map(([name, kappa]) => [name, valueOf(kappa)])),
      ...because(found.map(([, kappa]) => reasonOf(kappa)).find(reason => reason !== null))
    }
  }
})

const fleiss = statistic({
  summary: 'Fleiss\' and Randolph\'s kappa of several raters, of counts',
  body: bodyOf({
    counts: countsTable('One row for each unit: how many raters chose each category.')
  }, { counts: [[3, 0], [2, 1], [0, 3]] }),
  answer: { fleiss: Defined, randolph: Defined },
  compute ({ counts }) {
    assertRectangle('counts', counts)
    const raters = (row: readonly number[]) => row.reduce((sum, count) => sum + count, 0)
    const odd = counts.findIndex(row => raters(row) !== raters(counts[0]!))
    if (odd >= 0) throw contradiction(`/counts/${odd}`, 'Fleiss\' kappa takes the same number of ratings for every unit; with ratings missing use krippendorff-alpha-counts.')
    const found = fleissKappa(counts)
    if ('reason' in found) return { fleiss: NaN, randolph: NaN, ...found }
    return { ...found, ...because(Number.isNaN(found.fleiss) ? 'All ratings are the same: there is no chance to correct for.' : null) }
  }
})

const gwet = statistic({
  summary: 'Gwet\'s AC1 and AC2, which skewed ratings do not make fall; ratings may be missing',
  body: bodyOf({
    reliability_data: Ratings,
    value_domain: Type.Array(Type.Number(), { minItems: 2, maxItems: categoriesMax, description: 'The whole scale, least first.' })
  }, { reliability_data: ratingsExample, value_domain: [1, 2, 3, 4, 5] }),
  answer: { unweighted: Defined, linear: Defined, quadratic: Defined, ordinal: Defined },
  compute ({ reliability_data: rows, value_domain: values }) {
    const units = unitsOf(rows, values)
    const kinds: Array<[string, WeightKind]> = [...kappaWeights, ['ordinal', 'ordinal']]
    const found = kinds.map(([name, kind]) => [name, gwetAC(units, weightsOf(kind, values))] as const)
    return {
      ...Object.fromEntries(found.map(([name, coefficient]) => [name, valueOf(coefficient)])),
      ...because(reasonOf(found[0]![1]))
    }
  }
})

export const agreement = {
  'krippendorff-alpha': alpha,
  'krippendorff-alpha-strings': alphaOfLabels,
  'krippendorff-alpha-counts': alphaOfTable,
  'krippendorff-alpha-domain': alphaOfDomain,
  'loo-rater-krippendorff': leaveOneRaterOut,
  icc,
  'cohen-kappa': cohen,
  'fleiss-kappa': fleiss,
  gwet
}
