/** A run as it stands, counted from the store. */
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import type { Run } from '../../../shared/contracts/run.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import type { RunSpec } from '../domain/plan.ts'
import type { Parts } from './parts.ts'

type ReadParts = Pick<Parts, 'jobs' | 'store'>

/** @throws Problem run-not-found */
export async function getRunJob ({ jobs }: Pick<Parts, 'jobs'>, runId: string): Promise<JobRecord<RunSpec>> {
  const job = await jobs.find(runId)
  if (job !== undefined) return job
  throw new Problem('run-not-found', `There is no run ${runId}; GET /v1/runs lists those there are.`)
}

/** @param waitSeconds  how long to wait for its end, 0 to 60 */
export async function getRun (parts: ReadParts, runId: string, waitSeconds = 0): Promise<Run> {
  const job = await getRunJob(parts, runId)
  if (waitSeconds > 0) await parts.jobs.wait(runId, waitSeconds * 1000)
  return await viewOf(parts, job)
}

/** In ascending id. */
export async function listRuns (parts: ReadParts, { cursor, limit }: PageRequest): Promise<Page<Run>> {
  if (cursor !== undefined && !/^run_[0-9a-f]{32}$/.test(cursor)) {
    throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
  }
  const found = await parts.jobs.list({ limit: limit + 1, ...cursor !== undefined && { after: cursor } })
  const jobs = found.slice(0, limit)
  return {
    items: await Promise.all(jobs.map(async job => await viewOf(parts, job))),
    nextCursor: found.length > limit ? jobs.at(-1)!._id : null
  }
}

async function viewOf ({ jobs, store }: ReadParts, { _id, spec }: JobRecord<RunSpec>): Promise<Run> {
  const [view, outcomes] = await Promise.all([jobs.view(_id), store.countOutcomes(_id)])
  const { benchmarkId, model, condition } = spec
  return { id: _id, benchmarkId, model, condition, ...view, outcomes }
}
