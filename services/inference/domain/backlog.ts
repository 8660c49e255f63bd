/** Chunks by their number, of which the oldest are let go. */

export interface Backlog {
  push: (chunk: Uint8Array) => void
  /** Undefined for one that is not there yet, or no more. */
  at: (number: number) => Uint8Array | undefined
  /** Number of the oldest there is. */
  first: () => number
  /** Lets go of those before `number`. */
  dropBefore: (number: number) => void
  bytes: () => number
}

export function backlog (): Backlog {
  let chunks: Uint8Array[] = []
  let first = 0
  let bytes = 0
  return {
    push (chunk) {
      chunks.push(chunk)
      bytes += chunk.length
    },
    at: number => chunks[number - first],
    first: () => first,
    dropBefore (number) {
      const gone = Math.max(0, Math.min(number - first, chunks.length))
      if (gone === 0) return
      for (const chunk of chunks.slice(0, gone)) bytes -= chunk.length
      chunks = chunks.slice(gone)
      first += gone
    },
    bytes: () => bytes
  }
}
