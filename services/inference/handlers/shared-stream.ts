/**
 * One stream, several readers: who comes later gets what was sent so far first. What is kept for that is
 * bounded; beyond it nobody joins any more, and the source goes at the pace of the slowest reader.
 */
import type { Leaving } from '../domain/call.ts'
import { backlog } from '../domain/backlog.ts'

/** Some five thousand tokens, one a chunk. */
const sharedBytesMax = 1024 * 1024

export interface SharedStream {
  /** Whether who comes now still gets all of it. */
  isOpen: () => boolean
  /**
   * All of the stream, from its first byte. Rejects with what the source threw, or with the reason of
   * the caller's signal; the last reader to leave ends the source.
   */
  read: (caller: Leaving) => StreamReader
}

export interface StreamReader {
  chunks: AsyncIterable<Uint8Array>
}

interface Options {
  source: AsyncIterable<Uint8Array>
  /** Ends the source; nobody reads any more. */
  abort: (reason: unknown) => void
  keptBytesMax?: number
}

interface Reader { next: number }

export function sharedStream ({ source, abort, keptBytesMax = sharedBytesMax }: Options): SharedStream {
  const readers = new Set<Reader>()
  const kept = backlog()
  let open = true
  let abandoned = false
  let ended: { cause?: unknown } | undefined
  const { wake, changed } = bell()

  async function pump (): Promise<void> {
    try {
      for await (const chunk of source) {
        kept.push(chunk)
        wake()
        if (kept.bytes() > keptBytesMax) open = false
        trim()
        while (kept.bytes() > keptBytesMax && readers.size > 0) { await changed(); trim() }
        if (abandoned) break
      }
      ended = {}
    } catch (cause) { ended = { cause } }
    wake()
  }

  function trim (): void {
    if (!open && readers.size > 0) kept.dropBefore(Math.min(...[...readers].map(({ next }) => next)))
  }

  function leave (reader: Reader, reason: unknown): void {
    if (!readers.delete(reader)) return
    wake()
    // After those who are about to read.
    setImmediate(() => {
      if (readers.size > 0 || ended !== undefined || abandoned) return
      abandoned = true
      open = false
      abort(reason)
    })
  }

  async function * chunksOf (reader: Reader, caller: Leaving): AsyncGenerator<Uint8Array> {
    let reason: unknown = new Error('the reader left')
    try {
      for (;;) {
        caller.throwIfAborted()
        const chunk = kept.at(reader.next)
        if (chunk !== undefined) {
          reader.next++
          yield chunk
          if (!open) wake()
        } else if (ended === undefined) await changed()
        else if ('cause' in ended) throw ended.cause
        else return
      }
    } catch (cause) {
      reason = cause
      throw cause
    } finally { leave(reader, reason) }
  }

  void pump()
  return {
    isOpen: () => open && ended === undefined,
    read (caller) {
      const reader: Reader = { next: kept.first() }
      readers.add(reader)
      const gone = (): void => { leave(reader, caller.reason) }
      caller.addEventListener('abort', gone)
      if (caller.aborted) gone()
      return { chunks: chunksOf(reader, caller) }
    }
  }
}

/** Wakes all who wait for a change. */
function bell () {
  let waiting: Array<() => void> = []
  return {
    changed: async () => { await new Promise<void>(resolve => { waiting.push(resolve) }) },
    wake () {
      const woken = waiting
      waiting = []
      for (const each of woken) each()
    }
  }
}
