/**
 * What of an upstream's event stream goes to the caller: every byte as it came, except the usage
 * event nobody asked for, events that another version of vLLM words otherwise, and the end of a
 * stream that is not whole.
 */
import { objectIn, type JsonObject } from './json-object.ts'
import { createSseReader, type SseEvent } from './sse-reader.ts'
import { createStreamJudge, type StreamJudge } from './stream-judge.ts'

/** An event with the log-probabilities of a long prompt may be large; one without end is a fault. */
const eventBytesMax = 8 * 1024 * 1024

/** By which a stream says that it is whole. */
export const doneEvent = Buffer.from('data: [DONE]\n\n')

export type StreamFault =
  /** It ended, but not every choice did. */
  | { kind: 'truncated' }
  /** The server says what went wrong; an error object of any version. */
  | { kind: 'error', error: unknown }
  /** Not an event stream of a model server. */
  | { kind: 'invalid', detail: string }

export interface RelayOptions {
  /** Choices the request asks for: n, times the prompts of a completion. */
  choices: number
  /** Whether the caller wants the usage event. */
  wantsUsage: boolean
  /** The event in the words the caller knows; undefined when they are the same. */
  translate?: (chunk: JsonObject) => object | undefined
  /** Told of every chunk, before it is translated. */
  onChunk?: (chunk: JsonObject) => void
}

export interface Relay {
  /** Bytes to forward now. After a fault or the end there are none. */
  push: (chunk: Buffer) => Buffer[]
  /** The connection has ended in good order: last bytes to forward. */
  end: () => Buffer[]
  /** Set once the answer is known not to be whole. */
  fault: () => StreamFault | undefined
  /** Whether the answer is whole and closed; what comes after is not looked at. */
  isDone: () => boolean
  /** Events with data so far. */
  chunks: () => number
  judge: StreamJudge
}

export function createRelay (options: RelayOptions): Relay {
  const reader = createSseReader(eventBytesMax)
  const judge = createStreamJudge(options.choices)
  let fault: StreamFault | undefined
  let done = false
  let chunks = 0

  function fail (cause: StreamFault): undefined {
    fault = cause
    return undefined
  }

  function close (bytes: Buffer): Buffer | undefined {
    if (!judge.isWhole()) return fail({ kind: 'truncated' })
    done = true
    return bytes
  }

  function pass ({ bytes, data }: SseEvent): Buffer | undefined {
    if (data === null) return bytes
    if (data === '[DONE]') return close(bytes)
    const chunk = objectIn(data)
    if (chunk === undefined) return fail({ kind: 'invalid', detail: 'an event that is not JSON' })
    if (chunk.error !== undefined && chunk.error !== null) return fail({ kind: 'error', error: chunk })
    // The error of the oldest versions is flat.
    if (chunk.object === 'error') return fail({ kind: 'error', error: chunk })
    chunks += 1
    judge.see(chunk)
    options.onChunk?.(chunk)
    if (!options.wantsUsage && isUsageAlone(chunk)) return undefined
    const translated = options.translate?.(chunk)
    return translated === undefined ? bytes : Buffer.from(`data: ${JSON.stringify(translated)}\n\n`)
  }

  function forward (events: readonly SseEvent[], chunk?: Buffer): Buffer[] {
    const out: Buffer[] = []
    let isWhole = true
    for (const event of events) {
      if (fault !== undefined || done) break
      const bytes = pass(event)
      if (bytes !== undefined) out.push(bytes)
      isWhole &&= bytes === event.bytes
    }
    // Most often the chunk is its events: one write instead of several.
    const length = events.reduce((sum, { bytes }) => sum + bytes.length, 0)
    return isWhole && out.length > 1 && chunk?.length === length ? [chunk] : out
  }

  return {
    push (chunk) {
      if (fault !== undefined || done) return []
      try { return forward(reader.push(chunk), chunk) } catch (cause) {
        if (!(cause instanceof RangeError)) throw cause
        fail({ kind: 'invalid', detail: cause.message })
        return []
      }
    },
    end () {
      if (fault !== undefined || done) return []
      const rest = reader.rest()
      const out = forward(restEvents(rest))
      if (fault !== undefined || done) return out
      // Without [DONE], which some servers leave out; the caller may wait for it.
      const last = close(doneEvent)
      return last === undefined ? out : [...out, last]
    },
    fault: () => fault,
    isDone: () => done,
    chunks: () => chunks,
    judge
  }
}

/** What came after the last blank line: an event that lacks it, or an error that is no event. */
function restEvents ({ bytes, data }: SseEvent): SseEvent[] {
  const text = bytes.toString('utf8').trim()
  if (text === '') return []
  if (data === null) return [{ bytes, data: text }]
  return [{ bytes: Buffer.concat([bytes, Buffer.from('\n\n')]), data: data.trimEnd() }]
}

function isUsageAlone ({ choices, usage }: JsonObject): boolean {
  return Array.isArray(choices) && choices.length === 0 && usage !== undefined && usage !== null
}
