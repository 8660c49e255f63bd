/** What theory says before any simulation; the paper compares it with what was measured. */
import type { Setting } from './simulate.ts'

/** 97.5 % quantile of the standard normal distribution. */
const z = 1.959964

/** Kish 1965: by how much clustering multiplies the variance of a mean. */
export function designEffect ({ items, icc }: Pick<Setting, 'items' | 'icc'>): number {
  return 1 + (items - 1) * icc
}

/** Coverage of an interval that takes clustered items for independent, as a share. */
export function naiveCoverage (setting: Pick<Setting, 'items' | 'icc'>): number {
  return erf(z / Math.sqrt(2 * designEffect(setting)))
}

/** Papers for a 95 % interval of mean ± `half`, by the normal quantile; `items` may be infinite. */
export function papersNeeded (setting: Pick<Setting, 'items' | 'icc' | 'accuracy'>, half: number): number {
  const { items, icc, accuracy } = setting
  const variance = accuracy * (1 - accuracy) * (icc + (1 - icc) / items)
  return Math.ceil(z * z * variance / (half * half))
}

/** Abramowitz and Stegun 7.1.26; error below 1.5e-7. @param x at least 0 */
function erf (x: number): number {
  const t = 1 / (1 + 0.3275911 * x)
  const coefficients = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592]
  const series = coefficients.reduce((sum, coefficient) => t * (sum + coefficient), 0)
  return 1 - series * Math.exp(-x * x)
}
