/**
 * The mean that people would have given to all answers, from few answers that people rated and many that
 * only a judge did. The judge may be as biased as it likes: its bias is measured where both rated, and
 * taken off; a bad judge makes the interval wider and not wrong.
 *
 * @see Angelopoulos et al. 2023, doi:10.1126/science.adi6000; Angelopoulos, Duchi & Zrnic 2023,
 *      arXiv:2311.01453 (PPI++: power tuning)
 */
import { placesOf } from './cluster-sums.ts'
import { normalQuantile, tQuantile } from './distributions.ts'
import type { Range } from './proportions.ts'

/** One answer. Those with `human` are a random choice of all. */
export interface Judged {
  judge: number
  human: number | null
  /** The paper; each answer its own where answers are independent. */
  cluster: string
}

export interface PowerOptions {
  level?: number
  /** Weight of the judge, 0 to 1: tuned where it is not given; 0 is people alone, 1 plain PPI. */
  lambda?: number
  /**
   * `papers`: delete-one-cluster jackknife, λ tuned anew each time, t on labelled clusters less one.
   * `independent`: the authors' own, normal; for few labels, or answers that depend on each other, too
   * narrow.
   */
  error?: 'papers' | 'independent'
}

export interface Powered { mean: number, error: number, interval: Range }

export interface PredictionPowered extends Powered {
  lambda: number
  /** Judge minus people, where both rated. */
  judgeBias: number
  labelled: number
  unlabelled: number
  /** Clusters with a label. */
  clusters: number
  /** By people's labels alone. */
  humanOnly: Powered
  /** Labels that people alone would need for the same error, by those there are. */
  worth: number
}

/** Counts, sums and sums of squares and products; of one cluster or of all. */
type Sums = Record<typeof keys[number], number>
const keys = ['n', 'y', 'f', 'yy', 'ff', 'yf', 'others', 'g', 'gg'] as const

/**
 * @returns a reason for fewer than two labelled clusters, no unlabelled answer, or labels that do not vary
 * @throws RangeError where a rating is not finite, or λ not in [0, 1]
 */
export function predictionPowered (
  answers: readonly Judged[], options: PowerOptions = {}
): PredictionPowered | { reason: string } {
  const { lambda: given, error: kind = 'papers' } = options
  if (given !== undefined && !(given >= 0 && given <= 1)) throw new RangeError(`λ is in [0, 1], got ${given}`)
  const parts = sumsByCluster(answers)
  const all = totalOf(parts)
  const clusters = parts.filter(({ n }) => n > 0).length
  const reason = reasonAgainst(parts, all, kind)
  if (reason !== null) return { reason }
  const lambda = given ?? tunedLambda(all)
  const around = (at: (sums: Sums) => number, plain: number): Powered => {
    const mean = meanAt(all, at(all))
    const error = kind === 'independent' ? plain : jackknifeError(parts, all, sums => meanAt(sums, at(sums)))
    const half = quantileOf(kind, clusters, options.level ?? 0.95) * error
    return { mean, error, interval: { low: mean - half, high: mean + half } }
  }
  const powered = around(sums => given ?? tunedLambda(sums), independentError(all, lambda))
  const humanOnly = around(() => 0, independentError(all, 0))
  if (!(humanOnly.error > 1e-12)) return { reason: 'The labels do not vary: there is no error to go by.' }
  return {
    ...powered,
    lambda,
    judgeBias: (all.f - all.y) / all.n,
    labelled: all.n,
    unlabelled: all.others,
    clusters,
    humanOnly,
    worth: (humanOnly.error / powered.error) ** 2
  }
}

function quantileOf (kind: 'papers' | 'independent', clusters: number, level: number): number {
  return kind === 'independent' ? normalQuantile((1 + level) / 2) : tQuantile((1 + level) / 2, clusters - 1)
}

function reasonAgainst (parts: readonly Sums[], all: Sums, kind: 'papers' | 'independent'): string | null {
  if (all.n < 2) return 'Fewer than two answers have a label of people.'
  if (all.others === 0) return 'No answer is without a label: take the mean of the labels.'
  if (kind === 'independent') return null
  const clusters = parts.filter(({ n }) => n > 0).length
  if (clusters < 2) return 'Labels of one paper say nothing of others: label answers of at least two.'
  const sole = parts.find(({ n, others }) => all.n - n < 2 || all.others === others)
  return sole === undefined ? null : 'Without one of the papers fewer than two labels, or no unlabelled answer, is left.'
}

function sumsByCluster (answers: readonly Judged[]): Sums[] {
  const { names, at } = placesOf(answers.map(({ cluster }) => cluster))
  const parts = names.map((): Sums => ({ n: 0, y: 0, f: 0, yy: 0, ff: 0, yf: 0, others: 0, g: 0, gg: 0 }))
  for (const [i, { judge, human }] of answers.entries()) {
    if (!Number.isFinite(judge) || (human !== null && !Number.isFinite(human))) {
      throw new RangeError('Every rating must be a finite number')
    }
    const own = parts[at[i]!]!
    if (human === null) {
      own.others++
      own.g += judge
      own.gg += judge * judge
      continue
    }
    own.n++
    own.y += human
    own.f += judge
    own.yy += human * human
    own.ff += judge * judge
    own.yf += human * judge
  }
  return parts
}

function totalOf (parts: readonly Sums[]): Sums {
  const total: Sums = { n: 0, y: 0, f: 0, yy: 0, ff: 0, yf: 0, others: 0, g: 0, gg: 0 }
  for (const part of parts) for (const key of keys) total[key] += part[key]
  return total
}

function without (all: Sums, part: Sums): Sums {
  const left = { ...all }
  for (const key of keys) left[key] -= part[key]
  return left
}

function meanAt ({ n, y, f, others, g }: Sums, lambda: number): number {
  return y / n - lambda * (f / n - g / others)
}

/** cov(people, judge) / ((1 + n/N) var(judge)), cut to [0, 1]: of independent answers the best. */
function tunedLambda ({ n, y, f, yf, ff, others, g, gg }: Sums): number {
  const covariance = yf / n - y / n * f / n
  const size = n + others
  const variance = (ff + gg - (f + g) ** 2 / size) / (size - 1)
  if (!(variance > 1e-12 * Math.max(1, (ff + gg) / size))) return 0
  return Math.min(1, Math.max(0, covariance / ((1 + n / others) * variance)))
}

function independentError ({ n, y, f, yy, ff, yf, others, g, gg }: Sums, lambda: number): number {
  const rectifier = (yy - 2 * lambda * yf + lambda ** 2 * ff) / n - ((y - lambda * f) / n) ** 2
  const imputed = lambda ** 2 * (gg / others - (g / others) ** 2)
  return Math.sqrt(Math.max(0, rectifier) / n + Math.max(0, imputed) / others)
}

/** About the estimate itself, and not about the mean of those left out: rather wide than narrow. */
function jackknifeError (parts: readonly Sums[], all: Sums, estimate: (sums: Sums) => number): number {
  const centre = estimate(all)
  const squares = parts.reduce((sum, part) => sum + (estimate(without(all, part)) - centre) ** 2, 0)
  return Math.sqrt((parts.length - 1) / parts.length * squares)
}
