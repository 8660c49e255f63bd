/** What every adapter of Blobs does with bytes whose id is known only after the last of them. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Problem } from '../errors/problem.ts'

export interface Stored { id: string, bytes: number }

/** Whatever else is asked for is unknown, and never part of a path or key. */
export function isBlobId (id: unknown): id is string {
  return typeof id === 'string' && /^[0-9a-f]{64}$/.test(id)
}

/**
 * Writes what comes into a file while hashing it; the file and its removal are the caller's.
 *
 * @throws Problem body-too-large as soon as more than `bytesMax` came; the source is let go
 */
export async function writeAside (
  file: FileHandle, content: Uint8Array | Readable, bytesMax: number
): Promise<Stored> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk as Uint8Array
      bytes += piece.length
      if (bytes > bytesMax) throw tooLong(bytesMax)
      hash.update(piece)
      await writeAll(file, piece)
    }
  } finally {
    // A stream that was not read to its end would keep its source open.
    if (content instanceof Readable) content.destroy()
  }
  return { id: hash.digest('hex'), bytes }
}

export function tooLong (bytesMax: number): Problem {
  return new Problem('body-too-large', `The file is longer than the ${bytesMax} bytes allowed.`)
}

/** One call may write less than it was given. */
async function writeAll (file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let offset = 0; offset < piece.length;) {
    offset += (await file.write(piece, offset)).bytesWritten
  }
}

/** Faults of the disk as problems; others, such as those of the stream being read, as they are. */
export async function answering<T> (dir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new Problem('disk-full', `There is no space left in ${dir}; nothing was stored. Free some and try again.`, { cause })
    }
    if (/^E(ACCES|PERM|ROFS|IO|MFILE|NFILE|NOTDIR|EXIST|ISDIR|NOENT)$/.test(code)) {
      throw new Problem('store-unavailable', `${dir} cannot be read or written (${code}): check the disk and the rights of the folder.`, { cause })
    }
    throw cause
  }
}

export function codeOf (cause: unknown): string {
  return String((cause as { code?: unknown } | null)?.code ?? '')
}
