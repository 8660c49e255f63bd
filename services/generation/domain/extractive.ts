/** Strategy `extractive`: items from the paper's own sentences, without a model. Pure, deterministic. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Recipe } from '../../../shared/contracts/generation.ts'
import { idOf } from '../../../shared/contracts/hash.ts'
import { withoutModel, type Check, type Item, type Rejection } from '../../../shared/contracts/item.ts'
import type { Aspect } from './abstract-parts.ts'
import { abstractAnswer, sectionAnswer, type Answer } from './answers.ts'
import { pairsOf, trueFirst, type FigurePairs, type Pair } from './pairs.ts'
import type { Place } from './plan.ts'
import { evidenceOf, evidenceRankMax, rankOf, sourceTextOf, type SourceText } from './source-text.ts'
import { abstractQuestions, languageOf, sectionCommand } from './wording.ts'

/** Changes whenever the same paper would give other items. */
export const strategyVersion = '5'

export interface Made { items: Item[], rejections: Rejection[] }

/** What all places of one paper share; costly, so made once. */
export interface Groundwork {
  source: SourceText
  figures: Map<string, FigurePairs>
  generationId: string
  recipe: Recipe
}

export interface Order { document: Document, recipe: Recipe, generationId: string }

export function groundworkOf ({ document, recipe, generationId }: Order): Groundwork {
  const source = sourceTextOf(document)
  const figures = recipe.kinds.includes('binary') ? pairsOf(source, recipe) : new Map<string, FigurePairs>()
  return { source, figures, generationId, recipe }
}

/** The items of one place, and what could not be made there. */
export function itemsFor (place: Place, groundwork: Groundwork): Made {
  if (place.aspect === 'abstract') return abstractItems(groundwork)
  if (place.aspect === 'section') return sectionItems(place, groundwork)
  return figureItems(place, groundwork)
}

type Draft = Pick<Item, 'kind' | 'question' | 'evidence' | 'language' | 'slices' | 'checks'> & Partial<Item> & { rule: string }

function abstractItems (groundwork: Groundwork): Made {
  const made = (['problem', 'solution', 'results'] as const).map((aspect: Aspect, index) => {
    const answer = abstractAnswer(aspect, groundwork.source)
    const rule = `abstract-${aspect}`
    return answered({ place: 'abstract', index, groundwork }, answer, {
      rule,
      slices: { aspect: 'abstract', questionClass: aspect },
      questionIn: language => abstractQuestions[language][aspect]
    })
  })
  return merged(made)
}

function sectionItems ({ id }: Place, groundwork: Groundwork): Made {
  const section = groundwork.source.document.sections.find(section => section.id === id)
  if (section === undefined) throw new RangeError(`Expected a section of the document, got ${id}`)
  return answered({ place: id, index: 0, groundwork }, sectionAnswer(section, groundwork.source), {
    rule: 'section-central-sentences',
    slices: { aspect: 'section', sectionKind: section.kind },
    questionIn: language => sectionCommand[language]
  })
}

interface Slot { place: string, index: number, groundwork: Groundwork }
interface Asking {
  rule: string
  slices: Record<string, string>
  questionIn: (language: ReturnType<typeof languageOf>) => string
}

function answered (slot: Slot, answer: Answer, { rule, slices, questionIn }: Asking): Made {
  if ('fault' in answer) return { items: [], rejections: [rejection(slot, 'qa', answer.fault, `${rule}: ${answer.detail}`)] }
  const language = languageOf(answer.text)
  const item = itemOf(slot, {
    kind: 'qa',
    rule,
    question: questionIn(language),
    answer: answer.text,
    evidence: answer.sentences.map(evidenceOf),
    language,
    slices,
    checks: [verbatim]
  })
  return { items: [item], rejections: [] }
}

