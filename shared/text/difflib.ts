/**
 * Similarity of sequences with the numbers of CPython's difflib.SequenceMatcher: matching blocks by
 * Ratcliff and Obershelp, the longest first, then left and right of it.
 *
 * A matcher knows one second sequence and is asked for many first ones, as in a search for near copies;
 * `realQuickRatio` and `quickRatio` are upper bounds that cost O(1) and O(n). `ratio` is not symmetric.
 *
 * @see Ratcliff & Metzener 1988, "Pattern matching: the gestalt approach", Dr. Dobb's Journal 13(7)
 */
import { codePointsIn, compareCodePoints } from './code-points.ts'

/** What is compared: code points of a text, or any values that a Map tells apart. */
export type Sequence = string | ReadonlyArray<string | number>

export interface MatcherOptions {
  /** Ignore elements that are popular in a long second sequence, as CPython does by default; default true. */
  autojunk?: boolean
  /** Elements that never start a match. */
  isJunk?: (element: string | number) => boolean
}

/** `a.slice(a, a + size)` equals `b.slice(b, b + size)`; elements, which in a text are code points. */
export interface Block { a: number, b: number, size: number }
export type OpcodeTag = 'equal' | 'replace' | 'delete' | 'insert'
/** How to make b of a: tag, then half-open stretches of a and of b. */
export type Opcode = [tag: OpcodeTag, fromA: number, toA: number, fromB: number, toB: number]

export interface Matcher {
  /** 2 × matches / (length of a + length of b), 1 for two empty ones. */
  ratio: (a: Sequence) => number
  /** At least `ratio`: as if order did not matter. */
  quickRatio: (a: Sequence) => number
  /** At least `quickRatio`: from the lengths alone. */
  realQuickRatio: (a: Sequence) => number
  /** In order, neighbours joined; the last one has size 0 and stands at both ends. */
  blocks: (a: Sequence) => Block[]
  opcodes: (a: Sequence) => Opcode[]
  /** Elements autojunk took out, sorted by code points. */
  popular: ReadonlyArray<string | number>
}

/** From this length on autojunk looks for popular elements. */
const autojunkLengthMin = 200

/** The second sequence as numbers: where each stands, and which are left out. */
interface Index {
  b: Int32Array
  ids: ReadonlyMap<string | number, number>
  /** Places of element `id`: `places.subarray(starts[id], starts[id + 1])`, ascending; none if left out. */
  starts: Int32Array
  places: Int32Array
  junk: Uint8Array
  counts: Int32Array
  popular: Array<string | number>
}

/** @param b  the second sequence, the one that is indexed */
export function sequenceMatcher (b: Sequence, options: MatcherOptions = {}): Matcher {
  const index = indexOf(elementsOf(b), options)
  const lengths = new Int32Array(index.b.length + 1)
  const blocks = (a: Sequence) => joined(blocksOf(numbersOf(a, index), index, lengths))
  return {
    ratio: a => {
      const numbers = numbersOf(a, index)
      const matches = blocksOf(numbers, index, lengths).reduce((sum, { size }) => sum + size, 0)
      return ratioOf(matches, numbers.length + index.b.length)
    },
    quickRatio: a => {
      const numbers = numbersOf(a, index)
      return ratioOf(sharedWith(numbers, index), numbers.length + index.b.length)
    },
    realQuickRatio: a => {
      const length = lengthOf(a)
      return ratioOf(Math.min(length, index.b.length), length + index.b.length)
    },
    blocks: a => [...blocks(a), { a: lengthOf(a), b: index.b.length, size: 0 }],
    opcodes: a => opcodesOf([...blocks(a), { a: lengthOf(a), b: index.b.length, size: 0 }]),
    popular: index.popular
  }
}

/** For one pair; a matcher is cheaper where one text is compared with many. */
export function similarityRatio (a: Sequence, b: Sequence, options: MatcherOptions = {}): number {
  return sequenceMatcher(b, options).ratio(a)
}

export interface CloseLimits { n?: number, cutoff?: number }

