/** Coordinates of GROBID: "page,x,y,width,height;…" in PDF points from the top left, pages from 1. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Box } from '../../domain/page-glyphs.ts'
import { allOf, attributeOf, childrenOf, findAll, type Element } from '../markup/element.ts'
import type { Place } from '../outline.ts'

/** `at`: the page of what was read last, on which what has no coordinates is taken to be. */
export interface Pages { sizes: Document['pages'], at: number }

const pagesMax = 5_000

/** Empty unless every page has a size: without it a box means nothing. */
export function pagesOf (root: Element): Pages {
  const surfaces = allOf(root, 'surface').slice(0, pagesMax).map((surface, i) => ({
    number: Number(attributeOf(surface, 'n')) || i + 1,
    width: tenth(Number(attributeOf(surface, 'lrx')) - Number(attributeOf(surface, 'ulx') || 0)),
    height: tenth(Number(attributeOf(surface, 'lry')) - Number(attributeOf(surface, 'uly') || 0))
  }))
  const whole = surfaces.every(({ number, width, height }, i) => number === i + 1 && width > 0 && height > 0)
  return { sizes: whole ? surfaces : [], at: 1 }
}

/**
 * Where an element is: its own coordinates, else those of its sentences, else of its lines; one place
 * for each page, or the page alone where only a reference inside tells it. [] without pages.
 */
export function placesOf (element: Element, pages: Pages): Place[] {
  if (pages.sizes.length === 0) return []
  const own = boxesIn(attributeOf(element, 'coords'), pages)
  const boxes = own.length > 0 ? own : childrenOf(element, 's').flatMap(sentence => boxesIn(attributeOf(sentence, 'coords'), pages))
  const places: Place[] = []
  for (const { page, box } of boxes) {
    const last = places.at(-1)
    if (last?.page === page && overlaps(last.box, box)) last.box = union(last.box, box)
    else places.push({ page, box })
  }
  if (places.length === 0) {
    const inside = [...findAll(element, ({ attributes }) => attributes.has('coords'))].flatMap(found => boxesIn(attributeOf(found, 'coords'), pages))
    places.push({ page: inside[0]?.page ?? pages.at, box: [0, 0, 0, 0] })
    pages.at = inside.at(-1)?.page ?? pages.at
  } else pages.at = places.at(-1)!.page
  return places
}

/** The boxes of an attribute, those outside of the pages left out. */
export function boxesIn (coords: string, { sizes }: Pages): Place[] {
  return coords.split(';', 2_000).flatMap(text => {
    const [page = 0, x = 0, y = 0, width = 0, height = 0] = text.split(',').map(Number)
    const size = sizes[page - 1]
    const box: Box = [tenth(x), tenth(y), tenth(x + width), tenth(y + height)]
    return size !== undefined && box.every(Number.isFinite) && width > 0 && height > 0 ? [{ page, box }] : []
  })
}

export function union (a: Box, b: Box): Box {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]
}

/** Lines of one column share a stretch of the page's width. */
function overlaps (a: Box, b: Box): boolean {
  return Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > 0
}

function tenth (value: number): number {
  return Math.round(value * 10) / 10
}
