/** A caller who hangs up frees the model. */
import type { FastifyReply } from 'fastify'

/** Aborted when the connection closes before the answer is complete. */
export function whenCallerLeaves ({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => { if (!raw.writableFinished) controller.abort(new Error('the caller left')) })
  return controller.signal
}
