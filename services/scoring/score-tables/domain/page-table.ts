/** The table of the page: headers sort it by style sheet alone, each cell has its interval. */
import type { ScoreRanking, Standing } from '../../../../shared/contracts/score-table.ts'
import { html, trusted, type Markup } from '../../domain/report/html.ts'
import { said, type Metric, type PageRow } from './page-rows.ts'

/** Beyond it the page would be slow; rows are in the JSON files in full. */
export const rowsShownMax = 1_000

interface Column {
  id: string
  name: string
  about: string
  /** By which rows are sorted: more first, no data last. */
  key: (row: PageRow) => number | string | null
  cell: (row: PageRow) => Markup
}

const rankNames: Record<ScoreRanking['by'], readonly [string, string]> = {
  paired: ['Rank', 'Rank over common items, answer by answer; below it the ranks that the data leave open, and the tie group'],
  text: ['Rank, text', 'Rank by the items without images, which every model can be asked; below it the ranks that the data leave open, and the tie group'],
  all: ['Rank, all', 'Rank among models that were asked all items; below it the ranks that the data leave open, and the tie group'],
  published: ['Rank, site', 'Rank by the accuracy as published, over unlike items where n differs']
}

function columnsOf (metrics: readonly Metric[], rankings: readonly ScoreRanking[]): Column[] {
  return [
    ...rankings.map(({ by }, at): Column => ({
      id: `rank-${by}`,
      name: rankNames[by][0],
      about: rankNames[by][1],
      key: ({ standings }) => negative(standings[at]?.rank),
      cell: ({ standings }) => rankCell(standings[at])
    })),
    {
      id: 'model',
      name: 'Model',
      about: 'P proprietary, K made for Korean, V takes images, R can reason before it answers',
      key: ({ row }) => row.name.toLowerCase(),
      cell: modelCell
    },
    {
      id: 'size',
      name: 'B',
      about: 'Parameters, in thousands of millions',
      key: ({ row }) => row.sizeB,
      cell: ({ row }) => html`<td>${row.sizeB ?? html`<span title="not known">–</span>`}</td>`
    },
    ...metrics.map((metric): Column => ({
      id: metric.id,
      name: metric.short,
      about: `${metric.name}. ${metric.about}`,
      key: ({ values }) => values.get(metric.id)?.value ?? null,
      cell: row => metricCell(row, metric)
    }))
  ]
}

const negative = (rank: number | null | undefined) => rank === null || rank === undefined ? null : -rank

function rankCell (standing: Standing | undefined): Markup {
  if (standing === undefined || standing.rank === null) {
    return html`<td title="${standing?.notRanked ?? 'Not in this ranking.'}">–</td>`
  }
  const { rank, rankSet, tieGroup } = standing
  if (rankSet === null) return html`<td><b>${rank}</b></td>`
  const range = rankSet.best === rankSet.worst ? `${rankSet.best}` : `${rankSet.best}–${rankSet.worst}`
  return html`<td title="Ranks left open: ${range}; tie group ${tieGroup}"><b>${rank}</b><small>${range}</small><small>tie ${tieGroup}</small></td>`
}

const pills = [['proprietary', 'P', 'proprietary'], ['korean', 'K', 'made for Korean'], ['vision', 'V', 'takes images'], ['reasoning', 'R', 'can reason']] as const

function modelCell ({ row }: PageRow): Markup {
  const tags = pills.flatMap(([flag, letter, words]) => row[flag] === true ? [html`<abbr class="pill" title="${words}">${letter}</abbr>`] : [])
  const { warnings } = row
  const list = warnings.length === 0
    ? null
    : html`<details class="warn"><summary>⚠ ${warnings.length}</summary><ul>${warnings.map(({ detail }) => html`<li>${detail}</li>`)}</ul></details>`
  return html`<th scope="row" title="${row.model}">${row.name} ${tags}${list}</th>`
}

