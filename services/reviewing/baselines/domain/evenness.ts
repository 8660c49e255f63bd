/** Whether right answers stand everywhere alike: else a model that knows their places needs no paper. */
import type { Evenness } from '../../../../shared/contracts/partial-input.ts'
import { erfc } from '../../../../shared/stats/special.ts'
import { binomialTest } from '../../../../shared/stats/proportions.ts'

/** Items of so many choices: how often the right one stands at each place. */
export interface Places { choices: number, counts: readonly number[] }

/** Below so many items nothing is said; of 100 with four choices, 40 at one place are seen 4 times in 5. */
export const evennessItemsMin = 100
const level = 0.05
/** Where fewer are expected at a place the chi-square distribution is off. */
const expectedMin = 5
const drawsMax = 9999
const drawsMin = 199
/** Of all draws together: some ten milliseconds. */
const placingsMax = 1_000_000

/**
 * Pearson's chi-square of the places against all being alike, summed over the numbers of choices that
 * there are; where cells are small p is simulated. Each item is placed by itself (its own seed), so items
 * are independent even of one paper.
 *
 * @param random  in [0, 1), seeded: the same items have the same p
 * @see           Pearson 1900, doi:10.1080/14786440009463897; Hope 1968 for the simulated p,
 *                doi:10.1111/j.2517-6161.1968.tb00759.x
 */
export function * evennessOf (places: readonly Places[], random: () => number): Generator<void, Evenness> {
  const own = places
    .map(({ choices, counts }) => ({ choices, counts, n: counts.reduce((sum, count) => sum + count, 0) }))
    .filter(({ n, choices }) => n > 0 && choices > 1)
  const n = own.reduce((sum, group) => sum + group.n, 0)
  if (n === 0) return { method: 'chi-square', n, statistic: null, df: null, p: null, verdict: 'undetermined' }
  const statistic = own.reduce((sum, group) => sum + chiSquare(group.counts, group.n / group.choices), 0)
  const df = own.reduce((sum, { choices }) => sum + choices - 1, 0)
  if (own.every(group => group.n / group.choices >= expectedMin)) {
    return judged({ method: 'chi-square', n, statistic, df, p: chiSquareTail(statistic, df) })
  }
  const draws = Math.max(drawsMin, Math.min(drawsMax, Math.floor(placingsMax / n)))
  let reached = 0
  for (let i = 0; i < draws; i++) {
    yield
    const drawn = own.reduce((sum, group) =>
      sum + chiSquare(placed(group, random), group.n / group.choices), 0)
    // Sums of the same parts in another order differ in the last digits.
    if (drawn >= statistic - 1e-9 * Math.max(1, statistic)) reached++
  }
  return judged({ method: 'simulated', n, statistic, df, p: (reached + 1) / (draws + 1), draws })
}

/**
 * Numbers in [0, 1), the same for the same seed: SplitMix with 32 bits.
 *
 * @see Steele, Lea & Flood 2014, doi:10.1145/2660193.2660195
 */
export function seededRandom (seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ state >>> 16, 0x21f0aaad)
    mixed = Math.imul(mixed ^ mixed >>> 15, 0x735a2d97)
    return ((mixed ^ mixed >>> 15) >>> 0) / 2 ** 32
  }
}

/** Of pairs, how often the true member stands first; exact, two-sided. */
export function evennessOfOrder (first: number, pairs: number): Evenness {
  const p = pairs === 0 ? null : binomialTest(first, { n: pairs, p: 0.5 }).twoSided
  return judged({ method: 'exact', n: pairs, statistic: null, df: null, p })
}

function judged (found: Omit<Evenness, 'verdict'>): Evenness {
  const isTold = found.p !== null && found.n >= evennessItemsMin
  return { ...found, verdict: !isTold ? 'undetermined' : found.p! <= level ? 'uneven' : 'no-sign' }
}

function chiSquare (counts: readonly number[], expected: number): number {
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

function placed ({ n, choices }: { n: number, choices: number }, random: () => number): number[] {
  const counts = new Array<number>(choices).fill(0)
  for (let i = 0; i < n; i++) counts[Math.floor(random() * choices)]!++
  return counts
}

/**
 * Upper tail of the chi-square distribution, by the finite sum that a whole number of degrees has.
 *
 * @see Abramowitz & Stegun 26.4.4 and 26.4.5
 */
export function chiSquareTail (x: number, df: number): number {
  if (x <= 0) return 1
  const isEven = df % 2 === 0
  let term = isEven ? Math.exp(-x / 2) : Math.sqrt(2 * x / Math.PI) * Math.exp(-x / 2)
  let tail = isEven ? 0 : erfc(Math.sqrt(x / 2))
  for (let k = isEven ? 2 : 3; k <= df; k += 2) {
    tail += term
    term *= x / k
  }
  return Math.min(1, tail)
}
