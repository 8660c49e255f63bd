/** Token sequences as numbers: equal tokens, equal numbers, dense from 0. */
export interface Interned { sequences: Int32Array[], size: number }

/** Numbers the tokens of several texts together. A Map, for tokens may be "__proto__". */
export function intern (texts: readonly (readonly string[])[]): Interned {
  const ids = new Map<string, number>()
  const sequences = texts.map(tokens => {
    const sequence = new Int32Array(tokens.length)
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i]!
      let id = ids.get(token)
      if (id === undefined) ids.set(token, id = ids.size)
      sequence[i] = id
    }
    return sequence
  })
  return { sequences, size: ids.size }
}

/**
 * Numbers the n-grams by their first n - 1 tokens (already numbered, in `shorter`) and the last.
 *
 * @param shorter  the (n - 1)-grams of the same texts
 * @param tokens   the texts
 * @param n        at least 2
 */
export function extendGrams (shorter: Interned, tokens: Interned, n: number): Interned {
  const ids = new Map<number, number>()
  const sequences = tokens.sequences.map((text, which) => {
    const heads = shorter.sequences[which]!
    const grams = new Int32Array(Math.max(0, text.length - n + 1))
    for (let i = 0; i < grams.length; i++) {
      const key = heads[i]! * tokens.size + text[i + n - 1]!
      let id = ids.get(key)
      if (id === undefined) ids.set(key, id = ids.size)
      grams[i] = id
    }
    return grams
  })
  return { sequences, size: ids.size }
}

/** How often each of `size` numbers occurs. */
export function countsOf (sequence: Int32Array, size: number): Int32Array {
  const counts = new Int32Array(size)
  for (const id of sequence) counts[id]!++
  return counts
}

/** How many n-grams two texts share, each as often as in the one that has it less often. */
export function commonOf (own: Int32Array, other: Int32Array, size: number): number {
  const left = countsOf(other, size)
  let common = 0
  for (const gram of own) if (left[gram]!-- > 0) common++
  return common
}
