/**
 * What parsing keeps beside its jobs (a job holds the upload, so that accepting a paper is one
 * write): what became of each paper, every version of its document, and who uses which blob.
 */
import type { Document } from '../../shared/contracts/document.ts'
import type { Blobs } from '../../shared/blobs/blobs.ts'
import type { PaperFormat } from '../../shared/contracts/paper.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { Doc, Filter, Store } from '../../shared/store/store.ts'
import { eachOfLife, openBlobUses } from './blob-uses.ts'
import { inLife, lifeIdOf, type Life } from './domain/life.ts'
import type { Parsed } from './pool/messages.ts'

/** The upload, as the job has it. */
export interface PaperSpec { fileName: string, bytes: number, format: PaperFormat, blobId: string }

/** `deleting` until everything of the paper is gone; a crash in between is finished by a second DELETE. */
export type Presence = 'present' | 'deleting' | 'deleted'

export interface PaperDoc extends Doc {
  presence: Presence
  /** Absent in the first; see domain/life.ts. */
  life?: number
  documentHash: string | null
  title: string | null
  warnings: Document['warnings']
  /** What an archive turned out to hold; absent where the job's is right. */
  format?: PaperFormat
}

/** One version of a document; its JSON is a blob, since MongoDB's limit is 16 MB. */
export interface VersionDoc extends Doc {
  /** The id of the paper's life. */
  paperId: string
  blobId: string
  pages: number
  figures: Array<{ figureId: string, imageId: string | null }>
}

export async function paperStore (store: Store, blobs: Blobs) {
  const papers = await store.collection<PaperDoc>('papers')
  const versions = await store.collection<VersionDoc>('documents', [{ keys: ['paperId'] }])
  const uses = await openBlobUses(store, blobs)

  async function isPresent ({ paperId, life }: Life): Promise<boolean> {
    const paper = await papers.find(paperId)
    return paper?.presence === 'present' && lifeNumber(paper) === life
  }

  /** Removes all that a life has which is over; blobs go unless another uses them. */
  async function purge (life: Life): Promise<void> {
    for await (const { _id } of eachOfLife(versions, lifeIdOf(life))) await versions.delete(_id)
    await uses.end(lifeIdOf(life))
  }

  return {
    find: papers.find,
    isPresent,
    purge,
    keep: uses.keep,
    dropUnused: uses.dropUnused,

    /** Whether this life has ended, or is being ended. */
    async isOver ({ paperId, life }: Life): Promise<boolean> {
      const paper = await papers.find(paperId) ?? unparsed(paperId)
      return lifeNumber(paper) > life || (lifeNumber(paper) === life && paper.presence !== 'present')
    },

    /** @throws Problem paper-deleted */
    async present (paperId: string): Promise<PaperDoc> {
      const paper = await papers.find(paperId) ?? unparsed(paperId)
      if (paper.presence === 'present') return paper
      throw deleted(paperId)
    },

    /** The life that an upload belongs to; undefined while the paper is being deleted. */
    async lifeOfUpload (paperId: string): Promise<Life | undefined> {
      const paper = await papers.find(paperId)
      if (paper?.presence === 'deleting') return undefined
      return { paperId, life: lifeNumber(paper) + (paper?.presence === 'deleted' ? 1 : 0) }
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
      const here = { presence: 'present', ...inThis(life) }
      await papers.update(paperId, here, { $set: { presence: 'deleting', ...nothingParsed } })
      // Looked at again: an earlier try may have been written although it was answered with an error.
      const paper = await papers.find(paperId)
      if (paper?.presence === 'deleting' && lifeNumber(paper) === life.life) return life
      throw deleted(paperId)
    },

    /** Says that all of a life is gone. */
    async end (life: Life): Promise<void> {
      const ending = { presence: 'deleting', ...inThis(life) }
      await papers.update(life.paperId, ending, { $set: { presence: 'deleted' } })
    },

    /**
     * Stores what parsing gave. The version is written last but one, the paper last: whoever sees
     * a documentHash can read all of it. Doing it twice changes nothing.
     *
     * @throws Problem paper-deleted when the life is over; then nothing stays of it
     */
    async saveParsed (life: Life, { json, summary, images }: Parsed): Promise<void> {
      for (const { id, bytes } of images) await uses.put(bytes, { id, life })
      const blobId = await uses.put(json, { life })
      const { documentHash, title, warnings, pages, figures, format } = summary
      const version = { _id: inLife(documentHash, life.life), paperId: lifeIdOf(life) }
      await versions.insert({ ...version, blobId, pages, figures })
      const here = { presence: 'present', ...inThis(life) }
      if (await papers.update(life.paperId, here, { $set: { documentHash, title, warnings, format } })) return
      // Whoever deleted it may have looked for what to remove before we wrote this.
      await purge(life)
      throw deleted(life.paperId)
    },

    async findVersion (paper: PaperDoc, documentHash: string): Promise<VersionDoc | undefined> {
      const life = lifeNumber(paper)
      const version = await versions.find(inLife(documentHash, life))
      return version?.paperId === lifeIdOf({ paperId: paper._id, life }) ? version : undefined
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

const nothingParsed = { documentHash: null, title: null, warnings: [] }

function unparsed (paperId: string): PaperDoc {
  return { _id: paperId, presence: 'present', ...nothingParsed }
}

function deleted (paperId: string): Problem {
  return new Problem('paper-deleted', `Paper ${paperId} was deleted. Upload its file again to have it back.`)
}
