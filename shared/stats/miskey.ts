/**
 * Which items have the wrong key: those where models that are right elsewhere agree on one other option.
 * A negative item-total correlation finds few of them, for a hard item has it as well.
 */
import { logGamma } from './special.ts'

export interface KeyedItem {
  /** As keyed, an index below `choices`. */
  key: number
  choices: number
  /** Of each model; null where it chose none. */
  answers: ReadonlyArray<number | null>
}

export interface MiskeyOptions {
  /** Share of items that are miskeyed, before anything is seen. */
  prior?: number
  /** Standard deviation of difficulties, in logits. */
  spread?: number
  /**
   * How alike wrong options attract, as the weight of a Dirichlet distribution: 1 makes every split
   * as probable as any other, so an item with one strong distractor is nothing unusual.
   */
  evenness?: number
}

export interface Miskey {
  /** Probability that another option than the key is the right one. */
  posterior: number
  /** The most probable of the others; null for no answers. */
  option: number | null
  /** Shares of the strongest third of the models, of those that chose, that took that option, and the key. */
  strongOnOption: number | null
  strongOnKey: number | null
}

const nodes = Array.from({ length: 21 }, (_, q) => -4 + 0.4 * q)
const logWeights = nodes.map(z => -z * z / 2)

/**
 * For each option: how probable are these answers were it the right one? Models find the right one by
 * ability, difficulty (integrated out) and guessing (1 in `choices`); those who miss it spread over the
 * rest, whoever they are.
 *
 * @param abilities  in logits, of the models in the order of the answers, for example of rasch.ts
 * @throws RangeError where an answer or a key is no option
 */
export function miskeys (
  items: readonly KeyedItem[], abilities: readonly number[], options: MiskeyOptions = {}
): Miskey[] {
  const { prior = 0.05, spread = 1, evenness = 1 } = options
  const strong = strongest(abilities)
  const curves = new Map([...new Set(items.map(({ choices }) => choices))].map(choices =>
    [choices, abilities.map(ability => curveOf(ability, choices, spread))]))
  return items.map(item => {
    assertOptions(item, abilities.length)
    const { key, choices } = item
    const evidence = Array.from({ length: choices }, (_, option) =>
      logEvidence(item, option, { curves: curves.get(choices)!, evenness }) +
      Math.log(option === key ? 1 - prior : prior / (choices - 1)))
    const most = Math.max(...evidence)
    const shares = evidence.map(value => Math.exp(value - most))
    const others = shares.reduce((sum, share, option) => option === key ? sum : sum + share, 0)
    const option = evidence.reduce<number | null>((best, value, at) =>
      at !== key && (best === null || value > evidence[best]!) ? at : best, null)
    const chosen = strong.map(j => item.answers[j]).filter(answer => typeof answer === 'number')
    const shareOn = (of: number | null) =>
      chosen.length === 0 ? null : chosen.filter(answer => answer === of).length / chosen.length
    const empty = item.answers.every(answer => answer === null)
    return {
      posterior: empty ? prior : others / (others + shares[key]!),
      option: empty ? null : option,
      strongOnOption: shareOn(option),
      strongOnKey: shareOn(key)
    }
  })
}

function assertOptions ({ key, choices, answers }: KeyedItem, models: number): void {
  if (answers.length !== models) throw new RangeError(`An item has ${answers.length} answers for ${models} models`)
  const isOption = (answer: number) => Number.isInteger(answer) && answer >= 0 && answer < choices
  const wrong = [key, ...answers].find(answer => answer !== null && !isOption(answer))
  if (wrong !== undefined || choices < 2) throw new RangeError(`Options are 0 to ${choices - 1}, at least two; got ${wrong}`)
}

function strongest (abilities: readonly number[]): number[] {
  const order = abilities.map((_, j) => j).sort((a, b) => abilities[b]! - abilities[a]! || a - b)
  return order.slice(0, Math.max(1, Math.ceil(order.length / 3)))
}

/** Logarithms of the probabilities to find and to miss the right option, at every difficulty. */
interface Curve { found: number[], missed: number[] }

function curveOf (ability: number, choices: number, spread: number): Curve {
  const chance = 1 / choices
  const p = nodes.map(z => chance + (1 - chance) / (1 + Math.exp(spread * z - ability)))
  return { found: p.map(Math.log), missed: p.map(value => Math.log(Math.max(1e-12, 1 - value))) }
}

interface Setting { curves: readonly Curve[], evenness: number }

function logEvidence ({ choices, answers }: KeyedItem, right: number, { curves, evenness }: Setting): number {
  const counts = new Array<number>(choices).fill(0)
  const logs = logWeights.slice()
  for (const [j, answer] of answers.entries()) {
    if (answer === null) continue
    counts[answer]!++
    const curve = answer === right ? curves[j]!.found : curves[j]!.missed
    for (let q = 0; q < logs.length; q++) logs[q]! += curve[q]!
  }
  const most = Math.max(...logs)
  const ability = most + Math.log(logs.reduce((sum, value) => sum + Math.exp(value - most), 0))
  const missed = counts.filter((_, option) => option !== right)
  const all = missed.reduce((sum, count) => sum + count, 0)
  const total = evenness * missed.length
  return ability + logGamma(total) - logGamma(total + all) +
    missed.reduce((sum, count) => sum + logGamma(evenness + count) - logGamma(evenness), 0)
}
