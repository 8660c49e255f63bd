/** A leaderboard in the forms people cite. */
import type { Leaderboard, LeaderboardRow } from '../../../../shared/contracts/leaderboard.ts'
import { metricName } from '../report/numbers.ts'
import { fixed, tableCsv, tableLatex, tableMarkdown, type Cell, type Table } from '../compare/table.ts'

const words = new Set(['model', 'ranks', 'leave one paper out', 'note'])
const columns = [
  'rank', 'ranks', 'group', 'model', 'score', 'low', 'high', 'n', 'papers', 'common score', 'common n',
  'leave one paper out', 'skipped', 'errors', 'lowest', 'highest', 'note'
]

export function leaderboardTable (leaderboard: Leaderboard): Table {
  const { benchmark, metric, kind, level, rankMethod, rows, notes } = leaderboard
  const digits = metric.startsWith('bleu') ? 1 : 3
  return {
    title: `${benchmark.name}: ${metricName(metric)}${kind === null ? '' : `, ${kind} items`}`,
    notes: [
      `Intervals of ${Number((100 * level).toFixed(3))} % over papers; ranks are those the data leave open: ${rankMethod}.`,
      ...sensitivityWords(leaderboard),
      ...notes,
      `Benchmark ${benchmark.id}, version ${benchmark.version.slice(0, 12)}.`
    ],
    columns: columns.map(name => ({ name, numeric: !words.has(name) })),
    rows: rows.map(row => cellsOf(row, digits))
  }
}

function cellsOf (row: LeaderboardRow, digits: number): Cell[] {
  const { score, common, bounds, outcomes } = row
  return [
    row.rank, range(row.rankSet), row.tieGroup, row.name, fixed(score.value, digits),
    fixed(
      score.interval?.low ?? null, digits
    ), fixed(score.interval?.high ?? null, digits), score.n, score.clusters,
    fixed(common?.value ?? null, digits), common?.n ?? null, range(row.leaveOnePaperOut),
    outcomes.skipped ?? 0, outcomes.error ?? 0,
    fixed(bounds?.low ?? null, digits), fixed(bounds?.high ?? null, digits),
    [...row.human ? ['a person'] : [], row.notRanked ?? []].flat().join('; ')
  ]
}

/** "2 to 4": a dash might be read as a minus sign, or by a spreadsheet as a date. */
function range (ranks: { best: number, worst: number } | null): Cell {
  if (ranks === null) return null
  return ranks.best === ranks.worst ? `${ranks.best}` : `${ranks.best} to ${ranks.worst}`
}

function sensitivityWords ({ sensitivity }: Leaderboard): string[] {
  if (sensitivity === null) return []
  const { first, second, n, itemsToFlip, papers, papersThatFlip } = sensitivity
  const items = itemsToFlip === null
    ? `However many of the ${n} common items are left out, ${second} is not put before ${first}.`
    : `Leaving out ${itemsToFlip} of ${n} common items puts ${second} before ${first}.`
  const left = papers < 2 ? '' : ` Of ${papers} papers ${papersThatFlip.length} would do it alone.`
  return [`${items}${left}`]
}

export function leaderboardCsv (leaderboard: Leaderboard): string {
  return tableCsv(leaderboardTable(leaderboard))
}

export function leaderboardMarkdown (leaderboard: Leaderboard): string {
  return tableMarkdown(leaderboardTable(leaderboard))
}

/** Without the columns that are empty in every row: paper is narrow. */
export function leaderboardLatex (leaderboard: Leaderboard): string {
  const { columns: all, rows, ...table } = leaderboardTable(leaderboard)
  const kept = all.flatMap(({ name }, at) =>
    name !== 'note' && rows.some(row => !isEmpty(row[at]!)) ? [at] : [])
  return tableLatex({
    ...table, columns: kept.map(at => all[at]!), rows: rows.map(row => kept.map(at => row[at]!))
  })
}

function isEmpty (cell: Cell): boolean {
  return cell === null || cell === '' || cell === 0
}
