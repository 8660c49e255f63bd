/** Takes a bank in, or finds the import that is the same. */
import { Readable } from 'node:stream'
import { idOf } from '../../../shared/contracts/hash.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { displayName } from '../../../shared/text/file-name.ts'
import { containerOf } from './domain/container.ts'
import { importVersion } from './domain/finish-row.ts'
import type { ImportParts, ImportSpec } from './parts.ts'
import type { SentFile, SentPaper } from './take-in.ts'

type Sent = SentFile | SentPaper
interface Opened { id: string, created: boolean }

/**
 * The file is kept before the job is opened: once this resolves nothing can be lost.
 *
 * @throws Problem not-a-bank, bank-damaged, queue-full; of a paper not-finished and why it has no document
 */
export async function openImport (parts: ImportParts, sent: Sent): Promise<Opened> {
  return 'paperId' in sent ? await openExam(parts, sent) : await openFile(parts, sent)
}

async function openFile (parts: ImportParts, sent: SentFile): Promise<Opened> {
  const { bytes, contentHash, fileName, options } = sent
  if (options.format === 'exam-pdf') throw notAnExam()
  const container = containerOf(bytes)
  const id = idOf('bankImport', { contentHash, options, importVersion })
  if (await parts.jobs.find(id) !== undefined) return { id, created: false }
  await parts.jobs.admit(id)
  await parts.blobs.put(Readable.from(slices(bytes)))
  return await opened(parts, id, { fileName: displayName(fileName, 'unnamed'), contentHash, container, options, paperId: null })
}

async function openExam (parts: ImportParts, { paperId, options }: SentPaper): Promise<Opened> {
  const { state, documentHash, fileName } = await parts.parsing.getPaper(paperId)
  if (documentHash === null) {
    throw new Problem(state === 'failed' || state === 'cancelled' ? 'conflict' : 'not-finished', `Paper ${paperId} is ${state} and has no document; GET /v1/papers/${paperId}?wait=60 says more.`)
  }
  const id = idOf('bankImport', { contentHash: documentHash, paperId, options, importVersion })
  return await opened(parts, id, { fileName, contentHash: documentHash, container: 'pdf', options: { ...options, format: 'exam-pdf' }, paperId })
}

async function opened ({ jobs }: ImportParts, id: string, spec: ImportSpec): Promise<Opened> {
  const { created } = await jobs.open(id, spec)
  return { id, created }
}

function notAnExam (): Problem {
  return new Problem('invalid-request', 'An exam is read by parsing: POST the PDF to /v1/papers, then import {"paperId": "…"}.', {
    errors: [{ pointer: '/body/options/format', detail: 'must not be exam-pdf for a file' }]
  })
}

/** In parts, so that hashing and writing let others in between. */
function * slices (bytes: Buffer): Generator<Buffer> {
  const step = 2 ** 20
  for (let at = 0; at < bytes.byteLength; at += step) yield bytes.subarray(at, at + step)
}