function figureItems ({ id }: Place, groundwork: Groundwork): Made {
  const { recipe, figures } = groundwork
  const slot = { place: id, index: 0, groundwork }
  const figure = groundwork.source.document.figures.find(figure => figure.id === id)
  if (figure?.imageId === null) {
    const asked = (['vqa', 'binary'] as const).filter(kind => recipe.kinds.includes(kind))
    return { items: [], rejections: asked.map(kind => rejection(slot, kind, 'no-picture', 'The source of this paper has the caption of this figure, but no picture.')) }
  }
  const rejections = recipe.kinds.includes('vqa')
    ? [rejection(slot, 'vqa', 'needs-a-model', 'The extractive strategy writes no open questions about figures.')]
    : []
  if (!recipe.kinds.includes('binary')) return { items: [], rejections }
  const { pairs, faults } = figures.get(id) ?? { pairs: [], faults: {} }
  if (pairs.length === 0) rejections.push(rejection(slot, 'binary', 'no-fit-sentence', faultsIn(faults)))
  const items = pairs.flatMap((pair, index) => pairItems(pair, { ...slot, index }))
  return { items, rejections }
}

function pairItems (pair: Pair, slot: Slot): Item[] {
  const { groundwork: { generationId, recipe, source }, index } = slot
  const { foil, figure, sentence, claim } = pair
  const pairId = idOf('item', { generationId, pair: figure.id, paperId: source.document.paperId, index })
  const section = source.document.sections.find(({ id }) => id === sentence.passage.sectionId)
  const memberOf = (truth: boolean, at: number): Item => {
    const question = truth ? pair.questions.true : pair.questions.false
    return itemOf({ ...slot, index: 2 * index + at }, {
      kind: 'binary',
      rule: `pair-${foil.kind}`,
      figureIds: [figure.id],
      question,
      choices: [{ text: 'Yes' }, { text: 'No' }],
      answerIndex: truth ? 0 : 1,
      pairId,
      evidence: [evidenceOf(sentence)],
      rationale: truth
        ? 'The paper says so in the quoted sentence.'
        : `The paper has "${foil.from}" where the question has "${foil.to}".`,
      language: languageOf(claim.text),
      slices: {
        aspect: 'figure',
        edit: foil.kind,
        evidence: sentence.passage.target.type === 'figure' ? 'caption' : 'text',
        ...section !== undefined && { sectionKind: section.kind }
      },
      checks: [verbatim, ranked(rankOf(source, sentence.passage, `${question} ${truth ? 'Yes' : 'No'}`)), unsupported]
    })
  }
  const order = trueFirst(pair, recipe.seed) ? [true, false] : [false, true]
  return order.map(memberOf)
}

const verbatim: Check = { name: 'evidence-verbatim', passed: true, detail: 'Each quote is a slice of the paper.' }
const unsupported: Check = { name: 'false-member-unsupported', passed: true, detail: 'No sentence, caption or table row of the paper supports the false member.' }

function ranked (rank: number): Check {
  const detail = rank > 0 ? `Place ${rank} by BM25.` : `Not among the best ${evidenceRankMax} by BM25.`
  return { name: 'evidence-ranked', passed: rank > 0, detail }
}

function itemOf ({ place, index, groundwork }: Slot, { rule, ...draft }: Draft): Item {
  const { source: { document: { paperId, documentHash } }, generationId, recipe } = groundwork
  return {
    id: idOf('item', { generationId, paperId, place, kind: draft.kind, index }),
    source: { paperId, documentHash },
    place,
    figureIds: [],
    ...draft,
    provenance: {
      strategy: recipe.strategy,
      strategyVersion,
      seed: recipe.seed,
      rule,
      ...withoutModel
    }
  }
}

function rejection (slot: Slot, kind: Item['kind'], ...[reason, detail]: [string, string]): Rejection {
  return { paperId: slot.groundwork.source.document.paperId, place: slot.place, kind, reason, detail }
}

function faultsIn (faults: Record<string, number>): string {
  const counted = Object.entries(faults).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  if (counted.length === 0) return 'No sentence of the paper is about this figure alone.'
  return `Sentences left out: ${counted.map(([fault, count]) => `${fault} ${count}`).join(', ')}.`
}

function merged (made: readonly Made[]): Made {
  return {
    items: made.flatMap(({ items }) => items),
    rejections: made.flatMap(({ rejections }) => rejections)
  }
}
