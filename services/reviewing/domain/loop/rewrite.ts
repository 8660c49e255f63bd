/** What a writer is asked for and what becomes of its reply: new items, their labels as they were. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Evidence, Item } from '../../../../shared/contracts/item.ts'
import { languageFault } from '../../../../shared/text/language.ts'
import { wordsOf } from '../../../../shared/text/tokens.ts'
import { groundQuotes, type Written } from './ground.ts'
import { longAnswerWords, type Objection } from './loop.ts'
import { claimOf, rightChoice } from './review-prompt.ts'
import type { Feedback } from './feedback.ts'

export const rewriteForms = ['descriptive', 'choice', 'pair', 'short'] as const
export type RewriteForm = (typeof rewriteForms)[number]

/** Null for what no text can mend: choices that are images, a yes/no question without its partner. */
export function formOf (items: readonly Item[]): Exclude<RewriteForm, 'short'> | null {
  const [first] = items
  if (items.length === 2 && items.every(isBinary) && items[0]!.answerIndex !== items[1]!.answerIndex) return 'pair'
  if (first === undefined || items.length > 1 || first.kind === 'binary') return null
  if (first.kind !== 'choice') return 'descriptive'
  return (first.choices ?? []).some(({ imageId }) => imageId !== undefined) || first.answerIndex === undefined ? null : 'choice'
}

const isBinary = ({ kind, choices, answerIndex }: Item) =>
  kind === 'binary' && choices?.length === 2 && (answerIndex === 0 || answerIndex === 1)

const text = { type: 'string', minLength: 1 }
const quotes = { type: 'array', items: text, minItems: 1, maxItems: 6 }
const objectOf = (properties: Record<string, object>) =>
  ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false })

export function rewriteSchema (form: RewriteForm, items: readonly Item[]): object {
  const count = (items[0]?.choices?.length ?? 2) - 1
  switch (form) {
    case 'descriptive': return objectOf({ question: text, answer: text, quotes })
    case 'choice': return objectOf({ question: text, right: text, distractors: { type: 'array', items: text, minItems: count, maxItems: count }, quotes })
    case 'pair': return objectOf({ trueQuestion: text, falseQuestion: text, quotes })
    case 'short': return objectOf({ answer: text })
  }
}

/** Fixed questions (AutoPaperBench's of abstract and sections) stay; those of figures may be mended. */
export function questionIsFixed ({ kind }: Item): boolean {
  return kind === 'qa'
}

const hidden = 'It is not shown: write it anew.'

/** What of the items themselves stands in the prompt of the form. */
export function rewriteValues (
  form: RewriteForm, items: readonly Item[], { weight, showsEarlier, objections }: Feedback
): Record<string, string> {
  const [item] = items as [Item]
  const earlier = (value: string) => showsEarlier ? value : hidden
  const told = { objections, weight, language: item.language }
  switch (form) {
    case 'descriptive': return { ...told, question: item.question, fixed: fixedShown(item), answer: earlier(item.answer ?? '') }
    case 'choice': return {
      ...told,
      question: earlier(item.question),
      claim: claimShown(item),
      right: earlier(rightChoice(item)),
      distractors: earlier(wrongChoices(item).join('\n')),
      count: String(wrongChoices(item).length)
    }
    case 'pair': {
      const [yes, no] = [...items].sort((a, b) => a.answerIndex! - b.answerIndex!) as [Item, Item]
      return { ...told, trueQuestion: earlier(yes.question), falseQuestion: earlier(no.question) }
    }
    case 'short': return { question: item.question, answer: item.answer ?? '', language: item.language }
  }
}

function fixedShown (item: Item): string {
  const fixed = questionIsFixed(item)
    ? 'The question must stay word for word as it is.'
    : 'You may mend the question; it goes on asking about the same place.'
  return claimOf(item) === undefined ? fixed : `${fixed} ${claimShown(item)}`
}

function claimShown (item: Item): string {
  const claim = claimOf(item)
  return claim === undefined ? 'The paper answers the question.' : `The item is meant to be one that cannot be answered as asked: ${claim} It must stay so.`
}

const wrongChoices = ({ choices = [], answerIndex }: Item) =>
  choices.filter((_, i) => i !== answerIndex).map(({ text }) => text)

type Fault = Omit<Objection, 'round'>
export type Applied = { items: Item[] } | { fault: Fault }