/**
 * The `n` possibilities most like a word, the best first; of equal ones the one whose code points come
 * last. As CPython's, it looks at the bounds first.
 *
 * @param n       at least 1
 * @param cutoff  0 to 1
 * @throws RangeError where they are not
 */
export function closeMatches (
  word: string, possibilities: readonly string[], { n = 3, cutoff = 0.6 }: CloseLimits = {}
): string[] {
  if (!(n >= 1)) throw new RangeError(`Expected n of at least 1, got ${n}`)
  if (!(cutoff >= 0 && cutoff <= 1)) throw new RangeError(`Expected a cutoff from 0 to 1, got ${cutoff}`)
  const matcher = sequenceMatcher(word)
  const found: Array<{ text: string, ratio: number }> = []
  for (const text of possibilities) {
    if (matcher.realQuickRatio(text) < cutoff || matcher.quickRatio(text) < cutoff) continue
    const ratio = matcher.ratio(text)
    if (ratio >= cutoff) found.push({ text, ratio })
  }
  return found.sort((x, y) => y.ratio - x.ratio || compareCodePoints(y.text, x.text))
    .slice(0, Math.floor(n)).map(({ text }) => text)
}

function ratioOf (matches: number, length: number): number {
  return length === 0 ? 1 : 2 * matches / length
}

function elementsOf (sequence: Sequence): ReadonlyArray<string | number> {
  return typeof sequence === 'string' ? [...sequence] : sequence
}

function lengthOf (sequence: Sequence): number {
  return typeof sequence === 'string' ? codePointsIn(sequence) : sequence.length
}

/** -1 for what the second sequence does not have. */
function numbersOf (a: Sequence, { ids }: Index): Int32Array {
  const elements = elementsOf(a)
  const numbers = new Int32Array(elements.length)
  for (let i = 0; i < numbers.length; i++) numbers[i] = ids.get(elements[i]!) ?? -1
  return numbers
}

function indexOf (elements: ReadonlyArray<string | number>, options: MatcherOptions): Index {
  const { autojunk = true, isJunk } = options
  const ids = new Map<string | number, number>()
  const b = new Int32Array(elements.length)
  for (const [at, element] of elements.entries()) {
    const id = ids.get(element) ?? ids.size
    if (id === ids.size) ids.set(element, id)
    b[at] = id
  }
  const counts = new Int32Array(ids.size)
  for (const id of b) counts[id]!++
  const junk = new Uint8Array(ids.size)
  const left = counts.slice()
  const popular: Array<string | number> = []
  const often = autojunk && b.length >= autojunkLengthMin ? Math.floor(b.length / 100) + 1 : Infinity
  for (const [element, id] of ids) {
    if (isJunk?.(element) === true) junk[id] = 1
    else if (counts[id]! > often) popular.push(element)
    else continue
    left[id] = 0
  }
  popular.sort((x, y) => compareCodePoints(String(x), String(y)))
  return { b, ids, ...placesOf(b, left), junk, counts, popular }
}

function placesOf (b: Int32Array, counts: Int32Array): Pick<Index, 'starts' | 'places'> {
  const starts = new Int32Array(counts.length + 1)
  for (let id = 0; id < counts.length; id++) starts[id + 1] = starts[id]! + counts[id]!
  const next = starts.slice(0, -1)
  const places = new Int32Array(starts.at(-1)!)
  for (let j = 0; j < b.length; j++) if (counts[b[j]!]! > 0) places[next[b[j]!]!++] = j
  return { starts, places }
}

/** How many elements both have, each as often as in the one that has it less often. */
function sharedWith (a: Int32Array, { counts }: Index): number {
  const left = counts.slice()
  let shared = 0
  for (const id of a) if (id >= 0 && left[id]!-- > 0) shared++
  return shared
}

interface Window { fromA: number, toA: number, fromB: number, toB: number }

