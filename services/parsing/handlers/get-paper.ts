import type { Paper } from '../../../shared/contracts/paper.ts'
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import type { PaperSpec } from '../store.ts'
import type { Parts } from './parts.ts'

/** @throws Problem paper-not-found, paper-deleted */
export async function getJob ({ papers, jobs }: Parts, paperId: string): Promise<JobRecord<PaperSpec>> {
  await papers.present(paperId)
  const job = await jobs.find(paperId)
  if (job === undefined) throw new Problem('paper-not-found', `There is no paper ${paperId}; GET /v1/papers lists what there is.`)
  return job
}

/** @param waitSeconds how long to wait for the end of parsing */
export async function getPaper (parts: Parts, paperId: string, waitSeconds = 0): Promise<Paper> {
  const job = await getJob(parts, paperId)
  if (waitSeconds > 0) await parts.jobs.wait(paperId, waitSeconds * 1_000)
  return await paperOf(parts, job)
}

/** In ascending id; a paper that is being deleted is not listed. */
export async function listPapers (parts: Parts, { cursor, limit }: PageRequest): Promise<Page<Paper>> {
  if (cursor !== undefined && !/^pap_[0-9a-f]{32}$/u.test(cursor)) {
    throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged.')
  }
  const found = await parts.jobs.list({ ...cursor !== undefined && { after: cursor }, limit: limit + 1 })
  const jobs = found.slice(0, limit)
  const papers = await Promise.all(jobs.map(async job =>
    await paperOf(parts, job).catch(cause => {
      // Deleted since the jobs were read.
      if (cause instanceof Problem && ['paper-deleted', 'not-found'].includes(cause.kind)) return undefined
      throw cause
    })))
  return {
    items: papers.filter(paper => paper !== undefined),
    nextCursor: found.length > limit ? jobs.at(-1)?._id ?? null : null
  }
}

async function paperOf ({ papers, jobs }: Parts, { _id, spec }: JobRecord<PaperSpec>): Promise<Paper> {
  // The state first: a paper seen as succeeded then has its document.
  const view = await jobs.view(_id)
  const { title, documentHash, warnings } = await papers.present(_id)
  const { fileName, bytes, format } = spec
  return { id: _id, fileName, bytes, format, title, documentHash, warnings, ...view }
}
