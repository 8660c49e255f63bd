/** What reached the server and how it ended: the oracle for tests of what stands in front of it. */

/** Times are the clock's, in milliseconds; null is not (yet). */
export interface Entry {
  /** From 0, in order of arrival. */
  id: number
  method: string
  path: string
  headers: Record<string, unknown>
  /** `{}` when it is none or no object. */
  body: Record<string, unknown>
  /** SHA-256 of the bytes, hexadecimal; null when they did not come whole. */
  bodySha: string | null
  bodyBytes: number
  /** Scripts that were followed. */
  scripts: readonly string[]
  status: number | null
  receivedAt: number
  headersAt: number | null
  firstAt: number | null
  lastAt: number | null
  endedAt: number | null
  /** Completion tokens written to the socket, all choices together. */
  tokensSent: number
  /** Completion tokens the engine made; more than sent when nobody listened. */
  tokensMade: number
  promptTokens: number | null
  cachedTokens: number | null
  bytesSent: number
  /** Most bytes written that the socket had not taken, in the slow reader probe. */
  unackedBytesMax: number
  /** Who ended it; undefined while it runs. */
  endedBy?: 'server' | 'client'
  socketId: number
  /** Whether the connection had carried a request before. */
  reused: boolean
}

export interface Journal {
  /** Kept ones, the oldest first. */
  entries: Entry[]
  add: (entry: Entry) => void
  /** Something of an entry changed. */
  notify: () => void
  /** Resolves when the n-th from 0 has arrived and `holds`. */
  until: (nth: number, holds: (entry: Entry) => boolean) => Promise<Entry>
  /** Numbers given so far. */
  count: number
  clear: () => void
}

/** @param most kept entries; 0 keeps none */
export function journalOf (most: number): Journal {
  let changed: Array<() => void> = []
  let dropped = 0
  const entries: Entry[] = []
  const journal: Journal = {
    entries,
    count: 0,
    add (entry) {
      journal.count++
      if (most === 0) { dropped++; return }
      entries.push(entry)
      // In steps, for the list is moved each time.
      if (entries.length >= 2 * most) dropped += entries.splice(0, entries.length - most).length
      if (changed.length > 0) journal.notify()
    },
    notify () {
      const waiting = changed
      changed = []
      for (const wake of waiting) wake()
    },
    async until (nth, holds) {
      for (;;) {
        if (nth < dropped) throw new Error(`Request ${nth} is not in the journal any more; raise journalMax.`)
        const entry = entries[nth - dropped]
        if (entry !== undefined && holds(entry)) return entry
        await new Promise<void>(resolve => { changed.push(resolve) })
      }
    },
    clear () {
      entries.length = 0
      journal.count = 0
      dropped = 0
    }
  }
  return journal
}

/** An entry as GET /__journal gives it. */
export function entryWire (entry: Entry): object {
  const {
    receivedAt, headersAt, firstAt, lastAt, endedAt, endedBy = null, tokensSent, socketId, ...rest
  } = entry
  return {
    ...rest,
    t_recv: receivedAt,
    t_hdr: headersAt,
    t_first: firstAt,
    t_last: lastAt,
    tokens_sent: tokensSent,
    closed_by: endedBy,
    t_closed: endedAt,
    socket_id: socketId
  }
}
