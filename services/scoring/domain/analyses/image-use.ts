/**
 * Whether a model sees: the same items with their image, without it, with another one, and with words in
 * its place.
 *
 * A model that sees is worse with a wrong image than with the right one. For one that does not, the two
 * must be shown to be alike, within a margin: that no difference was found is no proof of that.
 */
import { Type, type Static } from 'typebox'
import { familyWiseRates } from '../../../../shared/stats/family-wise.ts'
import { analysis, assertDistinct, Count, Name, wrong, type AnalysedRun, type Found, type Row } from './analysis.ts'
import { differingParts } from './cells-of-runs.ts'
import { effectOf, noEffect, shareOf, type Effect } from './effect.ts'
import { isChoice } from '../compare/measured.ts'
import {
  differencesOf, itemMeans, mostSkippedFor, SkippedFor, ValuedItem, valuedItems, type ItemMeans
} from './item-means.ts'

const shown = ['real', 'none', 'wrong', 'described'] as const
type Shown = (typeof shown)[number]

const ImageTable = Type.Object({
  cells: Type.Array(Type.Object({
    model: Name,
    image: Type.Enum([...shown], { description: 'none: withheld; wrong: that of another item; described: words in its place.' }),
    items: Type.Array(ValuedItem, { maxItems: 50_000, description: 'Items with an image alone.' }),
    skipped: Type.Optional(Count),
    skippedFor: Type.Optional(SkippedFor)
  }, { additionalProperties: false }), { minItems: 1, maxItems: 400 })
}, { additionalProperties: false })
type ImageTable = Static<typeof ImageTable>

const options = {
  margin: Type.Number({ exclusiveMinimum: 0, maximum: 0.5, default: 0.1, description: 'Two conditions are alike when the 90 % interval of their difference lies within this: two one-sided tests at .05.' })
}
type Options = Static<ReturnType<typeof Type.Object<typeof options>>>

export const imageUse = analysis({
  summary: 'Image counterfactuals: does a model see the image, read words about it, or neither',
  rows: 'Accuracy of each condition; three differences a model (real - wrong, real - none, described - none), each with interval, Holm-adjusted p over the three, minimum detectable effect and whether it is shown to be none; and the verdict: seeing, caption-reading, blind or undetermined.',
  table: ImageTable,
  options,
  example: { table: { cells: shown.map((image, at) => ({ model: 'a', image, items: [{ item: 'i', value: Number(at === 0) }, { item: 'j', value: 1 }] })) } },
  compute: imageUseOf,
  fromRuns
})

const contrasts = [['real', 'wrong'], ['real', 'none'], ['described', 'none']] as const

function imageUseOf ({ cells }: ImageTable, { margin }: Options): Found {
  assertDistinct(cells.map(({ model, image }) => `${model}, ${image}`), '/table/cells')
  const models = [...new Set(cells.map(({ model }) => model))]
  const rows = models.flatMap((model): Row[] => {
    const of = (image: Shown) => {
      const cell = cells.find(each => each.model === model && each.image === image)
      return cell === undefined ? undefined : itemMeans(cell.items)
    }
    const accuracies = shown.flatMap(image => {
      const means = of(image)
      return means === undefined ? [] : [{ model, contrast: image, ...shareOf([...means.values()]) }]
    })
    const found = contrasts.map(([a, b]) => tested([a, b], [of(a), of(b)], margin))
    return [...accuracies, ...modelRows(model, found)]
  })
  const verdicts = rows.flatMap(({ verdict }) => typeof verdict === 'string' ? [verdict] : [])
  const count = (word: Verdict) => verdicts.filter(verdict => verdict === word).length
  return {
    rows,
    summary: { models: models.length, margin, seeing: count('seeing'), captionReading: count('caption-reading'), blind: count('blind'), undetermined: count('undetermined') },
    notes: [
      'seeing: right more often with the right image than with a wrong one (adjusted p below .01, and not within the margin). caption-reading: these two alike, and better with words in place of the image, or with an image and what is printed beside it, than with neither. blind: all three differences shown to be none. Anything else is undetermined.',
      'Differences are within items, over the items both conditions have; clusters are papers, and the items themselves where they are of a bank and independent. p is adjusted by Holm over the three tests of a model; models are not adjusted for each other. "Alike" needs all its tests at once and so no adjustment.',
      'Seeing is not reading rightly: a wrong image may mislead a model that gains nothing from the right one. real - none beside it is what the image is worth.',
      ...models.flatMap(model => leftOut(cells.filter(cell => cell.model === model)))
    ]
  }
}

