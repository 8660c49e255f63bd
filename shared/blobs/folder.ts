/**
 * Blobs in a folder: `<dir>/ab/cd/<id>`, and `<dir>/tmp` for what is being written. A blob appears
 * under its name only once it is whole and on the disk.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Problem } from '../errors/problem.ts'
import type { Blobs } from './blobs.ts'

/**
 * Untouched for longer, a file in tmp is nobody's: an upload that stands still is cut before. Nothing
 * else can tell: processes in other containers, perhaps with our host name and our number, write
 * there too.
 */
const staleMs = 15 * 60 * 1_000

/**
 * @param dir  made when missing; any number of processes may share it
 * @throws Problem store-unavailable when the folder cannot be made or read
 */
export async function folderBlobs (dir: string): Promise<Blobs> {
  const tmp = join(dir, 'tmp')
  await answering(dir, async () => await sweep(tmp))
  let sweptAt = performance.now()
  const pathOf = (id: string): string => join(folderOf(dir, id), id)

  return {
    async put (content, bytesMax = Infinity) {
      return await answering(dir, async () => {
        if (performance.now() - sweptAt > staleMs) {
          sweptAt = performance.now()
          await sweep(tmp)
        }
        const aside = join(tmp, randomUUID())
        try {
          const stored = await writeAside(aside, content, bytesMax)
          await moveInto(dir, aside, stored.id)
          return stored
        } finally {
          await rm(aside, { force: true })
        }
      })
    },
    async find (id) {
      if (!isBlobId(id)) return undefined
      return await answering(dir, async () => await unlessMissing(readFile(pathOf(id))))
    },
    async stream (id) {
      if (!isBlobId(id)) return undefined
      // Opened before it is handed out, so that a missing one is undefined and no later error.
      const file = await answering(dir, async () => await unlessMissing(open(pathOf(id))))
      return file === undefined ? undefined : createReadStream('', { fd: file })
    },
    async has (id) {
      if (!isBlobId(id)) return false
      return await answering(dir, async () => await unlessMissing(stat(pathOf(id)))) !== undefined
    },
    async delete (id) {
      if (!isBlobId(id)) return
      await answering(dir, async () => {
        await rm(pathOf(id), { force: true })
        await unlessMissing(syncFolder(folderOf(dir, id)))
      })
    }
  }
}

/** Whatever else is asked for is unknown, and never part of a path. */
function isBlobId (id: unknown): id is string {
  return typeof id === 'string' && /^[0-9a-f]{64}$/.test(id)
}

function folderOf (dir: string, id: string): string {
  return join(dir, id.slice(0, 2), id.slice(2, 4))
}

async function writeAside (
  aside: string, content: Uint8Array | Readable, bytesMax: number
): Promise<{ id: string, bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(aside, 'wx')
  try {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk as Uint8Array
      bytes += piece.length
      if (bytes > bytesMax) {
        throw new Problem('body-too-large', `The file is longer than the ${bytesMax} bytes allowed.`)
      }
      hash.update(piece)
      await writeAll(file, piece)
    }
    await file.sync()
  } finally {
    await file.close()
    // A stream that was not read to its end would keep its source open.
    if (content instanceof Readable) content.destroy()
  }
  return { id: hash.digest('hex'), bytes }
}

/** One call may write less than it was given. */
async function writeAll (file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let offset = 0; offset < piece.length;) {
    offset += (await file.write(piece, offset)).bytesWritten
  }
}

/** Renames within one file system; the folders are synced because a name is their content. */
async function moveInto (dir: string, aside: string, id: string): Promise<void> {
  const folder = folderOf(dir, id)
  const made = await mkdir(folder, { recursive: true })
  await rename(aside, join(folder, id))
  await syncFolder(folder)
  if (made !== undefined) {
    await syncFolder(join(folder, '..'))
    await syncFolder(dir)
  }
}

async function syncFolder (folder: string): Promise<void> {
  // Windows cannot open a folder, and keeps names in its journal.
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Removes what dead processes left half written; live ones may be at work in the same folder. How
 * old a file is goes by the clock of the file system, which all of them share.
 */
async function sweep (tmp: string): Promise<void> {
  await mkdir(tmp, { recursive: true })
  const probe = join(tmp, randomUUID())
  try {
    await writeFile(probe, '')
    const { mtimeMs: now } = await stat(probe)
    for (const name of await readdir(tmp)) {
      const file = join(tmp, name)
      const info = await unlessMissing(stat(file))
      if (info !== undefined && now - info.mtimeMs > staleMs) await rm(file, { force: true })
    }
  } finally {
    await rm(probe, { force: true })
  }
}

async function unlessMissing<T> (answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw cause
  }
}

/** Faults of the disk as problems; others, such as those of the stream being read, as they are. */
async function answering<T> (dir: string, work: () => Promise<T>): Promise<T> {
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

function codeOf (cause: unknown): string {
  return String((cause as { code?: unknown } | null)?.code ?? '')
}
