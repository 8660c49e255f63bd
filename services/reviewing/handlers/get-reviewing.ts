/** A reviewing as it stands, always counted anew from the store. */
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import { verdicts, type Reviewing, type Verdict } from '../../../shared/contracts/review.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { JobRecord, Jobs } from '../../../shared/tasks/tasks.ts'
import type { ReviewingStore } from '../store.ts'
import type { ReviewingSpec } from './review-paper.ts'

export interface ReadParts { jobs: Jobs<ReviewingSpec>, store: ReviewingStore }

/** @throws Problem reviewing-not-found */
export async function getJob (
  jobs: Jobs<ReviewingSpec>, reviewingId: string
): Promise<JobRecord<ReviewingSpec>> {
  const job = await jobs.find(reviewingId)
  if (job !== undefined) return job
  throw new Problem('reviewing-not-found', `There is no reviewing ${reviewingId}; GET /v1/reviewings lists those there are.`)
}

/** @param waitSeconds  how long to wait for it to end, 0 to 60 */
export async function getReviewing (
  parts: ReadParts, reviewingId: string, waitSeconds = 0
): Promise<Reviewing> {
  const job = await getJob(parts.jobs, reviewingId)
  if (waitSeconds > 0) await parts.jobs.wait(reviewingId, waitSeconds * 1000)
  return await viewOf(parts, job)
}

export async function listReviewings (
  parts: ReadParts, { cursor, limit }: PageRequest
): Promise<Page<Reviewing>> {
  if (cursor !== undefined && !/^rvg_[0-9a-f]{32}$/.test(cursor)) {
    throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
  }
  const found = await parts.jobs.list({ limit: limit + 1, ...cursor !== undefined && { after: cursor } })
  const items = found.slice(0, limit)
  return {
    items: await Promise.all(items.map(async job => await viewOf(parts, job))),
    nextCursor: found.length > limit ? items.at(-1)!._id : null
  }
}

async function viewOf (
  { jobs, store }: ReadParts, { _id, spec: { source, recipe } }: JobRecord<ReviewingSpec>
): Promise<Reviewing> {
  const [view, counts, ineligibleCount] = await Promise.all([
    jobs.view(_id), store.countByVerdict(_id), store.countReviewedItems({ reviewingId: _id, eligible: false })
  ])
  const verdictCounts = Object.fromEntries(
    verdicts.map(verdict => [verdict, counts[verdict] ?? 0])) as Record<Verdict, number>
  return { id: _id, source, recipe, ...view, verdictCounts, ineligibleCount }
}
