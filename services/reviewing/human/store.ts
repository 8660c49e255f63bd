/**
 * What people said of items is kept with the reviewed item itself, in one document, so that review
 * and decision are one write. Who holds which item is kept apart: it changes often and means little.
 */
import type { HumanReview, Questionnaire, SetReview } from '../../../shared/contracts/human-review.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { ReviewedItem } from '../../../shared/contracts/review.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Collection, Doc, Store } from '../../../shared/store/store.ts'
import { askingOf } from '../domain/bank/repeats.ts'
import { reviewedItemNow } from '../store.ts'
import { beginning, withStanding, type HumanState } from './domain/opinions.ts'
import type { Seats } from './domain/queue.ts'

/** The document of reviewing's own store, with what people added. */
interface ReviewedDoc extends Doc { value: ReviewedItem, human?: HumanState }
interface ReviewDoc extends Doc { value: HumanReview }
interface QuestionnaireDoc extends Doc { value: Questionnaire }
interface SetReviewDoc extends Doc { value: SetReview, reviewingId: string }

/** `_id`: `<queueId>.<itemId>`; a queue is a reviewing's, or, with `.disputed`, of its disputes. */
export interface SeatsDoc extends Doc, Seats {
  queueId: string
  /** Counts writes; the newest beat. */
  version: number
  leaseCount: number
  doneCount: number
}

export interface SeatsPlace { queueId: string, itemId: string }

export interface Subject { reviewed: ReviewedItem, state: HumanState }

const batch = 500
/** Of items of one paper that an edited one is compared with. */
const neighboursMax = 5000
const disputedMax = 5000
export const opinionedMax = 9999
export const setReviewsMax = 2000
const leasesMax = 10_000

export async function humanStore (store: Store, builtIn: readonly Questionnaire[]) {
  const reviewed = await store.collection<ReviewedDoc>('reviewed-items', [
    { keys: ['value.item.id'] }, { keys: ['value.reviewingId', 'value.item.pairId'] },
    { keys: ['value.reviewingId', 'value.item.source.paperId'] }, { keys: ['value.reviewingId', 'human.version'] },
    { keys: ['value.reviewingId', 'human.disputed'] }
  ])
  const reviews = await store.collection<ReviewDoc>('reviews', [{ keys: ['value.itemId'] }])
  const seats = await store.collection<SeatsDoc>('review-seats', [
    { keys: ['queueId', 'doneCount'] }, { keys: ['leaseCount'] }
  ])
  const questionnaires = await store.collection<QuestionnaireDoc>('questionnaires')
  const setReviews = await store.collection<SetReviewDoc>('set-reviews', [{ keys: ['reviewingId'] }])

  return {
    ...subjectsIn(reviewed, reviews),
    ...seatsIn(seats),
    ...formsIn({ questionnaires, setReviews, builtIn })
  }
}

export type HumanStore = Awaited<ReturnType<typeof humanStore>>

function subjectsIn (reviewed: Collection<ReviewedDoc>, reviews: Collection<ReviewDoc>) {
  const subjectOf = ({ value, human }: ReviewedDoc): Subject => {
    const reviewed = reviewedItemNow(value)
    return { reviewed, state: human ?? beginning(reviewed) }
  }

  async function findSubject (reviewingId: string, itemId: string): Promise<Subject | undefined> {
    const found = await reviewed.find(`${reviewingId}.${itemId}`)
    return found && subjectOf(found)
  }

  /** Every item of a reviewing, a batch at a time, in ascending item id. */
  async function * scan (reviewingId: string): AsyncGenerator<Subject[]> {
    for (let after = reviewingId; ;) {
      const some = await reviewed.findMany({ 'value.reviewingId': reviewingId, _id: { $gt: after } }, { limit: batch })
      yield some.map(subjectOf)
      if (some.length < batch) return
      after = some.at(-1)!._id
    }
  }

  return {
    findSubject,
    /** @throws Problem item-not-found */
    async getSubject (reviewingId: string, itemId: string): Promise<Subject> {
      const found = await findSubject(reviewingId, itemId)
      if (found !== undefined) return found
      throw new Problem('item-not-found', `Reviewing ${reviewingId} has no item ${itemId}; GET /v1/reviewed-items?reviewingId=… lists those it has.`)
    },
    async partnersOf ({ reviewingId, item }: ReviewedItem): Promise<Subject[]> {
      if (item.pairId === undefined) return []
      const found = await reviewed.findMany(
        { 'value.reviewingId': reviewingId, 'value.item.pairId': item.pairId, _id: { $ne: `${reviewingId}.${item.id}` } }, { limit: 10 })
      return found.map(subjectOf)
    },
    /** Eligible items of the same paper; of a bank, those that ask exactly what the item as edited asks. */
    async neighboursOf (one: ReviewedItem, edited: Item): Promise<ReviewedItem[]> {
      const { reviewingId, item } = one
      if (!('paperId' in item.source)) return await repeatsInBank(scan(reviewingId), one, edited)
      const found = await reviewed.findMany(
        { 'value.reviewingId': reviewingId, 'value.item.source.paperId': item.source.paperId }, { limit: neighboursMax })
      return found.map(({ value }) => value)
        .filter(value => value.eligible && value.item.id !== item.id && value.item.kind === item.kind)
    },

    /**
     * Writes what follows from an opinion, if nobody has written since the subject was read: no
     * person, nor the loop, which lets be what a person has said something of.
     */
    async save (value: ReviewedItem, human: HumanState, read: Subject): Promise<boolean> {
      const { verdict, revision, eligible } = read.reviewed
      const guard = read.state.version === 0
        ? { 'human.version': { $exists: false }, 'value.verdict': verdict, 'value.eligible': eligible, ...sameRevision(revision) }
        : { 'human.version': read.state.version }
      return await reviewed.update(`${value.reviewingId}.${value.item.id}`, guard, { $set: { value, human } })
    },

    /** Copies the opinions on an item to the list of its reviews, where a crash kept them from it. */
    async settleReviews (itemId: string): Promise<Map<string, HumanReview>> {
      const found = await reviewed.findMany({ 'value.item.id': itemId, 'human.version': { $gt: 0 } }, { limit: 1000 })
      const all = found.flatMap(({ human }) => human!.opinions.map(opinion => withStanding(human!, opinion)))
      if (all.length > 0) await reviews.insertMissing(all.map(value => ({ _id: value.id, value })))
      return new Map(all.map(review => [review.id, review]))
    },

    /** What people did with the item, in each reviewing in which they said something of it. */
    async statesOf (itemId: string): Promise<HumanState[]> {
      const found = await reviewed.findMany({ 'value.item.id': itemId, 'human.version': { $gt: 0 } }, { limit: 1000 })
      return found.map(({ human }) => human!)
    },

    scan,
    countItems: async (reviewingId: string) => await reviewed.count({ 'value.reviewingId': reviewingId }),
    async listDisputed (reviewingId: string): Promise<Subject[]> {
      return (await reviewed.findMany({ 'value.reviewingId': reviewingId, 'human.disputed': true }, { limit: disputedMax })).map(subjectOf)
    },
    /** Items that people have said something of. */
    async listOpinioned (reviewingId: string): Promise<Subject[]> {
      const found = await reviewed.findMany(
        { 'value.reviewingId': reviewingId, 'human.version': { $gt: 0 } }, { limit: opinionedMax + 1 })
      return found.map(subjectOf)
    }
  }
}

