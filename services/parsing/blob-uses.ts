/** Who uses which blob: papers may share images and files, and the last to leave takes them along. */
import type { Blobs } from '../../shared/blobs/blobs.ts'
import { sha256 } from '../../shared/contracts/hash.ts'
import type { Collection, Doc, Store } from '../../shared/store/store.ts'
import { lifeIdOf, type Life } from './domain/life.ts'

/**
 * `_id` is `<blobId>#<life>`: two papers may hold the same image. `paperId` is the life's id. A use
 * that is `leaving` counts no more; it stays until its blob is gone, or found in use, so that a
 * deletion cut short finds it again.
 */
interface BlobUse extends Doc { blobId: string, paperId: string, leaving?: true }

const page = 500

export async function openBlobUses (store: Store, blobs: Blobs) {
  const uses = await store.collection<BlobUse>('blob-uses', [{ keys: ['blobId'] }, { keys: ['paperId'] }])

  async function note (blobId: string, life: Life): Promise<void> {
    const paperId = lifeIdOf(life)
    await uses.insert({ _id: `${blobId}#${paperId}`, blobId, paperId })
  }

  async function isUsed (blobId: string): Promise<boolean> {
    return await uses.count({ blobId, leaving: null }) > 0
  }

  async function dropUnused (blobId: string): Promise<void> {
    if (await isUsed(blobId)) return
    const content = await blobs.find(blobId)
    // Somebody else removed it. What comes now is not ours, and we could not put it back.
    if (content === undefined) return
    await blobs.delete(blobId)
    // Somebody may have noted a use and found the blob there just before it went.
    if (await isUsed(blobId)) await blobs.put(content)
  }

  return {
    /** Removes a blob that no paper uses. */
    dropUnused,

    /** Stores bytes for a life; `id` is the hash they are named by. */
    async put (bytes: Uint8Array, { id, life }: { id?: string, life: Life }): Promise<string> {
      const blobId = sha256(bytes)
      if (id !== undefined && id !== blobId) throw new Error(`Image ${id} does not have the hash it is named by`)
      // The use before the blob: a deletion of another paper that looks in between must see it.
      await note(blobId, life)
      await blobs.put(bytes)
      return blobId
    },

    /** Notes that a life uses a blob that is stored already; false when the blob is gone. */
    async keep (blobId: string, life: Life): Promise<boolean> {
      await note(blobId, life)
      return await blobs.has(blobId)
    },

    /** Ends all uses of a life; blobs go unless another uses them. */
    async end (lifeId: string): Promise<void> {
      for await (const { _id, blobId } of eachOfLife(uses, lifeId)) {
        await uses.update(_id, {}, { $set: { leaving: true } })
        await dropUnused(blobId)
        await uses.delete(_id)
      }
    }
  }
}

export type BlobUses = Awaited<ReturnType<typeof openBlobUses>>

/** All documents of a life, while they are being deleted: always the first page. */
export async function * eachOfLife<T extends Doc> (
  collection: Collection<T>, paperId: string
): AsyncGenerator<T> {
  for (;;) {
    const some = await collection.findMany({ paperId }, { limit: page })
    yield * some
    if (some.length < page) return
  }
}