/** Of which items a difference is, where they are not those of the accuracies. */
function leftOut (cells: ImageTable['cells']): string[] {
  return contrasts.flatMap(names => {
    const sides = names.map(image => cells.find(cell => cell.image === image))
    const means = sides.map(cell => itemMeans(cell?.items ?? []))
    const [first, second] = [means[0]!, means[1]!]
    const both = [...first.keys()].filter(item => second.has(item))
    if (both.length === 0 || both.length === Math.max(first.size, second.size)) return []
    const told = names.map((image, at) => {
      const mean = both.reduce((sum, item) => sum + means[at]!.get(item)!.value, 0) / both.length
      return `${image} ${mean.toFixed(3)} there, ${means[at]!.size - both.length} of its ${means[at]!.size} items left out`
    })
    const skips = sides.flatMap(cell => (cell?.skipped ?? 0) === 0
      ? []
      : [` ${cell!.image} skipped ${cell!.skipped}${cell!.skippedFor === undefined ? '.' : `, most often: ${cell!.skippedFor}`}`])
    return [`${cells[0]!.model}, ${names.join(' - ')}: over the ${both.length} items that both have (${told.join('; ')}).${skips.join('')}`]
  })
}

/** At .05 every fortieth model that does not see would be said to. */
const claimedBelow = 0.01

type Verdict = 'seeing' | 'caption-reading' | 'blind' | 'undetermined'

interface Tested { contrast: string, effect: Effect, alike: boolean }

type Side = ItemMeans | undefined

function tested (
  names: readonly [Shown, Shown], [first, second]: readonly [Side, Side], margin: number
): Tested {
  const contrast = names.join(' - ')
  const absent = names.filter((_, at) => [first, second][at] === undefined)
  if (first === undefined || second === undefined) {
    return { contrast, effect: noEffect(`no run with image ${absent.join(' and ')}`), alike: false }
  }
  const differences = differencesOf(first, second)
  const narrow = effectOf(differences, { width: 1, level: 0.9 })
  const alike = narrow.low !== null && narrow.high !== null && narrow.low > -margin && narrow.high < margin
  return { contrast, effect: effectOf(differences, { width: 1 }), alike }
}

function modelRows (model: string, found: readonly Tested[]): Row[] {
  const known = found.filter(({ effect }) => effect.p !== null)
  const rates = familyWiseRates(known.map(({ effect }) => effect.p!))
  const adjustedP = found.map(each => known.includes(each) ? rates[known.indexOf(each)]! : null)
  const { verdict, why } = verdictOf(found, adjustedP)
  return [
    ...found.map(({ contrast, effect, alike }, at): Row =>
      ({ model, contrast, ...effect, adjustedP: adjustedP[at]!, alike })),
    { model, contrast: 'verdict', verdict, reason: why }
  ]
}

function verdictOf (
  found: readonly Tested[], adjustedP: ReadonlyArray<number | null>
): { verdict: Verdict, why: string } {
  const better = found.map(({ effect: { value }, alike }, at) => {
    const p = adjustedP[at] ?? null
    return p !== null && p < claimedBelow && (value ?? 0) > 0 && !alike
  })
  const [image, presence, words] = better
  const [sameImage, samePresence, sameWords] = found.map(({ alike }) => alike)
  if (image === true) return { verdict: 'seeing', why: 'right more often with the right image than with a wrong one' }
  if (sameImage === true && words === true) return { verdict: 'caption-reading', why: 'the right image is worth no more than a wrong one, and words about it are' }
  if (sameImage === true && presence === true) return { verdict: 'caption-reading', why: 'which image it is does not matter, and that there is one does: what comes with it is read' }
  if (sameImage === true && samePresence === true && sameWords === true) return { verdict: 'blind', why: 'neither image nor words in its place make a difference beyond the margin' }
  const missing = found.filter(({ effect }) => effect.n === 0).map(({ contrast, effect }) => `${contrast}: ${effect.reason}`)
  if (missing.length > 0) return { verdict: 'undetermined', why: missing.join('; ') }
  const open = found.filter(({ alike }, at) => !alike && !better[at]).map(({ contrast }) => contrast)
  return { verdict: 'undetermined', why: `neither a difference nor its absence is shown for ${open.join(', ') || 'what would decide'}: more items, or repeats` }
}

/** Repeats of a condition go into one; items without an image take no part. */
function fromRuns (runs: readonly AnalysedRun[]): ImageTable {
  const others = differingParts(runs).filter(part => part !== 'figures' && part !== 'images')
  if (others.length > 0) throw wrong('/runIds', `Runs of a model may differ in condition.figures and condition.images alone; these differ in ${others.join(', ')}.`)
  const cells = new Map<string, ImageTable['cells'][number]>()
  for (const { model, condition: { figures, images = 'real' }, rows } of runs) {
    const image: Shown = figures === 'withheld' ? 'none' : images
    const key = JSON.stringify([model, image])
    const cell = cells.get(key) ?? { model, image, items: [] }
    cell.items.push(...valuedItems(rows, ({ lineage }) => lineage.pictured))
    const pictured = rows.filter(row => isChoice(row) && row.outcome === 'skipped' && row.lineage.pictured)
    const why = cell.skippedFor ?? mostSkippedFor(pictured)
    if (pictured.length > 0) cell.skipped = (cell.skipped ?? 0) + pictured.length
    if (why !== undefined) cell.skippedFor = why
    cells.set(key, cell)
  }
  return { cells: [...cells.values()] }
}
