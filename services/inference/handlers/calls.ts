/**
 * A call from its admission to its record: from what is kept, from an equal call under way, or from
 * an upstream; and whatever became of it is noted once.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../../../shared/errors/problem.ts'
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import type { Call, CallRecord } from '../domain/call.ts'
import { canonicalRequest } from '../domain/canonical-request.ts'
import { assembledForm, completionKey, formOf, type CompletionKey, type Form } from '../domain/completion-key.ts'
import { checkReplayable, flightKeyOf } from '../domain/replay.ts'
import type { Reply } from '../domain/reply.ts'
import { stopRulesVersion } from '../domain/stop-rules.ts'
import { answerWhole, ledgerHeaders } from './answer-whole.ts'
import { askForWhole } from './ask-model.ts'
import type { Reservation } from './budgets.ts'
import { beginTrace, fill, recordOf } from './call-trace.ts'
import type { Calling, CallParts } from './calling.ts'
import { askForAssembled } from './assembled-answer.ts'
import { sendStream, type StreamOutput } from './send-stream.ts'

export interface WholeAnswer {
  reply: Reply
  source: CallRecord['source']
  attempts: number
  headers: Record<string, string>
}

export interface Calls {
  /** @throws Problem; the reason of the call's signal */
  whole: (call: Call, headers: IncomingHttpHeaders) => Promise<WholeAnswer>
  /**
   * A streamed chat completion in one piece.
   * @param onText  answers true when it has gone on long enough; not asked when another source answers
   */
  assembled: (
    call: Call, headers: IncomingHttpHeaders, onText: (textSoFar: string) => boolean
  ) => Promise<WholeAnswer & { requestHash: string }>
  /**
   * Resolves when the output has ended, in good order or with an error frame.
   * @throws Problem before the output has begun
   */
  stream: (call: Call, headers: IncomingHttpHeaders, output: StreamOutput) => Promise<void>
}

export function openCalls (parts: CallParts): Calls {
  async function carryOut<T> (
    call: Call, headers: IncomingHttpHeaders, answer: (calling: Calling) => Promise<T>
  ): Promise<T> {
    const trace = beginTrace(performance.now())
    const watch = parts.observer.begin(call, headers)
    let reservation: Reservation | undefined
    const reserve = async (): Promise<void> => {
      reservation ??= await parts.budgets.reserve(call.labels, call.tokens)
    }
    const end = (cause?: unknown): void => {
      const record = recordOf(call, trace, cause)
      reservation?.settle(record)
      parts.note(record)
      watch.ended(record)
    }
    try {
      checkReplayable(call)
      parts.retryBudget.called()
      const deadline = trace.startedAt + call.timeoutMs
      const answered = await answer({ call, trace, watch, deadline, reserve, key: null })
      end()
      return answered
    } catch (cause) {
      end(cause)
      throw cause
    }
  }

  return {
    whole: async (call, headers) => await carryOut(call, headers, async calling => {
      const ask = async (asking: Calling) => await askForWhole(parts, asking)
      return await whole(parts, { ...calling, key: keyFor(call) }, ask)
    }),
    assembled: async (call, headers, onText) => await carryOut(call, headers, async calling => {
      const key = keyOf(call, assembledForm(stopRulesVersion))
      const ask = async (asking: Calling) => await askForAssembled(parts, asking, onText)
      return { ...await whole(parts, { ...calling, key }, ask), requestHash: key.id }
    }),
    stream: async (call, headers, output) => {
      await carryOut(call, headers, async calling => {
        await sendStream(parts, { ...calling, key: keyFor(call) }, output)
      })
    }
  }
}

type Ask = (calling: Calling) => Promise<Reply>

async function whole (parts: CallParts, calling: Calling, askOnce: Ask): Promise<WholeAnswer> {
  const { call, trace, key } = calling
  const ask = async (signal: AbortSignal): Promise<Reply> =>
    await askOnce(signal === call.signal ? calling : { ...calling, call: { ...call, signal } })
  if (key === null) {
    const reply = await ask(call.signal)
    fill(trace, reply)
    return { reply, source: 'upstream', attempts: trace.attempts, headers: {} }
  }
  const answered = await answerWhole(parts.ledger, { call, key }, ask)
  const { reply, source } = answered
  trace.source = source
  // Who inherits the call of one who left has asked nothing itself, and yet it is its own.
  if (source === 'upstream') trace.attempts = Math.max(1, trace.attempts)
  fill(trace, reply)
  const headers = ledgerHeaders(key, answered)
  return { reply, source, attempts: trace.attempts, headers }
}

/** Where nothing is recorded, equal calls need only be told from others under way: their text does. */
function keyFor (call: Call): CompletionKey | null {
  const { path, body, sampleIndex, replay } = call
  if (replay !== 'off') return keyOf(call, formOf(body))
  if (flightKeyOf(call, '') === null) return null
  return { id: JSON.stringify([path, sampleIndex, body]), request: '' }
}

function keyOf ({ path, body, sampleIndex }: Call, form: Form): CompletionKey {
  try {
    const canonical = canonicalJson(canonicalRequest({ path, body }))
    return completionKey({ path, canonical, form, sampleIndex })
  } catch (cause) {
    throw new Problem('invalid-request', 'The request holds a number that no JSON can carry; send finite numbers.', { cause })
  }
}
