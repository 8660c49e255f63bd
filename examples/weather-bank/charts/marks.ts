/** What a chart is made of: paths and words at places in pixels, origin top left. Plain data. */

export type Point = readonly [x: number, y: number]

export interface Ink {
  stroke?: string
  fill?: string
  width?: number
  dash?: readonly number[]
}

export type Mark =
  | { path: string, ink: Ink }
  | { words: string, at: Point } & Required<Lettering>
  | { clip: { x: number, y: number, width: number, height: number }, marks: readonly Mark[] }

export interface Chart { width: number, height: number, marks: readonly Mark[] }

export const black = '#1a1a1a'
export const grey = '#8c8c8c'
export const red = '#c8281e'
export const blue = '#1f56b4'
export const green = '#1e7d3c'

/** A tenth of a pixel is finer than any eye, and free of the last bits of a double. */
function fix (value: number): string {
  return (Math.round(value * 10) / 10).toString()
}

export function line (points: readonly Point[], ink: Ink = {}): Mark {
  const path = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${fix(x)} ${fix(y)}`).join(' ')
  return { path, ink: { stroke: black, width: 1.5, ...ink } }
}

export function area (points: readonly Point[], ink: Ink): Mark {
  const path = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${fix(x)} ${fix(y)}`).join(' ')
  return { path: `${path} Z`, ink }
}

/** Many short pieces in one path, as contours come. */
export function pieces (ends: ReadonlyArray<readonly [Point, Point]>, ink: Ink): Mark {
  const path = ends.map(([a, b]) => `M${fix(a[0])} ${fix(a[1])} L${fix(b[0])} ${fix(b[1])}`).join(' ')
  return { path, ink }
}

export function circle (centre: Point, radius: number, ink: Ink): Mark {
  return ellipse(centre, [radius, radius], ink)
}

export function ellipse (centre: Point, radii: Point, ink: Ink): Mark {
  const steps = 48
  const points = Array.from({ length: steps }, (_, step): Point => {
    const angle = 2 * Math.PI * step / steps
    return [centre[0] + radii[0] * Math.cos(angle), centre[1] + radii[1] * Math.sin(angle)]
  })
  return area(points, ink)
}

export function rectangle (from: Point, size: Point, ink: Ink): Mark {
  const [x, y] = from
  const [width, height] = size
  return area([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], ink)
}

export interface Lettering {
  size?: number
  colour?: string
  bold?: boolean
  anchor?: 'start' | 'middle' | 'end'
  /** Degrees, counterclockwise. */
  turn?: number
}

/** Latin letters, digits and signs of Windows-1252. `at` is the base line's start, middle or end. */
export function words (text: string, at: Point, lettering: Lettering = {}): Mark {
  const { size = 15, colour = black, bold = false, anchor = 'middle', turn = 0 } = lettering
  return { words: text, at, size, colour, bold, anchor, turn }
}

/** A line that ends in a solid head. */
export function arrow (from: Point, to: Point, ink: Ink = {}): Mark[] {
  const colour = ink.stroke ?? black
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0])
  const head = 6 + 2 * (ink.width ?? 2)
  const wing = (turn: number): Point =>
    [to[0] - head * Math.cos(angle + turn), to[1] - head * Math.sin(angle + turn)]
  const neck: Point = [to[0] - head * 0.8 * Math.cos(angle), to[1] - head * 0.8 * Math.sin(angle)]
  return [line([from, neck], { width: 2, ...ink }), area([to, wing(0.45), wing(-0.45)], { fill: colour })]
}

/** A curve through all points (centripetal enough for evenly spread ones). */
export function smooth (points: readonly Point[], perPiece = 12): Point[] {
  const found: Point[] = []
  for (let at = 0; at + 1 < points.length; at++) {
    const [p0, p1] = [points[Math.max(0, at - 1)]!, points[at]!]
    const [p2, p3] = [points[at + 1]!, points[Math.min(points.length - 1, at + 2)]!]
    for (let step = 0; step < perPiece; step++) {
      const t = step / perPiece
      const mix = (axis: 0 | 1) => 0.5 * (2 * p1[axis] + (p2[axis] - p0[axis]) * t +
        (2 * p0[axis] - 5 * p1[axis] + 4 * p2[axis] - p3[axis]) * t ** 2 +
        (3 * p1[axis] - p0[axis] - 3 * p2[axis] + p3[axis]) * t ** 3)
      found.push([mix(0), mix(1)])
    }
  }
  return [...found, points.at(-1)!]
}
