/**
 * Exact decimals: no answer is decided by how a computer rounds binary fractions. A value is
 * `units` / 10^`scale`; the scale is that of the printed number, so 4.0 and 4 stay apart in print.
 */
export interface Decimal { units: bigint, scale: number }

export function decimalOf (plain: string): Decimal {
  if (!/^-?\d{1,30}(?:\.\d{1,30})?$/u.test(plain)) throw new RangeError(`Expected a plain decimal, got ${plain}`)
  const [whole = '', fraction = ''] = plain.split('.')
  return { units: BigInt(whole + fraction), scale: fraction.length }
}

/** As printed, with its trailing zeros; the minus is ASCII. */
export function printed ({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  return `${units < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`
}

/** -1, 0 or 1 as `a` is below, equal to or above `b`. */
export function compare (a: Decimal, b: Decimal): -1 | 0 | 1 {
  const { units } = minus(a, b)
  return units < 0n ? -1 : units > 0n ? 1 : 0
}

export function minus (a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return { units: at(a, scale) - at(b, scale), scale }
}

export function plus (a: Decimal, b: Decimal): Decimal {
  return minus(a, { ...b, units: -b.units })
}

export function absolute ({ units, scale }: Decimal): Decimal {
  return { units: units < 0n ? -units : units, scale }
}

export const isPositive = ({ units }: Decimal): boolean => units > 0n

/** Digits from the first that is not zero: 3 in 0.0450. */
export function significantDigits (value: Decimal): number {
  return value.units === 0n ? 0 : absolute(value).units.toString().length
}

/**
 * `a` / `b` with `scale` digits after the point.
 *
 * @param b positive
 * @returns undefined for a tie, which one reader rounds up and the next to even
 */
export function quotient (a: Decimal, b: Decimal, scale: number): Decimal | undefined {
  if (!isPositive(a) || !isPositive(b)) throw new RangeError('Expected positive numbers.')
  const above = a.units * 10n ** BigInt(b.scale + scale)
  const below = b.units * 10n ** BigInt(a.scale)
  const [whole, rest] = [above / below, above % below]
  if (rest * 2n === below) return undefined
  return { units: rest * 2n > below ? whole + 1n : whole, scale }
}

/** To `scale` digits after the point, half away from zero; the same value when it has fewer. */
export function rounded (value: Decimal, scale: number): Decimal {
  if (value.scale <= scale) return value
  const by = 10n ** BigInt(value.scale - scale)
  const { units } = absolute(value)
  const up = (units + by / 2n) / by
  return { units: value.units < 0n ? -up : up, scale }
}

function at ({ units, scale }: Decimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale)
}
