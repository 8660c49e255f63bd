/**
 * What parsing keeps beside its jobs (a job holds the upload, so that accepting a paper is one
 * write): what became of each paper, every version of its document, and who uses which blob.
 */
import type { Document } from '../../shared/contracts/document.ts'
import type { Blobs } from '../../shared/blobs/blobs.ts'
import { sha256 } from '../../shared/contracts/hash.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { Collection, Doc, Filter, Store } from '../../shared/store/store.ts'
import { inLife, lifeIdOf, type Life } from './domain/life.ts'
import type { Parsed } from './pool/messages.ts'

/** The upload, as the job has it. */
export interface PaperSpec { fileName: string, bytes: number, format: 'pdf', blobId: string }

/** `deleting` until everything of the paper is gone; a crash in between is finished by a second DELETE. */
export type Presence = 'present' | 'deleting' | 'deleted'

export interface PaperDoc extends Doc {
  presence: Presence
  /** Absent in the first; see domain/life.ts. */
  life?: number
  documentHash: string | null
  title: string | null
  warnings: Document['warnings']
}

/** One version of a document; its JSON is a blob, since MongoDB's limit is 16 MB. */
export interface VersionDoc extends Doc {
  /** The id of the paper's life. */
  paperId: string
  blobId: string
  pages: number
  figures: Array<{ figureId: string, imageId: string }>
}

/**
 * `_id` is `<blobId>#<life>`: two papers may hold the same image. `paperId` is the life's id. A use
 * that is `leaving` counts no more; it stays until its blob is gone, or found in use, so that a
 * deletion cut short finds it again.
 */
interface BlobUse extends Doc { blobId: string, paperId: string, leaving?: true }

