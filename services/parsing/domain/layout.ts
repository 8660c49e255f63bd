/** What stands where on each page, before any of it is understood. */
import { findBodyStyle, type BodyStyle } from './body-style.ts'
import { bestOfLabel, findCaptions, type Caption } from './captions.ts'
import { findGutters, type Gutters } from './columns.ts'
import { buildFragments } from './fragments.ts'
import { unionOf, type Line } from './line.ts'
import { joinFragments } from './lines.ts'
import type { Box, Font, PageGlyphs } from './page-glyphs.ts'
import { findProse, findTextStyles } from './prose.ts'
import { findRunningHeads } from './running-heads.ts'

export interface PageLayout {
  number: number
  width: number
  height: number
  /** All but running heads, in content order. */
  lines: Line[]
  heads: Line[]
  prose: ReadonlySet<Line>
  captions: Caption[]
  columns: Box[]
  /** Extent of the running text. */
  frame: Box
  /** Painted lines and boxes thinner than 3 points. */
  rules: Box[]
}

export interface Layout { pages: PageLayout[], body: BodyStyle }

export function layOut (pages: readonly PageGlyphs[], fonts: readonly Font[]): Layout {
  const fragments = pages.map(page => buildFragments(page, fonts))
  const all = fragments.flat()
  const body = findBodyStyle(all)
  const heads = findRunningHeads(all, pages)
  const texts = fragments.map(own => own.filter(line => !heads.has(line)))
  const gutters = texts.map((own, i) => findGutters(
    own.filter(line => Math.abs(line.size - body.size) < 2.2), pages[i]!.width))
  const lines = texts.map((own, i) => joinFragments(own, gutters[i]!))
  const styles = findTextStyles(lines.flat())
  const layouts = pages.map((page, i): PageLayout => {
    const prose = findProse(lines[i]!, styles)
    const frame = frameOf([...prose], lines[i]!, page)
    return {
      number: page.number,
      width: page.width,
      height: page.height,
      lines: lines[i]!,
      heads: fragments[i]!.filter(line => heads.has(line)),
      prose,
      captions: findCaptions(lines[i]!, body),
      columns: columnBoxes(frame, gutters[i]!),
      frame,
      rules: page.objects.filter(({ box }) => box[3] - box[1] < 3 && box[2] - box[0] > 20)
        .map(({ box }) => box)
    }
  })
  const kept = new Set(bestOfLabel(layouts.flatMap(({ captions }) => captions)))
  for (const layout of layouts) layout.captions = layout.captions.filter(caption => kept.has(caption))
  return { pages: layouts, body }
}

function frameOf (prose: readonly Line[], lines: readonly Line[], page: PageGlyphs): Box {
  const some = prose.length > 5 ? prose : lines
  if (some.length === 0) return [0, 0, page.width, page.height]
  const all = unionOf(lines.map(({ box }) => box))
  const text = unionOf(some.map(({ box }) => box))
  return [text[0], Math.max(all[1], 20), text[2], Math.min(all[3], page.height - 20)]
}

function columnBoxes (frame: Box, gutters: Gutters): Box[] {
  const edges = [frame[0], ...gutters, frame[2]]
  return edges.slice(1).map((right, i) => [edges[i]!, frame[1], right, frame[3]])
}
