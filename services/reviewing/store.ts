/**
 * What reviewing keeps beside its jobs: what was thought of each item, and benchmarks. Everything
 * is written under an id that follows from what it is: twice is once.
 */
import type { BenchmarkItem } from '../../shared/contracts/benchmark.ts'
import type { Page, PageRequest } from '../../shared/contracts/page.ts'
import type { Review, ReviewedItem } from '../../shared/contracts/review.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { Collection, Doc, Filter, Store } from '../../shared/store/store.ts'
import { benchmarkIn, fromStore, toStore, type BenchmarkDoc, type StoredBenchmarkDoc } from './benchmark-doc.ts'
import type { Reviewed } from './domain/review-items.ts'
import { inOrderOfEvents } from './domain/review-order.ts'
import { invalidCursor, pageOf } from './page-of.ts'
import { unitStore, type ReviewDoc, type ReviewedItemDoc } from './unit-store.ts'

/** `_id` is `<benchmarkId>.<position, six digits>`. */
interface BenchmarkItemDoc extends Doc { benchmarkId: string, value: BenchmarkItem }

/** The most items that one benchmark may be chosen from: they are held in memory while it is made. */
export const reviewedItemsMax = 50_000
/** Of one item, by everybody in every reviewing. */
const reviewsMax = 9999
const batch = 500
const benchmarkForm = /^bmk_[0-9a-f]{32}$/

export interface ReviewedItemsFilter {
  reviewingId?: string, verdict?: string, kind?: string, eligible?: boolean, paperId?: string
}

export async function reviewingStore (store: Store) {
  const reviewedItems = await store.collection<ReviewedItemDoc>('reviewed-items', [
    { keys: ['value.reviewingId', '_id'] },
    // To count those of a reviewing without reading them, and to find the few among all.
    { keys: ['value.reviewingId', 'value.verdict', '_id'] }, { keys: ['value.reviewingId', 'value.eligible', '_id'] },
    { keys: ['value.verdict', '_id'] }, { keys: ['value.eligible', '_id'] }, { keys: ['value.item.kind', '_id'] },
    { keys: ['value.reviewingId', 'rounds'] }, { keys: ['value.reviewingId', 'unreviewedFor'] }
  ])
  const reviews = await store.collection<ReviewDoc>('reviews', [
    { keys: ['value.itemId'] }, { keys: ['reviewingId', 'rewrite'] }
  ])
  const benchmarks = await store.collection<StoredBenchmarkDoc>('benchmarks')
  const benchmarkItems = await store.collection<BenchmarkItemDoc>('benchmark-items', [
    { keys: ['benchmarkId', '_id'] }
  ])

  const findBenchmark = async (benchmarkId: string) => fromStore(await benchmarks.find(benchmarkId))

  async function getBenchmark (benchmarkId: string): Promise<BenchmarkDoc> {
    const found = await findBenchmark(benchmarkId)
    if (found !== undefined) return found
    throw new Problem('benchmark-not-found', `There is no benchmark ${benchmarkId}; GET /v1/benchmarks lists those there are.`)
  }

  return {
    ...await unitStore(store, { reviewedItems, reviews }),
    getBenchmark,
    findBenchmark,
    listBenchmarks: async (page: PageRequest) =>
      mapped(benchmarkIn, await pageOf(benchmarks, {}, { ...page, form: benchmarkForm })),

    async listBenchmarkItems (benchmarkId: string, page: PageRequest): Promise<Page<BenchmarkItem>> {
      await getBenchmark(benchmarkId)
      return await pageOf(benchmarkItems, { benchmarkId }, { ...page, form: /^bmk_[0-9a-f]{32}\.\d{6}$/ })
    },

    async saveReviewed (reviewed: readonly Reviewed[]): Promise<void> {
      const docs = reviewed.map(({ review }) => ({ _id: review.id, value: review }))
      for (const some of batchesOf(docs)) await reviews.insertMissing(some)
      const states = reviewed.map(({ reviewed: value }) => (
        { _id: `${value.reviewingId}.${value.item.id}`, value }))
      for (const some of batchesOf(states)) await reviewedItems.insertMissing(some)
    },

    listReviewedItems: async (asked: ReviewedItemsFilter, page: PageRequest) => mapped(reviewedItemNow,
      await pageOf(reviewedItems, filterOf(asked), { ...page, form: /^rvg_[0-9a-f]{32}\.itm_[0-9a-f]{32}$/ })),

    countReviewedItems: async (asked: ReviewedItemsFilter) => await reviewedItems.count(filterOf(asked)),
    countByVerdict: async (reviewingId: string) =>
      await reviewedItems.countBy('value.verdict', filterOf({ reviewingId })),

    /** All of a reviewing, or of one of its papers, in ascending item id. */
    async allReviewedItems (reviewingId: string, paperId?: string): Promise<ReviewedItem[]> {
      const all: ReviewedItem[] = []
      const filter = filterOf({ reviewingId, ...paperId !== undefined && { paperId } })
      for (let after = reviewingId; ;) {
        const some = await reviewedItems.findMany({ ...filter, _id: { $gt: after } }, { limit: batch })
        all.push(...some.map(({ value }) => reviewedItemNow(value)))
        if (some.length < batch || all.length > reviewedItemsMax) return all
        after = some.at(-1)!._id
      }
    },

    /**
     * In the order of events; the cursor is the id of the last review seen. All of an item are read
     * to be put in order: what was stored says its order itself, however old it is.
     *
     * @param said  ids of people's reviews, the earliest first
     * @throws Problem item-not-found for an item that no reviewing has seen
     */
    async listReviews (
      itemId: string, { cursor, limit }: PageRequest, said: readonly string[] = []
    ): Promise<Page<Review>> {
      const all = inOrderOfEvents(await reviewsOf(reviews, itemId), said)
      const start = cursor === undefined ? 0 : all.findIndex(({ _id }) => _id === cursor) + 1
      if (start === 0 && cursor !== undefined) throw invalidCursor()
      const items = all.slice(start, start + limit).map(({ value }) => value)
      return { items, nextCursor: start + limit < all.length ? items.at(-1)!.id : null }
    },

    /** The benchmark last, so that who sees it finds all that it names; says whether it is new. */
    async saveBenchmark (doc: BenchmarkDoc, items: readonly BenchmarkItem[]): Promise<boolean> {
      const docs = items.map((value, position) => (
        { _id: `${doc._id}.${String(position).padStart(6, '0')}`, benchmarkId: doc._id, value }))
      for (const some of batchesOf(docs)) await benchmarkItems.insertMissing(some)
      return await benchmarks.insert(toStore(doc))
    }
  }
}

