import { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import { prefixes } from '../../../shared/contracts/hash.ts'
import type { Domain } from '../../../shared/contracts/domain.ts'
import type { Paper } from '../../../shared/contracts/paper.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { displayName } from '../../../shared/text/file-name.ts'
import { declaredBy } from '../domain/declared.ts'
import { bytesToSee, recognise, type Declared } from '../domain/recognise.ts'
import { ownEngine, readingIdOf, readingKey } from '../domain/reading.ts'
import type { PaperFile } from '../store.ts'
import { paperReader } from './get-paper.ts'
import type { Parts } from './parts.ts'

/**
 * Stores the one file of a form and opens the job that parses it; accepted once this resolves. The
 * same bytes are the same paper, whatever their name and declared type; a deleted one comes back.
 *
 * @param wish what the request says; of the format else the Content-Type of the part says it
 * @throws Problem invalid-request, paper-empty, not-a-paper, body-too-large, queue-full; not-finished
 *         while the same paper is being deleted
 */
export async function uploadPaper (
  parts: Parts, form: AsyncIterable<Multipart>, wish: Wish = {}
): Promise<{ created: boolean, paper: Paper }> {
  parts.pool.warm()
  let spec: PaperFile | undefined
  try {
    for await (const part of asSent(form)) {
      if (part.type !== 'file' || part.fieldname !== 'file') {
        if (part.type === 'file') part.file.resume()
        throw new Problem('invalid-request', 'The form has a part that is not known here; send one file in a part named "file" and nothing else.', {
          errors: [{ pointer: '/body', detail: 'must be one file named "file"' }]
        })
      }
      spec = await storeFile(parts, part.file, {
        name: part.filename, declared: wish.format ?? declaredBy(part)
      })
    }
  } catch (cause) {
    if (spec !== undefined) await parts.papers.dropUnused(spec.blobId)
    throw cause
  }
  if (spec === undefined) {
    throw new Problem('invalid-request', 'The form has no file; send the paper in a part named "file".', {
      errors: [{ pointer: '/body/file', detail: 'is missing' }]
    })
  }
  return await openPaper(parts, spec, wish)
}

/** How a paper is to be read. */
export interface Wish { format?: Declared, engine?: string, ocr?: boolean, domain?: Domain }

/** @throws Problem invalid-request for an engine that is not configured */
export function checkWish ({ engines }: Pick<Parts, 'engines'>, { engine = ownEngine }: Wish): void {
  const names = [ownEngine, ...engines.names]
  if (names.includes(engine)) return
  throw new Problem('invalid-request', `There is no engine "${engine}" here; there is ${names.join(', ')}. External ones are set in PARSER_ENGINES.`, {
    errors: [{ pointer: '/query/engine', detail: `must be one of ${names.join(', ')}` }]
  })
}

export interface Sent { name: string | undefined, declared: Declared }

export async function storeFile (
  parts: Parts, content: Readable, { name, declared }: Sent
): Promise<PaperFile> {
  // Not destroyed when we stop early: the rest of the form still has to flow through it.
  const chunks = asSent<Buffer>(content.iterator({ destroyOnReturn: false }))
  try {
    const start = await startOf(chunks)
    if (start.byteLength === 0) {
      throw new Problem('paper-empty', 'The file has no bytes; choose it again and send it whole.')
    }
    const recognised = recognise(start, declared)
    if ('fault' in recognised) throw new Problem('not-a-paper', recognised.fault)
    const whole = Readable.from(joined(start, chunks), { objectMode: false })
    const { id: blobId, bytes } = await parts.blobs.put(whole, parts.uploadBytesMax)
    return { fileName: displayName(name ?? '', 'unnamed.pdf'), bytes, format: recognised.format, blobId }
  } finally {
    await chunks.return?.(undefined)
    content.resume()
  }
}

/**
 * Opens the job of a file that is stored. Each step is right whatever other replicas do with this paper
 * in between.
 */
export async function openPaper (
  parts: Parts, file: PaperFile, wish: Wish
): Promise<{ created: boolean, paper: Paper }> {
  const { papers, jobs } = parts
  if (wish.engine !== undefined && wish.engine !== ownEngine && file.format !== 'pdf') {
    await papers.dropUnused(file.blobId)
    throw new Problem('invalid-request', `External engines read PDFs; this file is ${file.format}. Send it without ?engine=.`, {
      errors: [{ pointer: '/query/engine', detail: 'is for PDFs' }]
    })
  }
  const asked = {
    engine: wish.engine ?? ownEngine,
    ocr: wish.ocr === true && file.format === 'pdf',
    version: parts.ownVersion
  }
  const reading = { ...asked, ...wish.domain !== undefined && { domain: wish.domain } }
  const spec = { ...file, reading }
  const key = readingKey(reading, file.format)
  const paperId = `${prefixes.paper}_${spec.blobId.slice(0, 32)}`
  const life = await papers.lifeOfUpload(paperId)
  if (life !== undefined) {
    try {
      await jobs.admit(readingIdOf(life, key))
    } catch (full) {
      // Refused papers must not fill the disk.
      await papers.dropUnused(spec.blobId)
      throw full
    }
    // The file first: a paper whose file a deletion took meanwhile must stay deleted.
    if (await papers.keep(spec.blobId, life) && await papers.arrive(life, key)) {
      const { created } = await jobs.open(readingIdOf(life, key), spec)
      if (await papers.isPresent(life)) return { created, paper: await paperReader(parts).get(paperId) }
    }
    if (await papers.isOver(life)) {
      // Deleted before what we wrote was there to be deleted with it.
      await jobs.delete(readingIdOf(life, key))
      await papers.purge(life)
    }
  }
  await papers.dropUnused(spec.blobId)
  throw new Problem('not-finished', `Paper ${paperId} is being deleted; upload it again in a moment. If this stays so, send DELETE /v1/papers/${paperId} once more.`, { retryAfterSeconds: 2 })
}

/** What the caller sent; a form that cannot be read, or is cut short, is the caller's to mend. */
async function * asSent<T> (source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield * source
  } catch (cause) {
    // Those with a code say what they are.
    if (cause instanceof Problem || (cause as { code?: unknown } | null)?.code !== undefined) throw cause
    throw new Problem('invalid-request', `The form cannot be read: ${cause instanceof Error ? cause.message.slice(0, 200) : 'it is no multipart/form-data'}. Send it whole, with the boundary that its Content-Type names.`, { cause })
  }
}

/** As much of the file as it takes to recognise it. */
async function startOf (chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const first = await readOn(chunks, Buffer.alloc(0), bytesToSee(Buffer.alloc(0)))
  return await readOn(chunks, first, bytesToSee(first))
}

async function readOn (chunks: AsyncIterator<Buffer>, start: Buffer, wanted: number): Promise<Buffer> {
  const read = [start]
  for (let bytes = start.byteLength; bytes < wanted;) {
    const { done, value } = await chunks.next()
    if (done === true) break
    read.push(value)
    bytes += value.byteLength
  }
  return Buffer.concat(read)
}

async function * joined (start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield start
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}
