/** The values used last, up to a number of bytes. */

export interface ByteCache<T> {
  /** The value, which thereby counts as used last. */
  find: (key: string) => T | undefined
  /** What is larger than everything allowed is not kept. */
  keep: (key: string, value: T, bytes: number) => void
  bytes: () => number
}

/** @param bytesMax  0 keeps nothing */
export function byteCache<T> (bytesMax: number): ByteCache<T> {
  // A Map goes by insertion: its first is the one used longest ago.
  const entries = new Map<string, { value: T, bytes: number }>()
  let total = 0

  function drop (key: string): void {
    const entry = entries.get(key)
    if (entry === undefined) return
    entries.delete(key)
    total -= entry.bytes
  }

  return {
    find (key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    keep (key, value, bytes) {
      drop(key)
      if (bytes > bytesMax) return
      entries.set(key, { value, bytes })
      total += bytes
      for (const oldest of entries.keys()) {
        if (total <= bytesMax) break
        drop(oldest)
      }
    },
    bytes: () => total
  }
}
