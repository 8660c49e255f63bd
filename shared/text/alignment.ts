/** Approximate search: where a text holds a pattern, but for letters that typesetting lost. */

/** `map[i]` is where character i of the pattern stands in the text, -1 where it does not. */
export interface Alignment { start: number, end: number, map: Int32Array }

/** Squashed: white space stood before the characters whose gap is 1. */
export interface Gapped { text: string, gaps: Uint8Array }

const seedLength = 12
const seedsMax = 12
const hitsMax = 20
const placesMax = 3
/** Differences that can still be told from another wording. */
const editsMax = 8

/**
 * Semi-global alignment (the text's ends are free) in a band around the diagonals on which most
 * of a dozen short pieces of the pattern lie; accepted only when every difference is harmless.
 * At most `seedsMax` passes over the text, then work linear in the pattern.
 *
 * @see Sellers 1980, doi:10.1016/0196-6774(80)90016-4; Ukkonen 1985, doi:10.1016/S0019-9958(85)80046-2
 */
export function alignNear (quote: Gapped, source: Gapped): Alignment | undefined {
  const { text: pattern } = quote
  const { text } = source
  if (pattern.length < 2 * seedLength) return undefined
  const band = Math.min(editsMax, Math.floor(pattern.length / 12))
  for (const diagonal of diagonalsOf(pattern, text, band)) {
    const from = Math.max(0, diagonal - band)
    const window = text.slice(from, diagonal + pattern.length + band)
    const found = align(pattern, window, { lead: diagonal - from, band })
    if (found === undefined) continue
    const { start, end, map, edits } = found
    if (!edits.every(edit => lostLigature({ ...edit, to: edit.to + from }, quote, source))) continue
    return { start: start + from, end: end + from, map: map.map(at => at < 0 ? -1 : at + from) }
  }
  return undefined
}

/** Those with most seeds first, then by position. */
function diagonalsOf (pattern: string, text: string, band: number): number[] {
  const votes = new Map<number, { count: number, sum: number }>()
  const step = Math.max(seedLength, Math.floor((pattern.length - seedLength) / (seedsMax - 1)))
  for (let i = 0; i + seedLength <= pattern.length; i += step) {
    const seed = pattern.slice(i, i + seedLength)
    let at = text.indexOf(seed)
    for (let hits = 0; at >= 0 && hits < hitsMax; at = text.indexOf(seed, at + 1), hits++) {
      const bin = Math.floor((at - i) / (band + 1))
      const vote = votes.get(bin) ?? { count: 0, sum: 0 }
      votes.set(bin, { count: vote.count + 1, sum: vote.sum + at - i })
    }
  }
  return [...votes].sort((a, b) => b[1].count - a[1].count || a[0] - b[0]).slice(0, placesMax)
    .map(([, { count, sum }]) => Math.max(0, Math.round(sum / count)))
}

interface Band { lead: number, band: number }
type Traced = Alignment & { edits: Edit[] }

/** Within 2·band of the diagonal that starts at `lead`. */
function align (pattern: string, text: string, { lead, band }: Band): Traced | undefined {
  const width = 4 * band + 1
  const costs = new Uint16Array((pattern.length + 1) * width).fill(9999)
  const at = (i: number, j: number) => {
    const column = j - i - lead + 2 * band
    return column < 0 || column >= width || j < 0 || j > text.length ? -1 : i * width + column
  }
  const costAt = (i: number, j: number) => costs[at(i, j)] ?? 9999
  for (let j = 0; j <= text.length; j++) if (at(0, j) >= 0) costs[at(0, j)] = 0
  for (let i = 1; i <= pattern.length; i++) {
    const middle = i + lead
    for (let j = Math.max(0, middle - 2 * band); j <= Math.min(text.length, middle + 2 * band); j++) {
      const same = j > 0 && pattern.charCodeAt(i - 1) === text.charCodeAt(j - 1) ? 0 : 1
      costs[at(i, j)] = Math.min(costAt(i - 1, j - 1) + same, costAt(i - 1, j) + 1, costAt(i, j - 1) + 1)
    }
  }
  let end = -1
  for (let j = 0; j <= text.length; j++) {
    // The later of equals: the letters lost stand before the end.
    if (costAt(pattern.length, j) <= (end < 0 ? 9998 : costAt(pattern.length, end))) end = j
  }
  if (end < 0 || costAt(pattern.length, end) > editsMax) return undefined
  return traced({ pattern, text, costAt }, end)
}

interface Grid { pattern: string, text: string, costAt: (i: number, j: number) => number }

/** `removed` stands at `at` in the pattern, `added` at `to` in the text. */
interface Edit { at: number, to: number, removed: string, added: string }

function traced ({ pattern, text, costAt }: Grid, end: number): Traced | undefined {
  const map = new Int32Array(pattern.length).fill(-1)
  const edits: Edit[] = []
  let [i, j] = [pattern.length, end]
  while (i > 0) {
    const here = costAt(i, j)
    const same = j > 0 && pattern[i - 1] === text[j - 1]
    if (j > 0 && costAt(i - 1, j - 1) + (same ? 0 : 1) === here) {
      if (!same) return undefined
      map[--i] = --j
    } else if (costAt(i - 1, j) + 1 === here) edits.push({ at: --i, to: j, removed: pattern[i] ?? '', added: '' })
    else edits.push({ at: i, to: --j, removed: '', added: text[j] ?? '' })
  }
  return { start: j, end, map, edits: joined(edits.reverse()) }
}

/** Edits beside one another are one. */
function joined (edits: readonly Edit[]): Edit[] {
  const runs: Edit[] = []
  for (const edit of edits) {
    const last = runs.at(-1)
    if (last !== undefined && last.at + last.removed.length === edit.at) {
      last.removed += edit.removed
      last.added += edit.added
    } else runs.push({ ...edit })
  }
  return runs
}

/** "signicant" for "significant": letters of fi, fl, ff, ffi, ffl missing inside a word, on one side. */
function lostLigature ({ at, to, removed, added }: Edit, quote: Gapped, source: Gapped): boolean {
  const [whole, start, lost] = added === '' ? [quote, at, removed] : [source, to, added]
  if (removed !== '' && added !== '') return false
  const end = start + lost.length
  const around = whole.text.slice(start - 1, end + 1)
  return /^[fil]{1,3}$/u.test(lost) && /^\p{Ll}+$/u.test(around) && around.includes('f') &&
    whole.gaps.subarray(start, end + 1).every(gap => gap === 0)
}
