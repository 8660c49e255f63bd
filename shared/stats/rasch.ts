/**
 * Abilities of models and difficulties of items on one scale: model j is right on item i with
 * probability c + (1 - c) / (1 + exp(b_i - θ_j)), c being the chance of a guess (one in k choices).
 *
 * Items are many and models few, so items are the random sample: difficulties come from a normal
 * distribution with mean 0 and are integrated out (marginal maximum likelihood), abilities are estimated
 * one by one, or (hierarchical) as themselves coming from a normal distribution.
 *
 * @see Rasch 1960; Bock & Aitkin 1981, doi:10.1007/BF02293801; Louis 1982,
 *      doi:10.1111/j.2517-6161.1982.tb01203.x (errors); Liu, Rubin & Wu 1998, doi:10.1093/biomet/85.4.755
 */
import {
  nodeCount, nodes, posteriorOf, slopeAt, type Data, type Position, type Posterior, type Responses
} from './rasch-curve.ts'
import { raschErrors } from './rasch-errors.ts'

export interface RaschOptions {
  /** Chance of a right guess: of each item, in [0, 1). */
  guessing?: readonly number[]
  /** Abilities too come from a normal distribution: the few answers of a model are drawn to the others. */
  hierarchical?: boolean
  /** The paper of each item: errors then hold for items of one paper that resemble each other. */
  cluster?: readonly string[]
}

export interface Rasch {
  /** In logits, against the mean difficulty. Null where answers set no bound (all right, or at chance). */
  abilities: Array<number | null>
  /** Of what other items like these would give; null beside a null ability. */
  errors: Array<number | null>
  /** Posterior means and standard deviations. */
  difficulties: number[]
  difficultyErrors: number[]
  /** Standard deviation of difficulties; of abilities where hierarchical. */
  spread: number
  abilitySpread: number | null
  logLikelihood: number
  /** Steps of the algorithm; it has not come to its end where `converged` is false. */
  steps: number
  converged: boolean
}

/** Beyond this an ability is not told from one without bound. */
const abilityMax = 12
const stepsMax = 2_000

/** @throws RangeError where rows differ in length, or a guessing chance is not in [0, 1) */
export function rasch (responses: Responses, options: RaschOptions = {}): Rasch | { reason: string } {
  const items = responses[0]?.length ?? 0
  const guessing = options.guessing ?? new Array<number>(items).fill(0)
  assertShape(responses, guessing)
  if (responses.length < 2 || items < 2) return { reason: 'A scale takes at least two models and two items.' }
  const known = responses.flat().filter(answer => answer !== null)
  if (known.every(answer => answer === known[0])) return { reason: 'All answers are right, or all wrong: nothing is told apart.' }
  const hierarchical = options.hierarchical ?? false
  let at: Position = { abilities: startOf(responses), spread: 1, centre: 0, abilitySpread: 1 }
  let steps = 0
  let largest = Infinity
  for (; steps < stepsMax && largest > 1e-8; steps++) {
    const next = step({ responses, guessing }, at, hierarchical)
    largest = Math.max(Math.abs(next.spread - at.spread),
      ...next.abilities.map((ability, j) => Math.abs(ability - at.abilities[j]!)))
    at = next
  }
  const posterior = posteriorOf({ responses, guessing }, at)
  const errors = raschErrors(
    { responses, guessing }, { at, posterior, hierarchical, cluster: options.cluster }
  )
  const bounded = at.abilities.map(ability => Math.abs(ability) < abilityMax ? 1 : 0)
  return {
    abilities: [...at.abilities].map((ability, j) => bounded[j] === 1 ? ability : null),
    errors: errors.map((error, j) => bounded[j] === 1 ? error : null),
    ...difficultiesOf(posterior, at.spread),
    spread: at.spread,
    abilitySpread: hierarchical ? at.abilitySpread : null,
    logLikelihood: posterior.logLikelihood,
    steps,
    converged: largest <= 1e-8
  }
}

