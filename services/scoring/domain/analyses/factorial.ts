/**
 * Crossed conditions of a model (wording × prompt): main effects and, item by item, their interaction.
 *
 * Every effect is a contrast of cells within each item, so that how hard items are is in none of them;
 * only items with a value in every cell take part.
 */
import { Type, type Static } from 'typebox'
import { familyWiseRates } from '../../../../shared/stats/family-wise.ts'
import type { ItemValue } from '../metrics/interval-of-mean.ts'
import { analysis, Name, wrong, type Found, type Row } from './analysis.ts'
import { cellsOfRuns } from './cells-of-runs.ts'
import { contrastsOf, type Contrast, type Factor } from './contrasts.ts'
import { effectOf, noEffect, shareOf } from './effect.ts'
import { itemMeans, ValuedItem, type ItemMeans } from './item-means.ts'

const FactorialTable = Type.Object({
  cells: Type.Array(Type.Object({
    model: Name,
    levels: Type.Record(Name, Name, { minProperties: 1, maxProperties: 6, description: 'Factor and level, for example {"formulation": "implicit", "prompt": "standard"}. Levels are taken in the order in which they first come; effects are the later minus the earlier.' }),
    items: Type.Array(ValuedItem, { maxItems: 50_000 })
  }, { additionalProperties: false }), { minItems: 1, maxItems: 500 })
}, { additionalProperties: false })
type FactorialTable = Static<typeof FactorialTable>

export const factorial = analysis({
  summary: 'Crossed conditions (2 × 2 and more): main effects and interaction by item, each with its minimum detectable effect',
  rows: 'Rows of five effects: mean of each cell; main effects, averaged over the other factors; simple effects, at one level of the other of two factors; interactions, the difference of differences; and the items left out because a cell has no value for them.',
  table: FactorialTable,
  options: {},
  example: { table: { cells: ['implicit', 'explicit'].flatMap(formulation => ['standard', 'advanced'].map(prompt => ({ model: 'a', levels: { formulation, prompt }, items: [{ item: 'i', value: 1 }, { item: 'j', value: formulation === 'explicit' || prompt === 'advanced' ? 1 : 0 }] }))) } },
  compute: factorialOf,
  fromRuns: cellsOfRuns
})

/** Cells of one model, by `keyOf`. */
type Cells = ReadonlyMap<string, ItemMeans>

/** As many as POST /v1/run-matrices opens. */
const crossedMax = 64
/** So many are named one by one; all are counted. */
const namedMax = 1_000

function factorialOf ({ cells }: FactorialTable): Found {
  const factors = factorsOf(cells)
  const models = new Map<string, Map<string, ItemMeans>>()
  for (const [at, { model, levels, items }] of cells.entries()) {
    const own = models.get(model) ?? new Map<string, ItemMeans>()
    const key = keyOf(levels, factors)
    if (own.has(key)) throw wrong(`/table/cells/${at}`, `The cell ${labelOf(levels, factors)} of "${model}" stands twice; repeats of it go into one.`)
    models.set(model, own.set(key, itemMeans(items)))
  }
  const found = [...models].map(([model, own]) => modelRows(model, own, factors))
  const effects = adjusted(found.flatMap(({ rows }) => rows))
  const leftOut = found.flatMap(each => each.leftOut)
  const interactions = effects.filter(({ effect }) => effect === 'interaction')
  return {
    rows: [...effects, ...leftOut.slice(0, namedMax)],
    summary: {
      models: models.size,
      factors: factors.map(({ name, levels }) => `${name}: ${levels.join(', ')}`).join('; '),
      interactions: interactions.length,
      interactionsBeyondChance: interactions.filter(({ adjustedP }) => typeof adjustedP === 'number' && adjustedP < 0.05).length,
      leftOutItems: leftOut.length
    },
    notes: [
      'Differences are of the later level minus the earlier, within each item; n is the items with a value in every cell of the model. Clusters are papers, and the items themselves where they are of a bank and independent.',
      'adjustedP is Holm\'s over all rows of the same effect (mean, main, simple, interaction), models together. An effect that is not beyond chance is ruled out no further than its minimum detectable effect.',
      ...leftOut.length > namedMax ? [`${leftOut.length} items are left out, and the first ${namedMax} are named.`] : []
    ]
  }
}

