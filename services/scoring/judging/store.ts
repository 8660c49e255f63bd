/**
 * What judgements keep beside their jobs: the units as they were selected, ratings, people's labels
 * and the summary. Everything is under an id that follows from what it is.
 */
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import type { Rating, StoredLabel } from '../../../shared/contracts/judgement.ts'
import type { JudgementSummary } from '../../../shared/contracts/judgement-summary.ts'
import { outcomes, type Outcome } from '../../../shared/contracts/run.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Collection, Doc, Filter, Store } from '../../../shared/store/store.ts'
import { askingKey, type Asking, type Unit } from './domain/spec.ts'

/** `_id` is `<judgementId>.<place of the unit, six digits>`. */
interface UnitDoc extends Doc { judgementId: string, value: Unit }
/** `_id` is `<judgementId>.<key of the asking>`. */
interface RatingDoc extends Doc { judgementId: string, outcome: Outcome, value: Rating }
/** `_id` is `<judgementId>.<predictionId>.<rater>`. */
interface LabelDoc extends Doc { judgementId: string, value: StoredLabel }
/** `_id` is the judgement's. */
interface SummaryDoc extends Doc { value: JudgementSummary }

export type RatingsAsked = PageRequest & { outcome?: Outcome }

const batch = 500

export async function judgingStore (store: Store) {
  const units = await store.collection<UnitDoc>('judgement-units', [{ keys: ['judgementId', '_id'] }])
  const ratings = await store.collection<RatingDoc>('judgement-ratings', [
    { keys: ['judgementId', '_id'] }, { keys: ['judgementId', 'outcome', '_id'] }
  ])
  const labels = await store.collection<LabelDoc>('judgement-labels', [{ keys: ['judgementId', '_id'] }])
  const summaries = await store.collection<SummaryDoc>('judgement-summaries')

  return {
    /** @param from  place of the first of them */
    async saveUnits (judgementId: string, from: number, some: readonly Unit[]): Promise<void> {
      await units.insertMissing(some.map((value, i) => (
        { _id: unitId(judgementId, from + i), judgementId, value })))
    },

    findUnit: async (judgementId: string, unit: number) =>
      (await units.find(unitId(judgementId, unit)))?.value,
    /** In their order, some hundred at a time. */
    unitsOf: (judgementId: string) => batchesOf(units, { judgementId }),

    findRating: async (judgementId: string, asking: Asking) =>
      (await ratings.find(`${judgementId}.${askingKey(asking)}`))?.value,

    /** Written twice is written once; an error gives way to whatever came of asking again. */
    async saveRating (asking: Asking, value: Rating): Promise<void> {
      const { judgementId, outcome } = value
      const _id = `${judgementId}.${askingKey(asking)}`
      if (await ratings.insert({ _id, judgementId, outcome, value })) return
      await ratings.update(_id, { outcome: 'error' }, { $set: { outcome, value } })
    },

    /** In the order of their askings. */
    async listRatings (judgementId: string, page: RatingsAsked): Promise<Page<Rating>> {
      const { outcome, ...rest } = page
      const filter = { judgementId, ...outcome !== undefined && { outcome } }
      return await pageOf(ratings, filter, { ...rest, of: judgementId })
    },
    ratingsOf: (judgementId: string) => batchesOf(ratings, { judgementId }),

    async countOutcomes (judgementId: string): Promise<Record<Outcome, number>> {
      const counts = await ratings.countBy('outcome', { judgementId })
      const filled = outcomes.map(outcome => [outcome, counts[outcome] ?? 0])
      return Object.fromEntries(filled) as Record<Outcome, number>
    },

    /** @returns whether it is new; a label is never replaced */
    saveLabel: async (judgementId: string, value: StoredLabel) =>
      await labels.insert({ _id: labelId(judgementId, value), judgementId, value }),
    findLabel: async (judgementId: string, of: Pick<StoredLabel, 'predictionId' | 'rater'>) =>
      (await labels.find(labelId(judgementId, of)))?.value,
    labelsOf: (judgementId: string) => batchesOf(labels, { judgementId }),
    listLabels: async (judgementId: string, page: PageRequest) =>
      await pageOf(labels, { judgementId }, { ...page, of: judgementId }),

    /** After each round, and each label, anew. */
    async saveSummary (judgementId: string, value: JudgementSummary): Promise<void> {
      if (await summaries.insert({ _id: judgementId, value })) return
      await summaries.update(judgementId, {}, { $set: { value } })
    },
    findSummary: async (judgementId: string) => (await summaries.find(judgementId))?.value ?? null
  }
}

export type JudgingStore = Awaited<ReturnType<typeof judgingStore>>

const unitId = (judgementId: string, unit: number) => `${judgementId}.${String(unit).padStart(6, '0')}`
const labelId = (judgementId: string, { predictionId, rater }: Pick<StoredLabel, 'predictionId' | 'rater'>) =>
  `${judgementId}.${predictionId}.${rater}`

async function * batchesOf<T> (
  collection: Collection<Doc & { value: T }>, filter: Filter
): AsyncGenerator<Array<{ id: string, value: T }>> {
  for (let after = ''; ;) {
    const docs = await collection.findMany({ ...filter, _id: { $gt: after } }, { limit: batch })
    if (docs.length > 0) yield docs.map(({ _id: id, value }) => ({ id, value }))
    if (docs.length < batch) return
    after = docs.at(-1)!._id
  }
}

async function pageOf<T> (
  collection: Collection<Doc & { value: T }>, filter: Filter,
  { cursor, limit, of }: PageRequest & { of: string }
): Promise<Page<T>> {
  if (cursor !== undefined && !cursor.startsWith(`${of}.`)) {
    throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
  }
  const later = { ...filter, ...cursor !== undefined && { _id: { $gt: cursor } } }
  const docs = await collection.findMany(later, { limit: limit + 1 })
  const items = docs.slice(0, limit)
  return {
    items: items.map(({ value }) => value),
    nextCursor: docs.length > limit ? items.at(-1)!._id : null
  }
}
