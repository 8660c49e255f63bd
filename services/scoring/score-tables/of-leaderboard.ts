/** The leaderboard of stored runs as a score table. */
import type { LeaderboardQuery } from '../../../shared/contracts/leaderboard.ts'
import type { LeaderboardTableQuery, LeaderboardTableRequest, ScoreTable } from '../../../shared/contracts/score-table.ts'
import { inTurns } from '../../../shared/tasks/in-turns.ts'
import { leaderboardOf } from '../domain/leaderboard/leaderboard.ts'
import { readVersion } from '../handlers/get-leaderboard.ts'
import { mustBeAsRead } from '../handlers/make-report.ts'
import type { GridParts } from '../handlers/scored-grids.ts'
import { usualDimensions } from '../kmetbench/domain/item-marks.ts'
import { tableOfRuns } from './domain/table-of-runs.ts'
import { renderTable } from './score-tables.ts'

interface Asked { asked: LeaderboardTableRequest, signal: AbortSignal }

/** @throws Problem benchmark-not-found, limit-exceeded */
export async function tableOfLeaderboard (
  parts: GridParts, benchmarkId: string, { asked, signal }: Asked
): Promise<ScoreTable> {
  const { models, dimensions, ...filter } = asked
  const query: LeaderboardQuery = { ...filter, metric: 'accuracy' }
  const { frozen, settled, leftOut, measured, units, runs } = await readVersion(parts, benchmarkId, query)
  const { benchmark, itemById } = frozen
  const steps = leaderboardOf({ benchmark, measured, units, runs, leftOut, query })
  const leaderboard = await inTurns(steps, signal)
  for (const job of settled) await mustBeAsRead(parts, job)
  return await inTurns(tableOfRuns({ leaderboard, units, runs, itemById }, { models, dimensions }), signal)
}

export async function leaderboardPage (
  parts: GridParts, benchmarkId: string,
  { query, signal }: { query: LeaderboardTableQuery, signal: AbortSignal }
): Promise<string> {
  const asked = { ...query, models: [], dimensions: usualDimensions }
  return await renderTable(await tableOfLeaderboard(parts, benchmarkId, { asked, signal }), signal)
}
