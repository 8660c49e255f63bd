/** Cancels a reviewing, or takes up again what failed or was cancelled. */
import type { Reviewing } from '../../../shared/contracts/review.ts'
import { getJob, getReviewing, type ReadParts } from './get-reviewing.ts'

export async function cancelReviewing (parts: ReadParts, reviewingId: string): Promise<Reviewing> {
  await getJob(parts.jobs, reviewingId)
  await parts.jobs.cancel(reviewingId)
  return await getReviewing(parts, reviewingId)
}

export async function retryReviewing (parts: ReadParts, reviewingId: string): Promise<Reviewing> {
  await getJob(parts.jobs, reviewingId)
  await parts.jobs.retry(reviewingId)
  return await getReviewing(parts, reviewingId)
}
