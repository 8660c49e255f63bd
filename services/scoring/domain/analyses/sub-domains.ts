/** Scores by the values of one dimension, such as the subjects of an exam. */
import { Type, type Static } from 'typebox'
import { clopperPearsonInterval, wilsonInterval } from '../../../../shared/stats/proportions.ts'
import { isChoice } from '../compare/measured.ts'
import { intervalOfMean } from '../metrics/interval-of-mean.ts'
import { isCounted } from '../scored.ts'
import { analysis, assertDistinct, assertPossible, Name, RightOf, wrong, type AnalysedRun, type Found, type Row } from './analysis.ts'
import { assertClosedItems, leftOutNotes, noClosedItem } from './closed-items.ts'

const Cell = Type.Object({
  ...RightOf.properties,
  independent: Type.Optional(Type.Integer({ minimum: 0, description: 'Items, minimal pairs counted once; n where absent. What the interval of one paper rests on.' })),
  papers: Type.Optional(Type.Array(RightOf, { maxItems: 10_000, description: 'The same counts by paper.' }))
}, { additionalProperties: false })

const SubDomainTable = Type.Object({
  dimension: Name,
  models: Type.Array(Type.Object({
    model: Name,
    values: Type.Record(Name, Cell),
    all: Type.Optional(RightOf)
  }, { additionalProperties: false }), { minItems: 1, maxItems: 1_000 })
}, { additionalProperties: false })
type SubDomainTable = Static<typeof SubDomainTable>

const options = { dimension: Type.Optional(Name) }

export const subDomains = analysis({
  summary: 'Scores of each model by the values of a dimension, such as subjects, with intervals',
  rows: 'One row a model and value: share, interval, n. A model without items has one row without a value.',
  table: SubDomainTable,
  options,
  example: { table: { dimension: 'subject', models: [{ model: 'a', values: { physics: { right: 235, n: 307 }, climatology: { right: 295, n: 363 } } }] } },
  compute: subDomainsOf,
  fromRuns,
  notesOfRuns: (runs, { dimension = 'aspect' }) => leftOutNotes(runs, dimension)
})

export function subDomainsOf ({ dimension, models }: SubDomainTable): Found {
  assertDistinct(models.map(({ model }) => model), '/table/models')
  const rows = models.flatMap(({ model, values, all }, at) => {
    const parts = Object.entries(values).sort(([a], [b]) => a < b ? -1 : 1)
    for (const [value, cell] of parts) assertWhole(cell, `/table/models/${at}/values/${value}`)
    const total = parts.reduce((sum, [, { n }]) => sum + n, 0)
    if (all !== undefined && total !== all.n) {
      throw wrong(`/table/models/${at}/all`, `The parts of "${model}" have ${total} items and all has ${all.n}: they must be the same items.`)
    }
    if (parts.length === 0) return [{ model, value: null, ...emptyRow, method: `none: ${noClosedItem(dimension)}` }]
    return parts.map(([value, cell]): Row => ({ model, value, ...shareRow(cell) }))
  })
  const best = (side: 1 | -1) => (model: string) => rows.filter(row => row.model === model && typeof row.share === 'number')
    .sort((a, b) => side * (Number(b.share) - Number(a.share)))[0]
  const spread = models.map(
    ({ model }) => Number(best(1)(model)?.share ?? NaN) - Number(best(-1)(model)?.share ?? NaN)
  )
  const known = spread.filter(Number.isFinite)
  return {
    rows,
    summary: {
      dimension, models: models.length, largestSpread: known.length === 0 ? null : Math.max(...known)
    },
    notes: [
      'Intervals are of each value by itself; that they overlap or do not is no test of a difference.',
      ...rows.some(({ method }) => String(method).startsWith('Wilson')) ? ['Wilson\'s interval takes items as independent, minimal pairs together, and says nothing of other papers.'] : []
    ]
  }
}

/** The same counts by paper must be the same. */
function assertWhole (cell: Static<typeof Cell>, pointer: string): void {
  assertPossible(cell, pointer)
  const { papers = [], right, n } = cell
  for (const [at, paper] of papers.entries()) assertPossible(paper, `${pointer}/papers/${at}`)
  const sum = (of: (paper: RightOf) => number) => papers.reduce((all, paper) => all + of(paper), 0)
  if (papers.length > 0 && (sum(paper => paper.right) !== right || sum(paper => paper.n) !== n)) {
    throw wrong(`${pointer}/papers`, `The papers have ${sum(paper => paper.right)} right of ${sum(paper => paper.n)}, and all of it is ${right} of ${n}.`)
  }
  if (papers.length > 1 && n > itemsMax) throw wrong(pointer, `With papers at most ${itemsMax} items are taken, not ${n}.`)
}

/** Each is looked at where papers are given. */
const itemsMax = 100_000

const emptyRow = { share: null, low: null, high: null, n: 0, papers: 0 }

function shareRow ({ right, n, papers, independent = n }: Static<typeof Cell>): Row {
  if (n === 0) return { ...emptyRow, method: 'none: no item' }
  const filled = papers?.filter(paper => paper.n > 0) ?? []
  if (filled.length > 1) {
    const values = filled.flatMap((paper, at) => Array.from({ length: paper.n }, (_, i) =>
      ({ value: Number(i < paper.right), cluster: `paper ${at}` })))
    const { value, interval } = intervalOfMean(values, { proportion: true })
    return { share: value, low: interval?.low ?? null, high: interval?.high ?? null, n, papers: filled.length, method: interval?.method ?? 'none' }
  }
  const exact = right === 0 || right === n
  const found = { successes: right / n * independent, trials: independent }
  const { low, high } = exact ? clopperPearsonInterval(found) : wilsonInterval(found)
  return { share: right / n, low, high, n, papers: filled.length, method: `${exact ? 'Clopper-Pearson' : 'Wilson'}${independent < n ? `, n = ${independent} independent items` : ''}` }
}

function fromRuns (runs: readonly AnalysedRun[], { dimension = 'aspect' }: { dimension?: string }): SubDomainTable {
  assertClosedItems(runs, dimension)
  const models = runs.map(({ name, rows }) => {
    const values = new Map<string, Static<typeof Cell> & { papers: RightOf[], independent: number }>()
    const papers = new Map<string, { right: number, n: number }>()
    const units = new Set<string>()
    for (const row of rows) {
      const value = row.slices[dimension]
      if (value === undefined || !isChoice(row)) continue
      const cell = values.get(value) ?? { right: 0, n: 0, papers: [], independent: 0 }
      values.set(value, cell)
      if (!isCounted(row.outcome)) continue
      const unit = JSON.stringify([value, row.pairId ?? row.itemId])
      if (!units.has(unit)) cell.independent += 1
      units.add(unit)
      const key = JSON.stringify([value, row.cluster])
      const paper = papers.get(key) ?? { right: 0, n: 0 }
      if (!papers.has(key)) cell.papers.push(paper)
      papers.set(key, paper)
      for (const counts of [cell, paper]) {
        counts.n += 1
        counts.right += Number(row.correct)
      }
    }
    return { model: name, values: Object.fromEntries(values) }
  })
  return { dimension, models }
}
