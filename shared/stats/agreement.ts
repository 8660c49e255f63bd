/**
 * How far raters agree, beyond chance or not. Ratings are indices into a list of categories, which
 * is the whole scale and not only what occurred: a point nobody chose was there to be chosen.
 */

/** `ratings`: by rater, in one order for all units; null where a rater has not rated. */
export interface RatedUnit { ratings: ReadonlyArray<number | null> }

/**
 * `influences`: one for each unit, with the coefficient as their mean. Their spread is that of the
 * coefficient to first order, whether units are independent or come in clusters.
 */
export interface Coefficient { value: number, influences: number[] }

export interface NotComputable { reason: string }

/** Agreement between two categories: 1 on the diagonal, 0 to 1 beside it, symmetric. */
export type Weights = ReadonlyArray<readonly number[]>

export type WeightKind = 'identity' | 'linear' | 'quadratic' | 'ordinal'

/**
 * @param values  of the categories, ascending; only linear and quadratic weights look at more than
 *                their order
 * @see Gwet, Handbook of Inter-Rater Reliability, 4th ed. 2014, chapter 3
 */
export function weightsOf (kind: WeightKind, values: readonly number[]): Weights {
  const q = values.length
  const range = values[q - 1]! - values[0]!
  return values.map((a, k) => values.map((b, l) => {
    if (k === l) return 1
    if (kind === 'identity') return 0
    if (kind === 'ordinal') return 1 - (Math.abs(k - l) + 1) * Math.abs(k - l) / (q * (q - 1))
    const apart = Math.abs(a - b) / range
    return 1 - (kind === 'linear' ? apart : apart ** 2)
  }))
}

interface Counted { counts: number[], total: number }

function countsOf (units: readonly RatedUnit[], categories: number): Counted[] {
  return units.map(({ ratings }) => {
    const counts = Array.from({ length: categories }, () => 0)
    let total = 0
    for (const rating of ratings) {
      if (rating === null) continue
      if (!(Number.isInteger(rating) && rating >= 0 && rating < categories)) {
        throw new RangeError(`A rating is an index below ${categories} or null, not ${rating}`)
      }
      counts[rating]! += 1
      total += 1
    }
    return { counts, total }
  }).filter(({ total }) => total > 0)
}

/** Share of pairs of ratings of one unit that agree, by the weights. */
function agreementIn ({ counts, total }: Counted, weights: Weights): number {
  if (total < 2) return 0
  let sum = 0
  counts.forEach((count, k) => {
    if (count === 0) return
    const weighted = counts.reduce((all, other, l) => all + other * weights[k]![l]!, 0)
    sum += count * (weighted - 1)
  })
  return sum / (total * (total - 1))
}

const noPairs: NotComputable = { reason: 'No unit was rated twice.' }

/**
 * Observed agreement: the mean over units rated twice or more of the share of agreeing pairs.
 * Units rated once count as units and add nothing.
 */
export function percentAgreement (
  units: readonly RatedUnit[], weights: Weights
): Coefficient | NotComputable {
  const rated = countsOf(units, weights.length)
  const double = rated.filter(({ total }) => total >= 2).length
  if (double === 0) return noPairs
  const influences = rated.map(unit => rated.length / double * agreementIn(unit, weights))
  return { value: mean(influences), influences }
}

/**
 * Gwet's AC1 (identity weights) and AC2 (others): chance agreement from how evenly the categories
 * are used, so that skewed ratings do not make it fall as kappa does. Any number of raters, missing
 * ratings allowed. Influences are those of Gwet's linearised variance.
 *
 * @see Gwet 2008, doi:10.1348/000711006X126600
 */
export function gwetAC (units: readonly RatedUnit[], weights: Weights): Coefficient | NotComputable {
  const rated = countsOf(units, weights.length)
  const [n, q] = [rated.length, weights.length]
  const double = rated.filter(({ total }) => total >= 2).length
  if (double === 0) return noPairs
  if (q < 2) return { reason: 'There is one category only.' }
  const shares = weights.map((_, k) => mean(rated.map(({ counts, total }) => counts[k]! / total)))
  const scale = weights.flat().reduce((sum, weight) => sum + weight, 0) / (q * (q - 1))
  const chanceOf = (proportions: readonly number[]) =>
    scale * proportions.reduce((sum, share, k) => sum + share * (1 - shares[k]!), 0)
  const chance = chanceOf(shares)
  const observed = rated.reduce((sum, unit) => sum + agreementIn(unit, weights), 0) / double
  const value = (observed - chance) / (1 - chance)
  const influences = rated.map(unit => {
    const own = unit.total >= 2 ? n / double * (agreementIn(unit, weights) - chance) / (1 - chance) : 0
    const expected = chanceOf(unit.counts.map(count => count / unit.total))
    return own - 2 * (1 - value) * (expected - chance) / (1 - chance)
  })
  return { value, influences }
}

/**
 * Cohen's kappa of two raters who both rated every unit; with weights, weighted kappa. Influences
 * give the variance of Fleiss, Cohen and Everitt 1969 (doi:10.1037/h0028106) with n - 1 for n.
 */
export function cohenKappa (units: readonly RatedUnit[], weights: Weights): Coefficient | NotComputable {
  countsOf(units, weights.length)
  if (units.length === 0) return noPairs
  if (units.some(({ ratings }) => ratings.length !== 2 || ratings.includes(null))) {
    return { reason: 'Cohen\'s kappa is of two raters who both rated every unit.' }
  }
  const pairs = units.map(({ ratings }) => ratings as readonly [number, number])
  const marginal = (rater: 0 | 1) =>
    weights.map((_, k) => pairs.filter(pair => pair[rater] === k).length / pairs.length)
  const [first, second] = [marginal(0), marginal(1)]
  const against = (k: number, shares: readonly number[]) =>
    shares.reduce((sum, share, l) => sum + share * weights[k]![l]!, 0)
  const chance = first.reduce((sum, share, k) => sum + share * against(k, second), 0)
  if (1 - chance < 1e-12) return { reason: 'All ratings are the same: there is no chance to correct for.' }
  const observed = mean(pairs.map(([a, b]) => weights[a]![b]!))
  const value = (observed - chance) / (1 - chance)
  const influences = pairs.map(([a, b]) => {
    const expected = against(a, second) + against(b, first) - 2 * chance
    return value + (weights[a]![b]! - observed - (1 - value) * expected) / (1 - chance)
  })
  return { value, influences }
}

function mean (values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
