/**
 * Files of an archive, from memory into memory: gzip with a tar or with one file in it, tar, zip.
 * Nothing is written to disk, links and devices are not followed, archives within are not opened,
 * and what is inflated is counted as it comes, so that a bomb is stopped early.
 */
import { crc32, createGunzip } from 'node:zlib'
import { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { fromBufferPromise, type Entry } from 'yauzl'
import { Problem } from '../../../shared/errors/problem.ts'
import type { DocumentWarning } from '../../../shared/contracts/document.ts'
import { cleanText } from '../domain/clean-text.ts'
import { checkName, foldedName } from './archive-names.ts'

export interface ArchiveLimits {
  entriesMax: number
  /** Inflated, in all; entries that are not kept count too. */
  bytesMax: number
  /** Inflated bytes for one of the archive, beyond `ratioFreeBytes`. */
  ratioMax: number
  ratioFreeBytes: number
}

export const archiveLimits: ArchiveLimits = {
  entriesMax: 2_000, bytesMax: 200_000_000, ratioMax: 100, ratioFreeBytes: 10_000_000
}

export interface Archive {
  kind: 'gzip' | 'tar' | 'zip'
  /** Names have slashes and no leading "./"; the one file of a gzip is called "". */
  files: Map<string, Uint8Array>
  warnings: DocumentWarning[]
}

export interface ArchiveOptions {
  limits?: ArchiveLimits
  /** Which files are kept in memory; default all. */
  wanted?: (name: string) => boolean
}

/** Skipped entries that are named one by one in the warnings. */
const namedMax = 20
/** A tar's magic ends here. */
export const archiveMagicBytes = 262

/** @param start at least the first `archiveMagicBytes` of a file, if it has so many */
export function archiveKind (start: Uint8Array): Archive['kind'] | undefined {
  const [a, b, c, d] = start
  if (a === 0x1F && b === 0x8B) return 'gzip'
  if (a === 0x50 && b === 0x4B && ((c === 3 && d === 4) || (c === 5 && d === 6))) return 'zip'
  return isTar(start) ? 'tar' : undefined
}

function isTar (start: Uint8Array): boolean {
  return Buffer.from(start.subarray(257, archiveMagicBytes)).toString('latin1') === 'ustar'
}

/**
 * @throws Problem archive-too-large, paper-encrypted, paper-damaged; not-a-paper for other bytes
 */
export async function readArchive (bytes: Uint8Array, options: ArchiveOptions = {}): Promise<Archive> {
  const kind = archiveKind(bytes)
  if (kind === undefined) throw new Problem('not-a-paper', 'The file is no archive that is read here; upload a .tar.gz, .tar, .gz or .zip.')
  const intake = takeIn(bytes.byteLength, options)
  try {
    if (kind === 'zip') await readZip(bytes, intake)
    else if (kind === 'tar') await readTar(slices(bytes), intake)
    else await readGzip(bytes, intake)
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    const why = cause instanceof Error ? cleanText(cause.message).slice(0, 120) : ''
    throw new Problem('paper-damaged', `The archive cannot be read (${why}); make it anew and upload it whole.`, { cause })
  }
  return { kind, files: intake.files, warnings: intake.warnings() }
}

type Intake = ReturnType<typeof takeIn>
type Chunks = Iterable<Buffer> | AsyncIterable<Buffer>

/** Counts what comes in and decides what stays. */
function takeIn (packedBytes: number, { limits = archiveLimits, wanted = () => true }: ArchiveOptions) {
  const files = new Map<string, Uint8Array>()
  const folded = new Set<string>()
  const skipped: string[] = []
  let bytes = 0
  let entries = 0
  return {
    files,
    entry () {
      if (++entries > limits.entriesMax) throw new Problem('archive-too-large', `The archive has more than ${limits.entriesMax} entries; upload the sources of one paper alone.`)
    },
    count (more: number) {
      bytes += more
      const over = bytes > limits.bytesMax
        ? `more than ${limits.bytesMax / 1e6} MB`
        : bytes > limits.ratioFreeBytes && bytes > limits.ratioMax * packedBytes
          ? `more than ${limits.ratioMax} times its size`
          : undefined
      if (over !== undefined) throw new Problem('archive-too-large', `The archive inflates to ${over}; leave out data and raw images, and upload it again.`)
    },
    /** The name under which an entry is kept, or undefined. */
    claim (raw: string): string | undefined {
      const verdict = checkName(raw)
      if (!verdict.taken) {
        if (verdict.why !== undefined) skipped.push(`${shown(raw)} ${verdict.why}`)
        return undefined
      }
      if (folded.has(foldedName(verdict.name))) {
        skipped.push(`${shown(raw)} has the name of another entry, up to case`)
        return undefined
      }
      folded.add(foldedName(verdict.name))
      return wanted(verdict.name) ? verdict.name : undefined
    },
    skip (raw: string, why: string) {
      skipped.push(`${shown(raw)} ${why}`)
    },
    warnings (): DocumentWarning[] {
      const named = skipped.slice(0, namedMax).map(detail =>
        ({ code: 'archive-entry-skipped', detail: `Entry ${detail}; it was left out.` }))
      const rest = skipped.length - named.length
      return rest > 0 ? [...named, { code: 'archive-entry-skipped', detail: `${rest} more entries were left out for like reasons.` }] : named
    }
  }
}

function shown (name: string): string {
  return `"${cleanText(name).slice(0, 80)}"`
}

/** In parts, so that work stops soon after a limit is met. */
function * slices (bytes: Uint8Array): Generator<Buffer> {
  const step = 65_536
  for (let at = 0; at < bytes.byteLength; at += step) {
    yield Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(step, bytes.byteLength - at))
  }
}

