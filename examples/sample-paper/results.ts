/** What experiment.ts leaves behind. */
import type { Cell, Density, plan, Replicate } from './simulate.ts'

export interface Theory { designEffect: number, coverage: number }

export interface Results {
  plan: typeof plan
  theory: {
    byItems: (Theory & { items: number })[]
    byIcc: (Theory & { icc: number })[]
    /** Half-width asked for, as a fraction. */
    half: number
    needed: { icc: number, papers: number }[]
    neededWithEndlessItems: number
  }
  first: Replicate[]
  cells: Cell[]
  density: Density
}
