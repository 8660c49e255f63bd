/** Sample quantiles, by the definitions of Hyndman and Fan and those that take a value as it is. */

/** Offsets of the plotting positions (k - a) / (n + 1 - a - b), of the definitions that interpolate. */
const offsets = { linear: 1, hazen: 0.5, weibull: 0, median_unbiased: 1 / 3, normal_unbiased: 3 / 8 } as const

export const quantileMethods = [
  'linear', 'lower', 'higher', 'nearest', 'midpoint', 'hazen', 'weibull', 'median_unbiased', 'normal_unbiased'
] as const

export type QuantileMethod = typeof quantileMethods[number]

/**
 * @param sorted  ascending, at least one value
 * @param share   in [0, 1]
 * @param method  `linear` is type 7 of Hyndman and Fan, the usual default
 * @throws RangeError for no values, or a share outside [0, 1]
 * @see Hyndman & Fan 1996, doi:10.1080/00031305.1996.10473566
 */
export function quantileOfSorted (
  sorted: ArrayLike<number>, share: number, method: QuantileMethod = 'linear'
): number {
  const n = sorted.length
  if (n === 0) throw new RangeError('A quantile needs at least one value')
  if (!(share >= 0 && share <= 1)) throw new RangeError(`A quantile is asked of 0 to 1, got ${share}`)
  const place = (n - 1) * share
  switch (method) {
    case 'lower': return sorted[Math.floor(place)]!
    case 'higher': return sorted[Math.ceil(place)]!
    case 'nearest': return sorted[roundHalfEven(place)]!
    case 'midpoint': return (sorted[Math.floor(place)]! + sorted[Math.ceil(place)]!) / 2
    default: return between(sorted, n * share + offsets[method] + share * (1 - 2 * offsets[method]) - 1)
  }
}

/** The same of values in any order. */
export function quantile (values: readonly number[], share: number, method: QuantileMethod = 'linear'): number {
  return quantileOfSorted(Float64Array.from(values).sort(), share, method)
}

function between (sorted: ArrayLike<number>, place: number): number {
  const clipped = Math.max(0, Math.min(sorted.length - 1, place))
  const below = Math.floor(clipped)
  const [low, high] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!]
  const part = clipped - below
  // From the nearer end, so that the far one is met exactly.
  return part < 0.5 ? low + (high - low) * part : high - (high - low) * (1 - part)
}

function roundHalfEven (value: number): number {
  const below = Math.floor(value)
  const rest = value - below
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1
  return below % 2 === 0 ? below : below + 1
}
