/** A reply in the words every caller reads, whatever version gave it. */
import type { ForwardedPath } from '../call.ts'
import { isObject, type JsonObject } from '../json-object.ts'

/**
 * The reply with both `reasoning` and `reasoning_content` where there is either (vLLM renamed it, and
 * clients that read the other name lose the chain silently: vllm#50624), and with the model under the
 * name it was asked for by. For whole replies and for chunks of a stream.
 *
 * @param asked  the caller's name of the model
 * @returns      undefined where nothing is to change: the bytes can pass as they are
 */
export function fromUpstream (reply: unknown, asked: string): JsonObject | undefined {
  if (!isObject(reply)) return undefined
  const choices = Array.isArray(reply.choices) ? withBothNames(reply.choices) : undefined
  const renamed = typeof reply.model === 'string' && reply.model !== asked
  if (choices === undefined && !renamed) return undefined
  return { ...reply, ...renamed && { model: asked }, ...choices !== undefined && { choices } }
}

/**
 * Counts of llama.cpp's server in vLLM's words: it answers bare tokens, and text as `content`.
 * @returns undefined where nothing is to change
 */
export function countFromUpstream (path: ForwardedPath, reply: JsonObject): JsonObject | undefined {
  if (path === '/v1/tokenize' && Array.isArray(reply.tokens) && reply.count === undefined) {
    return { ...reply, count: reply.tokens.length, max_model_len: null }
  }
  if (path === '/v1/detokenize' && typeof reply.content === 'string' && reply.prompt === undefined) {
    return { prompt: reply.content }
  }
  return undefined
}

function withBothNames (choices: readonly unknown[]): unknown[] | undefined {
  let copy: unknown[] | undefined
  for (let at = 0; at < choices.length; at++) {
    const choice = choices[at]
    if (choice === null || typeof choice !== 'object') continue
    for (const place of ['message', 'delta'] as const) {
      const message = bothNames((choice as JsonObject)[place])
      if (message === undefined) continue
      copy ??= [...choices]
      copy[at] = { ...copy[at] as JsonObject, [place]: message }
    }
  }
  return copy
}

function bothNames (message: unknown): JsonObject | undefined {
  if (message === null || typeof message !== 'object') return undefined
  const { reasoning, reasoning_content: content } = message as JsonObject
  if (reasoning === undefined && content === undefined) return undefined
  // Some versions send both, one of them null.
  const thought = reasoning ?? content ?? null
  if (reasoning === thought && content === thought) return undefined
  if (reasoning != null && content != null) return undefined
  return { ...message as JsonObject, reasoning: thought, reasoning_content: thought }
}
