/** Whether a reply in one piece is a whole one. Status 200 proves as little as the end of a stream does. */
import type { ForwardedPath, RequestBody } from './call.ts'
import { isGivenUp, wholeFinishReasons } from './finish-reasons.ts'
import type { JsonObject } from './json-object.ts'
import { answersOf } from './request-cost.ts'

/** `reply`: it is none at all; `end`: some of what was asked for is not there, or not to its end. */
export type Missing = 'reply' | 'end' | null

/** @param json  of the upstream, as it came */
export function missingOf (path: ForwardedPath, body: RequestBody, json: Readonly<JsonObject>): Missing {
  if (path === '/v1/chat/completions' || path === '/v1/completions') {
    if (!Array.isArray(json.choices)) return 'reply'
    const reasons = wholeFinishReasons(json)
    return reasons.length < choicesOf(body) || isGivenUp(reasons) ? 'end' : null
  }
  if (path !== '/v1/embeddings') return null
  if (!Array.isArray(json.data)) return 'reply'
  return json.data.length < partsOf(body.input) ? 'end' : null
}

/** Answers a request asks for: n to each prompt. */
export function choicesOf (body: RequestBody): number {
  return partsOf(body.prompt) * answersOf(body)
}

/** A list of numbers is one text in tokens. */
function partsOf (texts: unknown): number {
  return Array.isArray(texts) && typeof texts[0] !== 'number' ? texts.length : 1
}
