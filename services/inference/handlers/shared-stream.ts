/**
 * One stream, several readers: who comes later gets what was sent so far first. What is kept for that is
 * bounded; beyond it nobody joins any more, and the source waits for who is behind, but not for long: who
 * holds up others who have read all there is loses its part of the stream, and they go on.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Leaving } from '../domain/call.ts'
import { backlog } from '../domain/backlog.ts'

/** Some five thousand tokens, one a chunk. */
const sharedBytesMax = 1024 * 1024
/** All a reader may hold others up for before it has caught up. */
const patienceMs = 2_000

export interface SharedStream {
  /** Whether who comes now still gets all of it. */
  isOpen: () => boolean
  /**
   * All of the stream, from its first byte. Rejects with what the source threw, with the reason of
   * the caller's signal, or with Problem reader-too-slow; the last reader to leave ends the source.
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
  patienceMs?: number
}

interface Reader {
  next: number
  /** It has read all there is. */
  waits: boolean
  heldMs: number
  cut: Problem | undefined
}

export function sharedStream (options: Options): SharedStream {
  const { source, abort, keptBytesMax = sharedBytesMax, patienceMs: patience = patienceMs } = options
  const readers = new Set<Reader>()
  const kept = backlog()
  let [open, abandoned] = [true, false]
  let ended: { cause?: unknown } | undefined
  // For readers who have read all there is, and for the source that has no room.
  const [news, moved] = [bell(), bell()]
  const trim = () => { if (!open && readers.size > 0) kept.dropBefore(oldest([...readers])) }

  async function pump (): Promise<void> {
    try {
      for await (const chunk of source) {
        kept.push(chunk)
        news.ring()
        if (kept.bytes() > keptBytesMax) open = false
        trim()
        while (kept.bytes() > keptBytesMax && readers.size > 0) {
          const slow = await outOfPatience([...readers], moved, patience)
          for (const reader of slow) if (readers.delete(reader)) reader.cut = tooSlow(keptBytesMax, patience)
          trim()
        }
        if (abandoned) break
      }
      ended = {}
    } catch (cause) { ended = { cause } }
    news.ring()
  }

  function leave (reader: Reader, reason: unknown): void {
    if (!readers.delete(reader)) return
    // It may be waiting itself.
    news.ring()
    moved.ring()
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
        if (reader.cut !== undefined) throw reader.cut
        const chunk = kept.at(reader.next)
        if (chunk !== undefined) {
          reader.next++
          yield chunk
          if (!open) moved.ring()
        } else if (ended === undefined) await caughtUp(reader, { news, moved })
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
      const reader: Reader = { next: kept.first(), waits: false, heldMs: 0, cut: undefined }
      readers.add(reader)
      const gone = (): void => { leave(reader, caller.reason) }
      caller.addEventListener('abort', gone)
      if (caller.aborted) gone()
      return { chunks: chunksOf(reader, caller) }
    }
  }
}

async function caughtUp (reader: Reader, { news, moved }: { news: Bell, moved: Bell }): Promise<void> {
  reader.waits = true
  reader.heldMs = 0
  moved.ring()
  await news.rung()
  reader.waits = false
}

function oldest (readers: readonly Reader[]): number {
  return Math.min(...readers.map(({ next }) => next))
}

/** Waits for who is furthest behind. @returns those who have held up others for longer than they may */
async function outOfPatience (readers: readonly Reader[], moved: Bell, patience: number): Promise<Reader[]> {
  if (readers.every(({ waits }) => !waits)) {
    await moved.rung()
    return []
  }
  const first = oldest(readers)
  const behind = readers.filter(({ next }) => next === first)
  const leftMs = patience - Math.max(...behind.map(({ heldMs }) => heldMs))
  const from = performance.now()
  const over = new AbortController()
  await Promise.race([moved.rung(), wait(leftMs, undefined, { signal: over.signal }).catch(() => {})])
  over.abort()
  const heldMs = performance.now() - from
  const holders = behind.filter(({ waits }) => !waits)
  for (const reader of holders) reader.heldMs += heldMs
  return holders.filter(reader => reader.heldMs >= patience)
}

function tooSlow (keptBytesMax: number, patience: number): Problem {
  return new Problem('reader-too-slow', `This stream is shared with others who asked the same, and this reader was more than ${keptBytesMax} bytes behind them for ${patience} ms. They go on without it. Read faster, or send a viva-timeout-ms of your own: calls that differ in it are not shared.`)
}

type Bell = ReturnType<typeof bell>

/** Wakes all who wait for a change. */
function bell () {
  let waiting: Array<() => void> = []
  return {
    rung: async () => { await new Promise<void>(resolve => { waiting.push(resolve) }) },
    ring () {
      const woken = waiting
      waiting = []
      for (const each of woken) each()
    }
  }
}
