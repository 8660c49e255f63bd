/** Asks a model server how many tokens a prompt is. */
import { jsonOf, memberOf, type Said } from '../domain/engine-answers.ts'
import type { Counted } from '../domain/estimate.ts'
import type { RequestBody } from '../domain/call.ts'
import type { Target } from '../domain/replica.ts'
import { countOf } from '../domain/token-usage.ts'
import type { EngineRequests } from './ask-engine.ts'

/** A list of two million token ids. */
const bytesMax = 16 * 1024 * 1024
const timeoutMs = 5_000

/** What a prompt is made of; the rest of a request has no tokens. */
const asked = ['messages', 'prompt', 'tools', 'chat_template_kwargs', 'add_generation_prompt'] as const

/** Whatever a server cannot or does not say is null: then tokens are estimated. That it failed is told. */
export async function countTokens (
  requests: Pick<EngineRequests, 'ask'>, { replica: { upstream, probe }, served }: Target, body: RequestBody
): Promise<Counted> {
  const listed = probe.models.find(({ id }) => id === served)?.contextTokens ?? null
  const contextTokens = upstream.contextTokens ?? listed
  // A tokenizer counts the place of an image, and not what becomes of it.
  if (holdsMedia(body)) return { tokens: null, contextTokens }
  const isLlama = probe.engine === 'llama.cpp'
  const question = isLlama ? { content: textOf(body), add_special: true } : { model: served, ...asksOf(body) }
  const answer = await requests.ask(upstream, { path: '/tokenize', body: question, timeoutMs, bytesMax })
  if (hasFailed(answer)) return { tokens: null, contextTokens, unanswered: true }
  const said = jsonOf(answer)
  if (!isLlama) return { tokens: countOf(memberOf(said, 'count')), contextTokens }
  const tokens = memberOf(said, 'tokens')
  return { tokens: Array.isArray(tokens) ? tokens.length : null, contextTokens }
}

/** What may be otherwise the next time; a server that has no tokenizer says so. */
function hasFailed (answer: Said): boolean {
  return 'fault' in answer || answer.status === 429 || (answer.status >= 500 && answer.status !== 501)
}

function asksOf (body: RequestBody): Record<string, unknown> {
  return Object.fromEntries(asked.map(name => [name, body[name]]))
}

/** llama.cpp counts a text; the marks that its template puts around each message are not among it. */
function textOf ({ messages, prompt }: RequestBody): string {
  if (!Array.isArray(messages)) return typeof prompt === 'string' ? prompt : JSON.stringify(prompt ?? '')
  return messages.map(message => {
    const content: unknown = (message as { content?: unknown } | null)?.content
    if (!Array.isArray(content)) return String(content ?? '')
    return content.map(part => String((part as { text?: unknown } | null)?.text ?? '')).join('\n')
  }).join('\n')
}

function holdsMedia ({ messages }: RequestBody): boolean {
  return Array.isArray(messages) && messages.some(message => {
    const content: unknown = (message as { content?: unknown } | null)?.content
    return Array.isArray(content) && content.some(part => (part as { type?: unknown } | null)?.type !== 'text')
  })
}
