/** A call that is answered in a stream: from the record, from an equal stream under way, or by asking. */
import type { Call, CallRecord, Leaving } from '../domain/call.ts'
import { flightKeyOf } from '../domain/replay.ts'
import { replyBytesMax, whyNotRecorded, type Reply } from '../domain/reply.ts'
import { notRecorded, type Asking } from './answer-whole.ts'
import { coalescer, type Flights } from './coalesce.ts'
import type { CompletionRecord, Recorded } from './completion-record.ts'
import { departure } from './departure.ts'
import { sharedStream, type SharedStream, type StreamReader } from './shared-stream.ts'

/** A stream whose first bytes are there. */
export interface Source<H> {
  /** What is known of it now, the same for all who read it. */
  head: H
  /** As callers get them; throws where the stream does not end well. */
  chunks: AsyncIterable<Uint8Array>
  /** After the last chunk: what the record keeps beside the bytes; null when the stream is not complete. */
  about: () => Omit<Reply, 'bytes'> | null
}

export type StreamAnswer<H> =
  | { source: 'record', reply: Reply }
  | {
    source: Exclude<CallRecord['source'], 'record'>
    head: H
    chunks: StreamReader['chunks']
    /** At the end; null where nothing is recorded. */
    recorded: () => Recorded | null
  }

/** Kept of a stream that nobody can join, for a reader who is slower. */
const alone = 64 * 1024

interface Live<H> { head: H, stream: SharedStream, kept: { recorded: Recorded | null } }
type Landed<H> = { reply: Reply } | { live: Live<H> }

export interface StreamParts<H> {
  record: CompletionRecord
  heads: Flights<Landed<H>>
  live: Map<string, Live<H>>
}

export function streamParts<H> (record: CompletionRecord): StreamParts<H> {
  return { record, heads: coalescer(), live: new Map() }
}

type Ask<H> = (signal: Leaving) => Promise<Source<H>>

/**
 * As `answerWhole`, except that a stream's bytes are sent as they come: where another process records
 * the same call meanwhile, its reply stays the record's, and this caller has read another one, which
 * `recorded` says. The end of a stream that is to be recorded is sent once that is done.
 *
 * @throws Problem not-recorded in mode replay
 */
export async function answerStream<H> (
  parts: StreamParts<H>, { call, key, trace }: Asking, ask: Ask<H>
): Promise<StreamAnswer<H>> {
  const { record, heads, live } = parts
  const { replay, path } = call
  const looks = replay === 'replay' || replay === 'replay-or-record'
  const flight = flightKeyOf(call, key.id)
  const under = flight === null ? undefined : live.get(flight)
  if (under?.stream.isOpen() === true) return joined(under, 'coalesced', call.signal)

  const land = async (waiting: Leaving): Promise<Landed<H>> => {
    trace.source = 'upstream'
    const reply = looks ? record.remembered(key) ?? await record.find(key) : undefined
    if (reply !== undefined) return { reply }
    if (replay === 'replay') throw notRecorded(key)
    waiting.throwIfAborted()
    // Outlives the wait for the head: aborted with it, and later when the last reader leaves.
    const { signal, abort } = departure()
    const stop = (): void => { abort(waiting.reason) }
    waiting.addEventListener('abort', stop)
    const source = await ask(signal)
    waiting.removeEventListener('abort', stop)
    const kept: Live<H>['kept'] = { recorded: null }
    const keep = async (reply: Reply): Promise<void> => { kept.recorded = await record.record(key, reply) }
    const stream = sharedStream({
      source: replay === 'off' ? source.chunks : recording(path, source, keep),
      abort,
      ...flight === null && { keptBytesMax: alone }
    })
    const made = { head: source.head, stream, kept }
    if (flight !== null) enter(live, flight, made)
    return { live: made }
  }
  if (flight !== null && heads.has(flight)) trace.source = 'coalesced'
  const { value: landed, started } = flight === null
    ? { value: await land(call.signal), started: true }
    : await heads.join(flight, land, call.signal)
  if ('reply' in landed) return { source: 'record', reply: landed.reply }
  return joined(landed.live, started ? 'upstream' : 'coalesced', call.signal)
}

/** One that has ended is taken out when the next comes; there are never more than calls under way. */
function enter<H> (live: Map<string, Live<H>>, flight: string, made: Live<H>): void {
  live.set(flight, made)
  for (const [key, { stream }] of live) if (!stream.isOpen()) live.delete(key)
}

function joined<H> (live: Live<H>, source: 'upstream' | 'coalesced', caller: Leaving): StreamAnswer<H> {
  const reader = live.stream.read(caller)
  return {
    source,
    head: live.head,
    chunks: reader.chunks,
    recorded: () => live.kept.recorded
  }
}

/** The chunks; the one with the end is let through when the stream is recorded. */
async function * recording<H> (
  path: Call['path'], source: Source<H>, keep: (reply: Reply) => Promise<void>
): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  let last: Uint8Array | undefined
  for await (const chunk of source.chunks) {
    if (last !== undefined) { yield last; last = undefined }
    bytes += chunk.length
    // Too long to be recorded: nothing is kept of it.
    if (bytes > replyBytesMax) pieces.length = 0
    else pieces.push(chunk)
    if (endsStream(chunk)) last = chunk
    else yield chunk
  }
  const about = source.about()
  if (about !== null && bytes <= replyBytesMax) {
    const reply = { ...about, bytes: Buffer.concat(pieces) }
    if (whyNotRecorded(path, reply) === null) await keep(reply)
  }
  if (last !== undefined) yield last
}

/** With whatever ends of lines the server writes; a text with this word in it only waits for what follows. */
const doneBytesMax = 64

function endsStream (chunk: Uint8Array): boolean {
  return Buffer.from(chunk.subarray(-doneBytesMax)).includes('[DONE]')
}
