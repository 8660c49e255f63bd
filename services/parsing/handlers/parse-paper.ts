import { Problem } from '../../../shared/errors/problem.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import { lifeOf } from '../domain/life.ts'
import { isNewer } from '../domain/reading.ts'
import type { PaperSpec } from '../store.ts'
import type { Parts } from './parts.ts'

/** The one task of a paper's job: bytes from the blobs, through the parser, document to the store. */
type Needed = Pick<Parts, 'papers' | 'blobs' | 'pool' | 'ownVersion'>

export async function parsePaper (
  { papers, blobs, pool, ownVersion }: Needed, job: JobRecord<PaperSpec>, signal: AbortSignal
): Promise<void> {
  const life = lifeOf(job._id)
  await papers.present(life.paperId)
  const { reading } = job.spec
  if (reading !== undefined && isNewer(reading, ownVersion)) {
    throw new Problem('service-unavailable', 'This was asked for by a newer version of the parser; it waits for a replica of that version.')
  }
  const bytes = await blobs.find(job.spec.blobId)
  if (bytes === undefined) {
    // A deletion that took it for unused puts it back: worth other attempts.
    throw new Problem('store-unavailable', 'The file of this paper is not among the blobs; upload it again, then retry.')
  }
  const parsed = await pool.parse(bytes, { paperId: life.paperId, format: job.spec.format }, signal)
  signal.throwIfAborted()
  await papers.saveParsed(job._id, parsed)
}
