/** A call that is answered in one piece: from the record, from an equal call under way, or by asking. */
import { Problem } from '../../../shared/errors/problem.ts'
import type { Call, CallRecord, Leaving } from '../domain/call.ts'
import type { CompletionKey } from '../domain/completion-key.ts'
import { flightKeyOf } from '../domain/replay.ts'
import { whyNotRecorded, type Reply } from '../domain/reply.ts'
import type { Flights } from './coalesce.ts'
import type { CompletionRecord, Recorded } from './completion-record.ts'

export interface Answered {
  /** To send. */
  reply: Reply
  source: CallRecord['source']
  /** Null where nothing was to be recorded, or the reply was one that is not. */
  recorded: Recorded | null
}

export interface LedgerParts { record: CompletionRecord, flights: Flights<Landed> }
export interface Landed { reply: Reply, replayed: boolean, recorded: Recorded | null }
type Asked = Pick<Call, 'path' | 'body' | 'replay' | 'signal' | 'timeoutMs' | 'band'>
type Ask = (signal: Leaving) => Promise<Reply>

export interface Asking {
  call: Asked
  key: CompletionKey
  /** Told where the answer is sought, so that a call that gets none is counted as what it was. */
  trace: Pick<CallRecord, 'source'>
}

/**
 * Modes: `off` asks; `record` asks, and records the reply or holds it against the recorded one, which
 * stays; `replay` never asks; `replay-or-record` asks for what is not recorded. What is replayed, and what
 * another process recorded while we asked, is the record's first reply, byte for byte.
 *
 * @param ask  asks an upstream; rejects with a Problem, which all who share the call get
 * @throws Problem not-recorded in mode replay
 */
export async function answerWhole (
  { record, flights }: LedgerParts, { call, key, trace }: Asking, ask: Ask
): Promise<Answered> {
  const { replay, path } = call
  const looks = replay === 'replay' || replay === 'replay-or-record'
  const atHand = looks ? record.remembered(key) : undefined
  if (atHand !== undefined) return { reply: atHand, source: 'record', recorded: null }

  // Looked up inside the flight: between a look and a start, an equal call may end and be recorded.
  const land = async (signal: Leaving): Promise<Landed> => {
    trace.source = 'upstream'
    const found = looks ? await record.find(key) : undefined
    if (found !== undefined) return { reply: found, replayed: true, recorded: null }
    if (replay === 'replay') throw notRecorded(key)
    signal.throwIfAborted()
    const reply = await ask(signal)
    const keeps = replay !== 'off' && whyNotRecorded(path, reply) === null
    return { reply, replayed: false, recorded: keeps ? await record.record(key, reply) : null }
  }
  const flight = flightKeyOf(call, key.id)
  if (flight !== null && flights.has(flight)) trace.source = 'coalesced'
  const { value, started } = flight === null
    ? { value: await land(call.signal), started: true }
    : await flights.join(flight, land, call.signal)
  const { reply, replayed, recorded } = value
  const source = replayed ? 'record' : started ? 'upstream' : 'coalesced'
  if (replay !== 'replay-or-record' || recorded === null) return { reply, source, recorded }
  // Not ours if another process was first: whoever replays this call gets that one.
  const { bytes, contentType } = recorded.reply
  return { reply: { ...reply, bytes, contentType }, source, recorded }
}

export function notRecorded ({ id }: CompletionKey): Problem {
  return new Problem('not-recorded', `The record holds no reply to this call (${id}). Send it once with viva-replay: replay-or-record while a model server is up; model, messages, parameters, stream and viva-sample-index must all be the same.`)
}

type Shown = Pick<Answered, 'source' | 'recorded'>

/** For the caller to see where the bytes come from, and whether they agree with what is recorded. */
export function ledgerHeaders ({ id }: CompletionKey, { source, recorded }: Shown): Record<string, string> {
  if (source === 'record') return { 'viva-replayed': id }
  if (recorded === null) return {}
  const { isNew, sameAnswer, sameVersion } = recorded
  const verdict = isNew ? 'new' : `${sameAnswer ? 'same' : 'different'}${sameVersion ? '' : ', other version'}`
  return { 'viva-completion': id, 'viva-recorded': verdict }
}
