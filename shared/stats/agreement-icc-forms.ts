/** The six intraclass correlations of Shrout and Fleiss, with intervals and tests. */
import { fQuantile, fTail } from './distributions.ts'
import { meanSquares, type MeanSquares } from './agreement-icc.ts'
import type { NotComputable } from './agreement.ts'
import type { Range } from './proportions.ts'

/**
 * What is NaN is not defined; where raters never disagree but for a constant, `f` is Infinity and
 * what rests on it NaN.
 */
export interface IntraclassForm {
  value: number
  f: number
  df1: number
  df2: number
  pValue: number
  interval: Range
}

/**
 * By the names of Shrout and Fleiss and those of McGraw and Wong: `single` forms are of one rating,
 * `average` ones of the mean over all raters.
 */
export interface IntraclassForms {
  /** ICC1, ICC(1): every unit has raters of its own. */
  oneWay: { single: IntraclassForm, average: IntraclassForm }
  /** ICC2, ICC(A): the same raters; that one is stricter than another is disagreement. */
  agreement: { single: IntraclassForm, average: IntraclassForm }
  /** ICC3, ICC(C): the same raters; a constant between them is none. */
  consistency: { single: IntraclassForm, average: IntraclassForm }
}

interface Analysis extends MeanSquares { within: number, n: number, k: number }

/** Of rounding, where there is no variance. */
const negligible = 1e-12

/**
 * @param ratings  one row for each unit, one column for each rater, none missing
 * @returns        not computable below two units or two raters, or where nothing varies
 * @see Shrout & Fleiss 1979, doi:10.1037/0033-2909.86.2.420; McGraw & Wong 1996,
 *      doi:10.1037/1082-989X.1.1.30
 */
export function intraclassForms (
  ratings: ReadonlyArray<readonly number[]>, level = 0.95
): IntraclassForms | NotComputable {
  const [n, k] = [ratings.length, ratings[0]?.length ?? 0]
  if (n < 2 || k < 2) return { reason: 'An intraclass correlation needs two units, both rated by the same two raters.' }
  const squares = meanSquares(ratings)
  const within = ((k - 1) * squares.columns + (n - 1) * (k - 1) * squares.error) / (n * (k - 1))
  const whole = squares.rows + within
  const scale = Math.max(...ratings.flat().map(Math.abs)) ** 2
  if (!(whole > negligible * scale)) return { reason: 'Nothing varies between units, raters or ratings.' }
  const zeroed = (value: number) => value <= negligible * whole ? 0 : value
  const analysis = {
    rows: zeroed(squares.rows),
    columns: zeroed(squares.columns),
    error: zeroed(squares.error),
    within: zeroed(within),
    n,
    k
  }
  return {
    oneWay: oneWay(analysis, level),
    agreement: agreement(analysis, level),
    consistency: consistency(analysis, level)
  }
}

function oneWay ({ rows, within, n, k }: Analysis, level: number): IntraclassForms['oneWay'] {
  const test = testOf(rows / within, { df1: n - 1, df2: n * (k - 1) })
  return ofRatio({ value: (rows - within) / (rows + (k - 1) * within), test, k, level })
}

function consistency ({ rows, error, n, k }: Analysis, level: number): IntraclassForms['consistency'] {
  const test = testOf(rows / error, { df1: n - 1, df2: (n - 1) * (k - 1) })
  return ofRatio({ value: (rows - error) / (rows + (k - 1) * error), test, k, level })
}

interface Test { f: number, df1: number, df2: number, pValue: number }

function testOf (f: number, { df1, df2 }: { df1: number, df2: number }): Test {
  return { f, df1, df2, pValue: Number.isNaN(f) ? NaN : f === Infinity ? 0 : fTail(f, { df1, df2 }) }
}

/** The forms that are functions of one F ratio, whose distribution is known. */
function ofRatio (
  { value, test, k, level }: { value: number, test: Test, k: number, level: number }
): { single: IntraclassForm, average: IntraclassForm } {
  const { f, df1, df2 } = test
  const p = (1 + level) / 2
  const low = f / fQuantile(p, { df1, df2 })
  const high = f * fQuantile(p, { df1: df2, df2: df1 })
  const single = (ratio: number) => (ratio - 1) / (ratio + k - 1)
  const average = (ratio: number) => 1 - 1 / ratio
  return {
    single: { value, ...test, interval: { low: single(low), high: single(high) } },
    average: { value: averaged(value, k), ...test, interval: { low: average(low), high: average(high) } }
  }
}

/** Spearman and Brown's: the reliability of a mean over k raters. */
function averaged (value: number, k: number): number {
  return value * k / (1 + value * (k - 1))
}

/** Absolute agreement mixes two variances: the degrees of freedom are Satterthwaite's. */
function agreement ({ rows, columns, error, n, k }: Analysis, level: number): IntraclassForms['agreement'] {
  const test = testOf(rows / error, { df1: n - 1, df2: (n - 1) * (k - 1) })
  const value = (rows - error) / (rows + (k - 1) * error + k * (columns - error) / n)
  const interval = agreementInterval({ rows, columns, error, value, n, k }, level)
  const ofAverage = { low: averaged(interval.low, k), high: averaged(interval.high, k) }
  const average = (rows - error) / (rows + (columns - error) / n)
  return { single: { value, ...test, interval }, average: { value: average, ...test, interval: ofAverage } }
}

type Agreement = Omit<Analysis, 'within'> & { value: number }

function agreementInterval ({ rows, columns, error, value, n, k }: Agreement, level: number): Range {
  const f = columns / error
  const spread = n * (1 + (k - 1) * value) - k * value
  const df = (k - 1) * (n - 1) * (k * value * f + spread) ** 2 /
    ((n - 1) * k ** 2 * value ** 2 * f ** 2 + spread ** 2)
  if (!(df > 1e-9) || !Number.isFinite(f)) return { low: NaN, high: NaN }
  const p = (1 + level) / 2
  const upper = fQuantile(p, { df1: n - 1, df2: df })
  const lower = fQuantile(p, { df1: df, df2: n - 1 })
  const rest = k * columns + (k * n - k - n) * error
  return {
    low: n * (rows - upper * error) / (upper * rest + n * rows),
    high: n * (lower * rows - error) / (rest + n * lower * rows)
  }
}
