/** What can be asked of score tables: take one in, rank it, show it, write it as others have it. */
import type { ScoreRanking, ScoreTable, ScoreTableRequest } from '../../../shared/contracts/score-table.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { inTurns } from '../../../shared/tasks/in-turns.ts'
import { kmetbenchRows } from './domain/export-rows.ts'
import { tablePage } from './domain/page.ts'
import { rankTable } from './domain/rank-table.ts'
import { readTable } from './domain/read-table.ts'
import type { ScoreTableStore } from './store.ts'

export interface TableParts { tables: ScoreTableStore }

/** @throws Problem invalid-request */
export async function importTable (
  { tables }: TableParts, body: ScoreTableRequest, name: string
): Promise<{ created: boolean, table: ScoreTable }> {
  const table = await inTurns(readTable(body, name))
  return { ...await tables.save(table), table }
}

export interface RankingQuery { by?: ScoreRanking['by'], version?: string, level: number }

/** By pairs where the table is of stored runs, else by the items without images. */
export async function rankStoredTable (
  { tables }: TableParts, tableId: string, { query, signal }: { query: RankingQuery, signal: AbortSignal }
): Promise<ScoreRanking> {
  const table = await tables.get(tableId)
  const { by = table.paired === undefined ? 'text' : 'paired', version = null, level } = query
  if (by !== 'paired') return await inTurns(rankTable(table, { by, version, level }), signal)
  if (table.paired === undefined) {
    throw new Problem('invalid-request', 'Published counts have no pairs: answers by item are needed for that. Ask for published, text or all.', {
      errors: [{ pointer: '/query/by', detail: 'must be published, text or all for this table' }]
    })
  }
  if (version === null && level === table.paired.level) return table.paired
  throw new Problem('invalid-request', `The paired ranking was made once, of all its rows at level ${table.paired.level}; make the table anew for another, or ask for text.`, {
    errors: [{ pointer: '/query', detail: 'must leave version and level out where by is paired' }]
  })
}

/** @param signal  of the caller: ranking thousands of rows is given up when nobody waits */
export async function pageOfTable (
  { tables }: TableParts, tableId: string, signal: AbortSignal
): Promise<string> {
  return await renderTable(await tables.get(tableId), signal)
}

/** Intervals of the page, and the level of its rank sets. */
const pageLevel = 0.95

export async function renderTable (table: ScoreTable, signal: AbortSignal): Promise<string> {
  const rankings: ScoreRanking[] = table.paired === undefined ? [] : [table.paired]
  for (const by of ['text', 'all', 'published'] as const) {
    rankings.push(await inTurns(rankTable(table, { by, version: null, level: pageLevel }), signal))
  }
  return await inTurns(tablePage(table, rankings), signal)
}

export async function tableAsKmetbench ({ tables }: TableParts, tableId: string): Promise<string> {
  return `${JSON.stringify(kmetbenchRows(await tables.get(tableId)), null, 2)}\n`
}
