/**
 * Whether a model knows the items rather than their subject: the same questions paraphrased, their choices
 * shuffled, their numbers changed; and accuracy by how long an item has been public.
 *
 * Another version may simply be harder. So a model's drop is also held against that of the others on the
 * same questions: what only it loses, it had by heart.
 */
import { Type, type Static } from 'typebox'
import { familyWiseRates } from '../../../../shared/stats/family-wise.ts'
import type { ItemValue } from '../metrics/interval-of-mean.ts'
import { analysis, type Found, type Row } from './analysis.ts'
import { effectOf, shareOf, type Effect } from './effect.ts'
import { differencesOf, itemMeans, type ItemMeans } from './item-means.ts'
import { slopeOf, type Point } from './trend.ts'
import { versionsOfRuns, VersionCell } from './versions-of-runs.ts'

const ContaminationTable = Type.Object({
  cells: Type.Array(VersionCell, { minItems: 1, maxItems: 400, description: 'One a model and version.' })
}, { additionalProperties: false })
type ContaminationTable = Static<typeof ContaminationTable>

const options = {
  dimension: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Slice whose first number tells when an item became public, for example examYear.' })),
  margin: Type.Number({ exclusiveMinimum: 0, maximum: 0.5, default: 0.05, description: 'A drop below this is never called memorised, however sure.' })
}
type Options = Static<ReturnType<typeof Type.Object<typeof options>>>

export const contamination = analysis({
  summary: 'Contamination: original against paraphrased, shuffled and isomorph items, and accuracy by year',
  rows: 'A row a model and version: accuracy; the drop from the original, with interval, p, minimum detectable effect and verdict; the drop beyond that of the other models; with a dimension, accuracy by its values and the trend per unit of it.',
  table: ContaminationTable,
  options,
  example: { table: { cells: [{ model: 'a', version: 'original', items: [{ item: 'i', value: 1, at: 2019 }, { item: 'j', value: 1, at: 2021 }] }, { model: 'a', version: 'isomorph', items: [{ item: 'i', value: 0 }, { item: 'j', value: 1 }] }] } },
  compute: contaminationOf,
  fromRuns: versionsOfRuns,
  oneBenchmark: false
})

type Versions = Map<string, ItemMeans>

const changed = ['paraphrased', 'shuffled', 'isomorph'] as const

function contaminationOf ({ cells }: ContaminationTable, { margin, dimension }: Options): Found {
  const models = new Map<string, Versions>()
  for (const model of new Set(cells.map(each => each.model))) {
    const own = cells.filter(each => each.model === model)
    const versions = [...new Set(own.map(({ version }) => version))]
    models.set(model, new Map(versions.map(version =>
      [version, itemMeans(own.filter(each => each.version === version).flatMap(({ items }) => items))])))
  }
  const accuracy = [...models].flatMap(([model, versions]) => [...versions].map(([version, means]): Row =>
    ({ model, effect: 'accuracy', version, ...shareOf([...means.values()]) })))
  const drops = [...models.keys()].flatMap(model => dropsOf(models, model))
  const rates = ratesOf(drops.map(({ drop }) => drop))
  const excessRates = ratesOf(drops.map(({ excess }) => excess))
  const verdicts = drops.map((each, at) =>
    verdictOf(each, { p: rates[at]!, excessP: excessRates[at]!, margin }))
  const found = verdicts.filter(verdict => verdict === 'memorised').length
  const trends = trendRows(cells)
  return {
    rows: [
      ...accuracy,
      ...drops.flatMap(({ model, version, drop, excess, others }, at): Row[] => [
        { model, effect: 'drop', version, ...drop, adjustedP: rates[at]!, verdict: verdicts[at]! },
        ...excess === null ? [] : [{ model, effect: 'drop beyond other models', version, ...excess, adjustedP: excessRates[at]!, others }]
      ]),
      ...trends
    ],
    summary: { models: models.size, comparisons: drops.length, memorised: found, margin, dimension: dimension ?? null, trends: trends.filter(({ effect }) => effect === 'trend').length },
    notes: [
      'A drop is accuracy on the original minus accuracy on the version, within each question, over questions that have both; several isomorphs or repeats of one count by their mean. p is adjusted by Holm over all drops of the call, and apart over all drops beyond other models.',
      'memorised: the drop is larger than the margin with an adjusted p below .01, and the drop beyond the other models larger than the margin with one below .05; of shuffled choices, which nobody finds harder, without other models too. harder or memorised: there is no other model to tell. drops as others do: the version is harder, or all know the originals. not shown: nothing larger than the minimum detectable effect beside it is likely, and a smaller one is not ruled out.',
      ...models.size < 2 ? ['One model: a version that is harder looks as if the model had the originals by heart. Add models that cannot know them.'] : [],
      ...trends.length > 0 ? ['Trends are per unit of the dimension; below 0 older items are answered better. Items of other years may be harder, which the trend beyond other models takes out.'] : []
    ]
  }
}

