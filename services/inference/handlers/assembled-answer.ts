/**
 * A chat completion for our own use: asked for as a stream, so that one that goes nowhere can be
 * ended, and put together here.
 */
import { chatAssembly } from '../domain/assemble-chat.ts'
import type { Reply } from '../domain/reply.ts'
import type { Written } from '../domain/stop-rules.ts'
import { aboutOf, openStream } from './ask-model.ts'
import { endedBy } from './attempts.ts'
import type { Calling, CallParts } from './calling.ts'

/** Finish reason of what was ended here, so that whoever gets the reply later can tell. */
export const endedHere = 'stopped'

class Stopped extends Error {}

/** @param onText  answers true when the stream shall end */
export async function askForAssembled (
  parts: CallParts, calling: Calling, onText: (written: Written) => boolean
): Promise<Reply> {
  const assembly = chatAssembly()
  const opened = await openStream(parts, calling, assembly.add)
  const { stream, attempt } = opened
  let isStopped = false
  try {
    await stream.run({
      write () {
        if (!isStopped && !stream.relay.isDone() && onText(assembly.written)) {
          isStopped = true
          stream.close(new Stopped())
        }
        return true
      }
    })
  } catch (cause) {
    if (!(cause instanceof Stopped)) {
      attempt.ended(endedBy(cause, calling.call.signal), cause)
      throw cause
    }
  }
  attempt.answered(stream.firstByteAt)
  const about = aboutOf(opened)
  const whole = isStopped ? assembly.whole(endedHere) : assembly.whole()
  return {
    ...about,
    contentType: 'application/json',
    bytes: Buffer.from(JSON.stringify(whole)),
    finishReasons: isStopped ? ['stop'] : about.finishReasons
  }
}
