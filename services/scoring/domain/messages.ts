/** A question as a chat request. Built from a Question, which knows no answer. */
import type { Document, Figure } from '../../../shared/contracts/document.ts'
import type { Item, ItemKind } from '../../../shared/contracts/item.ts'
import type { Condition } from '../../../shared/contracts/run.ts'
import { renderPrompt, type Prompt } from '../../../shared/prompts/prompt.ts'
import { bankLanguageOf, bankLanguages, type BankLanguage } from './bank-words.ts'
import { letterOf, pick, type Question } from './question.ts'
import { choiceWithImage, imageStateOf, partsOf, textWithImages, type ContentPart } from './shown-images.ts'

export interface ChatMessage { role: 'user', content: string | ContentPart[] }

export interface ChatRequest {
  model: string
  messages: ChatMessage[]
  temperature: number
  top_p: number
  max_tokens: number
  top_k?: number
  presence_penalty?: number
  frequency_penalty?: number
  seed: number
  chat_template_kwargs: { enable_thinking: boolean, thinking?: boolean }
  reasoning_effort?: string
}

export type PromptName = 'binary' | 'choice' | 'descriptive'
export type PromptSet = Record<PromptName, Prompt>

/**
 * Those of a condition's `prompt`, and what is added to them where a confidence is asked for, a rationale is
 * given back or an answer is suggested.
 */
export type PromptShelf = Record<Condition['prompt'], PromptSet> & {
  confidence: { labelled: Prompt, descriptive: Prompt }
  notes: { atOnce: Prompt, goOn: Prompt }
  hint: Prompt
}

/** For items of papers, and by language for those of banks. */
export type Prompts = PromptShelf & { bank: Record<BankLanguage, PromptShelf> }

/** Which shelves a benchmark's items are asked from. */
export interface Shelves { papers: boolean, bank: readonly BankLanguage[] }

export function shelvesOf (items: ReadonlyArray<Pick<Item, 'source' | 'language'>>): Shelves {
  const ofBanks = items.filter(({ source }) => 'bankId' in source)
  const languages = new Set(ofBanks.map(({ language }) => bankLanguageOf(language)))
  return { papers: ofBanks.length < items.length, bank: bankLanguages.filter(each => languages.has(each)) }
}

export const onlyPapers: Shelves = { papers: true, bank: [] }

/** All that a run of this condition may send, in the order of their names. */
export function promptsOf (
  prompts: Prompts, condition: Condition, { papers, bank }: Shelves = onlyPapers
): Prompt[] {
  const shelves = [...papers ? [prompts] : [], ...bank.map(language => prompts.bank[language])]
  const added = (shelf: PromptShelf) => [
    ...condition.confidence === 'verbal' ? Object.values(shelf.confidence) : [], ...givingIn(shelf, condition)
  ]
  return shelves.flatMap(shelf => [...Object.values(shelf[condition.prompt]), ...added(shelf)])
    .sort((a, b) => a.name < b.name ? -1 : 1)
}

type Asked = Pick<Question, 'kind' | 'ofBank' | 'language'>

function shelfOf (prompts: Prompts, { ofBank, language }: Asked): PromptShelf {
  return ofBank ? prompts.bank[bankLanguageOf(language)] : prompts
}

/** The one that a question is put in. */
export function promptOf (prompts: Prompts, question: Asked, { prompt }: Condition): Prompt {
  return shelfOf(prompts, question)[prompt][promptNameOf(question.kind)]
}

function givingIn ({ notes, hint }: PromptShelf, condition: Condition): Prompt[] {
  if (condition.rationale !== undefined) return [condition.rationale === 'truncated' ? notes.atOnce : notes.goOn]
  return condition.hint === undefined ? [] : [hint]
}

/** The one that gives a rationale back or suggests an answer; undefined where neither is asked for. */
export function givingPrompt (prompts: Prompts, question: Asked, condition: Condition): Prompt | undefined {
  return givingIn(shelfOf(prompts, question), condition)[0]
}

