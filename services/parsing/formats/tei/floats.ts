/** Figures and tables of TEI. */
import { readLabel } from '../../domain/captions.ts'
import { allOf, attributeOf, childOf, childrenOf, type Element } from '../markup/element.ts'
import { tableRows } from '../markup/table-rows.ts'
import type { Outline, Place } from '../outline.ts'
import { boxesIn, placesOf, union, type Pages } from './places.ts'
import { textOf } from './text.ts'

interface Walk { outline: Outline, section: number | null, pages: Pages }

/** What GROBID could make nothing of (no label, no words, no cells) is left out. */
export function readFigure (figure: Element, { outline, section, pages }: Walk): void {
  const isTable = attributeOf(figure, 'type') === 'table' || childOf(figure, 'table') !== undefined
  const { label, caption } = captionOf(figure, isTable)
  const rows = allOf(figure, 'table').flatMap(table => tableRows(table, cell => textOf(cell)))
  if (label === '' && caption === '' && rows.length === 0) return
  const float = { keys: [attributeOf(figure, 'id')], label, caption, section, ...placeOf(figure, pages) }
  if (isTable) {
    outline.tables.push({ ...float, ...(rows.length > 0 && { rows }) })
    for (const note of childrenOf(figure, 'note')) outline.footnotes.push({ text: textOf({ ...note, name: 'text' }) })
  } else {
    const graphics = allOf(figure, 'graphic').map(graphic => ({ href: attributeOf(graphic, 'url') }))
    outline.figures.push({ ...float, pictures: graphics.filter(({ href }) => href !== '') })
  }
}

/** Words of the caption may have ended up in the heading ("Fig. 2 M" before "-waves"). */
function captionOf (figure: Element, isTable: boolean): { label: string, caption: string } {
  const head = textOf(childOf(figure, 'head')).replace(/\s+(?=[.:])/gu, '')
  const words = textOf(childOf(figure, 'figDesc', 'ab', 'p'))
  const number = textOf(childOf(figure, 'label'))
  const repeated = readLabel(words)
  const text = repeated !== undefined || head === '' ? words : `${head}${/^[-\u2010-\u2015]/u.test(words) ? '' : ' '}${words}`
  const read = readLabel(text)
  if (read !== undefined) return { label: read.label, caption: read.rest }
  return { label: number === '' ? '' : /\p{L}{3}/u.test(number) ? number : `${isTable ? 'Table' : 'Figure'} ${number}`, caption: text }
}

/** The picture's own coordinates, else those of all that belongs to it; the caption's are not told apart. */
function placeOf (figure: Element, pages: Pages): { place?: Place, captionPlace?: Place } {
  if (pages.sizes.length === 0) return {}
  const graphic = allOf(figure, 'graphic').flatMap(found => boxesIn(attributeOf(found, 'coords'), pages))
  const all = boxesIn(attributeOf(figure, 'coords'), pages)
  const whole = wholeOf(all) ?? placesOf(figure, pages)[0]
  const place = wholeOf(graphic) ?? whole
  return { ...(place !== undefined && { place }), ...(whole !== undefined && { captionPlace: whole }) }
}

function wholeOf (boxes: readonly Place[]): Place | undefined {
  const [first] = boxes
  if (first === undefined) return undefined
  const own = boxes.filter(({ page }) => page === first.page)
  return { page: first.page, box: own.map(({ box }) => box).reduce(union) }
}
