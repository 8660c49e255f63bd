/** The tasks of a run, and what is left to say when all have ended. */
import type { JobRecord, PlannedTask } from '../../../shared/tasks/tasks.ts'
import { errorPrediction, planPredictions, predictionIdOf, type PredictionTask, type RunSpec } from '../domain/plan.ts'
import { matchItems } from '../domain/rescore.ts'
import type { TaskParts } from './parts.ts'

type PlanParts = Pick<TaskParts, 'benchmarks' | 'store'>

export async function planRun (
  { benchmarks }: PlanParts, { spec }: JobRecord<RunSpec>
): Promise<Array<PlannedTask<PredictionTask>>> {
  const { items } = await benchmarks.get(spec.benchmarkId)
  if (spec.rescoredFrom === undefined) return planPredictions(items)
  const source = await benchmarks.get(spec.rescoredFrom.benchmarkId)
  return planPredictions(items, matchItems({ source: source.items, target: items }, spec.condition).sourceOf)
}

/**
 * A task may die without a word (its process vanished too often). Its item must not be missing
 * from the counts: it gets a prediction that says `error`. A cancelled run is left as it is.
 */
export async function finishRun (
  { benchmarks, store }: PlanParts, { _id: runId, spec, cancelled }: JobRecord<RunSpec>
): Promise<void> {
  if (cancelled) return
  const { items } = await benchmarks.get(spec.benchmarkId)
  const counts = await store.countOutcomes(runId)
  const written = Object.values(counts).reduce((total, count) => total + count, 0)
  if (written === items.length) return
  for (const [order, item] of items.entries()) {
    if (await store.findPrediction(predictionIdOf(runId, item.id)) !== undefined) continue
    await store.savePrediction(errorPrediction(runId, item, 'No attempt lived to its end; retry the run.'), order)
  }
}
