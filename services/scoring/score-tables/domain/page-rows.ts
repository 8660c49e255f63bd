/** Rows of a table as its page shows them: what each is worth by each metric, and what filters go by. */
import type { RowWarning, ScoreRanking, ScoreTable, ScoreTableRow, Standing, TableSlice } from '../../../../shared/contracts/score-table.ts'
import { wilsonInterval } from '../../../../shared/stats/proportions.ts'

export interface Metric {
  /** Kebab-case; part of ids and classes of the page. */
  id: string
  name: string
  /** In a narrow column. */
  short: string
  about: string
  /** Null of the judged mean. */
  slice: TableSlice | null
}

const metrics: readonly Metric[] = [
  { id: 'text', name: 'Accuracy on items without images', short: 'Text', slice: 'text', about: 'The items that every model can be asked.' },
  { id: 'all', name: 'Accuracy as published', short: 'As published', slice: 'all', about: 'Over whatever items each model was asked.' },
  { id: 'multimodal', name: 'Accuracy on items with images', short: 'Images', slice: 'multimodal', about: 'Of models that take images.' },
  { id: 'korean', name: 'Accuracy on items of Korea', short: 'Korea', slice: 'korean', about: 'Items that need to know the country.' },
  { id: 'judged', name: 'Judged reasoning, 4 to 20', short: 'Reasoning', slice: null, about: 'A judge\'s total of rationales, raw. There is no interval: how much totals vary is not published.' },
  ...[1, 2, 3, 4, 5].map((part): Metric => ({ id: `part${part}`, name: `Accuracy on part ${part}`, short: `Part ${part}`, slice: `part${part}` as TableSlice, about: 'One subject of the exam.' }))
]

/** Of those that any row has. */
export function metricsIn (rows: readonly PageRow[]): Metric[] {
  return metrics.filter(({ id }) => rows.some(({ values }) => values.has(id)))
}

export interface Value { value: number, low: number | null, high: number | null, n: number | null }

const level = 0.95

/** Shares from 0 to 1, judged means as they are; null where there is no data. */
function valueOf ({ cells, judged }: ScoreTableRow, { slice }: Metric): Value | null {
  if (slice === null) {
    return judged === null ? null : { value: judged.mean, low: null, high: null, n: judged.n }
  }
  const { right, percent, n } = cells.find(cell => cell.slice === slice)!
  if (right !== null) {
    return { value: right / n, ...wilsonInterval({ successes: right, trials: n }, level), n }
  }
  // A percentage that is no count of the items is shown as it was published.
  return percent === null || n === 0 ? null : { value: percent / 100, low: null, high: null, n: null }
}

/** Ends of size classes, in thousands of millions of parameters. */
export const sizeEdges = [2, 5, 10, 20, 50, 100] as const

export function sizeClass (sizeB: number | null): number | null {
  return sizeB === null ? null : sizeEdges.filter(edge => sizeB >= edge).length
}

export interface PageRow {
  row: ScoreTableRow
  /** By metric id; a metric without data has none. */
  values: ReadonlyMap<string, Value>
  classes: string
  /** Of each ranking, in their order. */
  standings: Array<Standing | undefined>
}

const versionsMax = 50

/** In code unit order; null is "no version given". */
export function versionsIn ({ rows }: Pick<ScoreTable, 'rows'>): Array<string | null> {
  const named = [...new Set(rows.flatMap(({ version }) => version ?? []))].sort().slice(0, versionsMax)
  return rows.some(({ version }) => version === null) ? [...named, null] : named
}

/** In the order of the first ranking; rows that it leaves out come last. Gives way after each row. */
export function * pageRows (
  table: ScoreTable, rankings: readonly ScoreRanking[]
): Generator<void, PageRow[]> {
  const versions = versionsIn(table)
  const byModel = rankings.map(({ rows }) => new Map(rows.map(standing => [standing.model, standing])))
  const place = new Map(rankings[0]?.rows.map(({ model }, at) => [model, at]))
  const rows: PageRow[] = []
  for (const row of table.rows) {
    const values = metrics.flatMap(metric => {
      const value = valueOf(row, metric)
      return value === null ? [] : [[metric.id, value] as const]
    })
    rows.push({
      row,
      values: new Map(values),
      classes: classesOf(row, versions),
      standings: byModel.map(standings => standings.get(row.model))
    })
    yield
  }
  const placeOf = ({ row }: PageRow) => place.get(row.model) ?? table.rows.length
  return rows.sort((a, b) => placeOf(a) - placeOf(b))
}

const flag = (prefix: string, value: boolean | null) => `${prefix}${value === null ? 'u' : value ? '1' : '0'}`

function classesOf (row: ScoreTableRow, versions: ReadonlyArray<string | null>): string {
  const size = sizeClass(row.sizeB)
  const codes = [...new Set(row.warnings.map(({ code }) => warningClass(code)))]
  return [
    'r', flag('p', row.proprietary), flag('k', row.korean), flag('v', row.vision), flag('g', row.reasoning),
    size === null ? 'zu' : `z${size}`, `e${versions.indexOf(row.version)}`, ...codes
  ].join(' ')
}

export function warningClass (code: RowWarning['code']): string {
  return `c-${code}`
}

/** "76.1", or "15.46" of a judged mean. */
export function said ({ slice }: Metric, value: number): string {
  return slice === null ? value.toFixed(2) : (100 * value).toFixed(1)
}
