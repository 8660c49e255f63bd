/**
 * How few votes would have to be left out for the first two of a Bradley-Terry ranking to change
 * places: those of most influence are found by approximation, and what leaving them out does is then
 * computed exactly.
 *
 * @see Broderick, Giordano & Meager 2020, arXiv:2011.14999; Huang et al. 2025, arXiv:2508.11847
 */
import {
  bradleyTerry, estimateExists, notConnected, winProbability, winsOf, type BradleyTerry, type NoEstimate,
  type Wins
} from './bradley-terry.ts'
import { cholesky, inverse } from './cholesky.ts'

export interface Vote { winner: number, loser: number }

export interface Influence {
  /** Effect of one vote on every ability, the first player's being 0: to first order … */
  first: Float64Array
  /** … and after one step of Newton's. */
  oneStep: Float64Array
}

/** A fit with what each pair's votes do to it: identical votes have identical influence. */
export interface Sensitivity {
  fit: BradleyTerry
  wins: Wins
  /** Of the abilities, the first player's being 0. */
  covariance: readonly Float64Array[]
  /** Best and second best player, and by how much. */
  top: number
  second: number
  gap: number
  influenceOf: (vote: Vote) => Influence
  /** What leaving out that vote adds to the gap, to one step of Newton's. */
  shiftOf: (vote: Vote) => number
}

export function sensitivityOf (players: number, votes: readonly Vote[]): Sensitivity | NoEstimate {
  const wins = winsOf(players, votes)
  const fit = bradleyTerry(wins)
  if ('reason' in fit) return fit
  const { abilities } = fit
  const order = abilities.map((_, player) => player).sort((a, b) => abilities[b]! - abilities[a]! || a - b)
  const [top, second] = [order[0]!, order[1]!]
  const covariance = covarianceWithoutFirst(wins, abilities)
  const known = new Map<number, Influence>()
  const influenceOf = (vote: Vote) => {
    const key = vote.winner * players + vote.loser
    const found = known.get(key) ?? influence({ vote, covariance, abilities })
    known.set(key, found)
    return found
  }
  const shiftOf = (vote: Vote) => {
    const { oneStep } = influenceOf(vote)
    return oneStep[second]! - oneStep[top]!
  }
  const gap = abilities[top]! - abilities[second]!
  return { fit, wins, covariance, top, second, gap, influenceOf, shiftOf }
}

/** Votes by what leaving them out does to the gap, the most damaging first; of equals the earlier. */
export function mostDamaging (votes: readonly Vote[], { shiftOf }: Sensitivity): number[] {
  const shifts = votes.map(shiftOf)
  return votes.map((_, at) => at).sort((a, b) => shifts[a]! - shifts[b]! || a - b)
}

/** The gap of the same two players with some votes left out, computed anew. */
export function gapWithout (
  votes: readonly Vote[], left: Iterable<number>, { fit, top, second, wins: all, covariance }: Sensitivity
): number | NoEstimate {
  const wins = all.map(row => new Float64Array(row))
  let cut = false
  for (const at of left) {
    const { winner, loser } = votes[at]!
    if ((wins[winner]![loser]! -= 1) === 0) cut = true
  }
  // As long as everybody still beats whom they beat before, there is an estimate.
  if (cut && !estimateExists(wins)) return { reason: notConnected }
  const near = abilitiesNear(wins, fit.abilities, covariance)
  if (near !== null) return near[top]! - near[second]!
  const found = bradleyTerry(wins, { start: fit.abilities })
  return 'reason' in found ? found : found.abilities[top]! - found.abilities[second]!
}

const stepsMax = 60

/**
 * The abilities of almost the same votes, to rounding: Newton's steps by the curvature that is known
 * already, each of which costs a multiplication and not a new factorisation.
 *
 * @returns null where that does not come to its end
 */
