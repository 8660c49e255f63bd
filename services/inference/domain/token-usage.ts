/** Tokens as an upstream counts them, in any version's words. */
import type { TokenUsage } from './call.ts'

export const noUsage: TokenUsage = {
  promptTokens: null, completionTokens: null, cachedTokens: null, reasoningTokens: null
}

interface UpstreamUsage {
  prompt_tokens?: unknown
  completion_tokens?: unknown
  prompt_tokens_details?: { cached_tokens?: unknown } | null
  completion_tokens_details?: { reasoning_tokens?: unknown } | null
}

interface Said { content?: unknown, reasoning?: unknown, reasoning_content?: unknown }
interface Choice { text?: unknown, delta?: Said | null, message?: Said | null }

/** @param usage  the `usage` member of a reply; anything that is no count is null */
export function readUsage (usage: unknown): TokenUsage {
  if (usage === null || typeof usage !== 'object') return noUsage
  const { prompt_tokens: prompt, completion_tokens: completion, ...details } = usage as UpstreamUsage
  return {
    promptTokens: countOf(prompt),
    completionTokens: countOf(completion),
    cachedTokens: countOf(details.prompt_tokens_details?.cached_tokens),
    reasoningTokens: countOf(details.completion_tokens_details?.reasoning_tokens)
  }
}

/** Some servers write 0 for what they did not count: 0 tokens of an answer that says something are none. */
export function believed (usage: TokenUsage, hasText: boolean): TokenUsage {
  return hasText && usage.completionTokens === 0 ? { ...usage, completionTokens: null } : usage
}

/** @param choices  of a whole reply or of a chunk; whether one of them has any text */
export function saySomething (choices: unknown): boolean {
  return Array.isArray(choices) && choices.some((choice: Choice | null) => {
    const { text, delta, message } = choice ?? {}
    const said = delta ?? message
    return [text, said?.content, said?.reasoning, said?.reasoning_content]
      .some(part => typeof part === 'string' && part !== '')
  })
}

/** Missing in one is missing in the sum: a part is not the whole. */
export function addUsage (a: TokenUsage, b: TokenUsage): TokenUsage {
  const add = (one: number | null, other: number | null) =>
    one === null || other === null ? null : one + other
  return {
    promptTokens: add(a.promptTokens, b.promptTokens),
    completionTokens: add(a.completionTokens, b.completionTokens),
    cachedTokens: add(a.cachedTokens, b.cachedTokens),
    reasoningTokens: add(a.reasoningTokens, b.reasoningTokens)
  }
}

export function countOf (value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}
