/** Wind barbs and station models, as the WMO draws them (northern hemisphere). */
import { area, black, circle, line, words, type Mark, type Point } from './marks.ts'

export interface Wind { from: number, knots: number }

interface BarbLook { size?: number, colour?: string, width?: number }

/**
 * A staff from the station towards where the wind comes from; feathers lie clockwise of it: a pennant is
 * 50 kt, a long one 10 kt, a short one 5 kt. Calm is a ring.
 */
export function barb (at: Point, { from, knots }: Wind, look: BarbLook = {}): Mark[] {
  const { size = 46, colour = black, width = 1.6 } = look
  const ink = { stroke: colour, width }
  if (knots < 3) return [circle(at, size / 7, ink)]
  const angle = from * Math.PI / 180
  const along = (share: number): Point =>
    [at[0] + size * share * Math.sin(angle), at[1] - size * share * Math.cos(angle)]
  // To the right of a wind that comes along the staff, seen from its far end: clockwise of `from`.
  const feather = (share: number, length: number, lean = 0.12): Point => {
    const [x, y] = along(share + lean * length / 0.42)
    return [x + size * length * Math.cos(angle), y + size * length * Math.sin(angle)]
  }
  const marks: Mark[] = [line([at, along(1)], ink)]
  const rounded = Math.round(knots / 5) * 5
  let share = 1
  for (let left = rounded; left >= 50; left -= 50) {
    const pennant = [along(share), feather(share - 0.1, 0.42, 0), along(share - 0.2)]
    marks.push(area(pennant, { fill: colour, stroke: colour, width: 0.5 }))
    share -= 0.3
  }
  const rest = rounded % 50
  for (let left = rest; left >= 10; left -= 10) {
    marks.push(line([along(share), feather(share, 0.42)], ink))
    share -= 0.16
  }
  if (rest % 10 === 5) {
    // Alone, a short feather stands off the end, so that it is not taken for a long one.
    if (rounded === 5) share -= 0.16
    marks.push(line([along(share), feather(share, 0.22)], ink))
  }
  return marks
}

export interface Station {
  wind: Wind
  temperature: number
  dewPoint: number
  /** hPa; the last three digits of tenths are shown. */
  pressure: number
  /** Eighths of the sky, 0 to 8. */
  okta: 0 | 2 | 4 | 6 | 8
  rain?: boolean
}

/** @param scale  1 has a circle of 9 pixels radius */
export function stationModel (at: Point, station: Station, scale = 1): Mark[] {
  const [x, y] = at
  const radius = 9 * scale
  const digits = String(Math.round(station.pressure * 10) % 1000).padStart(3, '0')
  const size = 16 * scale
  const share = station.okta / 8
  const wedge = Array.from({ length: 33 }, (_, step): Point => {
    const angle = 2 * Math.PI * share * step / 32
    return [x + radius * Math.sin(angle), y - radius * Math.cos(angle)]
  })
  const drops: Point[] = [[x - 23 * scale, y + 1 * scale], [x - 33 * scale, y + 1 * scale]]
  return [
    ...barb(at, station.wind, { size: 58 * scale, width: 1.6 * Math.sqrt(scale) }),
    circle(at, radius, { fill: '#ffffff', stroke: black, width: 1.6 }),
    ...share > 0 ? [area([at, ...wedge], { fill: black })] : [],
    words(String(station.temperature), [x - 27 * scale, y - 12 * scale], { size }),
    words(String(station.dewPoint), [x - 27 * scale, y + 25 * scale], { size }),
    words(digits, [x + 34 * scale, y - 12 * scale], { size }),
    ...station.rain === true ? drops.map(drop => circle(drop, 3.2 * scale, { fill: black })) : []
  ]
}
