/** What a request weighs before anybody has counted: for fairness and budgets, not for limits. */
import type { Band } from './call.ts'

/** An image of 1,536 px a side is one to two and a half thousand tokens to current models. */
const imageTokens = 1024
/** Where the caller sets no end: about an answer with its reasons. */
const completionTokensDefault = 512

type Body = Readonly<Record<string, unknown>>

/**
 * Estimate of prompt plus completion tokens: UTF-8 bytes of the prompt / 4, rounded up, a constant for
 * each image, and what may be generated, for each answer asked for.
 */
export function estimateTokens (body: Body): number {
  const prompt = promptTokens(body)
  // No answer is generated for embeddings and for counting.
  if (body.messages === undefined && body.prompt === undefined) return prompt
  return prompt + (completionTokensMax(body) ?? completionTokensDefault) * answersTo(body)
}

/** What the caller lets one answer have; null where that is left to the server. */
export function completionTokensMax (body: Body): number | null {
  const given = body.max_completion_tokens ?? body.max_tokens
  return typeof given === 'number' && given >= 0 ? given : null
}

/** How many answers a request asks for: n to each of its prompts. */
export function answersTo ({ n, prompt }: Body): number {
  return textsOf(prompt) * (typeof n === 'number' && n >= 1 ? n : 1)
}

/** How many texts a prompt or an input is; a list of numbers is one, in tokens. */
export function textsOf (texts: unknown): number {
  return Array.isArray(texts) && typeof texts[0] !== 'number' ? texts.length : 1
}

export function promptTokens (body: Body): number {
  const count = { bytes: 0, tokens: 0 }
  if (Array.isArray(body.messages)) for (const message of body.messages) addMessage(message, count)
  else addPrompt(body.prompt ?? body.input ?? body.tokens, count)
  if (Array.isArray(body.tools)) count.bytes += Buffer.byteLength(JSON.stringify(body.tools))
  return Math.ceil(count.bytes / 4) + count.tokens
}

interface Count { bytes: number, tokens: number }

function addMessage (message: unknown, count: Count): void {
  if (message === null || typeof message !== 'object') return
  const { content, tool_calls: calls } = message as Body
  if (typeof content === 'string') count.bytes += Buffer.byteLength(content)
  else if (Array.isArray(content)) for (const part of content) addPart(part, count)
  if (Array.isArray(calls)) count.bytes += Buffer.byteLength(JSON.stringify(calls))
}

function addPart (part: unknown, count: Count): void {
  if (typeof part === 'string') count.bytes += Buffer.byteLength(part)
  else if (part !== null && typeof part === 'object') {
    const { text } = part as Body
    if (typeof text === 'string') count.bytes += Buffer.byteLength(text)
    else count.tokens += imageTokens
  }
}

function addPrompt (prompt: unknown, count: Count): void {
  if (typeof prompt === 'string') count.bytes += Buffer.byteLength(prompt)
  else if (Array.isArray(prompt)) {
    for (const each of prompt) {
      if (typeof each === 'number') count.tokens++
      else addPrompt(each, count)
    }
  }
}

/** As vLLM reads it, lower is sooner: below 0 interactive, 0 or none normal, above 0 bulk. */
export function bandOf (priority: unknown): Band {
  return typeof priority !== 'number' || priority === 0 ? 1 : priority < 0 ? 0 : 2
}