/** That one, the one that gives something, and the one that asks for a confidence. */
export function promptsUsed (prompts: Prompts, question: Asked, condition: Condition): Prompt[] {
  const shelf = shelfOf(prompts, question)
  const { labelled, descriptive } = shelf.confidence
  const added = promptNameOf(question.kind) === 'descriptive' ? descriptive : labelled
  return [
    promptOf(prompts, question, condition), ...givingIn(shelf, condition), ...condition.confidence === 'verbal' ? [added] : []
  ]
}

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
  /** Where the condition gives a rationale back or suggests an answer. */
  given?: { notes?: string, suggestion?: string }
}

const nothing = '(No text of the paper is given.)'

/** The prompt of a question: text, with a marker for each image that has a place within it. */
export function promptText (prompts: Prompts, question: Question, material: Material): string {
  const { document, condition } = material
  const letters = question.choices.map((_, index) => letterOf(index))
  const state = imageStateOf(condition)
  const values: Record<string, string> = {
    content: material.content.trim() || nothing,
    figures: figuresLine(question, document, condition),
    question: textWithImages(question, state),
    place: placeName(question.place, document),
    language: question.language,
    choices: letters.map((letter, at) => `${letter}. ${choiceWithImage(question, at, state)}`).join('\n'),
    letters: letters.join(', '),
    ...material.given
  }
  return promptsUsed(prompts, question, condition).map(prompt => renderDeclared(prompt, values)).join('\n\n')
}

/** With those of the values that it has a place for. */
function renderDeclared (prompt: Prompt, values: Readonly<Record<string, string>>): string {
  const declared = Object.entries(values).filter(([name]) => Object.hasOwn(prompt.variables, name))
  return renderPrompt(prompt, Object.fromEntries(declared))
}

/** Images as data URLs: `images` go after the text, `placed` where their marker stands in it. */
export interface PromptContent {
  text: string
  images: readonly string[]
  placed?: ReadonlyMap<string, string>
}

/** The request for a prompt and its images. */
export function chatRequest (model: string, prompt: PromptContent, condition: Condition): ChatRequest {
  const { text, images, placed = new Map<string, string>() } = prompt
  const parts: ContentPart[] = [
    ...partsOf(text, placed),
    ...images.map(url => ({ type: 'image_url' as const, image_url: { url } }))
  ]
  return {
    model,
    messages: [{ role: 'user', content: images.length + placed.size === 0 ? text : parts }],
    ...samplingSent(condition),
    seed: seedOf(condition),
    ...thinkingSent(condition)
  }
}

/** As it is sent. What the condition does not name is left to the server. */
export function samplingSent ({ sampling }: Condition) {
  const { temperature, topP, maxTokens, topK, presencePenalty, frequencyPenalty } = sampling
  return {
    temperature,
    top_p: topP,
    max_tokens: maxTokens,
    ...topK !== undefined && { top_k: topK },
    ...presencePenalty !== undefined && { presence_penalty: presencePenalty },
    ...frequencyPenalty !== undefined && { frequency_penalty: frequencyPenalty }
  }
}

/**
 * Repeat 0 has the condition's seed, each other one its own: a server that obeys a seed would give
 * one reply to one request, however often it is asked.
 */
export function seedOf ({ seed, repeat }: Pick<Condition, 'seed' | 'repeat'>): number {
  return repeat === 0 ? seed : pick(2 ** 31, `${seed}/repeat ${repeat}`)
}

/**
 * Templates know thinking under two names (Qwen, GLM, EXAONE: enable_thinking; DeepSeek, Granite:
 * thinking, off unless told); what a template does not know it passes over.
 */
function thinkingSent ({ thinking, thinkingEffort }: Condition) {
  return {
    chat_template_kwargs: { enable_thinking: thinking, ...thinking && { thinking } },
    ...thinking && thinkingEffort !== undefined && { reasoning_effort: thinkingEffort }
  }
}

/** The figures of a document that a question is about, in the question's order. */
export function figuresOf (question: Question, document: Document | null): Figure[] {
  return question.figureIds.flatMap(id => document?.figures.filter(figure => figure.id === id) ?? [])
}

/** Captions belong to the paper's text: closed-book and oracle conditions do not get them. */
export function figuresLine (question: Question, document: Document | null, condition: Condition): string {
  if (question.figureIds.length === 0) return '(This question is about no figure.)'
  const state = { shown: 'attached', described: 'described', withheld: 'not shown' }[imageStateOf(condition)]
  const ofText = condition.contentMode !== 'none' && condition.contentMode !== 'oracle'
  const captioned = ofText || state === 'described'
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
