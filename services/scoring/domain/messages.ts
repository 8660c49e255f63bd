/** A question as a chat request. Built from a Question, which knows no answer. */
import type { Document, Figure } from '../../../shared/contracts/document.ts'
import type { ItemKind } from '../../../shared/contracts/item.ts'
import type { Condition } from '../../../shared/contracts/run.ts'
import { renderPrompt, type Prompt } from '../../../shared/prompts/prompt.ts'
import { letterOf, type Question } from './question.ts'

export type ContentPart =
  { type: 'text', text: string } | { type: 'image_url', image_url: { url: string } }

export interface ChatMessage { role: 'user', content: string | ContentPart[] }

export interface ChatRequest {
  model: string
  messages: ChatMessage[]
  temperature: number
  top_p: number
  max_tokens: number
  seed: number
  chat_template_kwargs: { enable_thinking: boolean }
}

export type PromptName = 'binary' | 'choice' | 'descriptive'
export type Prompts = Record<PromptName, Prompt>

export function promptNameOf (kind: ItemKind): PromptName {
  return kind === 'binary' || kind === 'choice' ? kind : 'descriptive'
}

/** What the prompt is made of besides the question. */
export interface Material {
  /** Text of the paper under the condition's content mode. */
  content: string
  /** The paper, for the names of places; null for items of a bank. */
  document: Document | null
  condition: Condition
}

const nothing = '(No text of the paper is given.)'

/** The prompt of a question: text only. */
export function promptText (prompts: Prompts, question: Question, material: Material): string {
  const { document, condition } = material
  const values = {
    content: material.content.trim() || nothing,
    figures: figuresLine(question, document, condition),
    question: question.text
  }
  const name = promptNameOf(question.kind)
  if (name === 'descriptive') {
    return renderPrompt(prompts.descriptive, { ...values, place: placeName(question.place, document) })
  }
  if (name === 'binary') return renderPrompt(prompts.binary, values)
  return renderPrompt(prompts.choice, {
    ...values,
    choices: question.choices.map((choice, index) => `${letterOf(index)}. ${choice}`).join('\n'),
    letters: question.choices.map((_, index) => letterOf(index)).join(', ')
  })
}

/** The request for a prompt and its images (PNG data URLs), which go after the text. */
export function chatRequest (
  model: string, prompt: { text: string, images: readonly string[] }, condition: Condition
): ChatRequest {
  const { temperature, topP, maxTokens } = condition.sampling
  const parts: ContentPart[] = [
    { type: 'text', text: prompt.text },
    ...prompt.images.map(url => ({ type: 'image_url' as const, image_url: { url } }))
  ]
  return {
    model,
    messages: [{ role: 'user', content: prompt.images.length === 0 ? prompt.text : parts }],
    temperature,
    top_p: topP,
    max_tokens: maxTokens,
    seed: condition.seed,
    chat_template_kwargs: { enable_thinking: condition.thinking }
  }
}

/** The figures of a document that a question is about, in the question's order. */
export function figuresOf (question: Question, document: Document | null): Figure[] {
  return question.figureIds.flatMap(id => document?.figures.filter(figure => figure.id === id) ?? [])
}

/** Captions belong to the paper's text: closed-book and oracle conditions do not get them. */
function figuresLine (question: Question, document: Document | null, condition: Condition): string {
  if (question.figureIds.length === 0) return '(This question is about no figure.)'
  const state = condition.figures === 'with' ? 'attached' : 'not shown'
  const captioned = condition.contentMode !== 'none' && condition.contentMode !== 'oracle'
  const lines = figuresOf(question, document).map(({ label, caption }) =>
    `${label || 'Figure'} (${state})${captioned && caption !== '' ? `: ${caption}` : '.'}`)
  return lines.join('\n') || `Figure (${state}).`
}

/** How a reader would name the place: "the abstract", "section 3.2 Methods", "Figure 2". */
export function placeName (place: string, document: Document | null): string {
  if (place === 'abstract') return 'The abstract.'
  const section = document?.sections.find(({ id }) => id === place)
  if (section !== undefined) {
    return `The section "${[section.number, section.title].filter(Boolean).join(' ') || 'without a title'}".`
  }
  const figure = document?.figures.find(({ id }) => id === place)
  return figure === undefined ? 'The paper.' : `${figure.label || 'The figure'}.`
}

/** The section whose text a content mode starts from; undefined for the abstract and the whole paper. */
export function sectionOf (place: string, document: Document): string | undefined {
  const figure = document.figures.find(({ id }) => id === place)
  if (figure !== undefined) return figure.sectionId ?? undefined
  return document.sections.some(({ id }) => id === place) ? place : undefined
}
