/**
 * What parsing keeps beside its jobs (a job holds the upload): which readings of a paper were asked
 * for, what became of each, every version of its document, and who uses which blob.
 */
import type { Document } from '../../shared/contracts/document.ts'
import type { Blobs } from '../../shared/blobs/blobs.ts'
import type { Domain } from '../../shared/contracts/domain.ts'
import type { PageRequest } from '../../shared/contracts/page.ts'
import type { PaperFormat } from '../../shared/contracts/paper.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { Collection, Doc, Filter, Store } from '../../shared/store/store.ts'
import { eachOfLife, openBlobUses, type BlobUses } from './blob-uses.ts'
import { inLife, lifeIdOf, lifeOf, type Life } from './domain/life.ts'
import { readingIdOf, type Reading } from './domain/reading.ts'
import type { Parsed } from './pool/messages.ts'

/** A file that is stored. */
export interface PaperFile { fileName: string, bytes: number, format: PaperFormat, blobId: string }

/** As the job has it. Jobs of a store made before there were readings lack one. */
export interface PaperSpec extends PaperFile { reading?: Reading }

/** `deleting` until everything of the paper is gone; a crash in between is finished by a second DELETE. */
export type Presence = 'present' | 'deleting' | 'deleted'

export interface PaperDoc extends Doc, Shown {
  presence: Presence
  /** Absent in the first; see domain/life.ts. */
  life?: number
  /** Keys of its readings, each once; the one asked for last stands last. */
  asked?: string[]
  /** How often `asked` has changed, to guard the next change. */
  asks?: number
}

/** What a reading gave: `_id` is the reading's, `paperId` the life's. */
interface ReadingDoc extends Doc, Shown { paperId: string }

/** What is shown of a paper; in its own document only by a store made before there were readings. */
export interface Shown {
  documentHash: string | null
  title: string | null
  warnings: Document['warnings']
  /** Absent in a store made before domains were known. */
  domain?: Domain
  /** What an archive turned out to hold; absent where the job's is right. */
  format?: PaperFormat
  /** How many. */
  figures?: number
}

/** One version of a document; its JSON is a blob, since MongoDB's limit is 16 MB. */
export interface VersionDoc extends Doc {
  /** The id of the paper's life. */
  paperId: string
  blobId: string
  pages: number
  figures: Array<{ figureId: string, imageId: string | null }>
  /** Absent in a store made before versions were listed. */
  parser?: Document['parser']
}

export async function paperStore (store: Store, blobs: Blobs) {
  const papers = await store.collection<PaperDoc>('papers', [{ keys: ['presence', '_id'] }])
  const readings = await store.collection<ReadingDoc>('readings', [{ keys: ['paperId'] }])
  const versions = await store.collection<VersionDoc>('documents', [{ keys: ['paperId'] }])
  const uses = await openBlobUses(store, blobs)
  const presence = presenceIn(papers)
  return {
    find: papers.find,
    keep: uses.keep,
    dropUnused: uses.dropUnused,
    ...presence,
    ...documentsIn({ readings, versions, uses, isPresent: presence.isPresent })
  }
}

/** Whether papers are here, in which of their lives, and how they are to be read. */
function presenceIn (papers: Collection<PaperDoc>) {
  async function isPresent ({ paperId, life }: Life): Promise<boolean> {
    const paper = await papers.find(paperId)
    return paper?.presence === 'present' && lifeNumber(paper) === life
  }

  /** Puts a reading last; false when this life is not (or no longer) there. */
  async function ask (life: Life, key: string): Promise<boolean> {
    for (;;) {
      const paper = await papers.find(life.paperId)
      if (paper?.presence !== 'present' || lifeNumber(paper) !== life.life) return false
      const { asked = [], asks = 0 } = paper
      if (asked.at(-1) === key) return true
      const unchanged = { presence: 'present', ...inThis(life), asks: paper.asks ?? null }
      const change = { asked: [...asked.filter(each => each !== key), key], asks: asks + 1 }
      // Another may have asked meanwhile: look again.
      if (await papers.update(life.paperId, unchanged, { $set: change })) return true
    }
  }

  return {
    isPresent,

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

    /**
     * Says that the paper is (again) here and is to be read so; its job is opened after this, so that
     * whoever deletes the paper knows of it. False when this life has ended already.
     */
    async arrive (life: Life, key: string): Promise<boolean> {
      const first = { asked: [key], asks: 1 }
      if (life.life === 0) await papers.insert({ ...unparsed(life.paperId), ...first })
      else {
        const gone = { presence: 'deleted', ...inThis({ ...life, life: life.life - 1 }) }
        await papers.update(life.paperId, gone, { $set: { presence: 'present', life: life.life, ...first } })
      }
      return await ask(life, key)
    },

    /** Papers that are here, in ascending id. */
    async list ({ after, limit }: { after?: string, limit: number }): Promise<PaperDoc[]> {
      const rest = after === undefined ? {} : { _id: { $gt: after } }
      return await papers.findMany({ presence: 'present', ...rest }, { sort: { _id: 1 }, limit })
    },

    /**
     * From here on the paper answers 410.
     *
     * @returns the life that ends, also when somebody else has begun to end it, and its jobs
     * @throws Problem paper-deleted when it is gone already
     */
    async leave (paperId: string): Promise<{ life: Life, jobIds: string[] }> {
      const life = { paperId, life: lifeNumber(await papers.find(paperId)) }
      const here = { presence: 'present', ...inThis(life) }
      await papers.update(paperId, here, { $set: { presence: 'deleting', ...nothingParsed } })
      // Looked at again: an earlier try may have been written although it was answered with an error.
      const paper = await papers.find(paperId)
      if (paper?.presence === 'deleting' && lifeNumber(paper) === life.life) return { life, jobIds: readingIds(paper) }
      throw deleted(paperId)
    },

    /** Says that all of a life is gone. */
    async end (life: Life): Promise<void> {
      const ending = { presence: 'deleting', ...inThis(life) }
      await papers.update(life.paperId, ending, { $set: { presence: 'deleted' } })
    }
  }
}

