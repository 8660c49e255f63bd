/** The task of a run that is scored again: takes the reply of the first run, and reads it. */
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import type { Prediction } from '../../../shared/contracts/run.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import { predictionIdOf, type PredictionTask, type RunSpec } from '../domain/plan.ts'
import type { TaskParts } from './parts.ts'
import { carryOne } from './read-long.ts'

/** @throws Problem conflict where the first run has no reply: an error stays one */
export async function carryPrediction (
  { store, threads }: Pick<TaskParts, 'store' | 'threads'>, { input, job, item }: { input: PredictionTask, job: JobRecord<RunSpec>, item: BenchmarkItem }
): Promise<Prediction> {
  const { rescoredFrom, condition } = job.spec
  const first = rescoredFrom!.runId
  const before = await store.findPrediction(predictionIdOf(first, input.sourceItemId!))
  if (before !== undefined && before.outcome !== 'error') return await carryOne(threads, before, { runId: job._id, item, condition })
  throw new Problem('conflict', `Item ${input.sourceItemId} ended in error in run ${first}; POST /v1/runs/${first}/retry, and then retry this one.`)
}
