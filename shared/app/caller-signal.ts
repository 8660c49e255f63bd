/** A caller who hangs up needs no answer. */
import type { FastifyReply } from 'fastify'

/**
 * Aborted when the connection closes before the answer is complete. Fastify's own `request.signal` is
 * aborted as soon as a body has been read to its end, for then the request's stream closes.
 */
export function callerSignal ({ raw }: FastifyReply): AbortSignal {
  const caller = new AbortController()
  raw.once('close', () => { if (!raw.writableFinished) caller.abort(new Error('The caller left.')) })
  return caller.signal
}
