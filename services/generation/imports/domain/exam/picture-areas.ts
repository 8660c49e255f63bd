/**
 * Where an exam may have pictures: figures of papers have captions, those of exams only room between the
 * lines. Each column of a page is gone through for room that no text takes.
 */
import type { Document } from '../../../../../shared/contracts/document.ts'
import type { Place } from './blocks.ts'

export interface Area {
  page: number
  /** [x0, y0, x1, y1] in points. */
  box: readonly [number, number, number, number]
  /** The text above it in its column, and below; null at the edge of the column. */
  above: Place | null
  below: Place | null
}

/** Points; lower ones are the room between questions. */
const heightMin = 30
/** Points beside the text that are looked at too. */
const margin = 2
/** Points that letters may reach over the boxes of their lines. */
const overhang = 3

/** @returns areas in reading order, most of them empty */
export function pictureAreas (document: Document): Area[] {
  const places = textPlaces(document)
  const tops = places.map(({ box }) => box[1]!)
  const bottoms = places.map(({ box }) => box[3]!)
  const [top, bottom] = [Math.min(...tops), Math.max(...bottoms)]
  return document.pages.flatMap(({ number, width }) => {
    const own = places.filter(({ page }) => page === number)
    // The title has no place of its own; it stands above all other text of its page.
    const first = number === 1 ? Math.min(...own.map(({ box }) => box[1]!)) : top
    return columnsOf(own, width).flatMap(column => gapsOf(column, { page: number, top: first, bottom }))
  })
}

/** Equations are none: printed as pictures nothing of them is lost. */
function textPlaces ({ abstract, sections, figures, tables, footnotes }: Document): Place[] {
  return [
    ...abstract?.box === undefined ? [] : [{ page: abstract.page, box: abstract.box }],
    ...sections.flatMap(({ title, page, box, paragraphs }) => [
      ...title === '' ? [] : [{ page, box }],
      ...paragraphs.flatMap(({ page, box, continues = [] }) => [{ page, box }, ...continues])
    ]),
    ...[...figures, ...tables].flatMap(({ page, box, captionBox }) =>
      [{ page, box }, { page, box: captionBox }]),
    ...footnotes.map(({ page, box }) => ({ page, box }))
  ].filter(({ box }) => box[3]! > box[1]!)
}

interface Column { left: number, right: number, places: Place[] }

/** One, or two where hardly any text crosses the middle of the page. */
function columnsOf (places: readonly Place[], width: number): Column[] {
  if (places.length === 0) return []
  const middle = width / 2
  const crossing = places.filter(({ box }) => box[0]! < middle - 20 && box[2]! > middle + 20)
  const left = places.filter(({ box }) => (box[0]! + box[2]!) / 2 <= middle)
  const right = places.filter(({ box }) => (box[0]! + box[2]!) / 2 > middle)
  const areTwo = right.length > 1 && crossing.length <= 0.2 * places.length
  if (!areTwo) return [columnOf(places)]
  return [left, right].filter(own => own.length > 0)
    .map(own => columnOf([...new Set([...own, ...crossing])], own.filter(each => !crossing.includes(each))))
}

function columnOf (places: readonly Place[], of: readonly Place[] = places): Column {
  const edges = of.length === 0 ? places : of
  return {
    left: Math.min(...edges.map(({ box }) => box[0]!)),
    right: Math.max(...edges.map(({ box }) => box[2]!)),
    places: places.toSorted((a, b) => a.box[1]! - b.box[1]!)
  }
}

interface Extent { page: number, top: number, bottom: number }

function gapsOf ({ left, right, places }: Column, { page, top, bottom }: Extent): Area[] {
  const areas: Area[] = []
  let above: Place | null = null
  for (const below of [...places, null]) {
    const from = above === null ? top : above.box[3]!
    const to = below === null ? bottom : below.box[1]!
    if (to - from >= heightMin) {
      const box = [left - margin, from + overhang, right + margin, to - overhang] as const
      areas.push({ page, box, above, below })
    }
    if (below !== null && (above === null || below.box[3]! > above.box[3]!)) above = below
  }
  return areas
}
