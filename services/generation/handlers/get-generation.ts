/** A generation as it stands, always counted anew from the store. */
import type { Generation } from '../../../shared/contracts/generation.ts'
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import type { GenerationSpec, Parts } from './parts.ts'

/** @throws Problem generation-not-found */
export async function getJob ({ jobs }: Parts, generationId: string): Promise<JobRecord<GenerationSpec>> {
  const job = await jobs.find(generationId)
  if (job !== undefined) return job
  throw new Problem('generation-not-found', `There is no generation ${generationId}; GET /v1/generations lists those there are.`)
}

/** @param waitSeconds  how long to wait for it to end, 0 to 60 */
export async function getGeneration (
  parts: Parts, generationId: string, waitSeconds = 0
): Promise<Generation> {
  const job = await getJob(parts, generationId)
  if (waitSeconds > 0) await parts.jobs.wait(generationId, waitSeconds * 1000)
  return await viewOf(parts, job)
}

/** In ascending id. */
export async function listGenerations (
  parts: Parts, { cursor, limit }: PageRequest
): Promise<Page<Generation>> {
  if (cursor !== undefined && !/^gen_[0-9a-f]{32}$/u.test(cursor)) {
    throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
  }
  const found = await parts.jobs.list({ limit: limit + 1, ...cursor !== undefined && { after: cursor } })
  const jobs = found.slice(0, limit)
  return {
    items: await Promise.all(jobs.map(async job => await viewOf(parts, job))),
    nextCursor: found.length > limit ? jobs.at(-1)?._id ?? null : null
  }
}

/** The state first: a generation seen as ended then has all its items counted. */
async function viewOf (
  { jobs, store }: Parts, { _id, spec }: JobRecord<GenerationSpec>
): Promise<Generation> {
  const view = await jobs.view(_id)
  const [itemCount, rejectionCount] = await Promise.all([store.countItems(_id), store.countRejections(_id)])
  return { id: _id, ...spec, itemCount, rejectionCount, ...view }
}
