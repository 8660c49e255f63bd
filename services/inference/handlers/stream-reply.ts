/** One request to one upstream whose reply is a stream, held until it has begun to say something. */
import type { IncomingHttpHeaders } from 'node:http'
import { createRelay, type Relay, type RelayOptions } from '../domain/relay.ts'
import { deferred } from './deferred.ts'
import { closeWith, type Exchange, type Exchanges } from './exchange.ts'
import { errorBytesMax, notStream, refusal, streamFault } from './reply-faults.ts'
import type { UpstreamQuestion } from './whole-reply.ts'

/** Where the bytes of a stream go. */
export interface Sink {
  /** @returns false when no more should come until `resume` is called */
  write: (bytes: Buffer) => boolean
}

export interface StreamReply {
  /** Monotonic. */
  firstByteAt: number
  /** Usage and ends so far. */
  relay: Relay
  /**
   * Sends what has come and what comes; to be called once.
   * @returns when the answer is whole; rejects with the fault, or with the reason of the signal
   */
  run: (sink: Sink) => Promise<void>
  /** After `write` answered false. */
  resume: () => void
  close: (reason: unknown) => void
}

/** Comments before the first event; with more of them the stream has begun all the same. */
const heldBytesMax = 64 * 1024

/**
 * Resolves when the first event that says something has come: until then another upstream may be
 * asked instead, and an error is one with a status of its own.
 * @throws UpstreamFault; the reason of the signal
 */
export async function askStream (
  exchanges: Exchanges, { upstream, question, signal }: UpstreamQuestion, options: RelayOptions
): Promise<StreamReply> {
  signal.throwIfAborted()
  const relay = createRelay(options)
  const begun = deferred()
  const over = deferred()
  const held: Buffer[] = []
  let heldBytes = 0
  let refused: ErrorBody | undefined
  let firstByteAt = 0
  let sink: Sink | undefined

  function conclude (cause?: unknown): void {
    unbind()
    for (const each of [begun, over]) {
      if (cause === undefined) each.resolve()
      else each.reject(cause)
    }
  }

  function forward (pieces: readonly Buffer[]): void {
    for (const piece of pieces) {
      if (sink === undefined) {
        held.push(piece)
        heldBytes += piece.length
      } else if (!sink.write(piece)) exchange.pause()
    }
    const fault = relay.fault()
    if (fault !== undefined) {
      const cause = streamFault(upstream, fault)
      conclude(cause)
      exchange.close(cause)
    } else if (relay.isDone()) {
      conclude()
      exchange.finish()
    } else if (sink === undefined && (relay.chunks() > 0 || heldBytes > heldBytesMax)) {
      exchange.pause()
      begun.resolve()
    }
  }

  const exchange: Exchange = exchanges.ask(upstream, question, {
    head (status, headers) {
      const fault = status === 200 ? notStream(upstream, headers) : undefined
      if (fault !== undefined) exchange.close(fault)
      else if (status !== 200) refused = errorBody(status, headers)
    },
    data (chunk) {
      if (firstByteAt === 0) firstByteAt = performance.now()
      if (refused === undefined) forward(relay.push(chunk))
      else if (!refused.add(chunk)) exchange.close(refusal(upstream, refused.read()))
    },
    end () {
      if (refused === undefined) forward(relay.end())
      else conclude(refusal(upstream, refused.read()))
    },
    fail: conclude
  })
  const unbind = closeWith(exchange, signal)

  await begun.promise
  return {
    firstByteAt,
    relay,
    async run (to) {
      sink = to
      if (held.splice(0).reduce((_, piece) => to.write(piece), true)) exchange.resume()
      await over.promise
    },
    resume: exchange.resume,
    close: exchange.close
  }
}

interface ErrorBody {
  /** @returns false when that is enough of it */
  add: (chunk: Buffer) => boolean
  read: () => { status: number, headers: IncomingHttpHeaders, bytes: Buffer }
}

function errorBody (status: number, headers: IncomingHttpHeaders): ErrorBody {
  const parts: Buffer[] = []
  let size = 0
  return {
    add (chunk) {
      parts.push(chunk)
      size += chunk.length
      return size <= errorBytesMax
    },
    read: () => ({ status, headers, bytes: Buffer.concat(parts).subarray(0, errorBytesMax) })
  }
}