export type ReviewingStore = Awaited<ReturnType<typeof reviewingStore>>

function filterOf ({ reviewingId, verdict, kind, eligible, paperId }: ReviewedItemsFilter): Filter {
  return {
    ...reviewingId !== undefined && { 'value.reviewingId': reviewingId },
    ...verdict !== undefined && { 'value.verdict': verdict },
    ...kind !== undefined && { 'value.item.kind': kind },
    ...paperId !== undefined && { 'value.item.source.paperId': paperId },
    ...eligible !== undefined && { 'value.eligible': eligible }
  }
}

/** @throws Problem item-not-found for an item that no reviewing has seen; limit-exceeded */
async function reviewsOf (reviews: Collection<ReviewDoc>, itemId: string): Promise<ReviewDoc[]> {
  const found = await reviews.findMany({ 'value.itemId': itemId }, { limit: reviewsMax + 1 })
  if (found.length === 0) throw new Problem('item-not-found', `No reviewing has seen an item ${itemId}.`)
  if (found.length > reviewsMax) {
    throw new Problem('limit-exceeded', `Item ${itemId} has more than ${reviewsMax} reviews, which is all that is put in order.`)
  }
  return found.map(doc => ({ ...doc, value: reviewNow(doc.value) }))
}

/** Stored before there were models and persons: what had no word then is said as it was. */
const reviewNow = (value: Review): Review => (
  { ...value, role: value.role ?? 'checks', round: value.round ?? null, itemHash: value.itemHash ?? '', reasons: value.reasons ?? {}, provenance: value.provenance ?? null })
export const reviewedItemNow = (value: ReviewedItem): ReviewedItem =>
  ({ ...value, revision: value.revision ?? 0, decision: value.decision ?? null })

function mapped<T, U> (map: (value: T) => U, { items, nextCursor }: Page<T>): Page<U> {
  return { items: items.map(map), nextCursor }
}

function * batchesOf<T> (all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += batch) yield all.slice(start, start + batch)
}
