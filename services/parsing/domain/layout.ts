/** What stands where on each page, before any of it is understood. */
import { measureAdvances } from './advances.ts'
import { findBodyStyle, isBody, type BodyStyle } from './body-style.ts'
import { bestOfLabel, findCaptions, saysContinued, type Caption } from './captions.ts'
import { findGutters, holdsGutter, type Gutters } from './columns.ts'
import { buildFragments } from './fragments.ts'
import { groupBy } from './group.ts'
import { areaOf, unionOf, type Line } from './line.ts'
import { mendLigatures } from './ligatures.ts'
import { findLineNumbers } from './line-numbers.ts'
import { joinFragments } from './lines.ts'
import type { Box, Font, PageGlyphs } from './page-glyphs.ts'
import { findProse, findTextStyles } from './prose.ts'
import { findRunningHeads } from './running-heads.ts'
import { findSoftMapping } from './soft-mapping.ts'

export interface PageLayout {
  number: number
  width: number
  height: number
  /** All but running heads, in content order. */
  lines: Line[]
  heads: Line[]
  prose: ReadonlySet<Line>
  captions: Caption[]
  /** Labels of tables that are printed again where these go on. */
  continued: Caption[]
  columns: Box[]
  /** Extent of the running text. */
  frame: Box
  /** Painted lines and boxes thinner than 3 points. */
  rules: Box[]
  /** The same standing upright: borders of cells, rules between columns. */
  uprights: Box[]
  /** Pictures and embedded drawings: what is inside one belongs together. */
  pictures: Box[]
}

export interface Layout { pages: PageLayout[], body: BodyStyle }

/** Pieces of text on one page; a dense table has about 1,500. */
const fragmentsMax = 6000

export function layOut (pages: readonly PageGlyphs[], fonts: readonly Font[]): Layout {
  const face = {
    fonts,
    advances: measureAdvances(pages, fonts.length),
    soft: findSoftMapping(pages, fonts.length)
  }
  const numbers = findLineNumbers(pages)
  const fragments = mendLigatures(pages.map((page, i) =>
    buildFragments(page, face, numbers[i]!).slice(0, fragmentsMax)))
  const all = fragments.flat()
  const body = findBodyStyle(all)
  const heads = findRunningHeads(all, pages)
  for (const [i, own] of fragments.entries()) {
    for (const line of own) if (numbers[i]!.has(line.order)) heads.add(line)
  }
  const texts = fragments.map(own => own.filter(line => !heads.has(line)))
  const gutters = findAllGutters(texts, pages, body)
  const lines = texts.map((own, i) => joinFragments(own, gutters[i]!))
  const styles = findTextStyles(lines.flat())
  const layouts = pages.map((page, i): PageLayout => {
    const rules = page.objects.filter(({ box }) => box[3] - box[1] < 3 && box[2] - box[0] > 20)
      .map(({ box }) => box)
    const prose = findProse(lines[i]!, styles)
    const main = [...prose].filter(line => Math.abs(line.size - body.size) < 0.6)
    const frame = frameOf(main, lines[i]!, page)
    return {
      number: page.number,
      width: page.width,
      height: page.height,
      lines: lines[i]!,
      heads: fragments[i]!.filter(line => heads.has(line)),
      prose,
      captions: findCaptions(lines[i]!, body, rules),
      continued: [],
      columns: columnBoxes(frame, gutters[i]!),
      frame,
      rules,
      uprights: page.objects.filter(({ box }) => box[2] - box[0] < 3 && box[3] - box[1] > 6)
        .map(({ box }) => box),
      pictures: page.objects.filter(({ kind, box }) => (kind === 'image' || kind === 'form') &&
        box[2] - box[0] > 20 && box[3] - box[1] > 20 && areaOf(box) < 0.7 * page.width * page.height)
        .map(({ box }) => box)
    }
  })
  const kept = new Set(bestOfLabel(layouts.flatMap(({ captions }) => captions)))
  for (const layout of layouts) {
    layout.continued = layout.captions.filter(caption => !kept.has(caption) &&
      caption.kind === 'table' && saysContinued(caption))
    layout.captions = layout.captions.filter(caption => kept.has(caption))
  }
  return { pages: layouts, body }
}

/**
 * Each page's gutters from its body text. A page with little of it (references, large floats) takes
 * the gutters that most pages have, where its lines respect them.
 */
function findAllGutters (texts: readonly Line[][], pages: readonly PageGlyphs[], body: BodyStyle): Gutters[] {
  const own = texts.map((lines, i) => {
    const main = lines.filter(line => isBody(line, body))
    return main.length >= 12 ? findGutters(main, pages[i]!.width) : undefined
  })
  const known = own.filter(gutters => gutters !== undefined)
  const usual = usualGutters(known)
  return texts.map((lines, i) => {
    const found = own[i] ?? []
    if (found.length > 0) return found
    const long = lines.filter(line => line.glyphs > 15)
    if (usual.length > 0 && usual.every(gutter => holdsGutter(long, gutter))) return usual
    return known.length < 2 && own[i] === undefined ? findGutters(long, pages[i]!.width) : found
  })
}

/** The gutters of the most pages; none when most have none. */
function usualGutters (known: readonly Gutters[]): Gutters {
  const counts = groupBy(known.filter(({ length }) => length > 0), gutters =>
    gutters.map(x => Math.round(x / 12)).join(' '))
  let most: Gutters[] = []
  for (const group of counts.values()) if (group.length > most.length) most = group
  const none = known.filter(({ length }) => length === 0).length
  return most.length >= 2 || most.length > none ? most[0] ?? [] : []
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
