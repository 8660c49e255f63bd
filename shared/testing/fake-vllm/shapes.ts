/** Answers as each version spells them. */
import type { Asked } from './asked.ts'
import { tokensOf, type Choice } from './choices.ts'
import { before } from './options.ts'
import type { Dialect } from './dialect.ts'

/** Answers carry no clock: the same request, the same bytes. */
export const created = 1_700_000_000

export const fingerprint = 'fake'

export interface Usage {
  prompt_tokens: number
  total_tokens: number
  completion_tokens: number
  prompt_tokens_details: {
    cached_tokens: number
    created_cache_tokens?: number | null
    multimodal_tokens?: null
  } | null
  completion_tokens_details?: { reasoning_tokens: number } | null
}

export interface Spent { prompt: number, completion: number, cached: number | null, thoughts: number }

export function usageOf ({ prompt, completion, cached, thoughts }: Spent, dialect: Dialect): Usage {
  return {
    prompt_tokens: prompt,
    total_tokens: prompt + completion,
    completion_tokens: completion,
    prompt_tokens_details: cached === null
      ? null
      : {
          cached_tokens: cached,
          ...dialect.recent && { created_cache_tokens: prompt - cached, multimodal_tokens: null }
        },
    ...dialect.recent && thoughts === 0 && { completion_tokens_details: null },
    ...dialect.reasoningTokens && thoughts > 0 && {
      completion_tokens_details: { reasoning_tokens: thoughts }
    }
  }
}

interface Around { id: string, usage: Usage | null, dialect: Dialect }

export function wholeBody (
  asked: Asked, choices: readonly Choice[], { id, usage, dialect }: Around
): object {
  const shaped = asked.form === 'chat' ? chatChoice : textChoice
  const chat = asked.form === 'chat'
  const wide = dialect.wideMessages
  return {
    id,
    object: chat ? 'chat.completion' : 'text_completion',
    created,
    model: asked.model,
    choices: choices.map(choice => shaped(asked, choice, dialect)),
    ...wide && { service_tier: null, system_fingerprint: dialect.recent ? fingerprint : null },
    ...usage !== null && { usage },
    ...chat && { prompt_logprobs: null },
    ...chat && wide && { prompt_token_ids: null },
    ...!before(dialect.version, '0.9.0') && { kv_transfer_params: null },
    ...dialect.recent && { ec_transfer_params: null, metrics: null },
    ...dialect.recent && chat && { prompt_text: null }
  }
}

function chatChoice (asked: Asked, choice: Choice, dialect: Dialect): object {
  const wide = dialect.wideMessages
  const { index, finish, stopReason } = choice
  return {
    index,
    message: messageOf(asked, choice, dialect),
    logprobs: chatLogprobs(choice.tokens, asked.logprobs),
    finish_reason: finish,
    stop_reason: stopReason,
    ...wide && { token_ids: null },
    ...dialect.recent && { routed_experts: null }
  }
}

function messageOf (asked: Asked, { call, index, thoughts, tokens }: Choice, dialect: Dialect): object {
  const content = tokens.join('')
  const thought = asked.tellsThoughts && thoughts.length > 0 ? thoughts.join('') : null
  const reasoning = Object.fromEntries(dialect.reasoningNames.map(name => [name, thought]))
  const calls = call === null
    ? []
    : [{ id: `chatcmpl-tool-${index}`, type: 'function', function: { name: call.name, arguments: content } }]
  return {
    role: 'assistant',
    content: call !== null ? '' : content,
    ...dialect.wideMessages && { refusal: null, annotations: null, audio: null, function_call: null },
    ...(!dialect.recent || calls.length > 0) && { tool_calls: calls },
    ...reasoning
  }
}

function textChoice (asked: Asked, choice: Choice, { wideMessages: wide, recent }: Dialect): object {
  const { index, finish, stopReason, prompt, tokens } = choice
  return {
    index,
    text: (asked.echo ? prompt.text : '') + tokens.join(''),
    logprobs: asked.logprobs === null ? null : textLogprobs(choice, asked),
    finish_reason: finish,
    stop_reason: stopReason,
    ...wide && { token_ids: null },
    prompt_logprobs: null,
    ...wide && { prompt_token_ids: null },
    ...recent && { routed_experts: null }
  }
}

/** Falls with the bytes of the token, and so is the same each time. */
function chanceOf (token: string): number {
  return -Math.round((0.01 + Buffer.from(token).reduce((sum, byte) => sum + byte, 0) % 97 / 100) * 1e6) / 1e6
}

/** Null when they were not asked for. */
export function chatLogprobs (tokens: readonly string[], alternatives: number | null): object | null {
  return alternatives === null ? null : { content: tokens.map(token => logprobOf(token, alternatives)) }
}

function logprobOf (token: string, alternatives: number): object {
  const one = (text: string, logprob: number) => ({ token: text, logprob, bytes: [...Buffer.from(text)] })
  const first = one(token, chanceOf(token))
  return {
    ...first,
    top_logprobs: Array.from({ length: alternatives }, (_, at) => at === 0 ? first : one(`alt${at}`, first.logprob - at))
  }
}

export function textLogprobs ({ prompt, tokens }: Choice, { logprobs, echo }: Asked): object {
  let offset = echo ? prompt.text.length : 0
  const offsets = tokens.map(token => { offset += token.length; return offset - token.length })
  return {
    text_offset: offsets,
    token_logprobs: tokens.map(chanceOf),
    tokens,
    top_logprobs: tokens.map(token => Object.fromEntries(Array.from({ length: logprobs ?? 0 }, (_, at) =>
      [at === 0 ? token : `alt${at}`, chanceOf(token) - at])))
  }
}

/** Tokens of all choices; each prompt counts once. */
export function spentOf (asked: Asked, choices: readonly Choice[], cached: number | null): Spent {
  return {
    prompt: asked.prompts.reduce((sum, { tokens }) => sum + tokens, 0),
    completion: choices.reduce((sum, choice) => sum + tokensOf(choice), 0),
    cached,
    thoughts: choices.reduce((sum, { thoughts }) => sum + thoughts.length, 0)
  }
}
