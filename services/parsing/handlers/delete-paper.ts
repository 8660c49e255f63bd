/** Takes a paper and everything made of it away. */
import { paperReader } from './get-paper.ts'
import type { Parts } from './parts.ts'

/**
 * From the first write on the paper answers 410; the rest takes away what this life of it had.
 * Repeating it finishes a deletion that a crash cut short; any number of replicas may do so at once,
 * however late.
 *
 * @throws Problem paper-not-found; paper-deleted when it is gone already
 */
export async function deletePaper (parts: Parts, paperId: string): Promise<void> {
  const { papers, jobs } = parts
  if (await papers.find(paperId) === undefined) await paperReader(parts).job(paperId)
  const { life, jobIds } = await papers.leave(paperId)
  for (const jobId of jobIds) {
    await jobs.cancel(jobId)
    await jobs.delete(jobId)
  }
  await papers.purge(life)
  await papers.end(life)
}