/**
 * The items with the text of the reply. Ids, labels, place, figures and pair stay; quotes are looked
 * up in the paper and become evidence as the paper prints them; what was said of the earlier text
 * (checks, rationale, its long form) goes.
 */
export function applyRewrite (
  { form, value }: { form: RewriteForm, value: unknown }, items: readonly Item[], document: Document
): Applied {
  const [item] = items as [Item]
  if (!fits(value, rewriteSchema(form, items))) return { fault: { about: 'unparsable', reason: 'The reply lacks a text that was asked for.' } }
  const reply = value
  if (form === 'short') return shortened(item, String(reply.answer))
  const { evidence, faults } = groundQuotes(writtenIn(form, reply, item), item, document)
  if (evidence.length === 0) {
    return { fault: { about: 'quotes', reason: `None of the quotes can be evidence. ${faults[0] ?? ''}`.trim() } }
  }
  const changed = items.map(each => withText(each, changesTo(each, { form, reply, evidence })))
  if (changed.some(isEmpty)) return { fault: { about: 'rewriting', reason: 'A text was left empty.' } }
  const strange = changed.flatMap(each => languageFault(claimsOf(each), each.language) ?? [])[0]
  if (strange !== undefined) return { fault: { about: 'language', reason: strange } }
  const same = changed.every((each, i) => textOf(each) === textOf(items[i]!))
  return same ? { fault: { about: 'rewriting', reason: 'Nothing was changed.' } } : { items: changed }
}

/** What is to be proven, as the reply says it. */
function writtenIn (form: RewriteForm, reply: Record<string, unknown>, item: Item): Written {
  const quotes = reply.quotes as string[]
  if (form === 'pair') return { question: String(reply.trueQuestion), answer: 'Yes', quotes }
  const question = questionIsFixed(item) ? item.question : String(reply.question)
  return { question, answer: String(form === 'choice' ? reply.right : reply.answer), quotes }
}

interface Reply { form: RewriteForm, reply: Record<string, unknown>, evidence: Evidence[] }

function changesTo (item: Item, { form, reply, evidence }: Reply): Partial<Item> {
  const trimmed = (name: string) => String(reply[name]).trim()
  if (form === 'pair') return { question: trimmed(item.answerIndex === 0 ? 'trueQuestion' : 'falseQuestion'), evidence }
  const question = questionIsFixed(item) ? item.question : trimmed('question')
  if (form === 'descriptive') return { question, answer: trimmed('answer'), evidence }
  const distractors = [...reply.distractors as string[]]
  const choices = item.choices!.map((_, i) => (
    { text: i === item.answerIndex ? trimmed('right') : (distractors.shift() ?? '').trim() }))
  return { question, choices, evidence }
}

function withText (item: Item, changes: Partial<Item>): Item {
  const { rationale, longAnswer, ...rest } = item
  return { ...rest, ...changes, checks: [] }
}

/** The reply was checked against the schema; what is stored is not left to that alone. */
function fits (value: unknown, schema: object): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object') return false
  const { properties } = schema as { properties: Record<string, { type: string }> }
  return Object.entries(properties).every(([name, { type }]) => {
    const given = (value as Record<string, unknown>)[name]
    return type === 'array' ? Array.isArray(given) && given.every(each => typeof each === 'string') : typeof given === 'string'
  })
}

/** What a writer wrote of an item. */
function claimsOf ({ question, answer, choices = [] }: Item): string {
  return [question, answer ?? '', ...choices.map(({ text }) => text)].join('\n')
}

function isEmpty ({ question, answer, choices = [] }: Item): boolean {
  return question === '' || answer === '' || choices.some(({ text }) => text === '')
}

function shortened (item: Item, answer: string): Applied {
  const short = answer.trim()
  if (short === '') return { fault: { about: 'rewriting', reason: 'The short answer is empty.' } }
  if (wordsOf(short).length >= longAnswerWords) {
    return { fault: { about: 'length', reason: `The short answer has ${longAnswerWords} words or more.` } }
  }
  const strange = languageFault(short, item.language)
  if (strange !== undefined) return { fault: { about: 'language', reason: strange } }
  return { items: [{ ...item, answer: short, longAnswer: item.longAnswer ?? item.answer!, checks: [] }] }
}

/** Two versions with the same text are the same to a reviewer: judging it again would be one more try. */
export function textOf ({ question, answer, choices, evidence }: Item): string {
  return JSON.stringify([question, answer, choices, evidence.map(({ quote }) => quote)])
}