function assertShape (responses: Responses, guessing: readonly number[]): void {
  const odd = responses.find(row => row.length !== guessing.length)
  if (odd !== undefined) throw new RangeError(`A row has ${odd.length} answers for ${guessing.length} items`)
  const wrong = guessing.find(chance => !(chance >= 0 && chance < 1))
  if (wrong !== undefined) throw new RangeError(`A chance of guessing is in [0, 1), got ${wrong}`)
}

function startOf (responses: Responses): Float64Array {
  return Float64Array.from(responses, row => {
    const known = row.filter(answer => answer !== null)
    const right = known.filter(answer => answer === 1).length
    return Math.log((right + 0.5) / (known.length - right + 0.5))
  })
}

/**
 * One step of EM. Difficulties may have another mean in it, which is then moved into the abilities: else
 * both would creep along together.
 */
function step (data: Data, at: Position, hierarchical: boolean): Position {
  const { weights } = posteriorOf(data, at)
  let [first, second] = [0, 0]
  for (const own of weights) {
    for (let q = 0; q < nodeCount; q++) {
      first += own[q]! * nodes[q]!
      second += own[q]! * nodes[q]! ** 2
    }
  }
  const mean = first / weights.length
  const spread = at.spread * Math.sqrt(Math.max(1e-8, second / weights.length - mean * mean))
  const found = data.responses.map((_, j) => derivatives(data, { at, weights }, j))
  const pull = hierarchical ? 1 / at.abilitySpread ** 2 : 0
  const moved = at.abilities.map((ability, j) => {
    const { slope, curvature } = found[j]!
    const by = (slope - pull * (ability - at.centre)) / (curvature + pull)
    const next = ability + Math.max(-1, Math.min(1, by)) - at.spread * mean
    return Math.max(-abilityMax, Math.min(abilityMax, next))
  })
  const centre = moved.reduce((sum, ability) => sum + ability, 0) / moved.length
  const squares = moved.reduce((sum, ability, j) =>
    sum + (ability - centre) ** 2 + 1 / (found[j]!.curvature + pull), 0)
  return {
    abilities: moved,
    spread,
    centre,
    abilitySpread: hierarchical ? Math.sqrt(squares / moved.length) : 1
  }
}

interface Expected { at: Position, weights: readonly Float64Array[] }

/** Of the expected log-likelihood of one model's answers, by its ability; curvature is Fisher's. */
function derivatives ({ responses, guessing }: Data, { at, weights }: Expected, j: number) {
  let [slope, curvature] = [0, 0]
  for (const chance of new Set(guessing)) {
    const right = new Float64Array(nodeCount)
    const all = new Float64Array(nodeCount)
    for (const [i, answer] of responses[j]!.entries()) {
      if (answer === null || guessing[i] !== chance) continue
      const own = weights[i]!
      for (let q = 0; q < nodeCount; q++) {
        all[q]! += own[q]!
        if (answer === 1) right[q]! += own[q]!
      }
    }
    for (let q = 0; q < nodeCount; q++) {
      const { p, rate } = slopeAt(at.abilities[j]! - at.spread * nodes[q]!, chance)
      slope += (right[q]! - all[q]! * p) * rate
      curvature += all[q]! * rate * rate * p * (1 - p)
    }
  }
  return { slope, curvature: Math.max(curvature, 1e-9) }
}

function difficultiesOf ({ weights }: Posterior, spread: number) {
  const moment = (own: Float64Array, power: number) => own.reduce(
    (sum, weight, q) => sum + weight * nodes[q]! ** power, 0
  )
  return {
    difficulties: weights.map(own => spread * moment(own, 1)),
    difficultyErrors: weights.map(own =>
      spread * Math.sqrt(Math.max(0, moment(own, 2) - moment(own, 1) ** 2)))
  }
}
