/** Which sentences of a text say most of what the others say. */
import { termsOf } from './tokens.ts'

type Vector = Map<string, number>

/** Above this the text is cut: the work grows with the square. */
export const sentencesMax = 300
const damping = 0.85
const roundsMax = 100
const tolerance = 1e-9

/**
 * Continuous LexRank: a random walk over sentences whose steps are proportional to TF-IDF cosine;
 * a sentence is central when it resembles sentences that are. Deterministic.
 *
 * @param sentences  at most 300 are looked at; those after get 0
 * @returns          one weight per sentence, in [0, 1], summing to 1 (empty for none)
 * @see              Erkan & Radev 2004, doi:10.1613/jair.1523
 */
export function centralityOf (sentences: readonly string[]): number[] {
  const vectors = vectorsOf(sentences.slice(0, sentencesMax))
  const n = vectors.length
  if (n === 0) return []
  const steps = vectors.map((a, i) => stochastic(vectors.map((b, j) => i === j ? 0 : cosine(a, b))))
  let weights = new Array<number>(n).fill(1 / n)
  for (let round = 0; round < roundsMax; round++) {
    const next = new Array<number>(n).fill((1 - damping) / n)
    for (const [i, row] of steps.entries()) {
      const share = damping * (weights[i] ?? 0)
      for (let j = 0; j < n; j++) next[j] = (next[j] ?? 0) + share * (row[j] ?? 0)
    }
    const change = next.reduce((sum, weight, i) => sum + Math.abs(weight - (weights[i] ?? 0)), 0)
    weights = next
    if (change < tolerance) break
  }
  return sentences.map((_, i) => weights[i] ?? 0)
}

/** A row of probabilities; a sentence like no other steps anywhere. */
function stochastic (row: number[]): number[] {
  const sum = row.reduce((total, value) => total + value, 0)
  return row.map(value => sum > 0 ? value / sum : 1 / row.length)
}

function vectorsOf (sentences: readonly string[]): Vector[] {
  const bags = sentences.map(sentence => termsOf(sentence))
  const frequency = new Map<string, number>()
  for (const bag of bags) {
    for (const term of new Set(bag)) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  }
  return bags.map(bag => {
    const vector: Vector = new Map()
    for (const term of bag) vector.set(term, (vector.get(term) ?? 0) + 1)
    for (const [term, count] of vector) {
      vector.set(term, count * Math.log(1 + sentences.length / (frequency.get(term) ?? 1)))
    }
    return unit(vector)
  })
}

function unit (vector: Vector): Vector {
  const length = Math.sqrt([...vector.values()].reduce((sum, value) => sum + value ** 2, 0))
  return length === 0 ? vector : new Map([...vector].map(([term, value]) => [term, value / length]))
}

function cosine (a: Vector, b: Vector): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [term, value] of small) sum += value * (large.get(term) ?? 0)
  return sum
}
