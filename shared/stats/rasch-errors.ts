/** Standard errors of the abilities of rasch.ts. */
import { cholesky, inverse } from './cholesky.ts'
import { placesOf } from './cluster-sums.ts'
import { nodeCount, nodes, type Data, type Position, type Posterior } from './rasch-curve.ts'

export interface Fitted {
  at: Position
  posterior: Posterior
  hierarchical: boolean
  /** The paper of each item; without, items are independent and the model's own information is used. */
  cluster?: readonly string[] | undefined
}

/**
 * From the observed information: that of complete data less what is missing of the difficulties. With
 * clusters it is the bread of a sandwich, whose filling are the slopes by cluster, times C / (C - 1).
 *
 * @returns NaN where the information is not positive definite, or there is one cluster
 */
export function raschErrors (data: Data, { at, posterior, hierarchical, cluster }: Fitted): number[] {
  const models = data.responses.length
  const { information, slopes } = informationOf(data, at, posterior)
  if (hierarchical) for (let j = 0; j < models; j++) information[j]![j]! += 1 / at.abilitySpread ** 2
  const lower = cholesky(information)
  if (lower === null) return new Array<number>(models).fill(NaN)
  const covariance = inverse(lower)
  if (cluster === undefined) return covariance.slice(0, models).map((row, j) => Math.sqrt(row[j]!))
  const filling = fillingOf(slopes, cluster)
  if (filling.length < 2) return new Array<number>(models).fill(NaN)
  return covariance.slice(0, models).map(row => Math.sqrt(filling.reduce((sum, slope) =>
    sum + slope.reduce(
      (all, value, k) => all + value * row[k]!, 0
    ) ** 2, 0) * filling.length / (filling.length - 1)))
}

/** Slopes of the log-likelihood, by cluster. */
function fillingOf (slopes: readonly Float64Array[], cluster: readonly string[]): Float64Array[] {
  const { names, at } = placesOf(cluster)
  const sums = names.map(() => new Float64Array(slopes[0]!.length))
  for (const [i, slope] of slopes.entries()) {
    const own = sums[at[i]!]!
    for (let j = 0; j < slope.length; j++) own[j]! += slope[j]!
  }
  return sums
}

/** First and second derivatives of one answer's log-probability, by the ability, at every node. */
interface Steepness { first: Float64Array, second: Float64Array }

function steepnessOf (
  ability: number, spread: number, chance: number
): { right: Steepness, wrong: Steepness } {
  const blank = () => ({ first: new Float64Array(nodeCount), second: new Float64Array(nodeCount) })
  const [right, wrong] = [blank(), blank()]
  for (let q = 0; q < nodeCount; q++) {
    const logistic = 1 / (1 + Math.exp(spread * nodes[q]! - ability))
    const p = chance + (1 - chance) * logistic
    const slope = (1 - chance) * logistic * (1 - logistic)
    const bend = slope * (1 - 2 * logistic)
    const rest = Math.max(1e-300, 1 - p)
    right.first[q] = slope / p
    right.second[q] = bend / p - (slope / p) ** 2
    wrong.first[q] = -slope / rest
    wrong.second[q] = -bend / rest - (slope / rest) ** 2
  }
  return { right, wrong }
}

/** Parameters are the abilities and, last, the logarithm of the spread of difficulties. */
function informationOf ({ responses, guessing }: Data, at: Position, { weights }: Posterior) {
  const models = responses.length
  const information = Array.from({ length: models + 1 }, () => new Float64Array(models + 1))
  const known = new Map([...new Set(guessing)].map(chance =>
    [chance, Array.from(at.abilities, ability => steepnessOf(ability, at.spread, chance))]))
  const ofSpread = { first: nodes.map(z => z * z - 1), second: nodes.map(z => -2 * z * z) }
  const slopes = guessing.map((chance, i) => {
    const own = weights[i]!
    const steepness = known.get(chance)!
    const present: Array<{ k: number } & Steepness> = responses.flatMap((row, j) => {
      const answer = row[i]
      if (answer === null || answer === undefined) return []
      return [{ k: j, ...steepness[j]![answer === 1 ? 'right' : 'wrong'] }]
    })
    present.push({ k: models, ...ofSpread })
    return addItem(information, own, present)
  })
  return { information, slopes }
}

/** Adds one item's information; its slopes are returned. */
function addItem (
  information: Float64Array[], weights: Float64Array, present: ReadonlyArray<{ k: number } & Steepness>
): Float64Array {
  const slope = new Float64Array(information.length)
  for (const { k, first, second } of present) {
    for (let q = 0; q < nodeCount; q++) {
      slope[k]! += weights[q]! * first[q]!
      information[k]![k]! -= weights[q]! * second[q]!
    }
  }
  for (const { k, first } of present) {
    const weighted = first.map((value, q) => value * weights[q]!)
    for (const other of present) {
      if (other.k > k) break
      let product = 0
      for (let q = 0; q < nodeCount; q++) product += weighted[q]! * other.first[q]!
      const missing = product - slope[k]! * slope[other.k]!
      information[k]![other.k]! -= missing
      if (other.k !== k) information[other.k]![k]! -= missing
    }
  }
  return slope
}
