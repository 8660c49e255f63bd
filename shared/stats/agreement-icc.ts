/** The intraclass correlation of single ratings, by absolute agreement. */
import { fQuantile } from './distributions.ts'
import type { NotComputable } from './agreement.ts'
import type { Range } from './proportions.ts'

/** `interval` is null where there is no variance, or no degree of freedom, to make one of. */
export interface IntraclassCorrelation { value: number, interval: Range | null }

/**
 * ICC(A,1): two-way, absolute agreement, one rating. With raters as random or as fixed effects the
 * estimate is the same; what is called "two-way mixed, absolute agreement" is this.
 *
 * @param ratings  one row for each unit, one column for each rater, none missing
 * @returns        not computable below two units or two raters, or where nothing varies
 * @see McGraw & Wong 1996, doi:10.1037/1082-989X.1.1.30, tables 4 and 7
 */
export function iccA1 (
  ratings: ReadonlyArray<readonly number[]>, level = 0.95
): IntraclassCorrelation | NotComputable {
  const [n, k] = [ratings.length, ratings[0]?.length ?? 0]
  if (n < 2 || k < 2) return { reason: 'An intraclass correlation needs two units, both rated by the same two raters.' }
  const { rows, columns, error } = meanSquares(ratings)
  const whole = rows + (k - 1) * error + k * (columns - error) / n
  // Of rounding, where everybody gave everything the same.
  if (!(whole > 1e-12)) return { reason: 'Nothing varies between units, raters or ratings.' }
  const value = (rows - error) / whole
  return { value, interval: error < 1e-12 ? null : intervalOf({ rows, columns, error, value, n, k }, level) }
}

/** Of the two-way analysis of variance, one rating in a cell. */
export interface MeanSquares { rows: number, columns: number, error: number }

export function meanSquares (ratings: ReadonlyArray<readonly number[]>): MeanSquares {
  const [n, k] = [ratings.length, ratings[0]!.length]
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const rowMeans = ratings.map(mean)
  const columnMeans = ratings[0]!.map((_, j) => mean(ratings.map(row => row[j]!)))
  const grand = mean(rowMeans)
  const squares = (values: readonly number[]) => values.reduce((sum, value) => sum + (value - grand) ** 2, 0)
  const residual = ratings.reduce((sum, row, i) => sum + row.reduce((all, value, j) =>
    all + (value - rowMeans[i]! - columnMeans[j]! + grand) ** 2, 0), 0)
  return {
    rows: k * squares(rowMeans) / (n - 1),
    columns: n * squares(columnMeans) / (k - 1),
    error: residual / ((n - 1) * (k - 1))
  }
}

interface Analysis { rows: number, columns: number, error: number, value: number, n: number, k: number }

function intervalOf ({ rows, columns, error, value, n, k }: Analysis, level: number): Range | null {
  const f = columns / error
  const spread = n * (1 + (k - 1) * value) - k * value
  const df = (k - 1) * (n - 1) * (k * value * f + spread) ** 2 /
    ((n - 1) * (k * value * f) ** 2 + spread ** 2)
  // Far below zero the two parts cancel, and there is no distribution without a degree of freedom.
  if (!(df > 1e-9)) return null
  const p = (1 + level) / 2
  const upper = fQuantile(p, { df1: n - 1, df2: df })
  const lower = fQuantile(p, { df1: df, df2: n - 1 })
  const rest = k * columns + (k * n - k - n) * error
  const low = n * (rows - upper * error) / (upper * rest + n * rows)
  const high = n * (lower * rows - error) / (rest + n * lower * rows)
  // Nor is the approximation one there, where its ends may leave the estimate outside.
  return low <= value && value <= high ? { low, high } : null
}
