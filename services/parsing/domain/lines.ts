/** Fragments of one baseline joined to lines, unless a gutter or a table's gap is between them. */
import { unionOf, type Line } from './line.ts'
import { columnOf, type Gutters } from './columns.ts'

/** Em; wider gaps part the cells of a table. */
const gapMax = 2.6
/** Em; wider gaps are only closed between neighbours in the content stream. */
const gapUnstreamed = 0.9
/** Em; between a section number and its title. */
const gapAfterNumber = 5

const sectionNumber = /^(?:\d{1,2}(?:[.-]\d{1,2}){0,4}\.?|[IVX]{1,5}\.|[A-Z]\.|[\u2160-\u216B]\.?)$/

/** @returns lines in content order, `column` set */
export function joinFragments (fragments: readonly Line[], gutters: Gutters): Line[] {
  const lines: Line[] = []
  const sorted = [...fragments].sort((a, b) => a.order - b.order)
  for (const fragment of sorted) {
    const at = findHost(lines, fragment, gutters)
    if (at === undefined) lines.push(fragment)
    else lines[at] = merge(lines[at]!, fragment)
  }
  return lines.map(line => ({ ...line, column: columnOf(line.box, gutters) }))
}

/** Fragments far apart in the content stream rarely belong together, so few are looked at. */
const lookBack = 60

function findHost (lines: Line[], fragment: Line, gutters: Gutters): number | undefined {
  for (let i = lines.length - 1; i >= Math.max(0, lines.length - lookBack); i--) {
    const line = lines[i]!
    if (!sameBaseline(line, fragment)) continue
    const [left, right] = line.box[0] <= fragment.box[0] ? [line, fragment] : [fragment, line]
    const gap = right.box[0] - left.box[2]
    const size = Math.max(left.size, right.size)
    if (gap < -0.6 * Math.min(left.box[2] - left.box[0], right.box[2] - right.box[0]) - size) continue
    const most = sectionNumber.test(left.text.trim()) ? gapAfterNumber : gapMax
    // Big and small on one baseline are neighbours only when they touch.
    const small = Math.min(left.size, right.size)
    if (small < 0.7 * size && gap > 0.5 * small) continue
    if (gap > most * size || isParted(left, right, gutters)) continue
    if (gap > gapUnstreamed * size && !streamed(left, right)) continue
    return i
  }
  return undefined
}

function sameBaseline (a: Line, b: Line): boolean {
  const rise = Math.abs(a.baseline - b.baseline)
  if (rise <= 0.16 * Math.max(a.size, b.size)) return true
  // A loose superscript or subscript: much smaller and inside the line's height.
  const [big, small] = a.size >= b.size ? [a, b] : [b, a]
  return small.size < 0.8 * big.size && small.glyphs <= 6 && rise < 0.5 * big.size
}

/** Whether `right` was painted just after `left`, in about its size. */
function streamed (left: Line, right: Line): boolean {
  const near = right.order - left.lastOrder
  return near > 0 && near <= 4 && Math.abs(left.size - right.size) < 0.35 * right.size
}

function isParted (left: Line, right: Line, gutters: Gutters): boolean {
  return gutters.some(x => left.box[2] <= x + 3 && right.box[0] >= x - 3)
}

function merge (a: Line, b: Line): Line {
  const [left, right] = a.box[0] <= b.box[0] ? [a, b] : [b, a]
  const main = a.glyphs >= b.glyphs ? a : b
  const gap = right.box[0] - left.box[2]
  const space = gap > 0.12 * Math.max(left.size, right.size) ? ' ' : ''
  const spans = [...left.spans, ...right.spans]
  if (space !== '') {
    const last = left.spans.at(-1)!
    spans[left.spans.length - 1] = { ...last, text: `${last.text} ` }
  }
  return {
    ...main,
    box: unionOf([a.box, b.box]),
    text: `${left.text}${space}${right.text}`,
    spans,
    glyphs: a.glyphs + b.glyphs,
    gaps: a.gaps + b.gaps + (gap > 1.05 * main.size ? 1 : 0),
    order: Math.min(a.order, b.order),
    lastOrder: Math.max(a.lastOrder, b.lastOrder),
    hyphen: right.hyphen
  }
}
