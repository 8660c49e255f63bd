/**
 * What partial-input baselines keep beside their jobs: the items as they were asked, what each model
 * answered, and what it comes to. Everything is under an id that follows from what it is.
 */
import type { Item } from '../../../shared/contracts/item.ts'
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import type { PartialInputAnswers, PartialInputItem, PartialInputReport } from '../../../shared/contracts/partial-input.ts'
import type { Doc, Store } from '../../../shared/store/store.ts'
import { pageOf } from '../page-of.ts'
import type { FigurePlace } from './domain/swaps.ts'

/** `_id` is `<baselineId>.<itemId>`: the item as it is asked, whatever becomes of it later. */
export interface AskedItemDoc extends Doc {
  baselineId: string
  item: Item
  itemHash: string
  /** Figures to show in place of its own. */
  swaps: FigurePlace[]
}

/** `_id` is that of the item asked. */
interface ItemDoc extends Doc { baselineId: string, value: PartialInputItem }
/** `_id` is `<baselineId>.<itemId>.<place of the model, three digits>`. */
interface AnswersDoc extends Doc {
  baselineId: string
  value: PartialInputAnswers
  /** Some could not be asked: a retry asks them anew. */
  unfinished?: true
}
/** `_id` is the baseline's. */
interface ReportDoc extends Doc { reviewingId: string | null, value: PartialInputReport }

interface Ended {
  report: PartialInputReport
  items: readonly PartialInputItem[]
  /** Null for a baseline over a benchmark. */
  reviewingId: string | null
}

const batch = 500
const itemForm = /^pib_[0-9a-f]{32}\.itm_[0-9a-f]{32}$/

export async function baselineStore (store: Store) {
  const asked = await store.collection<AskedItemDoc>('partial-input-asked', [{ keys: ['baselineId', '_id'] }])
  const items = await store.collection<ItemDoc>('partial-input-items', [{ keys: ['baselineId', '_id'] }])
  const answers = await store.collection<AnswersDoc>('partial-input-answers', [{ keys: ['baselineId', '_id'] }])
  const reports = await store.collection<ReportDoc>('partial-input-reports', [{ keys: ['reviewingId'] }])

  return {
    async saveAsked (baselineId: string, some: ReadonlyArray<Omit<AskedItemDoc, '_id' | 'baselineId'>>): Promise<void> {
      const docs = some.map(each => ({ _id: `${baselineId}.${each.item.id}`, baselineId, ...each }))
      for (let start = 0; start < docs.length; start += batch) {
        await asked.insertMissing(docs.slice(start, start + batch))
      }
    },

    getAsked: async (baselineId: string, itemId: string) => await asked.find(`${baselineId}.${itemId}`),

    /** In ascending item id. */
    async * askedItems (baselineId: string): AsyncGenerator<AskedItemDoc> {
      for (let after = baselineId; ;) {
        const some = await asked.findMany({ baselineId, _id: { $gt: after } }, { limit: batch })
        yield * some
        if (some.length < batch) return
        after = some.at(-1)!._id
      }
    },

    findAnswers: async (baselineId: string, itemId: string, model: number) =>
      await answers.find(answersId(baselineId, itemId, model)),

    /** Twice is once; what was left unfinished is replaced. */
    async saveAnswers (baselineId: string, model: number, { value, unfinished }: Pick<AnswersDoc, 'value' | 'unfinished'>): Promise<void> {
      const _id = answersId(baselineId, value.itemId, model)
      if (await answers.insert({ _id, baselineId, value, ...unfinished && { unfinished } })) return
      if (unfinished) await answers.update(_id, { unfinished: true }, { $set: { value } })
      else await answers.update(_id, { unfinished: true }, { $set: { value }, $unset: { unfinished: true } })
    },

    /** Those there are, in the order of the models. */
    async answersTo (baselineId: string, itemId: string): Promise<PartialInputAnswers[]> {
      const first = answersId(baselineId, itemId, 0)
      const found = await answers.findMany({ baselineId, _id: { $gte: first, $lt: `${baselineId}.${itemId}/` } }, { limit: 100 })
      return found.map(({ value }) => value)
    },

    /** After each round anew; items first, so that who sees the report finds them. */
    async saveReport (
      baselineId: string, { report, items: own, reviewingId }: Ended
    ): Promise<void> {
      for (const value of own) {
        const _id = `${baselineId}.${value.itemId}`
        if (!await items.insert({ _id, baselineId, value })) await items.update(_id, {}, { $set: { value } })
      }
      if (await reports.insert({ _id: baselineId, reviewingId, value: report })) return
      await reports.update(baselineId, {}, { $set: { value: report } })
    },

    findReport: async (baselineId: string) => (await reports.find(baselineId))?.value ?? null,
    /** Of a reviewing: baselines that ended, in ascending id. */
    reportsOn: async (reviewingId: string) => await reports.findMany({ reviewingId }, { limit: 1000 }),

    listItems: async (baselineId: string, page: PageRequest): Promise<Page<PartialInputItem>> =>
      await pageOf(items, { baselineId }, { ...page, form: itemForm }),

    async allItems (baselineId: string): Promise<PartialInputItem[]> {
      const all: PartialInputItem[] = []
      for (let after = baselineId; ;) {
        const some = await items.findMany({ baselineId, _id: { $gt: after } }, { limit: batch })
        all.push(...some.map(({ value }) => value))
        if (some.length < batch) return all
        after = some.at(-1)!._id
      }
    },

    listAnswers: async (baselineId: string, page: PageRequest): Promise<Page<PartialInputAnswers>> =>
      await pageOf(answers, { baselineId }, { ...page, form: /^pib_[0-9a-f]{32}\.itm_[0-9a-f]{32}\.\d{3}$/ })
  }
}

export type BaselineStore = Awaited<ReturnType<typeof baselineStore>>

function answersId (baselineId: string, itemId: string, model: number): string {
  return `${baselineId}.${itemId}.${String(model).padStart(3, '0')}`
}
