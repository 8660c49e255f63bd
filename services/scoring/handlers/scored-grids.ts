/** Reads settled runs of one benchmark and lays their items out by runs, for comparing them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ComparedMetric, ComparedRun } from '../../../shared/contracts/comparison.ts'
import type { ItemKind } from '../../../shared/contracts/item.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import type { Frozen } from '../benchmarks.ts'
import { marksOf, unitsOf, type Column, type Grid } from '../domain/compare/grid.ts'
import { measuredBy } from '../domain/compare/measured.ts'
import type { RunSpec } from '../domain/plan.ts'
import { runNames } from '../domain/report/run-names.ts'
import type { Scored } from '../domain/scored.ts'
import { countOutcomes } from '../domain/slices.ts'
import { scoreRun } from './make-report.ts'
import type { Parts } from './parts.ts'

export type GridParts = Pick<Parts, 'jobs' | 'store' | 'benchmarks'>
export type RunJob = JobRecord<RunSpec>

/** Predictions of one comparison or leaderboard: 50 runs of 10,000 items. */
const predictionsMax = 500_000

export interface GridRequest { metrics: readonly ComparedMetric[], kinds?: readonly ItemKind[] | undefined }

export interface ScoredGrids { runs: ComparedRun[], grids: Grid[] }

/**
 * One grid a metric, the runs in the order given. Of a run only what is compared is kept.
 *
 * @param seen  is shown every run's rows before they are let go
 * @throws Problem limit-exceeded
 */
export async function scoreGrids (
  parts: GridParts, { jobs, frozen, seen }: {
    jobs: readonly RunJob[], frozen: Frozen, seen?: (job: RunJob, rows: readonly Scored[]) => void
  },
  { metrics, kinds }: GridRequest
): Promise<ScoredGrids> {
  const predictions = jobs.length * frozen.items.length
  if (predictions > predictionsMax) {
    throw new Problem('limit-exceeded', `${jobs.length} runs of ${frozen.items.length} items are ${predictions} predictions; at most ${predictionsMax} are compared at once. Name fewer runs.`)
  }
  const heads = jobs.map(({ _id: runId, spec: { model, condition } }) => ({ runId, model, condition }))
  const names = runNames(heads)
  const runs: ComparedRun[] = []
  const grids = metrics.map(metric => ({ measured: measuredBy(metric), units: [] as Grid['units'], columns: [] as Column[] }))
  for (const [at, job] of jobs.entries()) {
    const head = { ...heads[at]!, name: names[at]! }
    const { rows } = await scoreRun(parts, job, { ...frozen, between: new Map() })
    runs.push({ ...head, outcomes: countOutcomes(rows) })
    for (const grid of grids) {
      const { metric } = grid.measured
      if (at === 0) grid.units = unitsOf(rows, metric, kinds)
      grid.columns.push({ ...head, marks: marksOf(rows, metric, kinds) })
    }
    seen?.(job, rows)
    await nextTurn()
  }
  return { runs, grids }
}
