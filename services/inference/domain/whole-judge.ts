/** Whether a reply in one piece is a whole one. Status 200 proves as little as the end of a stream does. */
import type { ForwardedPath, RequestBody } from './call.ts'
import { isGivenUp, wholeFinishReasons } from './finish-reasons.ts'
import type { JsonObject } from './json-object.ts'
import { answersTo, textsOf } from './request-cost.ts'

/** `reply`: it is none at all; `end`: some of what was asked for is not there, or not to its end. */
export type Missing = 'reply' | 'end' | null

/** @param json  of the upstream, as it came */
export function missingOf (path: ForwardedPath, body: RequestBody, json: Readonly<JsonObject>): Missing {
  if (path === '/v1/chat/completions' || path === '/v1/completions') {
    if (!Array.isArray(json.choices)) return 'reply'
    const reasons = wholeFinishReasons(json)
    return reasons.length < answersTo(body) || isGivenUp(reasons) ? 'end' : null
  }
  if (path !== '/v1/embeddings') return null
  if (!Array.isArray(json.data)) return 'reply'
  return json.data.length < textsOf(body.input) ? 'end' : null
}
