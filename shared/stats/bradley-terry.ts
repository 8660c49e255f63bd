/**
 * Bradley and Terry's model of comparisons: i beats j with probability 1 / (1 + exp(θj - θi)).
 *
 * @see Bradley & Terry 1952, doi:10.2307/2334029; Hunter 2004, doi:10.1214/aos/1079120141
 */
import { cholesky, inverse, solve } from './cholesky.ts'

/** `wins[i][j]`: how often i beat j; not negative, a tie is half a win for each. */
export type Wins = ReadonlyArray<ArrayLike<number>>

export interface BradleyTerry {
  /** Sum is 0. */
  abilities: number[]
  /** Of the abilities, in the same gauge. */
  errors: number[]
  logLikelihood: number
  /** Largest slope of the likelihood that is left: 0 but for rounding. */
  slope: number
}

export interface NoEstimate { reason: string }

export const notConnected = 'win graph is not strongly connected'

/** Games as a matrix of wins. */
export function winsOf (
  players: number, games: Iterable<{ winner: number, loser: number, weight?: number }>
): Float64Array[] {
  const wins = Array.from({ length: players }, () => new Float64Array(players))
  for (const { winner, loser, weight = 1 } of games) wins[winner]![loser]! += weight
  return wins
}

/**
 * Whether there is a most likely set of abilities: iff everybody beat everybody else, directly or by
 * way of others. Otherwise some ability would go to infinity, or two groups were never compared.
 *
 * @see Ford 1957, doi:10.1080/00029890.1957.11989117
 */
export function estimateExists (wins: Wins): boolean {
  return reachesAll(wins.length, (i, j) => wins[i]![j]! > 0) &&
    reachesAll(wins.length, (i, j) => wins[j]![i]! > 0)
}

function reachesAll (n: number, leads: (from: number, to: number) => boolean): boolean {
  const seen = new Set(n === 0 ? [] : [0])
  for (const from of seen) {
    for (let to = 0; to < n; to++) if (leads(from, to)) seen.add(to)
  }
  return seen.size === n
}

export interface FitOptions {
  /** Subtracts ridge · Σθ² from the log-likelihood: there is always an estimate, drawn towards 0. */
  ridge?: number
  /** Where to start; near the estimate it takes fewer steps. */
  start?: ArrayLike<number>
}

const stepsMax = 100
const tooFar: NoEstimate = { reason: 'the abilities lie too far apart to be told in numbers' }

/** By Newton's method, to rounding. O(players³) for each of a few steps. */
export function bradleyTerry (wins: Wins, { ridge = 0, start }: FitOptions = {}): BradleyTerry | NoEstimate {
  const n = wins.length
  if (ridge === 0 && !estimateExists(wins)) return { reason: notConnected }
  let abilities: Float64Array = Float64Array.from(start ?? new Float64Array(n))
  let likelihood = penalized(wins, abilities, ridge)
  for (let step = 0; step < stepsMax; step++) {
    const move = newtonStep(wins, abilities, ridge)
    if (move === null) return tooFar
    const next = ahead({ wins, ridge, abilities, likelihood }, move)
    const largest = move.reduce((most, by) => Math.max(most, Math.abs(by)), 0)
    abilities = next.abilities
    likelihood = next.likelihood
    if (largest < 1e-14) break
  }
  const centre = abilities.reduce((sum, ability) => sum + ability, 0) / n
  const centred = ridge === 0 ? abilities.map(ability => ability - centre) : abilities
  const { slopes, curvature } = derivatives(wins, centred, ridge)
  const lower = cholesky(gauged(curvature, ridge))
  if (lower === null) return tooFar
  const covariance = inverse(lower)
  return {
    abilities: [...centred],
    errors: covariance.map((row, i) => Math.sqrt(row[i]! - (ridge === 0 ? 1 / n : 0))),
    logLikelihood: penalized(wins, centred, 0),
    slope: slopes.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0)
  }
}

/** P(i beats j). */
export function winProbability (abilities: ArrayLike<number>, i: number, j: number): number {
  return 1 / (1 + Math.exp(abilities[j]! - abilities[i]!))
}

/** On the scale of chess: 400 points are odds of ten to one, the mean is 1000. */
export function eloOf (ability: number): number {
  return 1000 + 400 / Math.LN10 * ability
}

interface Position { wins: Wins, ridge: number, abilities: Float64Array, likelihood: number }

/** A step halved until it does not lead down; far from the estimate Newton's may lead too far. */
function ahead ({ wins, ridge, abilities, likelihood }: Position, move: Float64Array): Position {
  let share = 1
  for (let halvings = 0; halvings < 40; halvings++, share /= 2) {
    const next = abilities.map((ability, i) => ability + share * move[i]!)
    const reached = penalized(wins, next, ridge)
    const down = reached < likelihood - 1e-10 * Math.abs(likelihood)
    if (!down) return { wins, ridge, abilities: next, likelihood: reached }
  }
  return { wins, ridge, abilities, likelihood }
}

function newtonStep (wins: Wins, abilities: Float64Array, ridge: number): Float64Array | null {
  const { slopes, curvature } = derivatives(wins, abilities, ridge)
  const lower = cholesky(gauged(curvature, ridge))
  return lower === null ? null : solve(lower, slopes)
}

function derivatives (wins: Wins, abilities: ArrayLike<number>, ridge: number) {
  const n = wins.length
  const slopes = Float64Array.from({ length: n }, (_, i) => -2 * ridge * abilities[i]!)
  const curvature = Array.from({ length: n }, () => new Float64Array(n))
  for (let i = 0; i < n; i++) {
    curvature[i]![i]! += 2 * ridge
    for (let j = 0; j < i; j++) {
      const games = wins[i]![j]! + wins[j]![i]!
      if (games === 0) continue
      const p = winProbability(abilities, i, j)
      const surprise = wins[i]![j]! - games * p
      slopes[i]! += surprise
      slopes[j]! -= surprise
      const weight = games * p * (1 - p)
      curvature[i]![i]! += weight
      curvature[j]![j]! += weight
      curvature[i]![j]! -= weight
      curvature[j]![i]! -= weight
    }
  }
  return { slopes, curvature }
}

/** Only differences of abilities count, so without a ridge their sum is held at 0. */
function gauged (curvature: Float64Array[], ridge: number): Float64Array[] {
  return ridge > 0 ? curvature : curvature.map(row => row.map(value => value + 1 / row.length))
}

function penalized (wins: Wins, abilities: ArrayLike<number>, ridge: number): number {
  let sum = 0
  for (let i = 0; i < wins.length; i++) {
    sum -= ridge * abilities[i]! ** 2
    for (let j = 0; j < wins.length; j++) {
      if (wins[i]![j]! > 0) sum -= wins[i]![j]! * logOnePlusExp(abilities[j]! - abilities[i]!)
    }
  }
  return sum
}

function logOnePlusExp (x: number): number {
  return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x))
}