/** Those with two levels or more, in the order of the first cell. */
function factorsOf (cells: FactorialTable['cells']): Factor[] {
  const names = Object.keys(cells[0]!.levels).sort()
  for (const [at, { levels }] of cells.entries()) {
    if (Object.keys(levels).sort().join('\n') !== names.join('\n')) throw wrong(`/table/cells/${at}/levels`, `Every cell names the same factors, and the first has ${names.join(', ')}.`)
  }
  const factors = Object.keys(cells[0]!.levels)
    .map(name => ({ name, levels: [...new Set(cells.map(({ levels }) => levels[name]!))] }))
    .filter(({ levels }) => levels.length > 1)
  if (factors.length === 0) throw wrong('/table/cells', 'No factor has two levels, so there is nothing to set against each other.')
  const crossed = factors.reduce((product, { levels }) => product * levels.length, 1)
  if (crossed > crossedMax) throw wrong('/table/cells', `These levels cross to ${crossed} cells a model; at most ${crossedMax} are taken.`)
  return factors
}

function keyOf (levels: Readonly<Record<string, string>>, factors: readonly Factor[]): string {
  return JSON.stringify(factors.map(({ name }) => levels[name]))
}

function labelOf (levels: Readonly<Record<string, string>>, factors: readonly Factor[]): string {
  return factors.map(({ name }) => levels[name]).join(' × ')
}

function crossing (factors: readonly Factor[]): Array<Record<string, string>> {
  return factors.reduce<Array<Record<string, string>>>((found, { name, levels }) =>
    found.flatMap(each => levels.map(level => ({ ...each, [name]: level }))), [{}])
}

function modelRows (model: string, cells: Cells, factors: readonly Factor[]) {
  const all = crossing(factors)
  const missing = all.filter(levels => (cells.get(keyOf(levels, factors))?.size ?? 0) === 0)
  const columns = all.map(levels => cells.get(keyOf(levels, factors)) ?? new Map<string, ItemValue>())
  const ids = [...new Set(columns.flatMap(column => [...column.keys()]))]
  const common = ids.filter(id => columns.every(column => column.has(id)))
  const reason = missing.length === 0 ? '' : `no value in ${missing.map(levels => labelOf(levels, factors)).join(', ')}`
  const values = ({ weightOf }: Contrast) => {
    const weighted = all.map((levels, at) => ({ column: columns[at]!, weight: weightOf(levels) }))
      .filter(({ weight }) => weight !== 0)
    const sumOf = (id: string) =>
      weighted.reduce((sum, { column, weight }) => sum + weight * column.get(id)!.value, 0)
    return common.map(id => ({ ...columns[0]!.get(id)!, value: sumOf(id) }))
  }
  const rows = [
    ...all.map((levels, at): Row => {
      const mean = reason === '' ? shareOf(common.map(id => columns[at]!.get(id)!)) : noEffect(reason)
      return { model, effect: 'mean', factors: '', contrast: labelOf(levels, factors), ...mean }
    }),
    ...contrastsOf(factors).map((contrast): Row => {
      const { effect, factors: about, label, width } = contrast
      const effected = reason === '' ? effectOf(values(contrast), { width }) : noEffect(reason)
      return { model, effect, factors: about, contrast: label, ...effected }
    })
  ]
  // Where a whole cell is missing, it is missing for all, and says nothing of any item.
  const taken = new Set(common)
  const leftOut = reason === '' ? ids.filter(id => !taken.has(id)) : []
  return {
    rows,
    leftOut: leftOut.map((id): Row => {
      const without = all.filter((_, at) => !columns[at]!.has(id)).map(levels => labelOf(levels, factors))
      return { model, effect: 'left out', item: id, reason: `no value in ${without.join(', ')}` }
    })
  }
}

function adjusted (rows: readonly Row[]): Row[] {
  const families = new Map<string, number[]>()
  const tested = (row: Row) => typeof row.p === 'number'
  for (const row of rows.filter(tested)) {
    const effect = String(row.effect)
    families.set(effect, [...families.get(effect) ?? [], Number(row.p)])
  }
  const rates = new Map([...families].map(([effect, ps]) => [effect, familyWiseRates(ps)]))
  return rows.map(row => ({
    ...row, adjustedP: tested(row) ? rates.get(String(row.effect))!.shift()! : null
  }))
}
