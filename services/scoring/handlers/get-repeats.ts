/** All settled repeats of a run, taken together. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RepeatedRuns } from '../../../shared/contracts/run.ts'
import { inTurns } from '../../../shared/tasks/in-turns.ts'
import { repeatsMax } from '../domain/plan.ts'
import { repeatedRuns, repeatIdOf, type Repeat } from '../domain/repeats.ts'
import { worthOf } from '../domain/report/examples.ts'
import { runReader } from './get-run.ts'
import { scoreRun } from './make-report.ts'
import type { Parts } from './parts.ts'

/** @throws Problem run-not-found */
export async function getRepeats (parts: Parts, runId: string): Promise<RepeatedRuns> {
  const { spec } = await runReader(parts).job(runId)
  const frozen = await parts.benchmarks.get(spec.benchmarkId)
  const repeats: Repeat[] = []
  for (let repeat = 0; repeat < repeatsMax; repeat++) {
    const job = await parts.jobs.find(repeatIdOf(spec, repeat))
    if (job === undefined) continue
    const { state } = await parts.jobs.view(job._id)
    if (state !== 'succeeded' && state !== 'failed') continue
    const { rows } = await scoreRun(parts, job, { ...frozen, between: new Map() })
    repeats.push({ runId: job._id, worths: new Map(rows.map(row => [row.itemId, worthOf(row)])) })
    await nextTurn()
  }
  return await inTurns(repeatedRuns(frozen.items, repeats))
}
