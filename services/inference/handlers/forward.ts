/** Passes a request of the OpenAI form on, whole or as a stream, and the caller's leaving too. */
import { asProblem, openAiErrorBody } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Upstream } from '../domain/upstream.ts'
import { faultOf, type Upstreams } from './ask-upstream.ts'

const streamEnd = 'data: [DONE]'

export interface Forwarded { path: string, body: { model: string, stream?: boolean }, signal: AbortSignal }

export async function forwardWhole (
  requests: Upstreams, upstream: Upstream, { path, body, signal }: Forwarded
): Promise<object> {
  const reply = await requests.json(upstream, { method: 'POST', path, body, signal })
  if (reply === null || typeof reply !== 'object' || Array.isArray(reply)) {
    throw new Problem('upstream-invalid', `The model server ${upstream.name} answered JSON that is no reply.`)
  }
  return reply
}

/**
 * The bytes of the upstream's stream, untouched. One that breaks or ends without `[DONE]` closes
 * with an error frame instead, so that nobody takes half an answer for a whole one.
 */
export async function forwardStream (
  requests: Upstreams, upstream: Upstream, { path, body, signal }: Forwarded
): Promise<AsyncGenerator<Buffer | string>> {
  const source = await requests.stream(upstream, { method: 'POST', path, body, signal })
  return (async function * () {
    let tail = ''
    try {
      for await (const chunk of source) {
        tail = (tail + chunk.toString('latin1')).slice(-200)
        yield chunk
      }
      if (tail.trimEnd().endsWith(streamEnd)) return
      throw new Problem('upstream-invalid', `The stream of the model server ${upstream.name} ended before it was complete.`)
    } catch (cause) {
      if (signal.aborted) return
      yield `\n\ndata: ${JSON.stringify(openAiErrorBody(asProblem(faultOf(cause, upstream, signal))))}\n\n`
    }
  })()
}
