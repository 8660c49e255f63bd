/**
 * What one upstream's prefix cache probably holds: hashes of the leading blocks of prompts we sent
 * there, the least recently used forgotten first. A shadow: the server may have dropped more or
 * less, which costs a prefill and nothing else.
 */
export interface PrefixIndex {
  readonly size: number
  /** How many leading blocks of `prefix` have been sent here; each hash covers all before it. */
  matched: (prefix: readonly string[]) => number
  add: (prefix: readonly string[]) => void
}

/** @param hashesMax about 100 bytes each */
export function prefixIndex (hashesMax: number): PrefixIndex {
  const hashes = new Set<string>()

  return {
    get size () { return hashes.size },
    matched (prefix) {
      // What is known of a prefix is a leading part of it (see add), so its end can be searched.
      let low = 0
      let high = prefix.length
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (hashes.has(prefix[middle - 1] as string)) low = middle
        else high = middle - 1
      }
      return low
    },
    add (prefix) {
      // Deepest first, so that the beginnings, which more prompts share, are forgotten last.
      for (let at = Math.min(prefix.length, hashesMax) - 1; at >= 0; at--) {
        const hash = prefix[at] as string
        hashes.delete(hash)
        hashes.add(hash)
      }
      // A walk over a set begins with the holes of all that was taken out: none is begun for nothing.
      if (hashes.size <= hashesMax) return
      for (const hash of hashes) {
        if (hashes.size <= hashesMax) break
        hashes.delete(hash)
      }
    }
  }
}
