import { Problem } from '../../../shared/errors/problem.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import type { PaperSpec } from '../store.ts'
import type { Parts } from './parts.ts'

/** The one task of a paper's job: bytes from the blobs, through the parser, document to the store. */
export async function parsePaper (
  { papers, blobs, pool }: Pick<Parts, 'papers' | 'blobs' | 'pool'>, job: JobRecord<PaperSpec>, signal: AbortSignal
): Promise<void> {
  await papers.present(job._id)
  const bytes = await blobs.find(job.spec.blobId)
  if (bytes === undefined) throw new Problem('paper-not-found', 'The file of this paper is not stored any more; upload it again.')
  const parsed = await pool.parse(bytes, job._id, signal)
  signal.throwIfAborted()
  await papers.saveParsed(job._id, parsed)
}
