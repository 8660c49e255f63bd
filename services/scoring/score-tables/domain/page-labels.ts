/** Where names stand in a chart, so that none is written over another. */
import { cutMiddle } from '../../domain/report/run-names.ts'

export interface Anchored<T> {
  of: T
  text: string
  x: number
  y: number
  /** along: above or below a line that begins here. around: on any side of a point. */
  side: 'along' | 'around'
}

interface Room { left: number, right: number, top: number, bottom: number }

interface Box { from: number, to: number, high: number, low: number }

export interface Label<T> { of: T, text: string, x: number, y: number, anchor: 'start' | 'middle' | 'end' }

const charsMax = 34
/** Of 12 px text, wide letters included. */
const [charWidth, lineHeight] = [6.9, 14]

/** In the order given, each at the first place that is free of names and marks; one without is left out. */
export function labelsIn<T> (
  wanted: ReadonlyArray<Anchored<T>>, marks: ReadonlyArray<{ x: number, y: number }>, room: Room
): Array<Label<T>> {
  const taken = marks.map(({ x, y }): Box => ({ from: x - 5, to: x + 5, high: y - 5, low: y + 5 }))
  return wanted.flatMap(label => {
    const text = cutMiddle(label.text, charsMax)
    for (const place of placesOf(label)) {
      const box = boxOf(place, text)
      if (box.from < room.left || box.to > room.right) continue
      if (box.high < room.top || box.low > room.bottom) continue
      if (taken.some(other => meets(box, other))) continue
      taken.push(box)
      return [{ of: label.of, text, ...place }]
    }
    return []
  })
}

type Place = Pick<Label<unknown>, 'x' | 'y' | 'anchor'>

function placesOf ({ x, y, side }: Anchored<unknown>): Place[] {
  if (side === 'along') return [0, 260, 520, 780].flatMap(dx => [-4, 13].map((dy): Place => ({ x: x + dx, y: y + dy, anchor: 'start' })))
  return [
    { x, y: y - 12, anchor: 'middle' }, { x: x - 9, y: y - 8, anchor: 'end' }, { x: x + 9, y: y - 8, anchor: 'start' },
    { x: x - 9, y: y - 22, anchor: 'end' }, { x: x + 9, y: y - 22, anchor: 'start' }, { x, y: y - 26, anchor: 'middle' },
    { x: x - 9, y: y + 16, anchor: 'end' }, { x: x + 9, y: y + 16, anchor: 'start' }
  ]
}

function boxOf ({ x, y, anchor }: Place, text: string): Box {
  const wide = [...text].reduce((sum, character) => sum + widthOf(character), 0)
  const from = anchor === 'start' ? x : anchor === 'end' ? x - wide : x - wide / 2
  return { from, to: from + wide, high: y - lineHeight + 3, low: y + 3 }
}

const widthOf = (character: string) => character.codePointAt(0)! > 0x2e7f ? 13 : charWidth

function meets (a: Box, b: Box): boolean {
  return a.from < b.to && b.from < a.to && a.high < b.low && b.high < a.low
}
