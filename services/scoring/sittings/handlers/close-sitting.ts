/** Ends a sitting: no answer is taken any more, and a run is made of those that were. */
import type { Sitting } from '../../../../shared/contracts/sitting.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { runIdOf } from '../../domain/plan.ts'
import { runOf } from '../domain/spec.ts'
import { deleted } from '../store.ts'
import { deleteRun } from './delete-sitting.ts'
import type { SittingParts } from './parts.ts'
import { getSitting } from './view-sitting.ts'

/**
 * Closing again goes on where a crash ended it, and changes nothing after that.
 *
 * @throws Problem sitting-not-found, sitting-deleted; conflict where nothing was shown; queue-full
 */
export async function closeSitting (parts: SittingParts, sittingId: string): Promise<Sitting> {
  const { sittings, jobs } = parts
  const { state, startedAt, spec, order } = await sittings.get(sittingId)
  if (state === 'closed') return await getSitting(parts, sittingId)
  if (startedAt === null) {
    throw new Problem('conflict', `No question of sitting ${sittingId} was shown: it would be a run of nothing. GET …/next begins it, DELETE takes it away.`)
  }
  const run = runOf(sittingId, spec)
  const runId = runIdOf(run)
  await jobs.admit(runId)
  await sittings.beginClosing(sittingId)
  await sittings.seal(sittingId, order)
  await jobs.open(runId, run)
  if (!await sittings.endClosing(sittingId, runId)) {
    // Whoever deleted it may have looked for its runs before there was this one.
    await deleteRun(parts, runId)
    throw deleted(sittingId)
  }
  return await getSitting(parts, sittingId)
}
