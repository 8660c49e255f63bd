/**
 * A call from its admission to its record: from what is kept, from an equal call under way, or from
 * an upstream; and whatever became of it is noted once.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../../../shared/errors/problem.ts'
import { canonicalJson, sha256 } from '../../../shared/contracts/hash.ts'
import type { Call, CallRecord, Leaving } from '../domain/call.ts'
import { canonicalRequest } from '../domain/canonical-request.ts'
import { assembledForm, completionKey, formOf, type CompletionKey, type Form } from '../domain/completion-key.ts'
import { checkReplayable, flightKeyOf } from '../domain/replay.ts'
import type { Reply } from '../domain/reply.ts'
import { aliasedBy } from '../domain/serving.ts'
import { stopRulesVersion, type Written } from '../domain/stop-rules.ts'
import { answerWhole, ledgerHeaders } from './answer-whole.ts'
import { askForWhole } from './ask-model.ts'
import type { Reservation } from './budgets.ts'
import { beginTrace, fill, recordOf, type CallTrace } from './call-trace.ts'
import type { Calling, CallParts } from './calling.ts'
import { askForAssembled } from './assembled-answer.ts'
import { textCharsMax } from './observe-calls.ts'
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
    call: Call, headers: IncomingHttpHeaders, onText: (written: Written) => boolean
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
    let under: Promise<unknown> | undefined
    const reserve = async (): Promise<void> => {
      reservation ??= await parts.budgets.reserve(call.labels, call.tokens)
    }
    const end = (cause?: unknown): void => {
      const record = recordOf(call, trace, cause)
      reservation?.settle(record)
      parts.note(record)
      watch.ended(record, { reply: trace.text, cause })
    }
    try {
      checkReplayable(call)
      parts.retryBudget.called()
      const deadline = trace.startedAt + call.timeoutMs
      const until = (work: Promise<unknown>): void => { under = work }
      const answered = await answer({ call, trace, watch, deadline, reserve, key: null, until })
      end()
      return answered
    } catch (cause) {
      // Whoever left, or was cut off from a stream that others read, pays for all of it: at its end.
      const goesOn = call.signal.aborted || (cause instanceof Problem && cause.kind === 'reader-too-slow')
      if (under === undefined || !goesOn) end(cause)
      else void under.catch(() => {}).finally(() => { end(cause) })
      throw cause
    }
  }

  return {
    whole: (call, headers) => carryOut(call, headers, async calling => {
      calling.key = call.replay === 'off' ? flightOf(call) : await keyOf(parts, call, formOf(call.body))
      return await whole(parts, calling, asking => askForWhole(parts, asking))
    }),
    assembled: async (call, headers, onText) => await carryOut(call, headers, async calling => {
      const key = await keyOf(parts, call, assembledForm(stopRulesVersion))
      calling.key = key
      const answer = await whole(parts, calling, asking => askForAssembled(parts, asking, onText))
      return { ...answer, requestHash: key.id }
    }),
    stream: async (call, headers, output) => {
      await carryOut(call, headers, async calling => {
        const heard = parts.observer.promptsLogged ? overheard(output, calling.trace) : output
        calling.key = call.replay === 'off' ? flightOf(call) : await keyOf(parts, call, formOf(call.body))
        await sendStream(parts, calling, heard)
      })
    }
  }
}

type Ask = (calling: Calling) => Promise<Reply>

async function whole (parts: CallParts, calling: Calling, askOnce: Ask): Promise<WholeAnswer> {
  const { call, trace, key } = calling
  const ask = (signal: Leaving): Promise<Reply> => {
    const asking = askOnce(signal === call.signal ? calling : { ...calling, call: { ...call, signal } })
      .then(reply => { fill(trace, reply); return reply })
    calling.until(asking)
    return asking
  }
  const hear = ({ bytes }: Reply): void => {
    if (parts.observer.promptsLogged) trace.text = Buffer.from(bytes).toString('utf8')
  }
  if (key === null) {
    const reply = await ask(call.signal)
    hear(reply)
    return { reply, source: 'upstream', attempts: trace.attempts, headers: versionHeader(reply) }
  }
  const answered = await answerWhole(parts.ledger, { call, key, trace }, ask)
  const { reply, source } = answered
  trace.source = source
  fill(trace, reply)
  hear(reply)
  const headers = { ...ledgerHeaders(key, answered), ...versionHeader(reply) }
  return { reply, source, attempts: trace.attempts, headers }
}

/** A server may call its version anything; what is no header value is not told. */
function versionHeader ({ upstreamVersion }: Reply): Record<string, string> {
  return upstreamVersion !== null && /^[\x21-\x7e]{1,100}$/u.test(upstreamVersion)
    ? { 'viva-upstream-version': upstreamVersion }
    : {}
}

function overheard (output: StreamOutput, trace: CallTrace): StreamOutput {
  return {
    ...output,
    write (bytes) {
      if (trace.text.length < textCharsMax) trace.text += bytes.toString('utf8')
      return output.write(bytes)
    }
  }
}

/** Where nothing is recorded, equal calls need only be told from others under way: their text does. */
function flightOf (call: Call): CompletionKey | null {
  const { path, body, json, sampleIndex } = call
  if (flightKeyOf(call, '') === null) return null
  return { id: `${path} ${sampleIndex} ${sha256(json ?? JSON.stringify(body))}`, request: '' }
}

async function keyOf ({ directory }: CallParts, call: Call, form: Form): Promise<CompletionKey> {
  const { path, body, sampleIndex } = call
  // Aliases are of the environment and the store: known with every server down.
  await directory.begin()
  const served = aliasedBy(directory.replicas(), body.model)
  try {
    const canonical = canonicalJson(canonicalRequest({ path, body }))
    return completionKey({ path, canonical, form, sampleIndex, served })
  } catch (cause) {
    throw new Problem('invalid-request', 'The request holds a number that no JSON can carry; send finite numbers.', { cause })
  }
}
