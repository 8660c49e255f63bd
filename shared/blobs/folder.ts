/**
 * Blobs in a folder: `<dir>/ab/cd/<id>`, and `<dir>/tmp` for what is being written. A blob appears
 * under its name only once it is whole and on the disk.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { answering, codeOf, isBlobId, writeAside, type Stored } from './aside.ts'
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
