/** Which leading blocks of prompts need not be computed again; least recently used go first. */
import { mix } from './words.ts'

const tokenBytes = 4

/**
 * A number for each full block of a prompt, each covering all before it.
 *
 * @param prompt     bytes, four to a token
 * @param blockSize  tokens
 */
export function blockHashes (prompt: Buffer, blockSize: number): number[] {
  const width = blockSize * tokenBytes
  const count = Math.floor(prompt.length / width)
  const hashes = new Array<number>(count)
  let high = 1
  let low = 2
  for (let block = 0; block < count; block++) {
    for (let at = block * width; at < (block + 1) * width; at += tokenBytes) {
      const token = prompt.readInt32LE(at)
      high = Math.imul(high ^ token, 0x01000193)
      low = Math.imul(low ^ token, 0x5bd1e995) + 0x1b873593
    }
    high = mix(high)
    low = mix(low)
    // 53 bits, what a number holds exactly.
    hashes[block] = (high >>> 11) * 2 ** 32 + low
  }
  return hashes
}

export interface KvCache {
  /** Leading blocks that are there; they count as used now. */
  hits: (blocks: readonly number[]) => number
  add: (blocks: readonly number[]) => void
  clear: () => void
}

export function kvCache (capacity: number): KvCache {
  const used = new Set<number>()
  const touch = (block: number) => { used.delete(block); used.add(block) }
  return {
    hits (blocks) {
      let found = 0
      while (found < blocks.length && used.has(blocks[found] ?? 0)) found++
      for (let at = 0; at < found; at++) touch(blocks[at] ?? 0)
      return found
    },
    add (blocks) {
      for (const block of blocks) touch(block)
      for (const oldest of used) {
        if (used.size <= capacity) break
        used.delete(oldest)
      }
    },
    clear () { used.clear() }
  }
}
