/** A whole reply of a model server, as it is sent on, recorded and replayed. */
import { isGenerated, type ForwardedPath, type TokenUsage } from './call.ts'
import { isGivenUp } from './finish-reasons.ts'

export interface Reply {
  status: number
  contentType: string
  /** As the caller receives them: JSON, or all frames of the stream. */
  bytes: Uint8Array
  servedModel: string | null
  upstream: string
  /** Null where the server does not say its version. */
  upstreamVersion: string | null
  usage: TokenUsage
  /** One for each choice that ended. */
  finishReasons: readonly string[]
}

export const replyBytesMax = 32 * 1024 * 1024

/**
 * Why a reply must not be kept, or null when it may: the record never holds errors, partial replies or
 * what nobody could tell from them. Whether a stream ended well is for who read it to say.
 */
export function whyNotRecorded (path: ForwardedPath, reply: Reply): string | null {
  const { status, bytes, finishReasons } = reply
  if (status !== 200) return `its status is ${status}`
  if (bytes.length === 0) return 'it is empty'
  if (bytes.length > replyBytesMax) return `it is longer than ${replyBytesMax} bytes`
  if (!isGenerated(path)) return null
  if (finishReasons.length === 0) return 'no choice has a finish_reason'
  return isGivenUp(finishReasons) ? 'the engine gave a choice up' : null
}
