/** What every part of the parameter-recovery study is told, and how it counts. */
import type { Draws } from '../../../shared/stats/draws.ts'

export interface Study {
  /** Of every cell of a grid. */
  replicates: number
  seed: number
}

/** Share of replicates in which something holds. */
export function shareOf (replicates: number, holds: (replicate: number) => boolean): number {
  let count = 0
  for (let replicate = 0; replicate < replicates; replicate++) if (holds(replicate)) count++
  return count / replicates
}

/** Three standard errors of a simulated share: so far it may lie below its truth by chance. */
export function chance (share: number, replicates: number): number {
  return 3 * Math.sqrt(share * (1 - share) / replicates)
}

export function logistic (x: number): number {
  return 1 / (1 + Math.exp(-x))
}

export function mean (values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** From Marsaglia and Tsang's method; shape positive. */
export function gammaDraw (shape: number, draws: Draws): number {
  if (shape < 1) return gammaDraw(shape + 1, draws) * Math.max(1e-300, draws.next()) ** (1 / shape)
  const d = shape - 1 / 3
  for (;;) {
    const x = draws.normal()
    const v = (1 + x / Math.sqrt(9 * d)) ** 3
    const u = Math.max(1e-300, draws.next())
    if (v > 0 && Math.log(u) < x * x / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}

export function betaDraw (a: number, b: number, draws: Draws): number {
  const x = gammaDraw(a, draws)
  return x / (x + gammaDraw(b, draws))
}
