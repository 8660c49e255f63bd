/** Where an item's difficulty may lie, and what its answers say of that; for rasch.ts. */

export const nodeCount = 61
/** In standard deviations of difficulty, evenly from -6 to 6: the trapezium rule is as good as exact. */
export const nodes = Float64Array.from({ length: nodeCount }, (_, q) => -6 + 12 * q / (nodeCount - 1))
const logWeights = (() => {
  const sum = nodes.reduce((all, z) => all + Math.exp(-z * z / 2), 0)
  return nodes.map(z => -z * z / 2 - Math.log(sum))
})()

/** Rows are models, columns items; null where there is no answer. */
export type Responses = ReadonlyArray<ReadonlyArray<0 | 1 | null>>

/** Standard deviations of difficulties and, where they come from one, of abilities; and those' mean. */
export interface Position { abilities: Float64Array, spread: number, centre: number, abilitySpread: number }

/** Answers, and the chance of guessing each item. */
export interface Data { responses: Responses, guessing: readonly number[] }

/** P(right) of each model at each node, for one chance of guessing. */
function curvesOf ({ abilities, spread }: Position, chance: number): Float64Array[] {
  return Array.from(abilities, ability =>
    nodes.map(z => chance + (1 - chance) / (1 + Math.exp(spread * z - ability))))
}

export interface Posterior { weights: Float64Array[], logLikelihood: number }

/** Of each item: how probable each node is as its difficulty. */
export function posteriorOf ({ responses, guessing }: Data, at: Position): Posterior {
  const logs = new Map([...new Set(guessing)].map(chance => {
    const curves = curvesOf(at, chance)
    return [
      chance, {
        right: curves.map(row => row.map(Math.log)),
        wrong: curves.map(row => row.map(p => Math.log1p(-p)))
      }
    ]
  }))
  let logLikelihood = 0
  const weights = guessing.map((chance, i) => {
    const { right, wrong } = logs.get(chance)!
    const own = logWeights.slice()
    for (const [j, row] of responses.entries()) {
      const answer = row[i]
      if (answer === null) continue
      const curve = (answer === 1 ? right : wrong)[j]!
      for (let q = 0; q < nodeCount; q++) own[q]! += curve[q]!
    }
    const most = own.reduce((a, b) => Math.max(a, b))
    let sum = 0
    for (let q = 0; q < nodeCount; q++) sum += own[q] = Math.exp(own[q]! - most)
    logLikelihood += most + Math.log(sum)
    return own.map(weight => weight / sum)
  })
  return { weights, logLikelihood }
}

/** P(right) at a distance in logits, and its slope by p (1 - p). */
export function slopeAt (distance: number, chance: number): { p: number, rate: number } {
  const logistic = 1 / (1 + Math.exp(-distance))
  const p = Math.min(1 - 1e-15, chance + (1 - chance) * logistic)
  return { p, rate: (1 - chance) * logistic * (1 - logistic) / (p * (1 - p)) }
}
