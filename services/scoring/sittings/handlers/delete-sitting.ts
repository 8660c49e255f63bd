/** Takes away what a person answered: the seats, the run, and what was scored again from it. */
import type { SittingDeleted } from '../../../../shared/contracts/sitting.ts'
import type { SittingParts } from './parts.ts'

const page = 500

/**
 * From the first write on the sitting answers 410; deleting again goes on where a crash ended it.
 *
 * @throws Problem sitting-not-found; sitting-deleted when it is gone already
 */
export async function deleteSitting (parts: SittingParts, sittingId: string): Promise<SittingDeleted> {
  const { sittings } = parts
  if (!await sittings.beginDeleting(sittingId)) await sittings.get(sittingId)
  await sittings.deleteSeats(sittingId)
  const runIds = await runsOf(parts, sittingId)
  for (const runId of runIds) await deleteRun(parts, runId)
  await sittings.endDeleting(sittingId)
  const notes = runIds.length === 0
    ? []
    : ['Reports, comparisons, judgements and files made of these runs before stay as they are: they name the pseudonym, and can quote answers.']
  return { sittingId, runIds, notes }
}

export async function deleteRun (
  { jobs, store }: Pick<SittingParts, 'jobs' | 'store'>, runId: string
): Promise<void> {
  await jobs.delete(runId)
  await store.deleteOfRun(runId)
}

/** Its own and those scored again from it: all say which sitting they are of. */
async function runsOf ({ jobs }: SittingParts, sittingId: string): Promise<string[]> {
  const found: string[] = []
  for (let after: string | undefined; ;) {
    const some = await jobs.list({ limit: page, ...after !== undefined && { after } })
    found.push(...some.filter(({ spec }) => spec.sitting?.sittingId === sittingId).map(({ _id }) => _id))
    if (some.length < page) return found
    after = some.at(-1)!._id
  }
}
