/** What a chat completion says, whichever server made it. */
import { Problem } from '../../../shared/errors/problem.ts'
import type { TokenUsage } from './call.ts'
import { isGivenUp } from './finish-reasons.ts'
import { isObject, type JsonObject } from './json-object.ts'
import { believed, readUsage, saySomething } from './token-usage.ts'

export interface Said {
  /** Null when there is none, as beside a tool call. */
  content: string | null
  /** From a field of its own; what stands in tags is part of the content. */
  reasoning: string | null
  /** The model's own words for declining, in a field of its own. */
  refusal: string | null
  toolCall: boolean
  finishReason: string | null
  usage: TokenUsage
}

interface Source { upstream: string, stopped: boolean }

/**
 * @param source stopped: we ended it, so that its finish reason says nothing
 * @throws Problem upstream-invalid when it is no completion, or one that the engine broke off
 */
export function readCompletion (reply: unknown, { upstream, stopped }: Source): Said {
  const { choices, usage } = objectOf(reply)
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const { message, finish_reason: finish } = objectOf(choice)
  if (message === null || typeof message !== 'object') {
    throw new Problem('upstream-invalid', `The model server ${upstream} answered a completion without a message.`)
  }
  // The engine gave up on it; the model did not end there.
  if (!stopped && isGivenUp([finish])) {
    throw new Problem('upstream-invalid', `The model server ${upstream} broke the reply off (finish reason ${String(finish)}).`)
  }
  const { content, reasoning, reasoning_content: older, refusal, tool_calls: calls } = objectOf(message)
  return {
    content: contentOf(content),
    reasoning: textOf(reasoning) ?? textOf(older),
    refusal: textOf(refusal),
    toolCall: Array.isArray(calls) && calls.length > 0,
    finishReason: textOf(finish),
    usage: believed(readUsage(usage), saySomething(choices))
  }
}

/** Text, or parts of which some are text. */
function contentOf (content: unknown): string | null {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return null
  return content.map(part => textOf(objectOf(part).text) ?? '').join('')
}

function objectOf (value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

function textOf (value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
