/**
 * What parsing keeps beside its jobs (a job holds the upload, so that accepting a paper is one
 * write): what became of each paper, every version of its document, and who uses which blob.
 */
import type { Document } from '../../shared/contracts/document.ts'
import type { Blobs } from '../../shared/blobs/blobs.ts'
import { sha256 } from '../../shared/contracts/hash.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { Collection, Doc, Store } from '../../shared/store/store.ts'
import type { Parsed } from './pool/messages.ts'

/** The upload, as the job has it. */
export interface PaperSpec { fileName: string, bytes: number, format: 'pdf', blobId: string }

/** `deleting` until everything of the paper is gone; a crash in between is finished by a second DELETE. */
export type Presence = 'present' | 'deleting' | 'deleted'

export interface PaperDoc extends Doc {
  presence: Presence
  documentHash: string | null
  title: string | null
  warnings: Document['warnings']
}

/** One version of a document; its JSON is a blob, since MongoDB's limit is 16 MB. */
export interface VersionDoc extends Doc {
  paperId: string
  blobId: string
  pages: number
  figures: Array<{ figureId: string, imageId: string }>
}

/** `_id` is `<blobId>#<paperId>`: two papers may hold the same image. */
interface BlobUse extends Doc { blobId: string, paperId: string }

export async function paperStore (store: Store, blobs: Blobs) {
  const papers = await store.collection<PaperDoc>('papers')
  const versions = await store.collection<VersionDoc>('documents', [{ keys: ['paperId'] }])
  const uses = await store.collection<BlobUse>('blob-uses', [{ keys: ['blobId'] }, { keys: ['paperId'] }])
  const use = async (blobId: string, paperId: string) =>
    await uses.insert({ _id: `${blobId}#${paperId}`, blobId, paperId })
  const busy = new Map<string, Promise<void>>()

  async function dropUnused (blobId: string): Promise<void> {
    if (await uses.count({ blobId }) > 0) return
    const content = await blobs.find(blobId)
    await blobs.delete(blobId)
    // Somebody may have noted a use and found the blob there just before it went.
    if (content !== undefined && await uses.count({ blobId }) > 0) await blobs.put(content)
  }

  return {
    papers,

    /** @throws Problem paper-deleted */
    async present (paperId: string): Promise<PaperDoc> {
      const paper = await papers.find(paperId)
      if (paper !== undefined && paper.presence !== 'present') {
        throw new Problem('paper-deleted', `Paper ${paperId} was deleted. Upload its file again to have it back.`)
      }
      return paper ?? unparsed(paperId)
    },

    /** Says that the paper is (again) here; false when it is just being deleted. */
    async arrive (paperId: string): Promise<boolean> {
      if (await papers.insert(unparsed(paperId))) return true
      if (await papers.update(paperId, { presence: 'deleted' }, { $set: { presence: 'present' } })) return true
      return (await papers.find(paperId))?.presence === 'present'
    },

    /** Notes that the paper uses a blob that is stored already; false when the blob is gone. */
    async keep (blobId: string, paperId: string): Promise<boolean> {
      await use(blobId, paperId)
      return await blobs.has(blobId)
    },

    /**
     * Stores what parsing gave. The version is written last but one, the paper last: whoever sees
     * a documentHash can read all of it. Doing it twice changes nothing.
     */
    async saveParsed (paperId: string, { json, summary, images }: Parsed): Promise<void> {
      // The use before the blob: a deletion of another paper that looks in between must see it.
      for (const { id, bytes } of images) await put(bytes, { id, paperId, use, blobs })
      const blobId = await put(json, { paperId, use, blobs })
      const { documentHash, title, warnings, pages, figures } = summary
      await versions.insert({ _id: documentHash, paperId, blobId, pages, figures })
      const saved = await papers.update(paperId, { presence: 'present' }, { $set: { documentHash, title, warnings } })
      if (!saved) throw new Problem('paper-deleted', `Paper ${paperId} was deleted while it was parsed.`)
    },

    /** One after the other within this process: uploading and deleting of the same paper. */
    async alone<T> (paperId: string, work: () => Promise<T>): Promise<T> {
      const before = busy.get(paperId)
      const turn = (before ?? Promise.resolve()).then(work, work)
      const settled = turn.then(() => undefined, () => undefined)
      busy.set(paperId, settled)
      try {
        return await turn
      } finally {
        if (busy.get(paperId) === settled) busy.delete(paperId)
      }
    },

    /** Removes a blob that no paper uses. */
    dropUnused,

    async findVersion (paperId: string, documentHash: string): Promise<VersionDoc | undefined> {
      const version = await versions.find(documentHash)
      return version?.paperId === paperId ? version : undefined
    },

    /** Removes all a paper has; blobs go unless another paper uses them. */
    async purge (paperId: string): Promise<void> {
      for await (const { _id } of eachOf(versions, paperId)) await versions.delete(_id)
      for await (const { _id, blobId } of eachOf(uses, paperId)) {
        await uses.delete(_id)
        await dropUnused(blobId)
      }
    }
  }
}

export type PaperStore = Awaited<ReturnType<typeof paperStore>>

function unparsed (paperId: string): PaperDoc {
  return { _id: paperId, presence: 'present', documentHash: null, title: null, warnings: [] }
}

interface Putting {
  id?: string
  paperId: string
  use: (blobId: string, paperId: string) => Promise<boolean>
  blobs: Blobs
}

async function put (bytes: Uint8Array, { id, paperId, use, blobs }: Putting): Promise<string> {
  const blobId = sha256(bytes)
  if (id !== undefined && id !== blobId) throw new Error(`Image ${id} does not have the hash it is named by`)
  await use(blobId, paperId)
  await blobs.put(bytes)
  return blobId
}

/** All documents of a paper, while they are being deleted: always the first page. */
async function * eachOf<T extends Doc> (collection: Collection<T>, paperId: string): AsyncGenerator<T> {
  for (;;) {
    const some = await collection.findMany({ paperId }, { limit: 500 })
    yield * some
    if (some.length < 500) return
  }
}
