/**
 * What is let in. A known field of a wrong type, media that cannot be checked and what exceeds a limit are
 * refused here, before anything waits or a server works on it; unknown fields are forwarded.
 */
import { isGenerated, type ForwardedPath } from './call.ts'
import { checkMessages, type Media } from './admission-content.ts'
import { checkFields } from './admission-fields.ts'
import type { AdmissionLimits } from './admission-limits.ts'
import { constraintOf } from './dialect/constraint.ts'
import { fault, shown, tooLarge } from './field-fault.ts'
import { isObject } from './json-object.ts'

export interface Admission {
  /** Capabilities without which an upstream cannot answer. */
  needs: string[]
  images: number
}

type Body = Readonly<Record<string, unknown>>

/**
 * @param body  parsed JSON; trusted in nothing
 * @throws      Problem with the JSON pointer of the first fault: invalid-request (400), limit-exceeded
 *              (413), url-forbidden (422)
 */
export function admit (path: ForwardedPath, body: unknown, limits: AdmissionLimits): Admission {
  if (!isObject(body)) throw fault('', `is an object, not ${shown(body)}.`)
  const isChat = path === '/v1/chat/completions'
  checkFields(body, isChat, limits.choicesMax)
  const media = checkInput(path, body, limits)
  const needs: string[] = []
  if (media !== undefined && media.parts > 0) {
    if (media.image > 0) needs.push('vision')
    if (media.audio > 0) needs.push('audio')
    if (media.video > 0) needs.push('video')
  }
  if (isGenerated(path) && constraintOf(body) !== undefined) needs.push('structured-output')
  return { needs, images: media?.image ?? 0 }
}

function checkInput (path: ForwardedPath, body: Body, limits: AdmissionLimits): Media | undefined {
  if (path === '/v1/chat/completions') {
    if (body.add_generation_prompt === true && body.continue_final_message === true) {
      throw fault('/continue_final_message', 'continues the last message, so add_generation_prompt must be false.')
    }
    return checkMessages(body.messages, limits)
  }
  if (path === '/v1/detokenize') {
    if (!isTokens(body.tokens)) throw fault('/tokens', 'is a list of token ids.')
    return undefined
  }
  if (path === '/v1/completions') {
    checkPrompts('/prompt', body.prompt, limits)
    return undefined
  }
  const field = path === '/v1/embeddings' ? 'input' : 'prompt'
  if (body.messages === undefined || body.messages === null) {
    if (path === '/v1/tokenize' && typeof body.prompt !== 'string') throw fault('/prompt', 'is text; or send messages.')
    checkPrompts(`/${field}`, body[field], limits)
    return undefined
  }
  if (body[field] !== undefined && body[field] !== null) throw fault('/messages', `and /${field} exclude each other; send one.`)
  return checkMessages(body.messages, limits)
}

/** A text, token ids, or a list of either. */
function checkPrompts (pointer: string, value: unknown, { promptsMax }: AdmissionLimits): void {
  if (typeof value === 'string') return
  if (!Array.isArray(value)) throw fault(pointer, `is text, a list of texts, or token ids, not ${shown(value)}.`)
  if (value.length === 0) throw fault(pointer, 'is empty.')
  if (typeof value[0] === 'number') {
    if (!isTokens(value)) throw fault(pointer, 'is a list of token ids, all of them whole numbers from 0.')
    return
  }
  if (value.length > promptsMax) throw tooLarge(pointer, `holds ${value.length} prompts; the limit is ${promptsMax}.`)
  for (let at = 0; at < value.length; at++) {
    const prompt: unknown = value[at]
    if (typeof prompt !== 'string' && !(isTokens(prompt) && prompt.length > 0)) {
      throw fault(`${pointer}/${at}`, `is text or a list of token ids, not ${shown(prompt)}.`)
    }
  }
}

function isTokens (value: unknown): value is number[] {
  if (!Array.isArray(value)) return false
  for (const token of value) if (!Number.isSafeInteger(token) || token < 0) return false
  return true
}
