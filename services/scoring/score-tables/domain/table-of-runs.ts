/** Rows of a leaderboard of stored runs as counts by slice, with what its caller says of the models. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { Leaderboard, LeaderboardRow } from '../../../../shared/contracts/leaderboard.ts'
import { tableSlices, type LeaderboardTableRequest, type RowWarning, type ScoreRanking, type ScoreTable, type ScoreTableRow, type TableCell, type TableSlice } from '../../../../shared/contracts/score-table.ts'
import type { Mark, Unit } from '../../domain/compare/grid.ts'
import { entriesOf, type RunMarks } from '../../domain/leaderboard/entries.ts'
import { hasImages } from '../../kmetbench/domain/item-marks.ts'
import { byRank } from './rank-table.ts'
import { tableOf } from './read-table.ts'

export interface OfRuns {
  leaderboard: Leaderboard
  units: readonly Unit[]
  runs: readonly RunMarks[]
  itemById: ReadonlyMap<string, BenchmarkItem>
}

type Said = Pick<LeaderboardTableRequest, 'models' | 'dimensions'>

/** Gives way after each row. */
export function * tableOfRuns (
  { leaderboard, units, runs, itemById }: OfRuns, { models, dimensions }: Said
): Generator<void, ScoreTable> {
  const slices = units.map(unit => slicesOf(unit, itemById.get(unit.itemId)!, dimensions))
  const marks = new Map(entriesOf(runs).map(entry => [entry.runIds[0]!, entry.marks]))
  const { benchmark } = leaderboard
  const rows = leaderboard.rows.map((row): ScoreTableRow => {
    const cells = cellsOf(marks.get(row.runIds[0]!)!, slices)
    return {
      ...factsOf(row, models),
      version: benchmark.version.slice(0, 12),
      times: [],
      cells,
      judged: null,
      warnings: warningsOf(row, cells[0]!.n, units.length)
    }
  })
  return yield * tableOf({ name: benchmark.name, rows, paired: pairedRanking(leaderboard) }, null)
}

function slicesOf (
  { slices }: Unit, item: BenchmarkItem, { part, korean }: Said['dimensions']
): Set<TableSlice> {
  const ofPart = tableSlices.find(slice => slice === `part${slices[part] ?? ''}`)
  return new Set<TableSlice>([
    'all', hasImages(item) ? 'multimodal' : 'text', ...slices[korean] === 'true' ? ['korean' as const] : [],
    ...ofPart === undefined ? [] : [ofPart]
  ])
}

function cellsOf (marks: readonly Mark[], slices: ReadonlyArray<ReadonlySet<TableSlice>>): TableCell[] {
  return tableSlices.map(slice => {
    const values = marks.flatMap(({ value }, at) => value !== null && slices[at]!.has(slice) ? [value] : [])
    if (values.length === 0) return { slice, percent: null, right: null, n: 0 }
    // Means over repeats, added up, differ in the last digits.
    const right = Number(values.reduce((sum, value) => sum + value, 0).toPrecision(12))
    return { slice, percent: 100 * right / values.length, right, n: values.length }
  })
}

/** A row is called as on the leaderboard; the name that is given stands for the model in it. */
function factsOf ({ name, model }: LeaderboardRow, models: Said['models']) {
  const said = models.find(each => each.model === model)
  return {
    model: name,
    name: said?.name === undefined ? name : name.startsWith(model) ? `${said.name}${name.slice(model.length)}` : name,
    sizeB: said?.sizeB ?? null,
    proprietary: said?.proprietary ?? null,
    korean: said?.korean ?? null,
    vision: said?.vision ?? null,
    reasoning: said?.reasoning ?? null
  }
}

function warningsOf ({ outcomes }: LeaderboardRow, n: number, items: number): RowWarning[] {
  if (n >= items) return []
  return [{ code: 'fewer-items', detail: `${n} of ${items} items count: ${outcomes.skipped ?? 0} were skipped, ${outcomes.error ?? 0} ended in error.` }]
}

function pairedRanking ({ level, rows, rankMethod, commonItems, notes }: Leaderboard): ScoreRanking {
  const standings = rows.map(({ name, common, score, rank, rankSet, tieGroup, notRanked }) => {
    const interval = common !== null && common.n === score.n ? score.interval : null
    return {
      model: name,
      value: common?.value ?? null,
      n: common?.n ?? 0,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      rank,
      rankSet,
      tieGroup,
      publishedRank: null,
      ...notRanked !== undefined && { notRanked }
    }
  })
  return {
    by: 'paired',
    version: null,
    level,
    n: commonItems,
    moved: { rows: 0, most: 0 },
    method: rankMethod,
    assumes: 'Papers are independent draws; answers to the same item are paired. An interval is over papers, and there is one where the common items are all of the row\'s.',
    rows: standings.sort(byRank),
    notes
  }
}