function metricCell ({ values }: PageRow, metric: Metric): Markup {
  const found = values.get(metric.id)
  if (found === undefined) return html`<td title="no data">–</td>`
  const { value, low, high, n } = found
  const interval = low === null || high === null ? 'no interval' : `${said(metric, low)}–${said(metric, high)}`
  return html`<td><b>${said(metric, value)}</b><small>${interval}</small><small>n ${n ?? '?'}</small></td>`
}

/** Gives way after each row. */
export function * scoreTable (
  rows: readonly PageRow[], metrics: readonly Metric[], rankings: readonly ScoreRanking[]
): Generator<void, { markup: Markup, rules: Markup }> {
  const shown = rows.slice(0, rowsShownMax)
  const columns = columnsOf(metrics, rankings)
  const orders: Order[] = []
  for (const column of columns) {
    orders.push(orderBy(shown.map(column.key)))
    yield
  }
  const lines: Markup[] = []
  for (const [at, row] of shown.entries()) {
    lines.push(lineOf(row, { columns, orders, at }))
    yield
  }
  const left = rows.length > shown.length ? ` The first ${shown.length} of ${rows.length} rows; the JSON file has all.` : ''
  return {
    rules: trusted(columns.map(({ id }, at) => sortRules(id, at)).join('\n')),
    markup: html`<div class="scroll" role="region" tabindex="0" aria-label="Table: all rows"><table class="lb" role="table" style="--columns:${columns.length}">
<caption><span>Per cent right, 95 % interval (Wilson, items as independent), n. An en dash is "no data", never zero. Ranks are among all rows, whatever the filters leave out. A header sorts, once more turns it around.${left}</span></caption>
<thead role="rowgroup"><tr role="row">${columns.map(headOf)}</tr></thead>
<tbody role="rowgroup">${lines}</tbody></table></div>
<p class="soft">Rows shown: <span class="shown"></span></p>`
  }
}

interface Order { place: number[], none: boolean[] }

/** Places with more first and no data last; equals keep their order. */
function orderBy (keys: ReadonlyArray<number | string | null>): Order {
  const order = [...keys.keys()].sort((a, b) => compare(keys[a]!, keys[b]!) || a - b)
  const place = new Array<number>(keys.length)
  for (const [at, row] of order.entries()) place[row] = at
  return { place, none: keys.map(key => key === null) }
}

function compare (a: number | string | null, b: number | string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (typeof a === 'number' && typeof b === 'number') return b - a
  return a < b ? -1 : a > b ? 1 : 0
}

interface Placed { columns: readonly Column[], orders: readonly Order[], at: number }

function lineOf (row: PageRow, { columns, orders, at }: Placed): Markup {
  const places = orders.map(({ place }, column) => `--o${column}:${place[at]}`).join(';')
  const none = orders.flatMap((order, column) => order.none[at] === true ? [`n${column}`] : [])
  return html`<tr role="row" class="${[row.classes, ...none].join(' ')}" style="${places}">${columns.map(column => column.cell(row))}</tr>
`
}

/** Two radio buttons, one of which shows: the first time a header sorts, the second it turns it around. */
function headOf ({ id, name, about }: Column, at: number): Markup {
  return html`<th scope="col" title="${about}"><label class="down"><input type="radio" name="sort" id="s-${id}-d" autocomplete="off"${at === 0 ? trusted(' checked') : null}><span>${name}</span></label><label class="up"><input type="radio" name="sort" id="s-${id}-a" autocomplete="off"><span>${name}</span></label></th>`
}

function sortRules (id: string, at: number): string {
  const [down, up] = [`.board:has(#s-${id}-d:checked)`, `.board:has(#s-${id}-a:checked)`]
  return [
    `${down} .lb tbody tr{order:var(--o${at})}`,
    `${up} .lb tbody tr{order:calc(-1*var(--o${at}))}`,
    `${up} .lb tbody tr.n${at}{order:100000}`,
    `${down} th:has(#s-${id}-d) .down{display:none}${down} th:has(#s-${id}-d) .up{display:block}`,
    `${down} th:has(#s-${id}-d) .up span::after{content:" ▾"}${up} th:has(#s-${id}-a) .down span::after{content:" ▴"}`
  ].join('\n')
}
