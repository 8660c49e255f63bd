/** Asks a model server how many tokens a prompt is. */
import { jsonOf, memberOf } from '../domain/engine-answers.ts'
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

/** Whatever a server cannot or does not say is null: then tokens are estimated. */
export async function countTokens (
  requests: Pick<EngineRequests, 'ask'>, { replica: { upstream, probe }, served }: Target, body: RequestBody
): Promise<Counted> {
  const listed = probe.models.find(({ id }) => id === served)?.contextTokens ?? null
  const contextTokens = upstream.contextTokens ?? listed
  // A tokenizer counts the place of an image, and not what becomes of it.
  if (holdsMedia(body)) return { tokens: null, contextTokens }
  const question: Record<string, unknown> = { model: served }
  for (const name of asked) question[name] = body[name]
  const said = await requests.ask(upstream, { path: '/tokenize', body: question, timeoutMs, bytesMax })
  return { tokens: countOf(memberOf(jsonOf(said), 'count')), contextTokens }
}

function holdsMedia ({ messages }: RequestBody): boolean {
  return Array.isArray(messages) && messages.some(message => {
    const content: unknown = (message as { content?: unknown } | null)?.content
    return Array.isArray(content) && content.some(part => (part as { type?: unknown } | null)?.type !== 'text')
  })
}