export async function paperStore (store: Store, blobs: Blobs) {
  const papers = await store.collection<PaperDoc>('papers')
  const versions = await store.collection<VersionDoc>('documents', [{ keys: ['paperId'] }])
  const uses = await store.collection<BlobUse>('blob-uses', [{ keys: ['blobId'] }, { keys: ['paperId'] }])
  const use = async (blobId: string, life: Life) => {
    const paperId = lifeIdOf(life)
    await uses.insert({ _id: `${blobId}#${paperId}`, blobId, paperId })
  }

  async function isUsed (blobId: string): Promise<boolean> {
    return await uses.count({ blobId, leaving: null }) > 0
  }

  async function dropUnused (blobId: string): Promise<void> {
    if (await isUsed(blobId)) return
    const content = await blobs.find(blobId)
    await blobs.delete(blobId)
    // Somebody may have noted a use and found the blob there just before it went.
    if (content !== undefined && await isUsed(blobId)) await blobs.put(content)
  }

  async function put (bytes: Uint8Array, { id, life }: { id?: string, life: Life }): Promise<string> {
    const blobId = sha256(bytes)
    if (id !== undefined && id !== blobId) throw new Error(`Image ${id} does not have the hash it is named by`)
    // The use before the blob: a deletion of another paper that looks in between must see it.
    await use(blobId, life)
    await blobs.put(bytes)
    return blobId
  }

  async function isPresent ({ paperId, life }: Life): Promise<boolean> {
    const paper = await papers.find(paperId)
    return paper?.presence === 'present' && lifeNumber(paper) === life
  }

  /** Removes all that a life has which is over; blobs go unless another uses them. */
  async function purge (life: Life): Promise<void> {
    const lifeId = lifeIdOf(life)
    for await (const { _id } of eachOf(versions, lifeId)) await versions.delete(_id)
    for await (const { _id, blobId } of eachOf(uses, lifeId)) {
      await uses.update(_id, {}, { $set: { leaving: true } })
      await dropUnused(blobId)
      await uses.delete(_id)
    }
  }

  return {
    find: papers.find,
    isPresent,
    purge,

    /** Whether this life has ended, or is being ended. */
    async isOver ({ paperId, life }: Life): Promise<boolean> {
      const paper = await papers.find(paperId)
      if (paper === undefined || lifeNumber(paper) < life) return false
      return paper.presence !== 'present' || lifeNumber(paper) > life
    },

    /** @throws Problem paper-deleted */
    async present (paperId: string): Promise<PaperDoc> {
      const paper = await papers.find(paperId)
      if (paper !== undefined && paper.presence !== 'present') throw deleted(paperId)
      return paper ?? unparsed(paperId)
    },

    /** The life that an upload belongs to; undefined while the paper is being deleted. */
    async lifeOfUpload (paperId: string): Promise<Life | undefined> {
      const paper = await papers.find(paperId)
      if (paper?.presence === 'deleting') return undefined
      const life = lifeNumber(paper)
      return { paperId, life: paper?.presence === 'deleted' ? life + 1 : life }
    },

    /** Says that the paper is (again) here; false when this life has ended already. */
    async arrive (life: Life): Promise<boolean> {
      if (life.life === 0) await papers.insert(unparsed(life.paperId))
      else {
        const gone = { presence: 'deleted', ...inThis({ ...life, life: life.life - 1 }) }
        await papers.update(life.paperId, gone, { $set: { presence: 'present', life: life.life } })
      }
      return await isPresent(life)
    },

    /**
     * From here on the paper answers 410.
     *
     * @returns the life that ends, also when somebody else has begun to end it
     * @throws Problem paper-deleted when it is gone already
     */
    async leave (paperId: string): Promise<Life> {
      const life = { paperId, life: lifeNumber(await papers.find(paperId)) }
      const nothing = { documentHash: null, title: null, warnings: [] }
      const here = { presence: 'present', ...inThis(life) }
      await papers.update(paperId, here, { $set: { presence: 'deleting', ...nothing } })
      // Looked at again: an earlier try may have been written although it was answered with an error.
      const paper = await papers.find(paperId)
      if (paper?.presence === 'deleting' && lifeNumber(paper) === life.life) return life
      throw deleted(paperId)
    },

    /** Says that all of a life is gone. */
    async end (life: Life): Promise<void> {
      await papers.update(life.paperId, { presence: 'deleting', ...inThis(life) }, { $set: { presence: 'deleted' } })
    },

    /** Notes that a life uses a blob that is stored already; false when the blob is gone. */
    async keep (blobId: string, life: Life): Promise<boolean> {
      await use(blobId, life)
      return await blobs.has(blobId)
    },

    /**
     * Stores what parsing gave. The version is written last but one, the paper last: whoever sees
     * a documentHash can read all of it. Doing it twice changes nothing.
     *
     * @throws Problem paper-deleted when the life is over; then nothing stays of it
     */
    async saveParsed (life: Life, { json, summary, images }: Parsed): Promise<void> {
      for (const { id, bytes } of images) await put(bytes, { id, life })
      const blobId = await put(json, { life })
      const { documentHash, title, warnings, pages, figures } = summary
      const _id = inLife(documentHash, life.life)
      await versions.insert({ _id, paperId: lifeIdOf(life), blobId, pages, figures })
      const here = { presence: 'present', ...inThis(life) }
      if (await papers.update(life.paperId, here, { $set: { documentHash, title, warnings } })) return
      // Whoever deleted it may have looked for what to remove before we wrote this.
      await purge(life)
      throw deleted(life.paperId)
    },

    /** Removes a blob that no paper uses. */
    dropUnused,

    async findVersion (paper: PaperDoc, documentHash: string): Promise<VersionDoc | undefined> {
      const life = { paperId: paper._id, life: lifeNumber(paper) }
      const version = await versions.find(inLife(documentHash, life.life))
      return version?.paperId === lifeIdOf(life) ? version : undefined
    }
  }
}

export type PaperStore = Awaited<ReturnType<typeof paperStore>>

export function lifeNumber (paper: PaperDoc | undefined): number {
  return paper?.life ?? 0
}

/** As part of a guard: null is met by what is absent. */
function inThis ({ life }: Life): Filter {
  return { life: life === 0 ? null : life }
}

function unparsed (paperId: string): PaperDoc {
  return { _id: paperId, presence: 'present', documentHash: null, title: null, warnings: [] }
}

function deleted (paperId: string): Problem {
  return new Problem('paper-deleted', `Paper ${paperId} was deleted. Upload its file again to have it back.`)
}

/** All documents of a life, while they are being deleted: always the first page. */
async function * eachOf<T extends Doc> (collection: Collection<T>, paperId: string): AsyncGenerator<T> {
  for (;;) {
    const some = await collection.findMany({ paperId }, { limit: 500 })
    yield * some
    if (some.length < 500) return
  }
}
