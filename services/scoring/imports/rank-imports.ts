/** Ranks imported logs, or says why they cannot be ranked. Nothing is kept. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportedItem, ImportRanking } from '../../../shared/contracts/run-import.ts'
import { rankImports, type Ranked } from './domain/rank.ts'
import type { ImportStore } from './store.ts'

/** So many lines hold the event loop for a few milliseconds. */
const linesAtOnce = 500

/** @throws Problem run-import-not-found */
export async function rankStored (
  imports: ImportStore, importIds: readonly string[]
): Promise<ImportRanking> {
  const logs: Ranked[] = []
  for (const importId of importIds) {
    const record = await imports.get(importId)
    logs.push({ record, items: await itemsOf(await imports.bytesOf(importId, 'accepted')) })
  }
  return rankImports(logs)
}

/** Without the replies, which a ranking does not need. */
async function itemsOf (bytes: Buffer): Promise<ImportedItem[]> {
  const items: ImportedItem[] = []
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(0x0a, from)
    items.push({ ...JSON.parse(bytes.toString('utf8', from, end)) as ImportedItem, reply: null })
    from = end + 1
    if (items.length % linesAtOnce === 0) await nextTurn()
  }
  return items
}
