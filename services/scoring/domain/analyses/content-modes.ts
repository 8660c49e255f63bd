/**
 * What content is worth, where items are made from some of it and models are shown some of it.
 *
 * Another generation mode makes other items: only at one generation mode can evaluation modes be
 * paired by item; generation modes are paired by paper.
 */
import { Type, type Static } from 'typebox'
import { detectableEffect } from '../../../../shared/stats/detectable-effect.ts'
import { clusteredMean } from '../../../../shared/stats/clustered.ts'
import { marksOf, unitsOf } from '../compare/grid.ts'
import { intervalOfMean, type ItemValue } from '../metrics/interval-of-mean.ts'
import { analysis, meanOf, Name, wrong, type AnalysedRun, type Found, type Row } from './analysis.ts'

const ModesTable = Type.Object({
  cells: Type.Array(Type.Object({
    model: Name,
    generation: Type.String({ minLength: 1, maxLength: 300, description: 'Content that the items were made from.' }),
    evaluation: Type.String({ minLength: 1, maxLength: 300, description: 'Content that the model was shown.' }),
    items: Type.Array(Type.Object({
      item: Name, paper: Name, value: Type.Number({ minimum: 0, maximum: 1 })
    }, { additionalProperties: false }), { maxItems: 50_000 })
  }, { additionalProperties: false }), { minItems: 1, maxItems: 500 })
}, { additionalProperties: false })
type ModesTable = Static<typeof ModesTable>
type Cell = ModesTable['cells'][number]

const options = { metric: Type.Enum(['accuracy', 'rougeL.fmeasure'], { default: 'accuracy' }) }
type Options = Static<ReturnType<typeof Type.Object<typeof options>>>

export const contentModes = analysis({
  summary: 'Content modes: generation mode crossed with evaluation mode, paired by item only at one generation mode',
  rows: 'Rows of four effects: mean of each cell; evaluation modes at one generation mode, by item; generation modes at one evaluation mode, by paper; and their interaction, by paper.',
  table: ModesTable,
  options,
  example: { table: { cells: [{ model: 'a', generation: 'sections', evaluation: 'full', items: [{ item: 'i', paper: 'p', value: 1 }] }, { model: 'a', generation: 'sections', evaluation: 'none', items: [{ item: 'i', paper: 'p', value: 0 }] }] } },
  compute: contentModesOf,
  fromRuns,
  oneBenchmark: false
})

function contentModesOf ({ cells }: ModesTable): Found {
  assertCells(cells)
  const models = distinct(cells.map(({ model }) => model))
  const rows = models.flatMap(model => {
    const own = cells.filter(cell => cell.model === model)
    const [made, shown] = [
      distinct(own.map(({ generation }) => generation)), distinct(own.map(({ evaluation }) => evaluation))
    ]
    const cell = (generation: string, evaluation: string) =>
      own.find(each => each.generation === generation && each.evaluation === evaluation)
    const known = (
      ...wanted: Array<Cell | undefined>
    ) => wanted.every(each => each !== undefined) ? wanted as Cell[] : null
    return [
      ...own.map(({ generation, evaluation, items }) =>
        effectRow({ model, effect: 'mean', generation, evaluation }, items.map(observed))),
      ...made.flatMap(generation => pairsOf(shown).flatMap(([a, b]) => {
        const both = known(cell(generation, a), cell(generation, b))
        return both === null ? [] : [effectRow({ model, effect: 'evaluation, by item', generation, evaluation: `${a} - ${b}` }, byItem(both))]
      })),
      ...shown.flatMap(evaluation => pairsOf(made).flatMap(([a, b]) => {
        const both = known(cell(a, evaluation), cell(b, evaluation))
        return both === null ? [] : [effectRow({ model, effect: 'generation, by paper', generation: `${a} - ${b}`, evaluation }, byPaper(both, [1, -1]))]
      })),
      ...pairsOf(made).flatMap(([g, h]) => pairsOf(shown).flatMap(([a, b]) => {
        const four = known(cell(g, a), cell(g, b), cell(h, a), cell(h, b))
        return four === null ? [] : [effectRow({ model, effect: 'interaction, by paper', generation: `${g} - ${h}`, evaluation: `${a} - ${b}` }, byPaper(four, [1, -1, -1, 1]))]
      }))
    ]
  })
  return {
    rows,
    summary: {
      models: models.length,
      cells: cells.length,
      generationModes: distinct(
        cells.map(({ generation }) => generation)
      ).length,
      evaluationModes: distinct(cells.map(({ evaluation }) => evaluation)).length
    },
    notes: [
      'Effects are the first mode minus the second. Changing what items are made from makes other items: such effects compare means of the same papers, and not items.',
      'An interval that holds 0 rules out no more than the minimum detectable effect beside it.'
    ]
  }
}

