/** Every item over all runs: how hard it is, and whether it tells strong runs from weak ones. */
import { referenceText } from './bank-place.ts'
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../../shared/contracts/document.ts'
import type { ItemScore } from '../../../../shared/contracts/report.ts'
import type { Outcome } from '../../../../shared/contracts/run.ts'
import { isConstant, pearson } from '../../../../shared/stats/correlation.ts'
import { itemKinds } from '../../../../shared/contracts/item.ts'
import { baselinePrefix } from '../baselines/baselines.ts'
import { placeName } from '../messages.ts'

/** One run's replies, in the benchmark's order. */
export interface RunWorths {
  model: string
  outcomes: readonly Outcome[]
  worths: ReadonlyArray<number | null>
}

export interface ItemParts {
  items: readonly BenchmarkItem[]
  runs: readonly RunWorths[]
  /** By item id, of the papers that were read; without it a place is its id. */
  placed: ReadonlyMap<string, Placed>
}

/** Where an item belongs, in the paper's words, and the images it asks about. */
export interface Placed { place: string, imageIds: string[] }

export function placedIn (item: BenchmarkItem, document: Document): Placed {
  return {
    place: placeName(item.place, document),
    imageIds: document.figures.flatMap(({ id, imageId }) =>
      imageId !== null && item.figureIds.includes(id) ? [imageId] : [])
  }
}

const itemsMax = 20_000
const marksMax = 500_000
const questionCharsMax = 300
const referenceCharsMax = 120
/** Fewer say nothing of an item; even twenty say little. */
export const discriminationRunsMin = 5

export function itemsListedMax (runs: number): number {
  return Math.min(itemsMax, Math.floor(marksMax / Math.max(1, runs)))
}

/** Gives way after each 200 items. */
export function * itemScores ({ items, runs, placed }: ItemParts): Generator<void, ItemScore[]> {
  const models = runs.filter(({ model }) => !model.startsWith(baselinePrefix))
  const totals = totalsOf(items, models)
  const scores: ItemScore[] = []
  for (const [at, item] of items.slice(0, itemsListedMax(runs.length)).entries()) {
    if (at % 200 === 199) yield
    const { place, imageIds } = placed.get(item.id) ?? { place: item.place, imageIds: [] }
    const own = models.map(({ worths }) => worths[at] ?? null)
    const seen = own.filter(worth => worth !== null)
    scores.push({
      itemId: item.id,
      kind: item.kind,
      paperId: 'paperId' in item.source ? item.source.paperId : null,
      place,
      question: cut(item.question, questionCharsMax),
      reference: cut(referenceText(item), referenceCharsMax),
      imageIds,
      outcomes: runs.map(({ outcomes }) => outcomes[at]![0]).join(''),
      worths: runs.map(({ worths }) => rounded(worths[at] ?? null)),
      n: seen.length,
      mean: seen.length === 0 ? null : rounded(seen.reduce((sum, worth) => sum + worth, 0) / seen.length),
      discrimination: rounded(discrimination(own, totals.get(item.kind)!))
    })
  }
  return scores
}

interface Total { sum: number, n: number }

/** Per kind: what each run's replies are worth together. */
function totalsOf (items: readonly BenchmarkItem[], runs: readonly RunWorths[]): Map<string, Total[]> {
  return new Map(itemKinds.map(kind => [kind, runs.map(({ worths }) => {
    const own = worths.filter((worth, at) => worth !== null && items[at]!.kind === kind) as number[]
    return { sum: own.reduce((sum, worth) => sum + worth, 0), n: own.length }
  })]))
}

/** Over runs, with the mean of the other items: the item itself would flatter it. */
function discrimination (own: ReadonlyArray<number | null>, totals: readonly Total[]): number | null {
  const pairs = own.flatMap((worth, run) => {
    const { sum, n } = totals[run]!
    return worth === null || n < 2 ? [] : [{ x: worth, y: (sum - worth) / (n - 1) }]
  })
  const [x, y] = [pairs.map(pair => pair.x), pairs.map(pair => pair.y)]
  if (pairs.length < discriminationRunsMin || isConstant(x) || isConstant(y)) return null
  return pearson({ x, y }).statistic
}

function rounded (value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e4) / 1e4
}

export function cut (text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const characters = Array.from(text)
  return characters.length <= charsMax ? text : `${characters.slice(0, charsMax - 1).join('')}…`
}
