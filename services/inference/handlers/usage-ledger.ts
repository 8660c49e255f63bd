/** Counts every call once, and tells what was used. */
import { Problem } from '../../../shared/errors/problem.ts'
import type { Store } from '../../../shared/store/store.ts'
import type { CallRecord } from '../domain/call.ts'
import {
  addCall, addRow, foldedLabel, inOrder, keyText, noSums, usageKeyOf,
  type UsageKey, type UsageRow, type UsageSums
} from '../domain/usage.ts'
import { foldRows, readRows } from './fold-rows.ts'
import { ownRows, type RowDoc } from './own-rows.ts'

/** Of one process; calls under further labels are counted together, under the label "…". */
const rowsMax = 10_000
/** Rows of any process that were not written for so long become one for each key, when a process starts. */
const quietMs = 24 * 3_600_000
const looksMax = 20

export type UsageFilter = { [name in keyof UsageKey]?: string | undefined }

export interface UsageLedger {
  /** Call it once for each call that has ended. Takes microseconds, asks nobody. */
  note: (record: CallRecord) => void
  /** What all processes on this store have counted, ours up to now, others' up to a second ago. */
  read: (filter: UsageFilter) => Promise<UsageRow[]>
  close: () => Promise<void>
}

interface Options {
  rowsMax?: number
  /** Wall clock, in milliseconds. */
  now?: () => number
  /** Told when usage could not be written; it is tried again each second. */
  onFault: (cause: unknown) => void
}

export async function usageLedger (store: Store, options: Options): Promise<UsageLedger> {
  const collection = await store.collection<RowDoc<UsageKey, UsageSums>>('usage',
    [{ keys: ['key.group'] }, { keys: ['key.caller'] }, { keys: ['key.model'] }])
  const now = options.now ?? Date.now
  const rows = ownRows<UsageKey, UsageSums>(collection, options.onFault, now)
  const folding = foldRows(collection, { nameOf: keyText, now: now(), quietMs }).catch(options.onFault)
  const most = options.rowsMax ?? rowsMax

  return {
    note (record) {
      let key = usageKeyOf(record)
      let name = keyText(key)
      if (rows.size() >= most && !rows.has(name)) {
        key = { model: foldedLabel, caller: foldedLabel, group: foldedLabel, purpose: foldedLabel }
        name = keyText(key)
      }
      addCall(rows.row(name, () => ({ key, sums: noSums() })), record)
      rows.changed(name)
    },
    async read (filter) {
      await rows.flush()
      const wanted: Record<string, string> = {}
      for (const [name, value] of Object.entries(filter)) {
        if (value !== undefined) wanted[`key.${name}`] = value
      }
      for (let look = 0; look < looksMax; look++) {
        const found = new Map<string, UsageRow>()
        if (await readRows(collection, wanted, row => { addRow(found, row) })) return inOrder(found)
      }
      throw new Problem('store-unavailable', 'Usage of former starts is being put together at this moment; ask again.')
    },
    async close () {
      await folding
      await rows.close()
    }
  }
}
