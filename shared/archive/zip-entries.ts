/**
 * Entries of a zip in memory, one at a time: stored, deflated, or zstandard (method 93, which inspect-ai
 * writes). Nothing is written to disk, names only say what an entry is, and what is inflated is counted as
 * it comes, so that a bomb is stopped early.
 */
import { crc32 } from 'node:zlib'
import { Decompress } from 'fzstd'
import { fromBufferPromise, type Entry } from 'yauzl'
import { Problem, type ProblemKind } from '../errors/problem.ts'

const zstandard = 93

/** `size` is what its header claims it inflates to; `bytes` may give more, up to the limits. */
export interface ZipFile { name: string, size: number, bytes: () => Promise<Buffer> }

export interface ZipLimits {
  entries: number
  /** Of one entry. */
  entryBytes: number
  /** Of all that are read together. */
  inflatedBytes: number
  /** Inflated bytes for one of the zip, beyond `ratioFreeBytes`. */
  ratio: number
  ratioFreeBytes: number
}

export interface ZipOptions {
  limits: ZipLimits
  /** What a zip that cannot be read is, and what the caller calls it. */
  damage: ProblemKind
  what: string
}

/**
 * @throws Problem limit-exceeded, and `damage`
 */
export async function * entriesOf (zip: Buffer, options: ZipOptions): AsyncGenerator<ZipFile> {
  const { limits, what } = options
  const names = new Set<string>()
  const counted = { bytes: 0, packed: zip.byteLength }
  const damaged = damagedBy(options)
  const archive = await fromBufferPromise(zip, { lazyEntries: true, decodeStrings: false }).catch(damaged)
  const entries = archive.eachEntry()[Symbol.asyncIterator]()
  for (;;) {
    const next = await entries.next().catch(damaged)
    if (next.done === true) return
    const entry = next.value
    const name = (entry.fileName as unknown as Buffer).toString('utf8')
    if (names.size >= limits.entries) throw tooLarge(`more than ${limits.entries} entries`, what)
    if (names.has(name)) throw new Problem(options.damage, `The zip has two entries of the name "${shown(name)}"; write the ${what} anew.`)
    names.add(name)
    const inflating = { ...options, name, counted }
    const bytes = async () => await inflate(archive, entry, inflating).catch(damaged)
    yield { name, size: entry.uncompressedSize, bytes }
  }
}

interface Inflating extends ZipOptions { name: string, counted: { bytes: number, packed: number } }

type Archive = Awaited<ReturnType<typeof fromBufferPromise>>

async function inflate (archive: Archive, entry: Entry, inflating: Inflating): Promise<Buffer> {
  const { name, counted, damage, what } = inflating
  if (entry.isEncrypted()) throw new Problem(damage, `Entry "${shown(name)}" is encrypted; send a ${what} without a password.`)
  const packed = entry.compressionMethod === zstandard
  if (!packed && entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw new Problem(damage, `Entry "${shown(name)}" is compressed by method ${entry.compressionMethod}; stored, deflate and zstandard are read.`)
  }
  const parts: Buffer[] = []
  let own = 0
  let sum = 0
  const take = (part: Uint8Array) => {
    own += part.byteLength
    counted.bytes += part.byteLength
    refuseBomb(own, inflating)
    sum = crc32(part, sum)
    parts.push(Buffer.from(part))
  }
  const stream = await archive.openReadStreamPromise(entry, packed ? { decodeFileData: false } : {})
  if (packed) {
    const decoder = new Decompress(take)
    for await (const chunk of stream as AsyncIterable<Buffer>) decoder.push(chunk)
    decoder.push(new Uint8Array(0), true)
  } else {
    for await (const chunk of stream as AsyncIterable<Buffer>) take(chunk)
  }
  if (sum !== entry.crc32) throw new Error('the checksum of an entry is wrong')
  return Buffer.concat(parts)
}

function refuseBomb (own: number, { counted: { bytes, packed }, limits, what }: Inflating): void {
  if (own > limits.entryBytes) throw tooLarge(`an entry of more than ${limits.entryBytes / 2 ** 20} MiB`, what)
  if (bytes > limits.inflatedBytes) throw tooLarge(`more than ${limits.inflatedBytes / 2 ** 20} MiB`, what)
  if (bytes > limits.ratioFreeBytes && bytes > limits.ratio * packed) throw tooLarge(`more than ${limits.ratio} times its size`, what)
}

function tooLarge (measure: string, what: string): Problem {
  return new Problem('limit-exceeded', `The zip inflates to ${measure}; split the ${what}, or send it without attachments.`)
}

function damagedBy ({ damage, what }: ZipOptions): (cause: unknown) => never {
  return cause => {
    if (cause instanceof Problem) throw cause
    const why = cause instanceof Error ? cause.message.slice(0, 120) : ''
    throw new Problem(damage, `The zip cannot be read (${shown(why)}); write the ${what} anew and send it whole.`, { cause })
  }
}

/** A name or message that stands in ours: no control characters, not long. */
function shown (text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '\uFFFD').slice(0, 80)
}
