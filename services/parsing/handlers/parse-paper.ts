import { Problem } from '../../../shared/errors/problem.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import { lifeOf } from '../domain/life.ts'
import { isNewer, ownEngine } from '../domain/reading.ts'
import type { PaperSpec } from '../store.ts'
import type { Parts } from './parts.ts'

type Needed = Pick<Parts, 'papers' | 'blobs' | 'pool' | 'ocr' | 'engines' | 'ownVersion'>

/**
 * The one task of a reading's job: bytes from the blobs, to the external engine if one is asked for,
 * through the parser, document to the store.
 */
export async function parsePaper (
  { papers, blobs, pool, ocr, engines, ownVersion }: Needed, job: JobRecord<PaperSpec>, signal: AbortSignal
): Promise<void> {
  const life = lifeOf(job._id)
  await papers.present(life.paperId)
  const { format, reading = { engine: ownEngine, ocr: false, version: ownVersion } } = job.spec
  if (isNewer(reading, ownVersion)) {
    throw new Problem('service-unavailable', 'This was asked for by a newer version of the parser; it waits for a replica of that version.')
  }
  const bytes = await blobs.find(job.spec.blobId)
  if (bytes === undefined) {
    // A deletion that took it for unused puts it back: worth other attempts.
    throw new Problem('store-unavailable', 'The file of this paper is not among the blobs; upload it again, then retry.')
  }
  const answer = reading.engine === ownEngine ? undefined : await engines.ask(reading.engine, bytes, signal)
  const paper = {
    paperId: life.paperId,
    format,
    ...answer !== undefined && { answer },
    ...reading.domain !== undefined && { domain: reading.domain }
  }
  const parsed = reading.ocr
    ? await ocr.pool.parse(bytes, { ...paper, ocr: ocr.options }, signal)
    : await pool.parse(bytes, paper, signal)
  signal.throwIfAborted()
  await papers.saveParsed(job._id, parsed)
}