/** In no order, neighbours apart. */
function blocksOf (a: Int32Array, index: Index, lengths: Int32Array): Block[] {
  const found: Block[] = []
  const windows: Window[] = [{ fromA: 0, toA: a.length, fromB: 0, toB: index.b.length }]
  for (let window = windows.pop(); window !== undefined; window = windows.pop()) {
    const { fromA, toA, fromB, toB } = window
    const block = extended(a, { window, index }, longestMatch(a, { window, index }, lengths))
    if (block.size === 0) continue
    found.push(block)
    const endA = block.a + block.size
    const endB = block.b + block.size
    if (fromA < block.a && fromB < block.b) windows.push({ fromA, toA: block.a, fromB, toB: block.b })
    if (endA < toA && endB < toB) windows.push({ fromA: endA, toA, fromB: endB, toB })
  }
  return found
}

interface Field { window: Window, index: Index }

/**
 * The longest common stretch of indexed elements in a window; of several the one that starts first in a,
 * then first in b.
 *
 * @param lengths  all 0 before and after; `lengths[j + 1]` is that of the match that ends at b's j
 */
function longestMatch (a: Int32Array, { window, index }: Field, lengths: Int32Array): Block {
  const { fromA, toA, fromB, toB } = window
  const { starts, places } = index
  const best: Block = { a: fromA, b: fromB, size: 0 }
  let endOfBest = -1
  let before = -1
  for (let i = fromA; i < toA; i++) {
    const id = a[i]!
    const first = id < 0 ? 0 : starts[id]!
    // From the last place to the first, for each needs what its left neighbour had before this row.
    for (let p = id < 0 ? -1 : placeBelow(index, id, toB); p >= first; p--) {
      const j = places[p]!
      if (j < fromB) break
      const size = lengths[j + 1] = lengths[j]! + 1
      if (size > best.size || (size === best.size && i === endOfBest)) {
        best.a = i - size + 1
        best.b = j - size + 1
        best.size = size
        endOfBest = i
      }
    }
    if (before !== id) clear(before, { window, index }, lengths)
    before = id
  }
  clear(before, { window, index }, lengths)
  return best
}

function clear (id: number, { window, index }: Field, lengths: Int32Array): void {
  if (id < 0) return
  const first = index.starts[id]!
  for (let p = placeBelow(index, id, window.toB); p >= first && index.places[p]! >= window.fromB; p--) {
    lengths[index.places[p]! + 1] = 0
  }
}

/** Where in `places` the last place of an element before `toB` stands; below its first if there is none. */
function placeBelow ({ starts, places }: Index, id: number, toB: number): number {
  let low = starts[id]! - 1
  let high = starts[id + 1]! - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (places[middle]! < toB) low = middle
    else high = middle - 1
  }
  return low
}

/** Grown by equal elements that are not indexed: first those that are no junk, then junk. */
function extended (a: Int32Array, { window, index }: Field, { a: inA, b: inB, size }: Block): Block {
  const { b, junk } = index
  for (const kind of [0, 1]) {
    while (inA > window.fromA && inB > window.fromB &&
      a[inA - 1] === b[inB - 1] && junk[b[inB - 1]!] === kind) {
      inA--
      inB--
      size++
    }
    while (inA + size < window.toA && inB + size < window.toB &&
      a[inA + size] === b[inB + size] && junk[b[inB + size]!] === kind) size++
  }
  return { a: inA, b: inB, size }
}

/** In order; blocks that touch in both sequences are one. */
function joined (blocks: readonly Block[]): Block[] {
  const all: Block[] = []
  for (const block of blocks.toSorted((x, y) => x.a - y.a || x.b - y.b)) {
    const last = all.at(-1)
    const touches = last !== undefined && last.a + last.size === block.a && last.b + last.size === block.b
    if (touches) last.size += block.size
    else all.push({ ...block })
  }
  return all
}

function opcodesOf (blocks: readonly Block[]): Opcode[] {
  const found: Opcode[] = []
  let inA = 0
  let inB = 0
  for (const { a, b, size } of blocks) {
    const tag = inA < a ? inB < b ? 'replace' : 'delete' : inB < b ? 'insert' : null
    if (tag !== null) found.push([tag, inA, a, inB, b])
    if (size > 0) found.push(['equal', a, a + size, b, b + size])
    inA = a + size
    inB = b + size
  }
  return found
}
