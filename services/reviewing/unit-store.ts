/** What the loop with a model keeps: versions, reviews of each round, and how each unit ended. */
import type { Page, PageRequest } from '../../shared/contracts/page.ts'
import type { Review, ReviewedItem, Revision } from '../../shared/contracts/review.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { Collection, Doc, Store } from '../../shared/store/store.ts'
import { pageOf } from './page-of.ts'

/** `_id` is `<reviewingId>.<itemId>`. */
export interface ReviewedItemDoc extends Doc {
  value: ReviewedItem
  /** Regenerations asked for, as text: counted by the store. */
  rounds?: string
  /** Why no review could be had: `budget`, or the kind of problem; counted by the store. */
  unreviewedFor?: string
  /** Its model could not be asked: a retry of the reviewing may still write it anew. */
  unfinished?: true
}

export interface ReviewDoc extends Doc {
  value: Review
  reviewingId?: string
  /** What became of the rewriting that it is about: `taken`, or `rejected:` and why. */
  rewrite?: string
}

/** `_id` is `<itemId>.<reviewingId>.<revision, six digits>`. */
interface RevisionDoc extends Doc { value: Revision }
/** `_id` is `<reviewingId>.<paperId>`; pairs of item id and id of the earlier item it repeats. */
interface DuplicatesDoc extends Doc { pairs: Array<[string, string]> }

/** Item id → id of the earlier item that it repeats. */
type Duplicates = ReadonlyMap<string, string>

export interface SavedReview { value: Review, rewrite?: string }

/** How a unit ended; its items last, for who sees them finds the rest. */
export interface SavedUnit {
  reviews: readonly SavedReview[]
  revisions: readonly Revision[]
  reviewed: readonly ReviewedItem[]
  rounds: number
  unfinished?: true
  unreviewedFor?: string
}

/** No person has said anything of the item: what people said rests on the item as they read it. */
const untouched = { 'human.version': { $exists: false } }

export interface UnitCollections {
  reviewedItems: Collection<ReviewedItemDoc>
  reviews: Collection<ReviewDoc>
}

export async function unitStore (store: Store, { reviewedItems, reviews }: UnitCollections) {
  const revisions = await store.collection<RevisionDoc>('revisions', [{ keys: ['value.itemId', '_id'] }])
  const duplicates = await store.collection<DuplicatesDoc>('paper-duplicates')

  /** Twice is once; what was left unfinished is finished, unless a person has reviewed it meanwhile. */
  async function saveReviewedItem (
    value: ReviewedItem, { rounds, unfinished, unreviewedFor }: SavedUnit
  ): Promise<void> {
    const _id = `${value.reviewingId}.${value.item.id}`
    const own = { value, rounds: String(rounds) }
    const why = unreviewedFor === undefined ? {} : { unreviewedFor }
    const made = { _id, ...own, ...why, ...unfinished && { unfinished } }
    if (await reviewedItems.insert(made) || unfinished) return
    const $unset: Record<string, true> = {
      unfinished: true, ...unreviewedFor === undefined && { unreviewedFor: true as const }
    }
    const finish = { $set: { ...own, ...why }, $unset } as const
    await reviewedItems.update(_id, { unfinished: true, ...untouched }, finish)
  }

  return {
    /** Versions under the ids of what they are; what is there already stays. */
    async saveRevisions (some: readonly Revision[]): Promise<void> {
      await revisions.insertMissing(some.map(value => ({ _id: revisionId(value), value })))
    },

    async saveUnit (unit: SavedUnit): Promise<void> {
      const { reviewingId } = unit.reviewed[0]!
      await reviews.insertMissing(unit.reviews.map(({ value, ...rest }) => (
        { _id: value.id, value, reviewingId, ...rest })))
      await revisions.insertMissing(unit.revisions.map(value => ({ _id: revisionId(value), value })))
      for (const value of unit.reviewed) await saveReviewedItem(value, unit)
    },

    /** Whether every item of the unit has ended. */
    async isFinished (reviewingId: string, itemIds: readonly string[]): Promise<boolean> {
      const found = await Promise.all(itemIds.map(async itemId => await reviewedItems.find(`${reviewingId}.${itemId}`)))
      return found.every(doc => doc !== undefined && doc.unfinished !== true)
    },

    async findDuplicates (reviewingId: string, paperId: string): Promise<Duplicates | undefined> {
      const found = await duplicates.find(`${reviewingId}.${paperId}`)
      return found === undefined ? undefined : new Map(found.pairs)
    },

    async saveDuplicates (reviewingId: string, paperId: string, of: Duplicates): Promise<void> {
      await duplicates.insert({ _id: `${reviewingId}.${paperId}`, pairs: [...of] })
    },

    /** An item that a rewritten one turned out to repeat, or whose partner did: it is not to be frozen. */
    async failReviewedItem (entry: ReviewedItem, check: string): Promise<void> {
      const { reviewingId, item, revision, failedChecks } = entry
      await reviewedItems.update(`${reviewingId}.${item.id}`, { 'value.revision': revision, ...untouched }, {
        $set: { 'value.eligible': false, 'value.failedChecks': [...new Set([...failedChecks, check])] }
      })
    },

    countByUnreviewed: async (reviewingId: string) => await reviewedItems.countBy('unreviewedFor', { 'value.reviewingId': reviewingId }),
    countByRounds: async (reviewingId: string) => await reviewedItems.countBy('rounds', { 'value.reviewingId': reviewingId }),
    countRewrites: async (reviewingId: string) => await reviews.countBy('rewrite', { reviewingId }),

    /** @throws Problem item-not-found for an item that no reviewing has seen */
    async listRevisions (itemId: string, page: PageRequest): Promise<Page<Revision>> {
      const found = await pageOf(revisions, { 'value.itemId': itemId }, { ...page, form: /^itm_[0-9a-f]{32}\.rvg_[0-9a-f]{32}\.\d{6}$/ })
      if (found.items.length > 0 || page.cursor !== undefined) return found
      if (await reviews.count({ 'value.itemId': itemId }) > 0) return found
      throw new Problem('item-not-found', `No reviewing has seen an item ${itemId}.`)
    }
  }
}

function revisionId ({ itemId, reviewingId, revision }: Revision): string {
  return `${itemId}.${reviewingId}.${String(revision).padStart(6, '0')}`
}