function abilitiesNear (
  wins: Wins, start: readonly number[], covariance: readonly Float64Array[]
): Float64Array | null {
  const abilities = Float64Array.from(start)
  const n = abilities.length
  for (let step = 0; step < stepsMax; step++) {
    const slopes = new Float64Array(n)
    const odds = abilities.map(Math.exp)
    for (let i = 0; i < n; i++) {
      const own = wins[i]!
      for (let j = 0; j < i; j++) {
        const won = own[j]!
        const games = won + wins[j]![i]!
        if (games === 0) continue
        const surprise = won - games * odds[i]! / (odds[i]! + odds[j]!)
        slopes[i]! += surprise
        slopes[j]! -= surprise
      }
    }
    let largest = 0
    for (let i = 1; i < n; i++) {
      const row = covariance[i]!
      let move = 0
      for (let j = 1; j < n; j++) move += row[j]! * slopes[j]!
      abilities[i]! += move
      largest = Math.max(largest, Math.abs(move))
    }
    if (largest < 1e-13) return abilities
    if (!(largest < 10)) return null
  }
  return null
}

export interface Flip {
  /** Votes to leave out, most damaging first. */
  votes: number[]
  /** The gap without them, computed anew: negative. */
  gap: number
}

/**
 * The smallest number of votes whose leaving out, most damaging first, lets the second overtake the
 * first. Another choice of as few may do it with fewer still, so it is an upper bound.
 *
 * @returns null where no number of them does it and leaves an estimate
 */
export function smallestFlip (votes: readonly Vote[], sensitivity: Sensitivity): Flip | null {
  const order = mostDamaging(votes, sensitivity).filter(at => sensitivity.shiftOf(votes[at]!) < 0)
  const gapAt = (count: number) => gapWithout(votes, order.slice(0, count), sensitivity)
  const flips = (count: number) => {
    const gap = gapAt(count)
    return typeof gap === 'number' ? gap < 0 : null
  }
  let high = 1
  let left = sensitivity.gap
  while (high < order.length && (left += sensitivity.shiftOf(votes[order[high - 1]!]!)) > 0) high++
  while (flips(high) === false && high < order.length) {
    high = Math.min(order.length, Math.ceil(high * 1.25) + 1)
  }
  let low = 0
  while (high - low > 1) {
    const middle = (low + high) >> 1
    // Without an estimate there are too few votes left to say who leads.
    if (flips(middle) === false) low = middle
    else high = middle
  }
  const gap = gapAt(high)
  return typeof gap === 'number' && gap < 0 ? { votes: order.slice(0, high), gap } : null
}

function covarianceWithoutFirst (wins: Wins, abilities: readonly number[]): Float64Array[] {
  const n = wins.length
  const curvature = Array.from({ length: n - 1 }, () => new Float64Array(n - 1))
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (i === j) continue
      const p = winProbability(abilities, i, j)
      const weight = (wins[i]![j]! + wins[j]![i]!) * p * (1 - p)
      if (i > 0) curvature[i - 1]![i - 1]! += weight
      if (i > 0 && j > 0) curvature[i - 1]![j - 1]! -= weight
    }
  }
  const reduced = inverse(cholesky(curvature)!)
  return abilities.map((_, i) =>
    Float64Array.from(abilities, (_, j) => i === 0 || j === 0 ? 0 : reduced[i - 1]![j - 1]!))
}

interface Setting { vote: Vote, covariance: readonly Float64Array[], abilities: readonly number[] }

function influence ({ vote: { winner, loser }, covariance, abilities }: Setting): Influence {
  const p = winProbability(abilities, winner, loser)
  const [row, other] = [covariance[winner]!, covariance[loser]!]
  const direction = row.map((value, i) => value - other[i]!)
  const leverage = p * (1 - p) * (direction[winner]! - direction[loser]!)
  const first = direction.map(value => (1 - p) * value)
  return { first, oneStep: first.map(value => value / (1 - leverage)) }
}
