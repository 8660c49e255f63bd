/** What a chat completion in OpenAI's form says, checked: it is a model server's and may be anything. */
import { Problem } from '../errors/problem.ts'

/** Null where the server does not say. */
export type ReplyTokens = Record<'promptTokens' | 'completionTokens' | 'reasoningTokens', number | null>

/** A reply as it came; `refusal` is what some servers say instead of content. */
export interface RawReply {
  content: string
  finishReason: string | null
  refusal: boolean
  /** As the server names itself. */
  model: string | null
  /** Thinking, where the server gives it apart. */
  reasoning: string | null
  usage: ReplyTokens
}

interface Completion {
  model?: unknown
  choices?: Array<{
    message?: Partial<Record<'content' | 'refusal' | 'reasoning' | 'reasoning_content', unknown>> | null
    finish_reason?: unknown
  }>
  usage?: unknown
}

/**
 * @param model  the one that was asked
 * @throws       Problem upstream-invalid: neither something that is no chat completion nor another
 *               model's reply must become an answer of this one
 */
export function rawReply (answer: unknown, model: string): RawReply {
  const { choices, model: replied } = answer as Completion | null ?? {}
  if (typeof replied === 'string' && !isSameModel(model, replied)) {
    throw new Problem('upstream-invalid', `"${model}" was asked and "${replied.slice(0, 200)}" replied; is another model loaded under its name, or does a router choose?`)
  }
  const choice = choices?.[0]
  const { content, refusal } = choice?.message ?? {}
  const refused = typeof refusal === 'string' && refusal !== ''
  const text = content ?? (refused ? refusal : '')
  if (choice?.message === undefined || choice.message === null || typeof text !== 'string') {
    throw new Problem('upstream-invalid', 'The model server answered something that is no chat completion; its log may say why.')
  }
  const { finish_reason: finishReason } = choice
  const { reasoning, reasoning_content: older } = choice.message
  const thought = [reasoning, older].find(text => typeof text === 'string' && text !== '') as string | undefined
  return {
    content: text,
    finishReason: typeof finishReason === 'string' ? finishReason : null,
    refusal: refused,
    model: typeof replied === 'string' ? replied : null,
    reasoning: thought ?? null,
    usage: tokensOf((answer as Completion).usage)
  }
}

/** A count is a whole number from 0 on; all else is nothing said. */
function tokensOf (usage: unknown): ReplyTokens {
  const members = (object: unknown): Record<string, unknown> => Object(object) as Record<string, unknown>
  const count = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null
  const given = members(usage)
  return {
    promptTokens: count(given.prompt_tokens),
    completionTokens: count(given.completion_tokens),
    reasoningTokens: count(members(given.completion_tokens_details).reasoning_tokens)
  }
}

/**
 * Servers name the model they were asked for, some with its date or folder: `gpt-4o` replies as
 * `gpt-4o-2024-08-06`, `org/m` as `m`. Anything else is another model.
 */
function isSameModel (asked: string, replied: string): boolean {
  const [a, b] = [asked.toLowerCase(), replied.toLowerCase()]
  return a.includes(b) || b.includes(a)
}
