/** Counts every call once, and tells what was used. */
import type { Store } from '../../../shared/store/store.ts'
import type { CallRecord } from '../domain/call.ts'
import {
  addCall, addRow, foldedLabel, inOrder, keyText, noSums, usageKeyOf,
  type UsageKey, type UsageRow, type UsageSums
} from '../domain/usage.ts'
import { allRows, ownRows, type RowDoc } from './own-rows.ts'

/** Of one process; calls under further labels are counted together, under the label "…". */
const rowsMax = 10_000

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
  /** Told when usage could not be written; it is tried again each second. */
  onFault: (cause: unknown) => void
}

export async function usageLedger (store: Store, options: Options): Promise<UsageLedger> {
  const collection = await store.collection<RowDoc<UsageKey, UsageSums>>('usage',
    [{ keys: ['key.group'] }, { keys: ['key.caller'] }, { keys: ['key.model'] }])
  const rows = ownRows<UsageKey, UsageSums>(collection, options.onFault)
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
      const found = new Map<string, UsageRow>()
      for await (const row of allRows(collection, wanted)) addRow(found, row)
      return inOrder(found)
    },
    close: rows.close
  }
}
