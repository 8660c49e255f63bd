/** A caller who hangs up frees the model. */
import type { FastifyReply } from 'fastify'
import type { Leaving } from '../domain/call.ts'
import { departure } from '../handlers/departure.ts'

/** Aborted when the connection closes before the answer is complete. */
export function whenCallerLeaves ({ raw }: FastifyReply): Leaving {
  const { signal, abort } = departure()
  raw.once('close', () => { if (!raw.writableFinished) abort(new Error('the caller left')) })
  return signal
}
