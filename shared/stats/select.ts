/** Quantiles without sorting everything: for thousands of lists of thousands of values. */

/**
 * Quantile of type 7. The values are put in another order.
 *
 * @param values  at least one, none NaN
 * @param share   in [0, 1]
 * @see Hoare 1961, doi:10.1145/366622.366647 (Algorithm 65, Find)
 */
export function quantileBySelection (values: Float64Array, share: number): number {
  const n = values.length
  if (n === 0 || !(share >= 0 && share <= 1)) throw new RangeError(`Expected values and a share in [0, 1], got ${n} and ${share}`)
  const place = (n - 1) * share
  const below = Math.floor(place)
  const low = select(values, below)
  const part = place - below
  if (part === 0) return low
  let high = Infinity
  for (let i = below + 1; i < n; i++) if (values[i]! < high) high = values[i]!
  // From the nearer end, as quantileOfSorted does: to the last digit the same.
  return part < 0.5 ? low + (high - low) * part : high - (high - low) * (1 - part)
}

/** Value at a place of ascending order; those before it are then no greater, those after it no less. */
function select (values: Float64Array, place: number): number {
  let [left, right] = [0, values.length - 1]
  while (left < right) {
    const pivot = middleOf(values[left]!, values[(left + right) >> 1]!, values[right]!)
    let [i, j] = [left, right]
    while (i <= j) {
      while (values[i]! < pivot) i++
      while (values[j]! > pivot) j--
      if (i > j) break
      const kept = values[i]!
      values[i++] = values[j]!
      values[j--] = kept
    }
    if (place <= j) right = j
    else if (place >= i) left = i
    else break
  }
  return values[place]!
}

function middleOf (a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
