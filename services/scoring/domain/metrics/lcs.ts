/**
 * Longest common subsequences of token numbers, 32 table cells at a time.
 *
 * A column of the table over `pattern` is kept as bits: 0 where the length grows by one from the
 * row above, 1 where it does not.
 *
 * @see Hyyrö 2004, "Bit-parallel LCS-length computation revisited"
 */

interface Marks { marks: Uint8Array, cellsMax?: number }
interface Place { columns: Int32Array, from: number, to: number }
interface Pattern { length: number, words: number, slots: Int32Array, masks: Int32Array }

/**
 * Where each token stands in the pattern, as bits.
 *
 * @param slots  all 0, one for every token number; in use as long as the pattern is
 */
export function lcsPattern (tokens: Int32Array, slots: Int32Array): Pattern {
  const words = (tokens.length + 31) >>> 5
  // Slot 0 is the empty mask, for tokens the pattern lacks.
  let used = 0
  for (const token of tokens) if (slots[token] === 0) slots[token] = ++used
  const masks = new Int32Array((used + 1) * words)
  for (let i = 0; i < tokens.length; i++) {
    masks[slots[tokens[i]!]! * words + (i >>> 5)]! |= 1 << (i & 31)
  }
  return { length: tokens.length, words, slots, masks }
}

/** One column further: reads `from`, writes `to` (they may be the same place of the same array). */
function step (pattern: Pattern, token: number, { columns, from, to }: Place): void {
  const { words, masks, slots } = pattern
  const mask = slots[token]! * words
  let carry = 0
  for (let w = 0; w < words; w++) {
    const v = columns[from + w]!
    const u = v & masks[mask + w]!
    const sum = (v >>> 0) + (u >>> 0) + carry
    carry = sum > 0xffffffff ? 1 : 0
    columns[to + w] = (sum | 0) | (v & ~u)
  }
}

function bitsSet (word: number): number {
  let v = word - ((word >>> 1) & 0x55555555)
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Length of the longest common subsequence. */
export function lcsLength (pattern: Pattern, text: Int32Array): number {
  const column = new Int32Array(pattern.words).fill(-1)
  const place = { columns: column, from: 0, to: 0 }
  // A token the pattern lacks changes nothing.
  for (const token of text) if (pattern.slots[token] !== 0) step(pattern, token, place)
  let length = 0
  for (let w = 0; w < pattern.words; w++) {
    const rows = Math.min(32, pattern.length - 32 * w)
    const inside = rows === 32 ? -1 : (1 << rows) - 1
    length += bitsSet(~column[w]! & inside)
  }
  return length
}

/** Room for `markShortLcs`, used again for every line. */
export interface Room { columns: Int32Array, matches: Int32Array, gaps: Uint8Array }

/** @param tokens  of the longest text */
export function roomFor (tokens: number): Room {
  return { columns: new Int32Array(tokens), matches: new Int32Array(tokens), gaps: new Uint8Array(tokens) }
}

export const shortMax = 32

/**
 * What `markLcs` marks, as bits, for a pattern of at most 32 tokens: its column is one number, and most
 * tokens of a text, which the pattern lacks, leave it as it is.
 *
 * @param masks   for every token number its places in the pattern, as bits
 * @param length  of the pattern
 */
export function markShortLcs (
  masks: Int32Array, length: number, { text, room }: { text: Int32Array, room: Room }
): number {
  const { columns, matches, gaps } = room
  let column = -1
  let used = 0
  for (let j = 0; j < text.length; j++) {
    const match = masks[text[j]!]!
    if (match === 0) {
      if (used > 0) gaps[used - 1] = 1
      continue
    }
    const grown = column & match
    column = (column + grown) | (column & ~grown)
    columns[used] = column
    matches[used] = match
    gaps[used++] = 0
  }
  let marks = 0
  let row = length - 1
  for (let j = used - 1; j >= 0 && row >= 0; j--) {
    const grows = ~columns[j]!
    // Back over tokens the pattern lacks, up to the row where the length grows.
    if (gaps[j] === 1) row = highestBit(grows, row)
    if (row < 0) break
    row = highestBit(grows | matches[j]!, row)
    if (row < 0 || (matches[j]! & (1 << row)) === 0) continue
    marks |= 1 << row
    row--
  }
  return marks
}

/** The highest bit set, from `row` down; -1 if there is none. */
function highestBit (bits: number, row: number): number {
  return 31 - Math.clz32(bits & (-1 >>> (31 - row)))
}

/**
 * Marks in `marks` the pattern positions on one longest common subsequence, the one ROUGE-Lsum's
 * reference finds: from the end, equal tokens are taken; else back in the text where the length
 * grows with this row, else back in the pattern.
 *
 * @param cellsMax  32-bit words of columns kept at once (16 MB); longer texts go in blocks that
 *                  are computed again on the way back
 */
export function markLcs (
  pattern: Pattern, text: Int32Array, { marks, cellsMax = 4_000_000 }: Marks
): void {
  const { words, length, slots, masks } = pattern
  if (words === 0 || text.length === 0) return
  const whole = (text.length + 1) * words <= cellsMax
  const block = whole ? text.length : Math.ceil(Math.sqrt(text.length))
  const starts = checkpoints(pattern, text, block)
  const columns = new Int32Array((block + 1) * words)
  let i = length
  let j = text.length
  while (i > 0 && j > 0) {
    const first = Math.floor((j - 1) / block) * block
    columns.set(starts.subarray(first / block * words, (first / block + 1) * words))
    for (let c = 0; c < j - first; c++) {
      step(pattern, text[first + c]!, { columns, from: c * words, to: (c + 1) * words })
    }
    while (i > 0 && j > first) {
      const word = (i - 1) >>> 5
      const bit = 1 << ((i - 1) & 31)
      if ((masks[slots[text[j - 1]!]! * words + word]! & bit) !== 0) {
        marks[i - 1] = 1
        i--
        j--
      } else if ((columns[(j - first) * words + word]! & bit) === 0) j--
      else i--
    }
  }
}

/** The column before every block. */
function checkpoints (pattern: Pattern, text: Int32Array, block: number): Int32Array {
  const { words } = pattern
  const last = Math.floor((text.length - 1) / block)
  const starts = new Int32Array((last + 1) * words)
  const column = new Int32Array(words).fill(-1)
  const place = { columns: column, from: 0, to: 0 }
  for (let j = 0; j <= last * block; j++) {
    if (j % block === 0) starts.set(column, j / block * words)
    step(pattern, text[j]!, place)
  }
  return starts
}
