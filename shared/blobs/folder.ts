/**
 * Blobs in a folder: `<dir>/ab/cd/<id>`, and `<dir>/tmp` for what is being written. A blob appears
 * under its name only once it is whole and on the disk.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { answering, codeOf, isBlobId, writeAside, type Stored } from './aside.ts'
import type { Blobs } from './blobs.ts'

/** Untouched for longer, a file in tmp is nobody's: an upload that stands still is cut before. */
const staleMs = 15 * 60 * 1_000

const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 16)
/** Tells this process from an earlier one with its number, as every restarted container has. */
const instance = randomUUID()

/**
 * @param dir  made when missing; processes of one host may share it
 * @throws Problem store-unavailable when the folder cannot be made or read
 */
export async function folderBlobs (dir: string): Promise<Blobs> {
  await answering(dir, async () => await sweep(join(dir, 'tmp')))
  const pathOf = (id: string): string => join(folderOf(dir, id), id)

  return {
    async put (content, bytesMax = Infinity) {
      return await answering(dir, async () => {
        const aside = join(dir, 'tmp', [host, process.pid, instance, randomUUID()].join('.'))
        try {
          const stored = await writeInto(aside, content, bytesMax)
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

function folderOf (dir: string, id: string): string {
  return join(dir, id.slice(0, 2), id.slice(2, 4))
}

async function writeInto (
  aside: string, content: Uint8Array | Readable, bytesMax: number
): Promise<Stored> {
  const file = await open(aside, 'wx')
  try {
    const stored = await writeAside(file, content, bytesMax)
    await file.sync()
    return stored
  } finally {
    await file.close()
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

/** Removes what dead processes left half written; a live one may be at work in the same folder. */
async function sweep (tmp: string): Promise<void> {
  await mkdir(tmp, { recursive: true })
  for (const name of await readdir(tmp)) {
    const file = join(tmp, name)
    const info = await unlessMissing(stat(file))
    const stale = info !== undefined && Date.now() - info.mtimeMs > staleMs
    if (stale || isOrphan(name)) await rm(file, { force: true })
  }
}

/** Whether the writer of this file ran on this host and runs no more. */
function isOrphan (name: string): boolean {
  const [itsHost, itsPid, itsInstance] = name.split('.')
  if (itsHost !== host) return false
  if (itsPid === String(process.pid)) return itsInstance !== instance
  try {
    process.kill(Number(itsPid), 0)
    return false
  } catch (cause) {
    return codeOf(cause) === 'ESRCH'
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
