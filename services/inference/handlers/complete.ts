/** How the ladder asks: by way of record, queue and upstream, as every call. */
import type { IncomingHttpHeaders } from 'node:http'
import { writtenIn, type AssembledMessage } from '../domain/assemble-chat.ts'
import type { Call } from '../domain/call.ts'
import type { Calls } from './calls.ts'
import { endedHere } from './assembled-answer.ts'
import type { Complete } from './structured-completion.ts'

/** Of the call: everything but its body, which the ladder writes. */
export interface CallContext {
  callOf: (body: Call['body']) => Call
  headers: IncomingHttpHeaders
}

/** As chatAssembly writes it. */
interface Assembled { choices: Array<{ message: AssembledMessage, finish_reason: string | null }> }

export function completer (calls: Calls): Complete<CallContext> {
  return async (body, { callOf, headers, onText }) => {
    const call = callOf({ ...body, stream: true })
    const { reply, requestHash, source, attempts } = await calls.assembled(call, headers, onText)
    const json = JSON.parse(Buffer.from(reply.bytes).toString('utf8')) as Assembled
    const [choice] = json.choices
    // By which rule, its text tells; one that ended by itself is not judged by where we might have looked.
    if (choice?.finish_reason === endedHere) onText(writtenIn(choice.message))
    const { upstream, upstreamVersion } = reply
    return { reply: json, requestHash, upstream, upstreamVersion, attempts, source }
  }
}
