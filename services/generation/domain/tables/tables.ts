/**
 * Strategy `tables`: questions whose answers are executed from the cells of a table, without a model.
 * Pure and deterministic; a table that is not understood with certainty gives rejections, never items.
 */
import type { Document, Table } from '../../../../shared/contracts/document.ts'
import type { Recipe } from '../../../../shared/contracts/generation.ts'
import type { Item, Rejection } from '../../../../shared/contracts/item.ts'
import { shuffled } from '../seeded.ts'
import type { Made } from '../extractive.ts'
import type { Language } from '../wording.ts'
import { gridOf, type Grid } from './grid.ts'
import { choiceItem, type Ground } from './items.ts'
import { isomorphOf } from './isomorph.ts'
import { enoughMisses } from './misses.ts'
import { askers, operations, type Operation, type Question } from './operations.ts'
import { pairItemsOf } from './pairs.ts'
import { seriesOf } from './series.ts'
import { argmaxWhere } from './where.ts'

export interface TableOrder { generationId: string, recipe: Recipe }

/** Items of one table, at most; of the plain look-ups among them, see `lookUpsMax`. */
export const itemsPerTableMax = 10
/** At most one in five is a plain look-up. */
const lookUpsMax = (items: number) => Math.floor(items / 5)
const perOperationMax = 2

/**
 * The items of one table, and why it gave none or fewer.
 *
 * @param tableId  of `document.tables`
 * @throws RangeError when the document has no such table
 */
export function tableItems (document: Document, tableId: string, { generationId, recipe }: TableOrder): Made {
  const table = document.tables.find(({ id }) => id === tableId)
  if (table === undefined) throw new RangeError(`Expected a table of the document, got ${tableId}`)
  const kinds = (['choice', 'binary'] as const).filter(kind => recipe.kinds.includes(kind))
  const grid = gridOf(document, table)
  const rejection = (kind: Rejection['kind'], reason: string, detail: string): Rejection =>
    ({ paperId: document.paperId, place: tableId, kind, reason, detail })
  if ('fault' in grid) return { items: [], rejections: kinds.map(kind => rejection(kind, grid.fault, grid.detail)) }
  const ground: Ground = { document, grid, generationId, recipe, language: languageFor(document, table) }
  const questions = kinds.includes('choice') ? chosen(candidatesOf(grid, recipe.seed), recipe.seed) : []
  const choices = questions.map((question, index) => choiceItem(question, { ...ground, index }))
  if (recipe.release !== undefined) return isomorphs(choices, recipe.release, rejection)
  const pairs = kinds.includes('binary') ? pairItemsOf(ground) : []
  const rejections = [
    ...kinds.includes('choice') && choices.length === 0 ? [rejection('choice', 'nothing-to-compare', 'No column or row of this table has numbers of one kind with one certain answer.')] : [],
    ...kinds.includes('binary') && pairs.length === 0 ? [rejection('binary', 'nothing-to-compare', 'No two numbers of this table can be compared.')] : []
  ]
  return { items: [...choices, ...pairs], rejections }
}

type Reject = (kind: Rejection['kind'], reason: string, detail: string) => Rejection

/** Each item as its variant of the release; pairs of names have none. */
function isomorphs (items: readonly Item[], release: string, rejection: Reject): Made {
  const made = items.map(item => isomorphOf(item, release))
  const missing = made.filter(item => item === undefined).length
  return {
    items: made.filter(item => item !== undefined),
    rejections: missing === 0 ? [] : [rejection('choice', 'no-isomorph', `Of ${missing} questions no variant has one certain, other answer, or their table is too large for a question.`)]
  }
}

/** Every question that has an answer and enough near misses; at most one for each series and operation. */
export function candidatesOf (grid: Grid, seed: number): Question[] {
  const series = seriesOf(grid)
  const asked = operations.flatMap(operation => series.map(one =>
    operation === 'argmax-where' ? argmaxWhere(grid, one, seed) : askers[operation](one, seed)))
  return asked.filter(question => question !== undefined).filter(enoughMisses)
}

/** One of each operation first, then a second; no two of one operation about the same numbers. */
function chosen (candidates: readonly Question[], seed: number): Question[] {
  const byOperation = new Map<Operation, Question[]>(operations.map(operation => [operation, shuffled(
    candidates.filter(question => question.operation === operation), seed,
    ({ series, answer }) => `${operation} ${series.along} ${series.fixed.index} ${answer}`)]))
  const worth = operations.filter(operation => operation !== 'look-up')
  const rounds = Array.from({ length: perOperationMax }, (_, round) =>
    worth.flatMap(operation => byOperation.get(operation)?.slice(round, round + 1) ?? []))
  const computed = rounds.flat().slice(0, itemsPerTableMax - lookUpsMax(itemsPerTableMax))
  // n look-ups of n + c items are a fifth or less: n ≤ c / 4; a table of only words to look up gives one.
  const lookUps = byOperation.get('look-up')?.slice(0, computed.length === 0 ? 1 : Math.floor(computed.length / 4)) ?? []
  return [...computed, ...lookUps]
}

function languageFor ({ language }: Document, { caption }: Table): Language {
  return language === 'ko' || (language === 'und' && /[\uAC00-\uD7A3]{2}/u.test(caption)) ? 'ko' : 'en'
}
