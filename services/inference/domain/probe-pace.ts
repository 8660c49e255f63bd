/** How often a server that is down is asked whether it is back. */

const firstMs = 500
/** A call for one of its models asks at once anyway. */
const slowestFactor = 3

/**
 * Doubles with each failure, up to three times the interval of a server that is well.
 *
 * @param failures  in a row, at least 1
 */
export function probeDelayMs (failures: number, intervalMs: number): number {
  const first = Math.min(firstMs, intervalMs)
  return Math.min(intervalMs * slowestFactor, first * 2 ** Math.min(failures - 1, 20))
}
