/** A streamed call: from the record in one piece, or from an upstream as it comes. */
import { asProblem, openAiErrorBody } from '../../../shared/errors/problem-body.ts'
import { replyBytesMax, whyNotRecorded, type Reply } from '../domain/reply.ts'
import { ledgerHeaders, notRecorded } from './answer-whole.ts'
import { openStream, type OpenStream } from './ask-model.ts'
import { endedBy } from './attempts.ts'
import { fill } from './call-trace.ts'
import type { Calling, CallParts } from './calling.ts'
import type { Sink } from './stream-reply.ts'

/** Where a stream is written. */
export interface StreamOutput extends Sink {
  /** Once, before the first byte. */
  begin: (headers: Record<string, string>) => void
  /** `resume` is called whenever the reader can take more. */
  onDrain: (resume: () => void) => void
  end: () => void
}

const streamType = 'text/event-stream; charset=utf-8'

/** @throws Problem before the output has begun; the fault after it has ended with an error frame */
export async function streamAnswer (parts: CallParts, calling: Calling, output: StreamOutput): Promise<void> {
  const { call, trace, key } = calling
  const looks = call.replay === 'replay' || call.replay === 'replay-or-record'
  const found = looks && key !== null ? await parts.ledger.record.find(key) : undefined
  if (found !== undefined && key !== null) {
    trace.source = 'record'
    fill(trace, found)
    output.begin(ledgerHeaders(key, { source: 'record', recorded: null }))
    output.write(Buffer.from(found.bytes))
    output.end()
    return
  }
  if (call.replay === 'replay' && key !== null) throw notRecorded(key)
  const opened = await openStream(parts, calling)
  await forward(parts, { ...calling, opened }, output)
}

async function forward (
  parts: CallParts, calling: Calling & { opened: OpenStream }, output: StreamOutput
): Promise<void> {
  const { call, trace, opened: { stream, attempt } } = calling
  const kept = calling.key === null || call.replay === 'off' ? null : keeper()
  output.begin({})
  output.onDrain(stream.resume)
  try {
    await stream.run({
      write (bytes) {
        // The end waits until the whole is recorded.
        const isHeld = kept !== null && stream.relay.isDone()
        kept?.add(bytes, isHeld)
        return isHeld || output.write(bytes)
      }
    })
    attempt.ended({
      kind: 'answered',
      firstByteMs: stream.firstByteAt - trace.startedAt,
      tokens: stream.relay.judge.usage().completionTokens ?? stream.relay.chunks()
    })
    readJudge(calling)
    if (kept !== null) for (const bytes of await keep(parts, calling, kept)) output.write(bytes)
  } catch (cause) {
    attempt.ended(endedBy(cause, call.signal), cause)
    readJudge(calling)
    // Nobody takes half an answer for a whole one: an error at the end, and no [DONE].
    if (!call.signal.aborted) output.write(Buffer.from(`data: ${JSON.stringify(openAiErrorBody(asProblem(cause)))}\n\n`))
    output.end()
    throw cause
  }
  output.end()
}

function readJudge ({ trace, opened }: Calling & { opened: OpenStream }): void {
  const { judge } = opened.stream.relay
  trace.usage = judge.usage()
  trace.finishReasons = judge.finishReasons()
}

/** Records the stream if it may be; answers what was held back meanwhile. */
async function keep (parts: CallParts, { call, trace, key }: Calling, kept: Keeper): Promise<Buffer[]> {
  const bytes = kept.bytes()
  if (bytes === undefined || key === null) return kept.held
  const { servedModel, upstream, upstreamVersion, usage, finishReasons } = trace
  const reply: Reply = {
    status: 200, contentType: streamType, bytes, servedModel, upstream: upstream ?? '', upstreamVersion, usage, finishReasons
  }
  if (whyNotRecorded(call.path, reply) === null) await parts.ledger.record.record(key, reply)
  return kept.held
}

/** Bytes for the record, while there is room for them. */
interface Keeper {
  add: (bytes: Buffer, isHeld: boolean) => void
  /** All of them; undefined when they were too many. */
  bytes: () => Buffer | undefined
  /** Those that have not been sent. */
  held: Buffer[]
}

function keeper (): Keeper {
  let parts: Buffer[] = []
  let size = 0
  const held: Buffer[] = []
  return {
    held,
    add (bytes, isHeld) {
      if (isHeld) held.push(bytes)
      size += bytes.length
      if (size > replyBytesMax) parts = []
      else parts.push(bytes)
    },
    bytes: () => size > replyBytesMax ? undefined : Buffer.concat(parts)
  }
}
