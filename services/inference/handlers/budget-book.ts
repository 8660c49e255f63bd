/** The budgets as this process knows them: what they allow, what is spent, and what is reserved. */
import type { Doc, Store } from '../../../shared/store/store.ts'
import { addSpending, noSpending, scopeText, type Budget, type Spending } from '../domain/budget.ts'
import { allRows, ownRows, type RowDoc } from './own-rows.ts'

export interface BudgetDoc extends Doc { scope: string, budget: Budget }
interface SpendingKey { budgetId: string }

export interface Held {
  budget: Budget
  /** What other processes, and this one before it started anew, have spent. */
  others: Spending
  reserved: Spending
  /** The reading that found it. */
  round: number
}

export interface BudgetBook {
  /** By scope. */
  held: ReadonlyMap<string, Held>
  hold: (doc: BudgetDoc) => Held
  own: (budget: Budget) => Spending
  /** Adds to what this process has spent. */
  spend: (each: Held, charge: Spending) => void
  /** Reads anew what all processes have written. */
  refresh: () => Promise<void>
  /** Monotonic milliseconds of the start of the last reading that succeeded; null before the first. */
  readAt: () => number | null
  /** What is written of a budget that is gone. */
  forget: (budget: Budget) => Promise<void>
  close: () => Promise<void>
}

interface Parts {
  store: Store
  onFault: (cause: unknown) => void
  list: () => Promise<BudgetDoc[]>
  /** Monotonic milliseconds. */
  now: () => number
}

export async function budgetBook ({ store, onFault, list, now }: Parts): Promise<BudgetBook> {
  const spending = await store.collection<RowDoc<SpendingKey, Spending>>('budget-spending',
    [{ keys: ['key.budgetId'] }])
  const rows = ownRows<SpendingKey, Spending>(spending, onFault)
  const held = new Map<string, Held>()
  let round = 0
  let readAt: number | null = null
  let reading: Promise<void> = Promise.resolve()

  function hold ({ scope, budget }: BudgetDoc): Held {
    const known = held.get(scope)
    if (known?.budget.id === budget.id) return known
    const made = { budget, others: noSpending, reserved: noSpending, round }
    held.set(scope, made)
    return made
  }

  async function read (): Promise<void> {
    const thisRound = ++round
    const began = now()
    const found = await list()
    const others = new Map<string, Spending>()
    if (found.length > 0) {
      for await (const { _id, key, sums } of allRows(spending, {})) {
        const { budgetId } = key
        if (!rows.isOwn(_id)) others.set(budgetId, addSpending(others.get(budgetId) ?? noSpending, sums))
      }
    }
    for (const doc of found) {
      const each = hold(doc)
      each.others = others.get(doc.budget.id) ?? noSpending
      each.round = thisRound
    }
    // One made since this reading began is not gone.
    for (const [scope, each] of held) if (each.round < thisRound) held.delete(scope)
    readAt = began
  }

  const own = ({ id }: Budget): Spending =>
    rows.row(id, () => ({ key: { budgetId: id }, sums: { ...noSpending } }))
  return {
    held,
    hold,
    own,
    spend (each, { tokens, requests }) {
      // Removed meanwhile: nothing is written for it any more.
      if (held.get(scopeText(each.budget)) !== each) return
      const spent = own(each.budget)
      spent.tokens += tokens
      spent.requests += requests
      rows.changed(each.budget.id)
    },
    // Never one that began before it was asked for.
    async refresh () {
      reading = reading.catch(() => {}).then(read)
      await reading
    },
    readAt: () => readAt,
    async forget ({ id }) {
      rows.drop(id)
      for await (const { _id } of allRows(spending, { 'key.budgetId': id })) await spending.delete(_id)
    },
    close: rows.close
  }
}
