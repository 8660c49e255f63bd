/** Reviews the items of an item bank by checks alone, some hundred at a time. */
import type { CurationFlag } from '../../../shared/contracts/curation.ts'
import type { BankSource } from '../../../shared/contracts/review.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { PlannedTask } from '../../../shared/tasks/tasks.ts'
import { checkBankItem } from '../domain/bank/check-bank-item.ts'
import { askingOf, byRow, repeatCheck, repeatsAmong, type Asking, type Repeat } from '../domain/bank/repeats.ts'
import { reviewedAs } from '../domain/review-items.ts'
import type { Peers } from '../peers.ts'
import type { ReviewingStore } from '../store.ts'
import { bankItems, flagsOf } from './bank-items.ts'

/** Items of one task, and what the whole bank, and its curation, say of them. */
export interface BankInput { bankItemIds: string[], repeats: Repeat[], flags?: CurationFlag[] }

export const itemsPerTask = 100

/**
 * What repeats what is found out here, over all items in one pass, so that a task needs none but its
 * own. Items are in the order of their rows.
 */
export async function planBank (
  peers: Pick<Peers, 'generation'>, source: BankSource
): Promise<Array<PlannedTask<BankInput>>> {
  const askings: Asking[] = []
  for await (const item of bankItems(peers, source)) askings.push(askingOf(item))
  const repeats = new Map(repeatsAmong(askings).map(repeat => [repeat.itemId, repeat]))
  const flagsById = await flagsOf(peers, source)
  const ids = askings.sort(byRow).map(({ itemId }) => itemId)
  return Array.from({ length: Math.ceil(ids.length / itemsPerTask) }, (_, at) => {
    const bankItemIds = ids.slice(at * itemsPerTask, (at + 1) * itemsPerTask)
    const own = bankItemIds.flatMap(id => repeats.get(id) ?? [])
    const flags = bankItemIds.flatMap(id => flagsById.get(id) ?? [])
    return { key: bankItemIds[0]!, input: { bankItemIds, repeats: own, ...flags.length > 0 && { flags } } }
  })
}

interface BankTask { reviewingId: string, input: BankInput, signal: AbortSignal }

/** Twice is once: reviews have content ids and are never overwritten. */
export async function reviewBankItems (
  { peers, store }: { peers: Pick<Peers, 'generation'>, store: ReviewingStore }, task: BankTask
): Promise<void> {
  const { reviewingId, input: { bankItemIds, repeats, flags = [] }, signal } = task
  const repeatOf = new Map(repeats.map(repeat => [repeat.itemId, repeat]))
  const items = await Promise.all(bankItemIds.map(async id => await peers.generation.getItem(id)))
  signal.throwIfAborted()
  const stray = items.find((item, at) => item.id !== bankItemIds[at] || 'paperId' in item.source)
  if (stray !== undefined) throw new Problem('service-invalid', `Generation answered item ${stray.id} where one of an item bank was asked for.`)
  await store.saveReviewed(items.map(item => {
    const { review, reviewed } =
      reviewedAs(item, [...checkBankItem(item), repeatCheck(repeatOf.get(item.id))], reviewingId)
    const own = flags.filter(({ itemId }) => itemId === item.id)
      .map(({ reason, detail }) => ({ reason, detail }))
    return { review, reviewed: own.length === 0 ? reviewed : { ...reviewed, flags: own } }
  }))
}