interface Kept {
  readings: Collection<ReadingDoc>
  versions: Collection<VersionDoc>
  uses: BlobUses
  isPresent: (life: Life) => Promise<boolean>
}

/** What was made of papers. */
function documentsIn ({ readings, versions, uses, isPresent }: Kept) {
  /** Removes all that a life has which is over; blobs go unless another uses them. */
  async function purge (life: Life): Promise<void> {
    for await (const { _id } of eachOfLife(readings, lifeIdOf(life))) await readings.delete(_id)
    for await (const { _id } of eachOfLife(versions, lifeIdOf(life))) await versions.delete(_id)
    await uses.end(lifeIdOf(life))
  }

  return {
    purge,

    /** What the newest reading gave, by the order in which they were asked for, that has ended well. */
    async shown (paper: PaperDoc): Promise<Shown> {
      for (const id of readingIds(paper)) {
        const reading = await readings.find(id)
        if (reading !== undefined) return reading
      }
      return paper
    },

    /**
     * Stores what a reading gave. The version is written last but one, the reading last: whoever
     * sees a documentHash can read all of it. Doing it twice changes nothing.
     *
     * @param readingId of the job
     * @throws Problem paper-deleted when the life is over; then nothing stays of it
     */
    async saveParsed (readingId: string, { json, summary, images }: Parsed): Promise<void> {
      const life = lifeOf(readingId)
      for (const { id, bytes } of images) await uses.put(bytes, { id, life })
      const blobId = await uses.put(json, { life })
      const { documentHash, title, warnings, pages, figures, format, parser, domain } = summary
      const paperId = lifeIdOf(life)
      await versions.insert({ _id: inLife(documentHash, life.life), paperId, blobId, pages, figures, parser })
      await readings.insert({
        _id: readingId,
        paperId,
        documentHash,
        title,
        warnings,
        format,
        figures: figures.length,
        ...domain !== undefined && { domain }
      })
      if (await isPresent(life)) return
      // Whoever deleted it may have looked for what to remove before we wrote this.
      await purge(life)
      throw deleted(life.paperId)
    },

    async findVersion (paper: PaperDoc, documentHash: string): Promise<VersionDoc | undefined> {
      const life = lifeNumber(paper)
      const version = await versions.find(inLife(documentHash, life))
      return version?.paperId === lifeIdOf({ paperId: paper._id, life }) ? version : undefined
    },

    /** In ascending documentHash. */
    async listVersions (paper: PaperDoc, { cursor, limit }: PageRequest): Promise<VersionDoc[]> {
      const life = lifeNumber(paper)
      const rest = cursor === undefined ? {} : { _id: { $gt: inLife(cursor, life) } }
      const paperId = lifeIdOf({ paperId: paper._id, life })
      return await versions.findMany({ paperId, ...rest }, { sort: { _id: 1 }, limit })
    }
  }
}

export type PaperStore = Awaited<ReturnType<typeof paperStore>>

export function lifeNumber (paper: PaperDoc | undefined): number {
  return paper?.life ?? 0
}

/** In a later life a version's id has a mark of it. */
export function hashOf ({ _id }: VersionDoc): string {
  return _id.split('.')[0]!
}

/** The ids of its readings, which are those of its jobs too: the one asked for last comes first. */
export function readingIds (paper: PaperDoc): string[] {
  const life = { paperId: paper._id, life: lifeNumber(paper) }
  // A store made before there were readings has one job, which bears the life's id.
  return [...[...paper.asked ?? []].reverse().map(key => readingIdOf(life, key)), lifeIdOf(life)]
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
