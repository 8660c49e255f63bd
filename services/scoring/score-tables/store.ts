/** Score tables as they were sent: each under the hash of all it says, its bytes as a blob. */
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import type { ScoreTable, ScoreTableHead } from '../../../shared/contracts/score-table.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Doc, Store } from '../../../shared/store/store.ts'

interface TableDoc extends Doc { blobId: string, head: ScoreTableHead }

export async function scoreTableStore (store: Store, blobs: Blobs) {
  const tables = await store.collection<TableDoc>('scoreTables')
  return {
    async save (table: ScoreTable): Promise<{ created: boolean }> {
      const { id: blobId } = await blobs.put(Buffer.from(JSON.stringify(table)))
      const head = { id: table.id, name: table.name, rowCount: table.rows.length }
      return { created: await tables.insert({ _id: table.id, blobId, head }) }
    },

    /** @throws Problem score-table-not-found */
    async get (tableId: string): Promise<ScoreTable> {
      const doc = await tables.find(tableId)
      if (doc === undefined) {
        throw new Problem('score-table-not-found', `There is no score table ${tableId}; POST /v1/score-tables with the rows of a leaderboard makes one.`)
      }
      const bytes = await blobs.find(doc.blobId)
      if (bytes === undefined) throw new Error(`Blob ${doc.blobId} of score table ${tableId} is gone`)
      return JSON.parse(bytes.toString('utf8')) as ScoreTable
    },

    /** By id; the cursor is the last one's. */
    async list ({ cursor, limit }: PageRequest): Promise<Page<ScoreTableHead>> {
      if (cursor !== undefined && !/^stb_[0-9a-f]{32}$/.test(cursor)) {
        throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
      }
      const docs = await tables.findMany({ _id: { $gt: cursor ?? '' } }, { sort: { _id: 1 }, limit: limit + 1 })
      const items = docs.slice(0, limit).map(({ head }) => head)
      return { items, nextCursor: docs.length > limit ? items.at(-1)!.id : null }
    }
  }
}

export type ScoreTableStore = Awaited<ReturnType<typeof scoreTableStore>>
