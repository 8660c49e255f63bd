/** A report out of scored runs. It holds no clock, host or latency: same replies, same bytes. */
import type { Benchmark, BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { idOf } from '../../../../shared/contracts/hash.ts'
import type { Example, Report, RunReport } from '../../../../shared/contracts/report.ts'
import type { Condition } from '../../../../shared/contracts/run.ts'
import { baselinePrefix } from '../baselines/baselines.ts'
import type { Scored } from '../scored.ts'
import { countOutcomes, sliceScores } from '../slices.ts'
import { itemsOfOwnMethod, reportNotes, runNotes } from './notes.ts'

export const reportSchemaVersion = 3

interface RunParts {
  runId: string
  model: string
  condition: Condition
  /** Prompt files by name, as the service has them. */
  prompts: ReadonlyArray<{ name: string, hash: string }>
  items: readonly BenchmarkItem[]
  rows: readonly Scored[]
  skipped: Readonly<Record<string, number>>
}

export function runReport ({ runId, model, condition, prompts, items, rows, skipped }: RunParts): RunReport {
  const thoughts = rows.flatMap(({ thought }) => thought ?? [])
  return {
    runId,
    model,
    baseline: model.startsWith(baselinePrefix),
    condition,
    prompts: [...prompts],
    itemsOfOwnMethod: itemsOfOwnMethod(model, items),
    slices: sliceScores(rows),
    notes: runNotes({ model, condition, items, skipped, thoughts, outcomes: countOutcomes(rows) })
  }
}

/** What is found out over all runs together. */
export type Analyses = Pick<Report, 'differences' | 'items' | 'itemsLeftOut' | 'rankCorrelations' | 'trainingCandidates' | 'judgements' | 'repeats'>

/** The id is a hash of all that the report says. */
export function reportOf (
  benchmark: Benchmark, runs: RunReport[], { examples, ...analyses }: { examples: Example[] } & Analyses
): Report {
  const content = {
    schemaVersion: reportSchemaVersion,
    benchmark,
    runs,
    examples,
    notes: reportNotes(benchmark, runs),
    ...analyses
  }
  return { id: idOf('report', content), ...content }
}
