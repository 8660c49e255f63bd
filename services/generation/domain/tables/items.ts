/** A question about a table as an item of the contract. */
import { idOf } from '../../../../shared/contracts/hash.ts'
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Recipe } from '../../../../shared/contracts/generation.ts'
import type { Check, Evidence, Item } from '../../../../shared/contracts/item.ts'
import { fractionOf, shuffled } from '../seeded.ts'
import type { Language } from '../wording.ts'
import { compare, decimalOf, printed } from './decimal.ts'
import type { Grid } from './grid.ts'
import { choicesWanted, type Operation, type Question } from './operations.ts'
import type { Entry } from './series.ts'
import { questionText, rationaleText, trendWords } from './wording.ts'

/** Changes whenever the same table would give other items. */
export const tablesVersion = '1'

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
  const { grid, language, recipe, index } = ground
  const { operation, answer } = question
  const wrong = chosenMisses(question, recipe.seed)
  const spoken = (text: string) => operation === 'trend' ? trendWords[language][text as keyof typeof trendWords.en] : text
  const choices = shuffled([answer, ...wrong], recipe.seed, text => `choice ${grid.table.id} ${index} ${text}`)
  return itemOf({
    kind: 'choice',
    index,
    question: questionText(question, { table: labelOf(grid), language, seed: recipe.seed }),
    choices: choices.map(text => ({ text: spoken(text) })),
    answerIndex: choices.indexOf(answer),
    evidence: evidenceFor(question.cells, grid),
    rationale: rationaleText(question, language),
    slices: slicesOf(operation, difficulties[operation]),
    rule: `table-${operation}`,
    arguments: argumentsOf(question)
  }, ground)
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
      prompt: null,
      promptHash: null,
      model: null,
      upstreamVersion: null,
      sampling: null,
      requestHash: null
    }
  }
}

const verbatim: Check = { name: 'evidence-verbatim', passed: true, detail: 'Each quote is a cell of the table.' }

/** Enough to execute the answer again from the printed table: by the words of its headings, no value. */
function argumentsOf ({ operation, series, named, threshold, where }: Question): Record<string, unknown> {
  const asked = ['look-up', 'difference', 'ratio'].includes(operation)
  return {
    operation,
    along: series.along,
    fixed: series.fixed.path,
    ...asked && { of: named.map(({ heading }) => heading.path) },
    ...!asked && { among: series.along === 'rows' ? 'all' : series.entries.map(({ heading }) => heading.path) },
    ...threshold !== undefined && { threshold: printed(threshold) },
    ...where !== undefined && { where }
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

/**
 * Wrong choices: near misses; of numbers so many below and above the answer that its place in size
 * tells nothing.
 */
export function chosenMisses ({ misses, answer, operation }: Question, seed: number): string[] {
  const wanted = choicesWanted - 1
  const numeric = /^-?\d+(?:\.\d+)?$/u
  if (operation.startsWith('arg') || operation === 'second' || !numeric.test(answer)) return misses.slice(0, wanted)
  const found = decimalOf(answer)
  const below = misses.filter(miss => compare(decimalOf(miss), found) < 0)
  const above = misses.filter(miss => compare(decimalOf(miss), found) > 0)
  const place = Math.floor(fractionOf(seed, 'place', answer, ...misses) * choicesWanted)
  const down = Math.max(Math.min(place, below.length), wanted - above.length)
  return [...below.slice(0, down), ...above.slice(0, wanted - Math.min(down, below.length))]
}
