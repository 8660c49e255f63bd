/** A streamed call: from the record in one piece, from an equal stream under way, or as it comes. */
import { asProblem, openAiErrorBody } from '../../../shared/errors/problem-body.ts'
import type { Leaving } from '../domain/call.ts'
import type { Reply } from '../domain/reply.ts'
import { ledgerHeaders } from './answer-whole.ts'
import { answerStream, type Source } from './answer-stream.ts'
import { aboutOf, openStream, type OpenStream } from './ask-model.ts'
import { endedBy } from './attempts.ts'
import { fill } from './call-trace.ts'
import type { Calling, CallParts, StreamHead } from './calling.ts'
import { deferred } from './deferred.ts'
import type { Sink } from './stream-reply.ts'

/** Where a stream is written. */
export interface StreamOutput extends Sink {
  /** Once, before the first byte. */
  begin: (headers: Record<string, string>) => void
  /** `resume` is called whenever the reader can take more, and when it leaves. */
  onDrain: (resume: () => void) => void
  end: () => void
}

/** Read ahead of the slowest reader. */
const aheadBytesMax = 64 * 1024

/** @throws Problem before the output has begun; the fault after it has ended with an error frame */
export async function sendStream (parts: CallParts, calling: Calling, output: StreamOutput): Promise<void> {
  if (calling.key === null) await sendAlone(parts, calling, output)
  else await sendShared(parts, calling, output)
}

/** Nobody else may have this one: bytes go from socket to socket. */
async function sendAlone (parts: CallParts, calling: Calling, output: StreamOutput): Promise<void> {
  const { call, trace } = calling
  const opened = await openStream(parts, calling)
  const { stream, attempt } = opened
  output.begin({})
  output.onDrain(stream.resume)
  try {
    await stream.run(output)
    attempt.answered(stream.firstByteAt)
    fill(trace, aboutOf(opened))
    output.end()
  } catch (cause) {
    attempt.ended(endedBy(cause, call.signal), cause)
    fill(trace, aboutOf(opened))
    endBadly(output, cause, call.signal)
    throw cause
  }
}

async function sendShared (parts: CallParts, calling: Calling, output: StreamOutput): Promise<void> {
  const { call, trace, key } = calling
  const answer = await answerStream(parts.streams, { call, key: key!, trace }, async signal =>
    await sourceOf(parts, signal === call.signal ? calling : { ...calling, call: { ...call, signal } }))
  if (answer.source === 'record') {
    trace.source = 'record'
    fill(trace, answer.reply)
    output.begin(ledgerHeaders(key!, { source: 'record', recorded: null }))
    output.write(Buffer.from(answer.reply.bytes))
    output.end()
    return
  }
  output.begin({})
  let drained = deferred()
  output.onDrain(() => { drained.resolve() })
  try {
    for await (const chunk of answer.chunks) {
      trace.firstByteAt ??= performance.now()
      if (output.write(chunk as Buffer)) continue
      drained = deferred()
      await drained.promise
    }
    output.end()
  } catch (cause) {
    endBadly(output, cause, call.signal)
    throw cause
  } finally {
    trace.source = answer.source
    fill(trace, answer.head.about())
  }
}

async function sourceOf (parts: CallParts, calling: Calling): Promise<Source<StreamHead>> {
  const over = deferred()
  calling.until(over.promise)
  const opened = await openStream(parts, calling).catch((cause: unknown) => {
    over.resolve()
    throw cause
  })
  let isWhole = false
  async function * chunks (): AsyncGenerator<Buffer> {
    try {
      yield * chunksOf(opened)
      isWhole = true
      opened.attempt.answered(opened.stream.firstByteAt)
    } catch (cause) {
      opened.attempt.ended(endedBy(cause, calling.call.signal), cause)
      throw cause
    } finally {
      // A reader who leaves in the middle ends this without a word.
      opened.attempt.ended({ kind: 'cancelled' }, new Error('nobody reads it'))
      fill(calling.trace, aboutOf(opened))
      over.resolve()
    }
  }
  const about = (): Omit<Reply, 'bytes'> => aboutOf(opened)
  return { head: { about }, chunks: chunks(), about: () => isWhole ? about() : null }
}

/** What is pushed, to be pulled: a little ahead, and then the upstream pauses. */
async function * chunksOf ({ stream }: OpenStream): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let bytes = 0
  let ended: { cause?: unknown } | undefined
  let changed = deferred()
  const run = stream.run({
    write (piece) {
      pieces.push(piece)
      bytes += piece.length
      changed.resolve()
      return bytes < aheadBytesMax
    }
  })
  const end = (how: { cause?: unknown }): void => {
    ended = how
    changed.resolve()
  }
  run.then(() => { end({}) }, (cause: unknown) => { end({ cause }) })
  for (;;) {
    if (pieces.length > 0) {
      const chunk = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
      pieces = []
      bytes = 0
      stream.resume()
      yield chunk
    } else if (ended !== undefined) {
      if ('cause' in ended) throw ended.cause
      return
    } else {
      changed = deferred()
      await changed.promise
    }
  }
}

/** Nobody takes half an answer for a whole one: an error at the end, and no [DONE]. */
function endBadly (output: StreamOutput, cause: unknown, signal: Leaving): void {
  if (!signal.aborted) output.write(Buffer.from(`data: ${JSON.stringify(openAiErrorBody(asProblem(cause)))}\n\n`))
  output.end()
}