interface Drop { model: string, version: string, drop: Effect, excess: Effect | null, others: number }

function dropsOf (models: ReadonlyMap<string, Versions>, model: string): Drop[] {
  const own = models.get(model)!
  const original = own.get('original')
  if (original === undefined) return []
  return changed.flatMap(version => {
    const means = own.get(version)
    if (means === undefined) return []
    const others = [...models].flatMap(([other, versions]) => {
      if (other === model) return []
      const [first, second] = [versions.get('original'), versions.get(version)]
      return first === undefined || second === undefined ? [] : [differencesByItem(first, second)]
    })
    const drops = differencesByItem(original, means)
    const excess = others.length === 0
      ? null
      : effectOf(differencesOf(drops, meanOf(others)), { width: 2 })
    const drop = effectOf([...drops.values()], { width: 1 })
    return [{ model, version, drop, excess, others: others.length }]
  })
}

function differencesByItem (first: ItemMeans, second: ItemMeans): ItemMeans {
  return new Map([...first].flatMap(([item, own]) => {
    const other = second.get(item)
    return other === undefined ? [] : [[item, { ...own, value: own.value - other.value }] as const]
  }))
}

/** Of the questions that all have: another set for each would be another difficulty. */
function meanOf (columns: readonly ItemMeans[]): ItemMeans {
  return new Map([...columns[0]!].flatMap(([item, own]) => {
    const values = columns.map(column => column.get(item)?.value)
    if (values.includes(undefined)) return []
    const sum = values.reduce<number>((all, value) => all + value!, 0)
    return [[item, { ...own, value: sum / values.length }] as const]
  }))
}

/** Null where nothing was tested. */
function ratesOf (effects: ReadonlyArray<Effect | null>): Array<number | null> {
  const rates = familyWiseRates(effects.flatMap(effect => effect?.p ?? []))
  return effects.map(effect => effect === null || effect.p === null ? null : rates.shift()!)
}

/** At .05 every fortieth honest model would be called out. */
const claimedBelow = 0.01

interface Claim { p: number | null, excessP: number | null, margin: number }

function verdictOf (
  { version, drop, excess }: Drop, { p, excessP, margin }: Claim
): string | null {
  if (drop.value === null) return null
  const beyond = (effect: Effect, adjusted: number | null, level: number) =>
    (effect.value ?? 0) > margin && adjusted !== null && adjusted < level
  if (!beyond(drop, p, claimedBelow)) return 'not shown'
  // The order of choices makes no question harder; other words and numbers may.
  if (excess === null) return version === 'shuffled' ? 'memorised' : 'harder or memorised'
  return beyond(excess, excessP, 0.05) ? 'memorised' : 'drops as others do'
}

/** So many values of a dimension have a row each. */
const valuesMax = 200

type Dated = ReadonlyMap<string, number>

/** Of the originals alone. */
function trendRows (cells: ContaminationTable['cells']): Row[] {
  const at = new Map<string, number>()
  const dated = new Map<string, VersionCell['items']>()
  for (const { model, version, items } of cells) {
    if (version !== 'original') continue
    for (const each of items) {
      if (each.at === undefined) continue
      at.set(each.item, each.at)
      const own = dated.get(model)
      if (own === undefined) dated.set(model, [each])
      else own.push(each)
    }
  }
  const means = [...dated].map(([model, items]) => ({ model, means: itemMeans(items) }))
  return means.flatMap(own => {
    const others = means.filter(each => each !== own).map(each => each.means)
    const head = { model: own.model, version: 'original' }
    return [
      ...yearRows(own.means, at).map((row): Row => ({ ...head, effect: 'accuracy at', ...row })),
      { ...head, effect: 'trend', ...slopeOf(pointsOf(own.means, at)) },
      ...others.length === 0
        ? []
        : [{ ...head, effect: 'trend beyond other models', ...slopeOf(pointsOf(differencesByItem(own.means, meanOf(others)), at)), others: others.length }]
    ]
  })
}

function yearRows (means: ItemMeans, at: Dated): Row[] {
  const byValue = new Map<number, ItemValue[]>()
  for (const [item, each] of means) {
    const value = at.get(item)!
    const own = byValue.get(value)
    if (own === undefined) byValue.set(value, [each])
    else own.push(each)
  }
  return [...byValue].sort(([a], [b]) => a - b).slice(0, valuesMax)
    .map(([value, values]) => ({ at: value, ...shareOf(values) }))
}

function pointsOf (means: ItemMeans, at: Dated): Point[] {
  return [...means].map(([item, { value, cluster }]) => ({ x: at.get(item)!, y: value, cluster }))
}
