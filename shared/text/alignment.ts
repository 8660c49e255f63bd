/** Approximate search: where a text holds a pattern, with the fewest edits. */

/** `at` counts in the pattern: `removed` stands there, the text has `added` instead. */
export interface Edit { at: number, removed: string, added: string }
export interface Alignment { start: number, end: number, edits: Edit[] }

const seedLength = 12
const windowsMax = 3

/**
 * Semi-global alignment (gaps at the text's ends are free) inside the windows that share most
 * 12-character seeds with the pattern, so that a long text costs little.
 *
 * @returns offsets into the text, half-open, and the edits in order; undefined without a shared
 *          seed or when more than a tenth of the pattern differs
 * @see     Sellers 1980, doi:10.1016/0196-6774(80)90016-4
 */
export function editsBetween (pattern: string, text: string): Alignment | undefined {
  const budget = Math.floor(pattern.length / 10)
  let best: (Alignment & { cost: number }) | undefined
  for (const from of windowsOf(pattern, text)) {
    const window = text.slice(from, from + pattern.length + 2 * budget + seedLength)
    const found = align(pattern, window)
    if (found.cost > budget || (best !== undefined && found.cost >= best.cost)) continue
    best = { ...found, start: found.start + from, end: found.end + from }
  }
  if (best === undefined) return undefined
  return { start: best.start, end: best.end, edits: best.edits }
}

/** Starts of the windows with most seeds; ties by position. */
function windowsOf (pattern: string, text: string): number[] {
  const slack = Math.floor(pattern.length / 10)
  const votes = new Map<number, number>()
  for (let i = 0; i + seedLength <= pattern.length; i += seedLength / 2) {
    const seed = pattern.slice(i, i + seedLength)
    let at = text.indexOf(seed)
    for (let hits = 0; at >= 0 && hits < 50; at = text.indexOf(seed, at + 1), hits++) {
      const bin = Math.floor((at - i) / (slack + 1))
      votes.set(bin, (votes.get(bin) ?? 0) + 1)
    }
  }
  return [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, windowsMax)
    .map(([bin]) => Math.max(0, bin * (slack + 1) - slack))
}

function align (pattern: string, text: string): Alignment & { cost: number } {
  const width = text.length + 1
  const costs = new Uint16Array((pattern.length + 1) * width)
  for (let i = 1; i <= pattern.length; i++) {
    costs[i * width] = i
    for (let j = 1; j < width; j++) {
      const same = pattern.charCodeAt(i - 1) === text.charCodeAt(j - 1) ? 0 : 1
      costs[i * width + j] = Math.min(
        (costs[(i - 1) * width + j - 1] ?? 0) + same,
        (costs[(i - 1) * width + j] ?? 0) + 1,
        (costs[i * width + j - 1] ?? 0) + 1
      )
    }
  }
  let end = 0
  const last = pattern.length * width
  for (let j = 1; j < width; j++) {
    if ((costs[last + j] ?? 0) < (costs[last + end] ?? 0)) end = j
  }
  return { ...traced({ pattern, text, costs, width }, end), end, cost: costs[last + end] ?? 0 }
}

interface Grid { pattern: string, text: string, costs: Uint16Array, width: number }

function traced (grid: Grid, end: number): Omit<Alignment, 'end'> {
  const { pattern, text, costs, width } = grid
  const edits: Edit[] = []
  let i = pattern.length
  let j = end
  while (i > 0) {
    const here = costs[i * width + j] ?? 0
    const same = j > 0 && pattern[i - 1] === text[j - 1]
    const diagonal = (costs[(i - 1) * width + j - 1] ?? 0) + (same ? 0 : 1)
    if (j > 0 && diagonal === here) {
      i--
      j--
      if (!same) edits.push({ at: i, removed: pattern[i] ?? '', added: text[j] ?? '' })
    } else if ((costs[(i - 1) * width + j] ?? 0) + 1 === here) {
      i--
      edits.push({ at: i, removed: pattern[i] ?? '', added: '' })
    } else {
      j--
      edits.push({ at: i, removed: '', added: text[j] ?? '' })
    }
  }
  return { start: j, edits: edits.reverse() }
}
