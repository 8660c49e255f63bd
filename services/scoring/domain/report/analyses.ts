/** What is found out over all runs of a report together. */
import type { Benchmark, BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { RunReport } from '../../../../shared/contracts/report.ts'
import { itemScores, type Placed, type RunWorths } from './item-scores.ts'
import { rankCorrelations } from './rank-correlations.ts'
import type { Analyses } from './report.ts'
import { runDifferences, type KindGrid } from './run-differences.ts'
import { trainingCandidates } from './training-candidates.ts'

export interface AnalysedParts {
  benchmark: Benchmark
  items: readonly BenchmarkItem[]
  runs: readonly RunReport[]
  /** Of the same runs, in the same order; so are the grids' columns. */
  worths: readonly RunWorths[]
  grids: readonly KindGrid[]
  placed: ReadonlyMap<string, Placed>
}

/** Gives way between its steps. */
export function * analysesOf (
  { benchmark, items, runs, worths, grids, placed }: AnalysedParts
): Generator<void, Analyses> {
  const titles = new Map(benchmark.papers.map(({ paperId, title }) => [paperId, title]))
  const listed = yield * itemScores({ items, runs: worths, placed })
  const differences = yield * runDifferences(grids)
  return {
    differences,
    items: listed,
    itemsLeftOut: items.length - listed.length,
    rankCorrelations: rankCorrelations(runs),
    trainingCandidates: trainingCandidates({ items, runs, worths, placed, titles })
  }
}
