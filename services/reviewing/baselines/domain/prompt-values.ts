/** One item under one condition, as the values of its prompt: all of it data. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { PartialCondition, PartialInputRequest } from '../../../../shared/contracts/partial-input.ts'
import { materialFor } from '../../domain/loop/material.ts'
import { letterOf } from '../../domain/loop/review-prompt.ts'
import { shows } from './conditions.ts'
import { cyclic } from './orders.ts'

export interface Showing {
  condition: PartialCondition
  /** The choice that comes first. */
  first: number
  /** Null for an item of no paper. */
  document: Document | null
  room: { contextTokens: number, maxTokens: number, otherText: string }
}

export interface Shown {
  values: Record<string, string>
  /** Of the item's own figures or in place of them, in order; the caller has the pictures. */
  images: 'none' | 'own' | 'other'
  leftOut: string[]
}

/** What the prompt of an item leaves of the context to the paper. */
export function roomFor (
  { question, choices = [] }: Item, template: string, { contextTokens, sampling }: Pick<PartialInputRequest, 'contextTokens' | 'sampling'>
): Showing['room'] {
  const otherText = `${template}\n${question}\n${choices.map(({ text }) => text).join('\n')}`
  return { contextTokens, maxTokens: sampling.maxTokens, otherText }
}

const nothing = '(Nothing of the paper is given.)'
const hidden = '(The question is not shown.)'

/** The prompt of which kind, and what goes into it. */
export function shownOf (item: Item, showing: Showing): Shown {
  const { condition, first, document } = showing
  const { question, text, images } = shows[condition]
  const { material, leftOut } = document === null ? { material: '', leftOut: [] } : materialOf(item, document, showing)
  const common = { material: material.trim() || nothing, question: question ? item.question : hidden }
  const own = item.figureIds.length === 0 || text === 'none' ? 'none' : images
  return { values: { ...common, ...answerForm(item, first) }, images: own, leftOut }
}

/** What may be answered, in the order of the asking. */
function answerForm ({ kind, choices = [] }: Item, first: number): Record<string, string> {
  if (kind === 'binary') {
    const [one, other] = cyclic(2, first).map(index => ['Yes', 'No'][index]!)
    return { one: one!, other: other! }
  }
  if (kind !== 'choice') return {}
  const order = cyclic(choices.length, first)
  return {
    choices: order.map((index, i) => `${letterOf(i)}. ${choices[index]!.text.replace(/\s+/gu, ' ')}`).join('\n'),
    letters: order.map((_, i) => letterOf(i)).join(', ')
  }
}

function materialOf (
  item: Item, document: Document, { condition, room }: Showing
): { material: string, leftOut: string[] } {
  const { text, images } = shows[condition]
  const captions = (of: Document, state: string) => item.figureIds.map(id => {
    const figure = of.figures.find(one => one.id === id)
    return [`${figure?.label || 'Figure'}${state}`, figure?.caption ?? ''].filter(Boolean).join(': ')
  }).join('\n')
  switch (text) {
    case 'none': return { material: '', leftOut: [] }
    case 'title': return { material: `From the paper "${document.title}".`, leftOut: [] }
    case 'captions': return { material: captions(document, ''), leftOut: [] }
    case 'evidence': return { material: item.evidence.map(({ quote }) => quote).join('\n\n'), leftOut: [] }
    default: {
      const source = text === 'all' ? document : withoutEvidence(document, item)
      const state = images === 'none' ? ' (image not shown)' : ' (image attached)'
      const { values, leftOut } = materialFor(item, source, { ...room, vision: images !== 'none' })
      const abstract = source.abstract === document.abstract ? values.abstract : '(It is withheld.)'
      return { material: [`Abstract: ${abstract}`, values.content, captions(source, state)].filter(Boolean).join('\n\n'), leftOut }
    }
  }
}

/**
 * The document less every paragraph, caption, table, equation and abstract that a quote of the item
 * stands in, as a whole; what else says the same stays.
 */
export function withoutEvidence (document: Document, { evidence }: Pick<Item, 'evidence'>): Document {
  const holds = (type: string, id?: string) =>
    evidence.some(({ target }) => target.type === type && (id === undefined || target.id === id))
  const { abstract, sections, figures, tables, equations } = document
  return {
    ...document,
    abstract: holds('abstract') ? null : abstract,
    sections: sections.map(section => (
      { ...section, paragraphs: section.paragraphs.filter(({ id }) => !holds('paragraph', id)) })),
    figures: figures.map(figure => holds('figure', figure.id) ? { ...figure, caption: '' } : figure),
    tables: tables.map(table => holds('table', table.id) ? { ...table, caption: '', rows: [] } : table),
    equations: equations.map(equation => holds('equation', equation.id) ? { ...equation, text: '' } : equation)
  }
}
