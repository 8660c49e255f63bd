/** Ranks of a table's rows over common items, and as they were published; from counts alone. */
import type { RankedBy, ScoreRanking, ScoreTable, ScoreTableRow, Standing, TableCell, TableSlice } from '../../../../shared/contracts/score-table.ts'
import { wilsonInterval, type Range } from '../../../../shared/stats/proportions.ts'
import { ranksOf } from '../../../../shared/stats/ranks.ts'
import { newcombeOf } from '../../domain/analyses/two-shares.ts'
import { tieGroups } from '../../domain/leaderboard/ranks.ts'

export interface RankOptions { by: Exclude<RankedBy, 'paired'>, version: string | null, level: number }

interface Entry { row: ScoreTableRow, cell: TableCell, notRanked?: string }

const sliceOf: Record<RankOptions['by'], TableSlice> = { published: 'all', text: 'text', all: 'all' }

const assumes = 'Items are independent draws, and so are two models\' answers to an item. Answers by item are not published; as models tend to fail on the same items, differences are surer than is shown here, and the rank sets wider than answers by item would give. They say nothing of other papers or exams.'

/**
 * Rank sets hold for all rows at once: two rows are apart where Newcombe's interval of their difference,
 * at the level divided by the number of pairs (Bonferroni), leaves out 0. Gives way after each row.
 *
 * @see Mogstad, Romano, Shaikh & Wilhelm 2024, doi:10.1093/restud/rdad006 (sets from simultaneous bounds)
 */
export function * rankTable (
  { rows }: Pick<ScoreTable, 'rows'>, { by, version, level }: RankOptions
): Generator<void, ScoreRanking> {
  const asked = rows.filter(row => version === null || row.version === version)
  const most = Math.max(0, ...asked.map(row => cellOf(row, sliceOf[by]).n))
  const entries = asked.map((row): Entry => {
    const cell = cellOf(row, sliceOf[by])
    const notRanked = cell.right === null
      ? cell.n === 0 ? 'It has no data of these items.' : 'Its percentage is no whole number of the items.'
      : by !== 'published' && cell.n < most ? `It was asked ${cell.n} of ${most} items.` : undefined
    return { row, cell, ...notRanked !== undefined && { notRanked } }
  })
  const ranked = entries.filter(({ notRanked }) => notRanked === undefined)
  const places = yield * placesOf(ranked.map(({ cell: { right, n } }) => ({ right: right!, n })), level)
  const placeOf = new Map(ranked.map((entry, at) => [entry, places[at]!]))
  const published = ranked.map(({ row }) => cellOf(row, 'all').percent ?? -1)
  const before = ranksOf(published.map(percent => -percent), 'min')
  const publishedRank = new Map(ranked.map((entry, at) => [entry, before[at]!]))
  const standings: Standing[] = []
  for (const entry of entries) {
    const standing = standingOf(entry, placeOf.get(entry), level)
    standings.push({ ...standing, publishedRank: publishedRank.get(entry) ?? null })
    yield
  }
  const same = new Set(ranked.map(({ cell }) => cell.n)).size < 2
  return {
    by,
    version,
    level,
    n: same ? ranked[0]?.cell.n ?? null : null,
    moved: movedOf(standings),
    method: same ? 'simultaneous Newcombe intervals of all pairs (Bonferroni); of a row Wilson' : 'none: rows are of different items; of a row Wilson',
    assumes,
    rows: (same ? standings : standings.map(withoutSets)).sort(byRank),
    notes: notesOf(by, entries, same)
  }
}

const withoutSets = (standing: Standing): Standing => ({ ...standing, rankSet: null, tieGroup: null })

function cellOf ({ cells }: ScoreTableRow, slice: TableSlice): TableCell {
  return cells.find(cell => cell.slice === slice)!
}

interface Place { rank: number, rankSet: { best: number, worst: number }, tieGroup: number }
interface Share { right: number, n: number }

function * placesOf (shares: readonly Share[], level: number): Generator<void, Place[]> {
  const means = shares.map(({ right, n }) => right / n)
  const ranks = ranksOf(means.map(mean => -mean), 'min')
  const pairs = shares.length * (shares.length - 1) / 2
  const each = pairs === 0 ? level : 1 - (1 - level) / pairs
  const ends = shares.map(({ right, n }, at) =>
    ({ share: means[at]!, ...wilsonInterval({ successes: right, trials: n }, each) }))
  const sets: Array<{ best: number, worst: number }> = []
  for (const own of ends) {
    const better = ends.filter(other => isAhead(other, own)).length
    const worse = ends.filter(other => isAhead(own, other)).length
    sets.push({ best: 1 + better, worst: shares.length - worse })
    yield
  }
  const groups = tieGroups(means, (a, b) => isAhead(ends[a]!, ends[b]!))
  return means.map((_, at) => ({ rank: ranks[at]!, rankSet: sets[at]!, tieGroup: groups[at]! }))
}

interface Ends extends Range { share: number }

const isAhead = (a: Ends, b: Ends) => a.share > b.share && newcombeOf(a, b).low > 0

function standingOf ({ row, cell, notRanked }: Entry, place: Place | undefined, level: number): Standing {
  const { right, n } = cell
  const { low, high } = right === null
    ? { low: null, high: null }
    : wilsonInterval({ successes: right, trials: n }, level)
  return {
    model: row.model,
    value: right === null ? null : right / n,
    n,
    low,
    high,
    rank: place?.rank ?? null,
    rankSet: place?.rankSet ?? null,
    tieGroup: place?.tieGroup ?? null,
    publishedRank: null,
    ...notRanked !== undefined && { notRanked }
  }
}

function movedOf (standings: readonly Standing[]): ScoreRanking['moved'] {
  const moves = standings.map(({ rank, publishedRank }) => Math.abs((rank ?? 0) - (publishedRank ?? 0)))
  return { rows: moves.filter(move => move > 0).length, most: Math.max(0, ...moves) }
}

export function byRank (a: Standing, b: Standing): number {
  return (a.rank ?? Infinity) - (b.rank ?? Infinity) || (a.model < b.model ? -1 : a.model > b.model ? 1 : 0)
}

function notesOf (by: RankOptions['by'], entries: readonly Entry[], same: boolean): string[] {
  const ranked = entries.filter(({ notRanked }) => notRanked === undefined)
  const versions = new Set(ranked.map(({ row }) => row.version))
  const without = entries.length - ranked.length
  return [
    ...same ? [] : ['As published: rows were not asked the same items, so that ranks have neither sets nor groups. Rank by text or all for those.'],
    ...without === 0 ? [] : [`${without} rows are not ranked; each says why.`],
    ...versions.size > 1 ? [`Rows of ${versions.size} versions of the items are ranked together; pass version to keep them apart.`] : [],
    ...by === 'all' ? ['Only models that were asked all items are ranked.'] : []
  ]
}
