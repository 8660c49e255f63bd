/** Whether items are harder for one group of models than for another of the same ability. */
import { Type, type Static } from 'typebox'
import { falseDiscoveryRates } from '../../../../shared/stats/false-discovery.ts'
import { mantelHaenszel, type Stratum } from '../../../../shared/stats/mantel-haenszel.ts'
import { isChoice } from '../compare/measured.ts'
import { isCounted } from '../scored.ts'
import { analysis, assertDistinct, Name, wrong, type AnalysedRun, type Found, type Row } from './analysis.ts'

const Right = Type.Union([Type.Boolean(), Type.Null()])
const DifTable = Type.Object({
  models: Type.Array(Type.Object(
    { model: Name, focal: Type.Boolean() }, { additionalProperties: false }
  ), { minItems: 2, maxItems: 500 }),
  items: Type.Array(Type.Object({
    item: Name, slice: Type.Optional(Name), right: Type.Array(Right, { minItems: 2, maxItems: 500, description: 'One for each model; null where it was not asked.' })
  }, { additionalProperties: false }), { minItems: 1, maxItems: 50_000 })
}, { additionalProperties: false })
type DifTable = Static<typeof DifTable>

const options = {
  focal: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: 100, uniqueItems: true, description: 'With runs: models of the focal group; all others are the reference.' })),
  dimension: Type.Optional(Name),
  strata: Type.Integer({ minimum: 2, maximum: 10, default: 4, description: 'Groups of models by their score on the other items.' })
}
type Options = Static<ReturnType<typeof Type.Object<typeof options>>>

export const dif = analysis({
  summary: 'Differential item functioning (Mantel-Haenszel) of items, and of slices, between two groups of models',
  rows: 'One row an item: odds ratio, its interval, and the category A, B or C, from models matched by their score on the other items; below them one a slice.',
  table: DifTable,
  options,
  example: { strata: 2, table: { models: [{ model: 'a', focal: true }, { model: 'b', focal: false }], items: [{ item: 'i', right: [true, false] }] } },
  runsMin: 2,
  compute: difOf,
  fromRuns
})

/** Above this a category C is said to be one: the share of false ones among them. */
const ratesMax = 0.05

function difOf ({ models, items }: DifTable, { strata }: Pick<Options, 'strata'>): Found {
  assertDistinct(models.map(({ model }) => model), '/table/models')
  assertDistinct(items.map(({ item }) => item), '/table/items')
  const short = items.findIndex(({ right }) => right.length !== models.length)
  if (short >= 0) throw wrong(`/table/items/${short}/right`, `${items[short]!.right.length} values for ${models.length} models; give one for each, null where it was not asked.`)
  const totals = models.map((_, m) => {
    const asked = items.filter(({ right }) => typeof right[m] === 'boolean')
    return { right: asked.filter(({ right }) => right[m]).length, n: asked.length }
  })
  const stratumOf = (m: number, right: boolean) => {
    const rest = totals[m]!
    const share = rest.n < 2 ? 0 : (rest.right - Number(right)) / (rest.n - 1)
    return Math.min(strata - 1, Math.floor(share * strata))
  }
  const counted = items.map(({ right }) => {
    const table = Array.from({ length: strata }, (): Stratum =>
      ({ referenceRight: 0, referenceWrong: 0, focalRight: 0, focalWrong: 0 }))
    for (const [m, { focal }] of models.entries()) {
      const was = right[m]
      if (typeof was !== 'boolean') continue
      table[stratumOf(m, was)]![`${focal ? 'focal' : 'reference'}${was ? 'Right' : 'Wrong'}`] += 1
    }
    return table
  })
  const rows = items.map(({ item, slice = '' }, at) => rowOf({ item, slice }, counted[at]!))
  const rates = adjustedRates(rows)
  const slices = [...new Set(items.flatMap(({ slice }) => slice ?? []))].sort().map(slice =>
    ({ ...rowOf({ item: `slice ${slice}`, slice }, items.flatMap(({ slice: of }, at) => of === slice ? counted[at]! : [])), falseDiscoveryRate: null }))
  const flagged = rows.filter(({ category }, at) => category === 'C' && (rates[at] ?? 1) <= ratesMax)
  return {
    rows: [...rows.map((row, at) => ({ ...row, falseDiscoveryRate: rates[at] ?? null })), ...slices],
    summary: {
      items: items.length,
      focalModels: models.filter(({ focal }) => focal).length,
      referenceModels: models.filter(({ focal }) => !focal).length,
      flagged: flagged.length
    },
    notes: [
      'An odds ratio above 1 favours the reference group. Models are matched by their score on the other items; a slice pools its items\' strata.',
      `flagged counts items of category C at a false discovery rate of at most ${ratesMax} (Benjamini-Hochberg).`,
      ...models.length < 20 ? [`${models.length} models match coarsely: an item that is not flagged may still function differently.`] : []
    ]
  }
}

function adjustedRates (rows: readonly Row[]): Array<number | null> {
  const tested = rows.flatMap(({ p }) => typeof p === 'number' ? [p] : [])
  const rates = falseDiscoveryRates(tested)
  let at = 0
  return rows.map(({ p }) => typeof p === 'number' ? rates[at++]! : null)
}

function rowOf (name: { item: string, slice: string }, strata: readonly Stratum[]): Row {
  const found = mantelHaenszel(strata)
  if ('reason' in found) return { ...name, oddsRatio: null, low: null, high: null, p: null, category: null, reason: found.reason }
  const { oddsRatio, interval, pValue, category } = found
  return { ...name, oddsRatio, low: interval.low, high: interval.high, p: pValue, category, reason: '' }
}

function fromRuns (runs: readonly AnalysedRun[], { focal = [], dimension }: Options): DifTable {
  const choices = runs[0]!.rows.flatMap((row, at) => isChoice(row) ? [{ row, at }] : [])
  return {
    models: runs.map(({ name, model }) => ({ model: name, focal: focal.includes(model) })),
    items: choices.map(({ row: { itemId, slices }, at }) => ({
      item: itemId,
      ...dimension !== undefined && slices[dimension] !== undefined && { slice: slices[dimension] },
      right: runs.map(({ rows }) => {
        const row = rows[at]!
        return isChoice(row) && isCounted(row.outcome) ? row.correct : null
      })
    }))
  }
}
