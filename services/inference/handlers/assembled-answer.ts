/**
 * A chat completion for our own use: asked for as a stream, so that one that goes nowhere can be
 * ended, and put together here.
 */
import { chatAssembly } from '../domain/assemble-chat.ts'
import type { Reply } from '../domain/reply.ts'
import { openStream } from './ask-model.ts'
import { endedBy } from './attempts.ts'
import type { Calling, CallParts } from './calling.ts'

/** Finish reason of what was ended here, so that whoever gets the reply later can tell. */
export const endedHere = 'stopped'

class Stopped extends Error {}

/** @param onText  answers true when the stream shall end */
export async function askForAssembled (
  parts: CallParts, calling: Calling, onText: (textSoFar: string) => boolean
): Promise<Reply> {
  const { call, trace } = calling
  const assembly = chatAssembly()
  const { stream, attempt } = await openStream(parts, calling, assembly.add)
  const { relay } = stream
  let isStopped = false
  try {
    await stream.run({
      write () {
        if (!isStopped && !relay.isDone() && onText(assembly.text())) {
          isStopped = true
          stream.close(new Stopped())
        }
        return true
      }
    })
  } catch (cause) {
    if (!(cause instanceof Stopped)) {
      attempt.ended(endedBy(cause, call.signal), cause)
      throw cause
    }
  }
  const usage = relay.judge.usage()
  const firstByteMs = stream.firstByteAt - trace.startedAt
  attempt.ended({ kind: 'answered', firstByteMs, tokens: usage.completionTokens ?? relay.chunks() })
  const { replica, served } = attempt.lease.target
  const whole = isStopped ? assembly.whole(endedHere) : assembly.whole()
  return {
    status: 200,
    contentType: 'application/json',
    bytes: Buffer.from(JSON.stringify(whole)),
    servedModel: served,
    upstream: replica.upstream.name,
    upstreamVersion: attempt.upstreamVersion,
    usage,
    finishReasons: isStopped ? ['stop'] : relay.judge.finishReasons()
  }
}
