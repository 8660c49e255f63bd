/**
 * Bootstrap of whole papers, the same papers for all models, so that differences of models are paired.
 * Items are added up by paper once; a replicate is then a weighting of papers.
 *
 * @see Efron 1979, doi:10.1214/aos/1176344552; Field & Welsh 2007, doi:10.1111/j.1467-9868.2007.00593.x
 */
import { placesOf } from './cluster-sums.ts'
import type { Draws } from './draws.ts'
import { quantileBySelection } from './select.ts'

export interface PaperSums {
  papers: number
  /** Items of each paper. */
  sizes: Float64Array
  /** By model: sums over the items of each paper. */
  sums: Float64Array[]
  /** By model. */
  means: number[]
}

/** @param scores  rows are models, columns items; complete and finite */
export function sumsByPaper (scores: ReadonlyArray<ArrayLike<number>>, paper: readonly string[]): PaperSums {
  const { names, at } = placesOf(paper)
  const sizes = new Float64Array(names.length)
  for (const place of at) sizes[place]! += 1
  const sums = scores.map(row => {
    const own = new Float64Array(names.length)
    for (let i = 0; i < at.length; i++) own[at[i]!]! += row[i]!
    return own
  })
  return {
    papers: names.length,
    sizes,
    sums,
    means: sums.map(own => own.reduce((all, sum) => all + sum, 0) / at.length)
  }
}

/** By model: its mean in every replicate. The ratio of sums to items, for papers differ in size. */
export function replicateMeans (
  { papers, sizes, sums }: PaperSums, replicates: number, draws: Draws
): Float64Array[] {
  const means = sums.map(() => new Float64Array(replicates))
  const weights = new Float64Array(papers)
  for (let b = 0; b < replicates; b++) {
    weights.fill(0)
    for (let g = 0; g < papers; g++) weights[draws.below(papers)]! += 1
    let items = 0
    for (let g = 0; g < papers; g++) items += weights[g]! * sizes[g]!
    for (let model = 0; model < sums.length; model++) {
      const own = sums[model]!
      let sum = 0
      for (let g = 0; g < papers; g++) sum += weights[g]! * own[g]!
      means[model]![b] = sum / items
    }
  }
  return means
}

export interface PairedDifference {
  difference: number
  low: number
  high: number
  /** Twice the smaller share of replicates on one side of 0, ties on both; at least 2 / (replicates + 1). */
  pValue: number
}

export interface PairOptions { level?: number, difference: number }

/**
 * Percentile interval of one difference, first minus second. With few papers it is too narrow: see
 * the methodology; it is there for large tables and to repeat what others publish.
 */
export function pairedDifference (
  first: Float64Array, second: Float64Array, { level = 0.95, difference }: PairOptions
): PairedDifference {
  const n = first.length
  const differences = new Float64Array(n)
  let [atMost, atLeast] = [0, 0]
  for (let b = 0; b < n; b++) {
    const value = first[b]! - second[b]!
    differences[b] = value
    if (value <= 1e-12) atMost++
    if (value >= -1e-12) atLeast++
  }
  const tail = (1 - level) / 2
  return {
    difference,
    low: quantileBySelection(differences, tail),
    high: quantileBySelection(differences, 1 - tail),
    pValue: Math.min(1, 2 * (Math.min(atMost, atLeast) + 1) / (n + 1))
  }
}