function assertCells (cells: readonly Cell[]): void {
  const seen = new Set<string>()
  for (const [at, { model, generation, evaluation, items }] of cells.entries()) {
    const key = JSON.stringify([model, generation, evaluation])
    if (seen.has(key)) throw wrong(`/table/cells/${at}`, `The cell ${generation} by ${evaluation} of "${model}" stands twice.`)
    seen.add(key)
    const twice = new Set(items.map(({ item }) => item)).size < items.length
    if (twice) throw wrong(`/table/cells/${at}/items`, 'An item stands twice in this cell; give each once.')
  }
}

const observed = ({ value, paper }: Cell['items'][number]): ItemValue => ({ value, cluster: paper })

/** Items that both cells have. */
function byItem ([first, second]: readonly Cell[]): ItemValue[] {
  const others = new Map(second!.items.map(each => [each.item, each.value]))
  return first!.items.flatMap(({ item, paper, value }) =>
    others.has(item) ? [{ value: value - others.get(item)!, cluster: paper }] : [])
}

/** One value a paper that all cells have: their means there, weighted. */
function byPaper (cells: readonly Cell[], weights: readonly number[]): ItemValue[] {
  const means = cells.map(({ items }) => {
    const papers = new Map<string, number[]>()
    for (const { paper, value } of items) {
      const own = papers.get(paper)
      if (own === undefined) papers.set(paper, [value])
      else own.push(value)
    }
    return new Map([...papers].map(([paper, values]) => [paper, meanOf(values)!]))
  })
  return [...means[0]!.keys()].filter(paper => means.every(of => of.has(paper))).map(paper => ({
    value: means.reduce((sum, of, at) => sum + weights[at]! * of.get(paper)!, 0), cluster: paper
  }))
}

interface Effect { model: string, effect: string, generation: string, evaluation: string }

function effectRow (effect: Effect, values: readonly ItemValue[]): Row {
  if (values.length === 0) {
    return { ...effect, value: null, low: null, high: null, n: 0, papers: 0, detectable: null, reason: 'nothing in common' }
  }
  const { value, interval, n, clusters, reason } = intervalOfMean(values, { proportion: false })
  const { seCr2 } = clusteredMean(values)
  return {
    ...effect,
    value,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    n,
    papers: clusters,
    detectable: seCr2 > 1e-12 ? detectableEffect(seCr2, { df: clusters - 1 }) : null,
    reason: reason ?? ''
  }
}

function distinct (values: readonly string[]): string[] {
  return [...new Set(values)].sort()
}

function pairsOf (names: readonly string[]): Array<[string, string]> {
  return names.flatMap((first, at) => names.slice(at + 1).map((second): [string, string] => [first, second]))
}

function fromRuns (runs: readonly AnalysedRun[], { metric }: Options): ModesTable {
  const cells = runs.map(({ model, condition, generationMode, benchmarkId, rows }) => {
    const units = unitsOf(rows, metric)
    return {
      model,
      generation: generationMode ?? benchmarkId,
      evaluation: condition.contentMode,
      items: marksOf(rows, metric).flatMap(({ value }, at) =>
        value === null ? [] : [{ item: units[at]!.itemId, paper: units[at]!.cluster, value }])
    }
  })
  const keys = cells.map(
    ({ model, generation, evaluation }) => JSON.stringify([model, generation, evaluation])
  )
  const at = keys.findIndex((key, i) => keys.indexOf(key) !== i)
  if (at >= 0) throw wrong(`/runIds/${at}`, 'Two of these runs are of the same model, generation mode and evaluation mode; name one of them.')
  return { cells }
}
