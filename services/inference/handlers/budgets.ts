/**
 * Budgets: checked and reserved before a call, settled after it. Within a process that is exact, since
 * nothing happens between check and reservation. What other processes on the same store have spent is
 * known up to a second or two late: together they may overdraw by what they admit in that time.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Store } from '../../../shared/store/store.ts'
import {
  addSpending, chargeOf, scopesOf, scopeText, whyExhausted, type Budget, type Spending
} from '../domain/budget.ts'
import type { CallRecord, Labels } from '../domain/call.ts'
import { budgetBook, type BudgetBook, type BudgetDoc, type Held } from './budget-book.ts'

export const budgetsMax = 1_000
const refreshMs = 1_000
/** What was read longer ago is read again before a call is let in: this process may have been idle. */
const staleMs = 2_000
/** For that; where the store does not answer, what is known holds. */
const catchUpMs = 1_000

export interface BudgetState extends Budget {
  /** By all processes. */
  spent: Spending
  /** For calls of this process under way. */
  reserved: Spending
  /** Null where it is not limited; never below 0, though a call may have spent more than was estimated. */
  remaining: { tokens: number | null, requests: number | null }
}

export interface Reservation {
  /** Once, whatever became of the call. */
  settle: (record: CallRecord) => void
}

export interface Budgets {
  /**
   * @param tokens  most that the call may spend
   * @throws Problem budget-exhausted, and nothing is reserved; store-unavailable as long as the budgets
   *   could never be read
   */
  reserve: (labels: Labels, tokens: number) => Promise<Reservation>
  /** Those that hold calls with these labels. */
  of: (labels: Labels) => BudgetState[]
  /** @throws Problem conflict when the scope has one, or there are as many as there may be */
  create: (wanted: Omit<Budget, 'id'>) => Promise<BudgetState>
  list: () => Promise<BudgetState[]>
  /** @throws Problem budget-not-found */
  get: (id: string) => Promise<BudgetState>
  /** @throws Problem budget-not-found */
  remove: (id: string) => Promise<void>
  close: () => Promise<void>
}

/** @param now  monotonic milliseconds */
export async function openBudgets (
  store: Store, onFault: (cause: unknown) => void, now: () => number = () => performance.now()
): Promise<Budgets> {
  const documents = await store.collection<BudgetDoc>('budgets', [{ keys: ['scope'], unique: true }])
  const list = async (): Promise<BudgetDoc[]> => await documents.findMany({}, { limit: 10_000 })
  const book = await budgetBook({ store, onFault, list, now })
  const heldFor = (labels: Labels): Held[] =>
    book.held.size === 0 ? [] : scopesOf(labels).flatMap(scope => book.held.get(scope) ?? [])

  async function heldById (id: string): Promise<Held> {
    await book.refresh()
    for (const each of book.held.values()) if (each.budget.id === id) return each
    throw new Problem('budget-not-found', `There is no budget ${id.slice(0, 60)}; GET /v1/budgets lists them.`)
  }

  let refreshing: Promise<void> | undefined
  let triedAt = -Infinity
  /** One reading for all who come meanwhile, and only those wait whose budgets may have become others. */
  async function refreshInTime (readAt: number): Promise<void> {
    const ageMs = now() - Math.max(readAt, triedAt)
    if (refreshing === undefined && ageMs < refreshMs) return
    refreshing ??= book.refresh().catch(onFault).finally(() => {
      refreshing = undefined
      triedAt = now()
    })
    if (ageMs >= staleMs) await Promise.race([refreshing, wait(catchUpMs, undefined, { ref: false })])
  }

  return {
    async reserve (labels, tokens) {
      const readAt = book.readAt()
      if (readAt === null) await book.refresh()
      else await refreshInTime(readAt)
      return reserved(book, heldFor(labels), tokens)
    },
    of: labels => heldFor(labels).map(each => stateOf(book, each)),
    async create (wanted) {
      const budget = { id: `bgt_${randomUUID().replaceAll('-', '')}`, ...wanted }
      if (await documents.count({}) >= budgetsMax) {
        throw new Problem('conflict', `There are ${budgetsMax} budgets already: delete one first.`)
      }
      const doc = { _id: budget.id, scope: scopeText(budget), budget }
      if (!await documents.insert(doc)) {
        throw new Problem('conflict', 'This caller and group have a budget already: delete it first; GET /v1/budgets lists it.')
      }
      return stateOf(book, book.hold(doc))
    },
    async list () {
      await book.refresh()
      return [...book.held.values()].map(each => stateOf(book, each)).sort((a, b) => a.id < b.id ? -1 : 1)
    },
    get: async id => stateOf(book, await heldById(id)),
    async remove (id) {
      const { budget } = await heldById(id)
      await documents.delete(id)
      await book.refresh()
      await book.forget(budget)
    },
    close: book.close
  }
}

/** All of them or none: nothing happens between check and reservation. */
function reserved (book: BudgetBook, holding: readonly Held[], tokens: number): Reservation {
  for (const each of holding) {
    const why = whyExhausted(each.budget, takenOf(book, each), tokens)
    if (why !== null) throw new Problem('budget-exhausted', `The budget ${nameOf(each.budget)} does not allow this call: ${why}. Ask whoever keeps the budgets for more; recorded calls can still be replayed.`)
  }
  for (const each of holding) each.reserved = addSpending(each.reserved, { tokens, requests: 1 })
  let open = true
  return {
    settle (record) {
      if (!open) return
      open = false
      const charge = chargeOf(record, tokens)
      for (const each of holding) {
        each.reserved = addSpending(each.reserved, { tokens: -tokens, requests: -1 })
        if (charge.requests > 0) book.spend(each, charge)
      }
    }
  }
}

function takenOf ({ own }: BudgetBook, { budget, others, reserved }: Held): Spending {
  return addSpending(addSpending(own(budget), others), reserved)
}

function stateOf (book: BudgetBook, each: Held): BudgetState {
  const { budget, others, reserved } = each
  const { tokens, requests } = takenOf(book, each)
  const left = (max: number | null, used: number) => max === null ? null : Math.max(0, max - used)
  return {
    ...budget,
    spent: addSpending(book.own(budget), others),
    reserved,
    remaining: { tokens: left(budget.tokensMax, tokens), requests: left(budget.requestsMax, requests) }
  }
}

function nameOf ({ id, caller, group }: Budget): string {
  return [id, ...caller === null ? [] : [`of caller ${caller}`], ...group === null ? [] : [`of group ${group}`]].join(' ')
}
