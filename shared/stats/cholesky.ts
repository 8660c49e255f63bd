/** Symmetric positive definite systems of a few hundred unknowns. */

/** Rows of a square matrix. */
export type Matrix = ReadonlyArray<ArrayLike<number>>

/**
 * Lower triangle L with L L' = matrix.
 *
 * @returns null where the matrix is not positive definite
 */
export function cholesky (matrix: Matrix): Float64Array[] | null {
  const n = matrix.length
  const lower = Array.from({ length: n }, () => new Float64Array(n))
  for (let i = 0; i < n; i++) {
    const row = lower[i]!
    for (let j = 0; j <= i; j++) {
      const other = lower[j]!
      let sum = matrix[i]![j]!
      for (let k = 0; k < j; k++) sum -= row[k]! * other[k]!
      if (i !== j) row[j] = sum / other[j]!
      else if (!(sum > 1e-14 * Math.abs(matrix[i]![i]!))) return null
      else row[i] = Math.sqrt(sum)
    }
  }
  return lower
}

/** x with L L' x = right. */
export function solve (lower: readonly Float64Array[], right: ArrayLike<number>): Float64Array {
  const n = lower.length
  const x = Float64Array.from(right)
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i]! -= lower[i]![k]! * x[k]!
    x[i]! /= lower[i]![i]!
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i]! -= lower[k]![i]! * x[k]!
    x[i]! /= lower[i]![i]!
  }
  return x
}

export function inverse (lower: readonly Float64Array[]): Float64Array[] {
  return lower.map((_, i) => {
    const unit = new Float64Array(lower.length)
    unit[i] = 1
    return solve(lower, unit)
  })
}