async function readGzip (bytes: Uint8Array, intake: Intake): Promise<void> {
  const inflated = Readable.from(slices(bytes)).pipe(createGunzip())
  const chunks: Buffer[] = []
  let length = 0
  const parts = inflated[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  while (length < archiveMagicBytes) {
    const { done, value } = await parts.next()
    if (done === true) break
    chunks.push(value)
    length += value.byteLength
  }
  const rest = { [Symbol.asyncIterator]: () => parts }
  if (isTar(Buffer.concat(chunks))) {
    await readTar(both(chunks, rest), intake)
    return
  }
  intake.entry()
  intake.count(length)
  for await (const chunk of rest) {
    intake.count(chunk.byteLength)
    chunks.push(chunk)
  }
  intake.files.set('', Buffer.concat(chunks))
}

async function * both (first: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield * first
  yield * rest
}

async function readTar (source: Chunks, intake: Intake): Promise<void> {
  const unpack = extract()
  const stream = Readable.from(counted(source, intake))
  stream.on('error', cause => unpack.destroy(cause))
  stream.pipe(unpack)
  for await (const entry of unpack) {
    intake.entry()
    const { name, type } = entry.header
    const plain = type === 'file' || type === 'contiguous-file'
    if (!plain && type !== 'directory') intake.skip(name, `is no file (${type ?? 'unknown type'})`)
    const kept = plain ? intake.claim(name) : undefined
    const chunks: Uint8Array[] = []
    for await (const chunk of entry as AsyncIterable<Uint8Array>) if (kept !== undefined) chunks.push(chunk)
    if (kept !== undefined) intake.files.set(kept, Buffer.concat(chunks))
  }
}

async function * counted (source: Chunks, intake: Intake): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    intake.count(chunk.byteLength)
    yield chunk
  }
}

async function readZip (bytes: Uint8Array, intake: Intake): Promise<void> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // Names are ours to judge: the library would refuse the whole archive for one of them.
  const zip = await fromBufferPromise(buffer, { lazyEntries: true, decodeStrings: false })
  for await (const entry of zip.eachEntry()) {
    intake.entry()
    const name = zipName(entry)
    if (name.endsWith('/')) continue
    const fileType = (entry.externalFileAttributes >>> 16) & 0o170000
    if (fileType !== 0 && fileType !== 0o100000 && entry.versionMadeBy >>> 8 === 3) {
      intake.skip(name, 'is no file (link or device)')
      continue
    }
    if (entry.isEncrypted()) throw new Problem('paper-encrypted', 'The archive needs a password; upload one without.')
    const kept = intake.claim(name)
    if (kept === undefined) continue
    const stream = await zip.openReadStreamPromise(entry)
    intake.files.set(kept, await inflated(entry, stream, intake))
  }
}

async function inflated (entry: Entry, stream: Readable, intake: Intake): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let sum = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    intake.count(chunk.byteLength)
    sum = crc32(chunk, sum)
    chunks.push(chunk)
  }
  if (sum !== entry.crc32) throw new Error('checksum of an entry is wrong')
  return Buffer.concat(chunks)
}

/** UTF-8 where it is that; else one character a byte, which never makes a name dangerous. */
function zipName (entry: Entry): string {
  const raw = entry.fileName as unknown as Buffer
  const text = raw.toString('utf8')
  return text.includes('\uFFFD') ? raw.toString('latin1') : text
}