async function repeatsInBank (
  all: AsyncIterable<Subject[]>, { item }: ReviewedItem, edited: Item
): Promise<ReviewedItem[]> {
  const { asked } = askingOf(edited)
  const same: ReviewedItem[] = []
  for await (const some of all) {
    same.push(...some.map(({ reviewed }) => reviewed).filter(({ eligible, item: other }) =>
      eligible && other.id !== item.id && other.kind === item.kind && askingOf(other).asked === asked))
  }
  return same
}

/** 0 is also what it was before there were revisions. */
function sameRevision (revision: number) {
  return revision === 0 ? { 'value.revision': { $in: [0, null] } } : { 'value.revision': revision }
}

function seatsIn (seats: Collection<SeatsDoc>) {
  return {
    findSeats: async (ids: readonly string[]) =>
      await seats.findMany({ _id: { $in: ids } }, { limit: Math.max(1, ids.length) }),
    findSeat: async (id: string) => await seats.find(id),
    heldBy: async (queueId: string, raterId: string) =>
      await seats.findMany({ queueId, leaseCount: { $gt: 0 }, [`leases.${raterId}.beat`]: { $gt: 0 } }, { limit: 100 }),
    listHeld: async () => await seats.findMany({ leaseCount: { $gt: 0 } }, { limit: leasesMax }),
    countDone: async (queueId: string, raterId?: string) => await seats.count({
      queueId, doneCount: { $gt: 0 }, ...raterId !== undefined && { [`done.${raterId}`]: true }
    }),
    /** Puts seats in the place of those that were read; says whether nobody was faster. */
    async saveSeats (
      { queueId, itemId }: SeatsPlace, { leases, done }: Seats, before: number
    ): Promise<boolean> {
      const counts = { leaseCount: Object.keys(leases).length, doneCount: Object.keys(done).length }
      const change = { queueId, leases, done, ...counts, version: before + 1 }
      const _id = `${queueId}.${itemId}`
      if (before === 0) return await seats.insert({ _id, ...change })
      return await seats.update(_id, { version: before }, { $set: change })
    }
  }
}

interface Forms {
  questionnaires: Collection<QuestionnaireDoc>
  setReviews: Collection<SetReviewDoc>
  builtIn: readonly Questionnaire[]
}

function formsIn ({ questionnaires, setReviews, builtIn }: Forms) {
  const known = (id: string) => builtIn.find(questionnaire => questionnaire.id === id)
  return {
    findQuestionnaire: async (id: string) => known(id) ?? (await questionnaires.find(id))?.value,
    insertQuestionnaire: async (value: Questionnaire) =>
      known(value.id) === undefined && await questionnaires.insert({ _id: value.id, value }),
    /** Those that come with the service and those added, in ascending id. */
    async listQuestionnaires (after: string, limit: number): Promise<Questionnaire[]> {
      const added = await questionnaires.findMany({ _id: { $gt: after } }, { limit })
      return [...builtIn.filter(({ id }) => id > after), ...added.map(({ value }) => value)]
        .sort((a, b) => a.id < b.id ? -1 : 1).slice(0, limit)
    },

    insertSetReview: async (value: SetReview) =>
      await setReviews.insert({ _id: value.id, reviewingId: value.reviewingId, value }),
    listSetReviews: async (reviewingId: string) =>
      (await setReviews.findMany({ reviewingId }, { limit: setReviewsMax })).map(({ value }) => value)
  }
}
