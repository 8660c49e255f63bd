/**
 * How much of what varies is due to papers, items, wordings, samples, judges, models and how they act
 * together: a generalizability study.
 *
 * Quadratic forms of the values are set equal to what they are expected to be (MINQUE with prior weight
 * on the residual alone). That is unbiased for random effects of any design, crossed or nested,
 * balanced or not, without normality; for balanced ones it is the analysis of variance. It is not the
 * most precise where designs are very unbalanced and effects large.
 *
 * @see Rao 1971, doi:10.1016/0047-259X(71)90001-7; Hartley, Rao & LaMotte 1978, doi:10.2307/2530600;
 *      Brennan 2001, Generalizability Theory
 */

/** Every facet's level, by observation: columns of equal length. */
export type Facets = Readonly<Record<string, ReadonlyArray<string | number>>>

/** Facets whose levels together make up one effect, for example model and paper. */
export type Effect = readonly string[]

export interface Component {
  effect: Effect
  /** As estimated: may be below 0 where the truth is near it. */
  variance: number
  /** The same, not below 0, as a share of the sum of all. */
  share: number
  levels: number
}

export interface Components {
  /** The residual is last, with no facets: all that is left, the least effect included. */
  components: Component[]
  n: number
  mean: number
}

/**
 * @param effects  without the residual; facets within an effect in any order. A facet nested in another is
 *                 named by both (`['paper', 'item']`), unless its own levels are already different
 * @returns        a reason where the design cannot tell two effects apart, or there are too few values
 * @throws RangeError where columns differ in length, an effect names no facet, or a value is not finite
 */
export function varianceComponents (
  values: readonly number[], facets: Facets, effects: readonly Effect[]
): Components | { reason: string } {
  assertDesign(values, facets, effects)
  const n = values.length
  if (n < 3) return { reason: 'Fewer than three values have no components.' }
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const groups = effects.map(effect => groupingOf(effect, facets, n))
  const idle = groups.findIndex(({ levels }) => levels < 2)
  if (idle >= 0) return { reason: `${nameOf(effects[idle]!)} has one level: nothing says how it varies.` }
  const all = [...groups, { at: Int32Array.from(values, (_, i) => i), levels: n }]
  const forms = all.map(({ at, levels }) => {
    const sums = new Float64Array(levels)
    for (let i = 0; i < n; i++) sums[at[i]!]! += values[i]! - mean
    return sums.reduce((total, sum) => total + sum * sum, 0)
  })
  if (!(forms.at(-1)! > 1e-24 * Math.max(1, mean * mean) * n)) return { reason: 'All values are equal: nothing varies.' }
  const expected = all.map((own, i) => all.map((other, j) => j < i ? 0 : traceOf(own, other, n)))
  for (let i = 0; i < all.length; i++) for (let j = 0; j < i; j++) expected[i]![j] = expected[j]![i]!
  const variances = solved(expected, forms)
  if (variances === null) return { reason: 'The design cannot tell the effects apart: each needs levels that differ where another stays the same, and repeats.' }
  const total = variances.reduce((sum, variance) => sum + Math.max(0, variance), 0)
  return {
    components: variances.map((variance, i) => ({
      effect: effects[i] ?? [],
      variance,
      share: Math.max(0, variance) / total,
      levels: all[i]!.levels
    })),
    n,
    mean
  }
}

function nameOf (effect: Effect): string {
  return effect.join(' × ')
}

function assertDesign (values: readonly number[], facets: Facets, effects: readonly Effect[]): void {
  if (!values.every(Number.isFinite)) throw new RangeError('Every value must be a finite number')
  for (const [name, column] of Object.entries(facets)) {
    if (column.length !== values.length) throw new RangeError(`${name} has ${column.length} levels for ${values.length} values`)
  }
  const unknown = effects.flat().find(name => !Object.hasOwn(facets, name))
  if (unknown !== undefined) throw new RangeError(`No facet is called ${unknown}`)
}

interface Grouping { at: Int32Array, levels: number }

function groupingOf (effect: Effect, facets: Facets, n: number): Grouping {
  const places = new Map<string, number>()
  const at = Int32Array.from({ length: n }, (_, i) => {
    const key = JSON.stringify(effect.map(name => facets[name]![i]))
    const known = places.get(key) ?? places.size
    places.set(key, known)
    return known
  })
  return { at, levels: places.size }
}

/** tr(Z'MVMZ) for two effects, M taking off the mean: from the counts of their common cells alone. */
function traceOf (own: Grouping, other: Grouping, n: number): number {
  const [sizes, others] = [sizesOf(own), sizesOf(other)]
  const cells = new Map<number, number>()
  for (let i = 0; i < n; i++) {
    const cell = own.at[i]! * other.levels + other.at[i]!
    cells.set(cell, (cells.get(cell) ?? 0) + 1)
  }
  let [squares, products] = [0, 0]
  for (const [cell, count] of cells) {
    squares += count * count
    products += count * sizes[Math.floor(cell / other.levels)]! * others[cell % other.levels]!
  }
  const square = (list: Float64Array) => list.reduce((sum, size) => sum + size * size, 0)
  return squares - 2 / n * products + square(sizes) * square(others) / (n * n)
}

function sizesOf ({ at, levels }: Grouping): Float64Array {
  const sizes = new Float64Array(levels)
  for (const level of at) sizes[level]! += 1
  return sizes
}

/** By elimination with pivots; null where rows depend on each other. */
function solved (matrix: number[][], right: readonly number[]): number[] | null {
  const n = right.length
  // Scaled, for effects of few levels have far larger forms.
  const scale = matrix.map((row, i) => 1 / Math.sqrt(row[i]!))
  const rows = matrix.map(
    (row, i) => [...row.map((value, j) => value * scale[i]! * scale[j]!), right[i]! * scale[i]!]
  )
  for (let k = 0; k < n; k++) {
    let best = k
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i]![k]!) > Math.abs(rows[best]![k]!)) best = i
    const pivot = rows[best]!
    if (!(Math.abs(pivot[k]!) > 1e-10)) return null
    rows[best] = rows[k]!
    rows[k] = pivot
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i]![k]! / pivot[k]!
      for (let j = k; j <= n; j++) rows[i]![j]! -= factor * pivot[j]!
    }
  }
  const x = new Array<number>(n).fill(0)
  for (let i = n - 1; i >= 0; i--) {
    let sum = rows[i]![n]!
    for (let j = i + 1; j < n; j++) sum -= rows[i]![j]! * x[j]!
    x[i] = sum / rows[i]![i]!
  }
  return x.map((value, i) => value * scale[i]!)
}
