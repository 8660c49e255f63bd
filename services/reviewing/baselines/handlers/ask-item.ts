/** Asks one model about one item: every condition, in every order. */
import { rawReply } from '../../../../shared/clients/chat-reply.ts'
import { canonicalJson, sha256 } from '../../../../shared/contracts/hash.ts'
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { PartialAnswer, PartialCondition } from '../../../../shared/contracts/partial-input.ts'
import { renderPrompt } from '../../../../shared/prompts/prompt.ts'
import type { ReplyReader } from '../../../../shared/reading/reply-reader.ts'
import { seedFor } from '../../domain/loop/seed.ts'
import { cyclic } from '../domain/orders.ts'
import { roomFor, shownOf, type Shown } from '../domain/prompt-values.ts'
import type { AskedItemDoc } from '../store.ts'
import type { BaselineParts, BaselineSpec, PaperReader } from './parts.ts'

export interface Asking {
  baselineId: string
  spec: BaselineSpec
  model: BaselineSpec['models'][number]
  asked: AskedItemDoc
  /** Null for an item of no paper. */
  document: Document | null
  reader: PaperReader
  signal: AbortSignal
}

export interface Way { condition: PartialCondition, first: number }

/** @throws Problem of the upstream: infrastructure, never an answer */
export async function askOnce (
  { peers, prompts, replies, timeoutMs }: Pick<BaselineParts, 'peers' | 'prompts' | 'replies' | 'timeoutMs'>,
  asking: Asking,
  way: Way
): Promise<PartialAnswer> {
  const { baselineId, spec, model, asked: { item }, document, signal } = asking
  const { sampling, seed } = spec
  const blank = blankAnswer(way)
  const prompt = prompts[item.kind]
  const shown = shownOf(item, { ...way, document, room: roomFor(item, prompt.template, spec) })
  const pictures = await picturesFor(asking, shown)
  if ('skipped' in pictures) return { ...blank, outcome: 'skipped', detail: pictures.skipped }
  const text = renderPrompt(prompt, shown.values)
  const { urls } = pictures
  const request = {
    model: model.name,
    messages: [{ role: 'user', content: urls.length === 0 ? text : [{ type: 'text', text }, ...urls.map(url => ({ type: 'image_url', image_url: { url } }))] }],
    temperature: sampling.temperature,
    top_p: sampling.topP,
    max_tokens: sampling.maxTokens,
    seed: seedFor(seed, { itemId: item.id, ...way }),
    chat_template_kwargs: { enable_thinking: false }
  }
  const labels = { caller: 'reviewing', group: baselineId, purpose: `partial-input-${way.condition}`, sampleIndex: 0 }
  const answer = rawReply(await peers.inference.chat(request, labels, { signal, timeoutMs }), model.name)
  const requestHash = sha256(canonicalJson(request))
  const read = await readAnswer(replies, { item, first: way.first, answer, signal })
  return { ...blank, ...read, leftOut: shown.leftOut, requestHash }
}

export function blankAnswer ({ condition, first }: Way): Omit<PartialAnswer, 'outcome'> {
  return { condition, order: first, index: null, reply: null, detail: null, requestHash: null, leftOut: [] }
}

interface Replied { item: Item, first: number, answer: ReturnType<typeof rawReply>, signal: AbortSignal }

/** Headline readings are lenient; a choice is counted by its place in the item, wherever it was shown. */
async function readAnswer (
  replies: ReplyReader, { item, first, answer, signal }: Replied
): Promise<Pick<PartialAnswer, 'outcome' | 'index' | 'reply'>> {
  const { content, finishReason, refusal } = answer
  const { kind, choices = [] } = item
  const order = cyclic(choices.length, first)
  const question = kind === 'binary'
    ? { kind }
    : kind === 'choice' ? { kind, choices: order.map(index => choices[index]!.text) } : null
  const given = { reply: content, finishReason, kind }
  const { outcome, lenient } = await replies.read({ given, question }, signal)
  const read = refusal ? 'refused' : outcome
  const found = read === 'answered' ? lenient?.index ?? null : null
  return { outcome: read, index: found === null || kind === 'binary' ? found : order[found] ?? null, reply: content }
}

/** PNG data URLs; or why the condition cannot be shown to this model. */
async function picturesFor (
  { model, asked, document, reader }: Asking, shown: Shown
): Promise<{ urls: string[] } | { skipped: string }> {
  const { item, swaps } = asked
  if (item.choices?.some(({ imageId }) => imageId !== undefined)) return { skipped: 'Choices that are images cannot be shown.' }
  if (shown.images === 'none' || document === null) return { urls: [] }
  if (!model.vision) return { skipped: 'The model takes no images: inference lists it without the capability "vision".' }
  const { paperId, documentHash } = document
  if (shown.images === 'own') {
    const figures = item.figureIds.map(id => document.figures.find(figure => figure.id === id))
    if (figures.some(figure => figure === undefined || figure.imageId === null)) {
      return { skipped: 'The paper\'s source has no picture of a figure that is asked about.' }
    }
    const imageOf = async (id: string) => await reader.imageOf({ paperId, documentHash }, id)
    return { urls: await Promise.all(item.figureIds.map(imageOf)) }
  }
  for (const { figureId, ...paper } of swaps) {
    const other = await reader.documentOf(paper)
    if (other.figures.some(({ id, imageId }) => id === figureId && imageId !== null)) {
      return { urls: [await reader.imageOf(paper, figureId)] }
    }
  }
  return { skipped: 'No other figure among these items has a picture to show instead.' }
}
