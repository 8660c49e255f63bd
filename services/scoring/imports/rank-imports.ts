/** Ranks imported logs, or says why they cannot be ranked. Nothing is kept; computed on a thread. */
import type { ImportPart } from '../thread/duties.ts'
import type { Threads } from '../thread/threads.ts'
import type { ImportStore } from './store.ts'

export interface RankingRequest { importIds: readonly string[], signal: AbortSignal }

/**
 * The ranking as JSON.
 *
 * @throws Problem run-import-not-found, too-many-requests, not-computable
 */
export async function rankStored (
  { imports, threads }: { imports: ImportStore, threads: Threads }, { importIds, signal }: RankingRequest
): Promise<Buffer> {
  for (const importId of importIds) await imports.get(importId)
  return await threads.run({ do: 'rank' }, { signal, parts: logsOf(imports, importIds) })
}

/** One is held at a time: its rows may be 64 MiB. */
async function * logsOf (imports: ImportStore, importIds: readonly string[]): AsyncGenerator<ImportPart> {
  for (const importId of importIds) {
    yield { record: await imports.get(importId), bytes: await imports.bytesOf(importId, 'accepted') }
  }
}
