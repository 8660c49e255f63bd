/** A question about a table as an item of the contract. */
import { idOf } from '../../../../shared/contracts/hash.ts'
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Recipe } from '../../../../shared/contracts/generation.ts'
import { withoutModel, type Check, type Evidence, type Item } from '../../../../shared/contracts/item.ts'
import { shuffled } from '../seeded.ts'
import type { Language } from '../wording.ts'
import { printed } from './decimal.ts'
import { excerptOf } from './excerpt.ts'
import type { Grid } from './grid.ts'
import { chosenMisses } from './misses.ts'
import type { Operation, Question, Trend } from './operations.ts'
import type { Entry } from './series.ts'
import { questionText, rationaleText, trendWords } from './wording.ts'

/** Changes whenever the same table would give other items. */
export const tablesVersion = '3'

export interface Ground {
  document: Document
  grid: Grid
  generationId: string
  recipe: Recipe
  language: Language
}

const evidenceMax = 12

const difficulties: Record<Operation, string> = {
  'look-up': 'easy',
  argmax: 'medium',
  argmin: 'medium',
  second: 'hard',
  'argmax-where': 'hard',
  difference: 'medium',
  spread: 'hard',
  ratio: 'hard',
  count: 'hard',
  trend: 'medium'
}

export function choiceItem (question: Question, ground: Ground & { index: number }): Item {
  const { grid, language, recipe: { seed }, index } = ground
  const { operation } = question
  return itemOf({
    kind: 'choice',
    index,
    question: questionText(question, { table: labelOf(grid), language, seed }),
    ...choicesOf(question, { seed, language, key: `${grid.table.id} ${index}` }),
    evidence: evidenceFor(question.cells, grid),
    rationale: rationaleText(question, language),
    slices: slicesOf(operation, difficulties[operation]),
    rule: `table-${operation}`,
    arguments: argumentsOf(question, grid)
  }, ground)
}

export interface Choosing { seed: number, language: Language, key: string }

/** The answer among wrong ones, in seeded order. */
export function choicesOf (question: Question, { seed, language, key }: Choosing) {
  const { operation, answer } = question
  const order = shuffled([answer, ...chosenMisses(question, seed)], seed, text => `choice ${key} ${text}`)
  const spoken = (text: string) => operation === 'trend' ? trendWords[language][text as Trend] : text
  return { choices: order.map(text => ({ text: spoken(text) })), answerIndex: order.indexOf(answer) }
}

/** As printed, without the point after it. */
export function labelOf ({ table: { label } }: Grid): string {
  return label.replace(/[.:]$/u, '')
}

export function slicesOf (operation: string, difficulty: string): Record<string, string> {
  return { aspect: 'table', operation, difficulty, answerability: 'answerable' }
}

export type Draft = Pick<Item, 'kind' | 'question' | 'choices' | 'answerIndex' | 'evidence' | 'rationale' | 'slices' | 'pairId'> &
  { index: number, rule: string, arguments: Record<string, unknown> }

export function itemOf ({ index, rule, arguments: worked, ...draft }: Draft, ground: Ground): Item {
  const { document: { paperId, documentHash }, grid: { table }, generationId, recipe, language } = ground
  return {
    id: idOf('item', { generationId, paperId, place: table.id, kind: draft.kind, index }),
    source: { paperId, documentHash },
    place: table.id,
    figureIds: [],
    ...draft,
    language,
    checks: [verbatim],
    provenance: {
      strategy: recipe.strategy,
      strategyVersion: tablesVersion,
      seed: recipe.seed,
      rule,
      arguments: { table: table.label, ...worked },
      ...withoutModel
    }
  }
}

const verbatim: Check = { name: 'evidence-verbatim', passed: true, detail: 'Each quote is a cell of the table.' }

/**
 * Enough to execute the answer again from the printed table, by the words of its headings; and the part of
 * the table itself, from which variants are made.
 */
function argumentsOf (question: Question, grid: Grid): Record<string, unknown> {
  const { operation, series, named, threshold, where } = question
  const asked = ['look-up', 'difference', 'ratio'].includes(operation)
  return {
    operation,
    along: series.along,
    fixed: series.fixed.path,
    kind: series.kind,
    percent: series.percent,
    ...asked && { of: named.map(({ heading }) => heading.path) },
    among: series.along === 'rows' ? 'all' : series.entries.map(({ heading }) => heading.path),
    ...threshold !== undefined && { threshold: printed(threshold) },
    ...where !== undefined && { where },
    excerpt: excerptOf(question, grid)
  }
}

/** The cells, whole; offsets count code points of the cell. */
export function evidenceFor (cells: readonly Entry[], { table, textAt }: Grid): Evidence[] {
  return cells.slice(0, evidenceMax).map(({ row, column }) => {
    const text = textAt(row, column)
    return {
      quote: text,
      target: { type: 'table', id: table.id },
      cell: { row, column },
      ...table.sectionId !== null && { sectionId: table.sectionId },
      page: table.page,
      charStart: 0,
      charEnd: Array.from(text).length
    }
  })
}
