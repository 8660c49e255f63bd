/** A weather map: land, isobars of a made field, fronts, centres of highs and lows. */
import { contour } from './contour.ts'
import { land } from './coast.ts'
import { area, black, blue, circle, grey, line, pieces, rectangle, red, smooth, words, type Chart, type Mark, type Point } from './marks.ts'

/** Pixels, and degrees. */
export interface MapFrame {
  width: number
  height: number
  west: number
  south: number
  east: number
  north: number
}

export type Project = (place: Point) => Point

/** Degrees [longitude, latitude] to pixels: equirectangular. */
export function projection ({ width, height, west, south, east, north }: MapFrame): Project {
  return ([longitude, latitude]) =>
    [(longitude - west) / (east - west) * width, (north - latitude) / (north - south) * height]
}

export type MapField = (place: Point) => number

export interface Centre { at: Point, anomaly: number, /** Degrees. */ radius: number, stretch?: number }

/** A background and bells: pressure or height at a place. */
export function bells (background: MapField, centres: readonly Centre[]): MapField {
  return place => centres.reduce((sum, { at, anomaly, radius, stretch = 1 }) => {
    const east = (place[0] - at[0]) * 0.8 / stretch
    const north = place[1] - at[1]
    return sum + anomaly * Math.exp(-(east ** 2 + north ** 2) / (2 * radius ** 2))
  }, background(place))
}

export function landMarks (project: Project): Mark[] {
  return land.map(outline => area(outline.map(project), { fill: '#ddeecc', stroke: '#889977', width: 1 }))
}

export interface Isolines {
  field: MapField
  levels: readonly number[]
  /** Longitudes at which labels sit. */
  labelsAt: readonly number[]
  colour?: string
}

export function isolines (frame: MapFrame, { field, levels, labelsAt, colour = '#4a4a4a' }: Isolines): Mark[] {
  const project = projection(frame)
  const back = ([x, y]: Point): Point => [
    frame.west + x / frame.width * (frame.east - frame.west),
    frame.north - y / frame.height * (frame.north - frame.south)
  ]
  const grid = { x: 0, y: 0, width: frame.width, height: frame.height, step: 8 }
  const lines = levels.map(level =>
    pieces(contour((x, y) => field(back([x, y])), level, grid), { stroke: colour, width: 1.3 }))
  const labels = labelsAt.flatMap(longitude => crossings(field, levels, { longitude, frame }))
    .flatMap(({ place, level }) => label(project(place), String(level), colour))
  return [...lines, ...labels]
}

function label ([x, y]: Point, text: string, colour: string): Mark[] {
  const width = 8 * text.length + 4
  return [
    rectangle([x - width / 2, y - 8], [width, 16], { fill: '#ffffff' }),
    words(text, [x, y + 5], { size: 13, colour })
  ]
}

function crossings (
  field: MapField, levels: readonly number[], { longitude, frame }: { longitude: number, frame: MapFrame }
) {
  const found: Array<{ place: Point, level: number }> = []
  const step = 0.1
  for (let latitude = frame.south + 1.5; latitude < frame.north - 1.5; latitude += step) {
    const [a, b] = [field([longitude, latitude]), field([longitude, latitude + step])]
    for (const level of levels) {
      if ((a < level) !== (b < level)) found.push({ place: [longitude, latitude + step / 2], level })
    }
  }
  return found
}

export type FrontKind = 'cold' | 'warm' | 'stationary'

/** Symbols lie to the left of the way along the points. A stationary front has warm ones to the right. */
export function front (points: readonly Point[], kind: FrontKind, every = 42): Mark[] {
  const way = smooth(points)
  const marks: Mark[] = [line(way, { stroke: kind === 'warm' ? red : blue, width: 3 })]
  let walked = every / 2
  let count = 0
  for (let at = 1; at < way.length; at++) {
    const [from, to] = [way[at - 1]!, way[at]!]
    walked += Math.hypot(to[0] - from[0], to[1] - from[1])
    if (walked < every) continue
    walked = 0
    const warm = kind === 'warm' || (kind === 'stationary' && count++ % 2 === 1)
    const side = kind === 'stationary' && warm ? -1 : 1
    marks.push(symbol(to, { angle: Math.atan2(to[1] - from[1], to[0] - from[0]), warm, side }))
  }
  return marks
}

function symbol (at: Point, { angle, warm, side }: { angle: number, warm: boolean, side: 1 | -1 }): Mark {
  const radius = 9
  const turned = (along: number, across: number): Point => [
    at[0] + along * Math.cos(angle) + side * across * Math.sin(angle),
    at[1] + along * Math.sin(angle) - side * across * Math.cos(angle)
  ]
  if (!warm) return area([turned(-radius, 0), turned(0, 1.6 * radius), turned(radius, 0)], { fill: blue })
  const arc = Array.from({ length: 17 }, (_, step): Point =>
    turned(-radius * Math.cos(Math.PI * step / 16), radius * Math.sin(Math.PI * step / 16)))
  return area(arc, { fill: red })
}

export function centreMark ([x, y]: Point, kind: 'H' | 'L', pressure?: number): Mark[] {
  const colour = kind === 'H' ? blue : red
  return [
    words(kind, [x, y + 10], { size: 30, bold: true, colour }),
    ...pressure === undefined ? [] : [words(String(pressure), [x, y + 27], { size: 14, bold: true, colour })]
  ]
}

/** A named place: a dot with a letter in a box. */
export function placeMark ([x, y]: Point, letter: string): Mark[] {
  return [
    circle([x, y], 4.5, { fill: black }),
    rectangle([x + 8, y - 21], [19, 20], { fill: '#ffffff', stroke: black, width: 1.2 }),
    words(letter, [x + 17.5, y - 5.5], { size: 16, bold: true })
  ]
}

export function title (text: string, width: number): Mark[] {
  return [
    rectangle([0, 0], [width, 26], { fill: '#ffffff', stroke: grey, width: 1 }),
    words(text, [10, 18], { size: 15, anchor: 'start' })
  ]
}

export function framed (frame: MapFrame, marks: readonly Mark[]): Chart {
  const { width, height } = frame
  return {
    width,
    height,
    marks: [
      { clip: { x: 0, y: 0, width, height }, marks: [rectangle([0, 0], [width, height], { fill: '#eef6ff' }), ...marks] },
      rectangle([0.75, 0.75], [width - 1.5, height - 1.5], { stroke: grey, width: 1.5 })
    ]
  }
}
