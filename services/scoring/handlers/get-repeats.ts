/** All settled repeats of a run, taken together. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RepeatedRuns } from '../../../shared/contracts/run.ts'
import { repeatsMax, runIdOf, type RunSpec } from '../domain/plan.ts'
import { repeatedRuns, type Repeat } from '../domain/repeats.ts'
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
    const job = await parts.jobs.find(siblingId(spec, repeat))
    if (job === undefined) continue
    const { state } = await parts.jobs.view(job._id)
    if (state !== 'succeeded' && state !== 'failed') continue
    const { rows } = await scoreRun(parts, job, { ...frozen, between: new Map() })
    repeats.push({ runId: job._id, worths: new Map(rows.map(row => [row.itemId, worthOf(row)])) })
    await nextTurn()
  }
  return repeatedRuns(frozen.items, repeats)
}

/** Of the same run with another number; of one scored again, that of the other number's first run. */
function siblingId ({ rescoredFrom, vision: _, ...spec }: RunSpec, repeat: number): string {
  const sibling = { ...spec, condition: { ...spec.condition, repeat } }
  if (rescoredFrom === undefined) return runIdOf(sibling)
  const runId = runIdOf({ ...sibling, benchmarkId: rescoredFrom.benchmarkId })
  return runIdOf({ ...sibling, rescoredFrom: { ...rescoredFrom, runId } })
}
