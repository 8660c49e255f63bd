/** The little that the figures need of a plotting library: axes, lines, error bars, as SVG text. */

export interface Scale {
  low: number
  high: number
  log?: boolean
  ticks: readonly number[]
  label: string
  text?: (tick: number) => string
}
/** Place of the plotting area in the picture, in points. */
export interface Area { x: number, y: number, width: number, height: number }
export interface Frame { area: Area, x: Scale, y: Scale }

const ink = '#222222'
const grid = '#dddddd'

export interface Style { colour: string, dash: string, marker: 'circle' | 'square' | 'triangle' | 'diamond' }
export interface Point { x: number, y: number, half?: number }

/** Two decimals: enough for a printer, and free of the last bits of a double. */
export function fix (value: number): string {
  return (Math.round(value * 100) / 100).toString()
}

function share ({ low, high, log }: Scale, value: number): number {
  return log === true
    ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))
    : (value - low) / (high - low)
}

export function toX ({ area, x }: Frame, value: number): number {
  return area.x + share(x, value) * area.width
}

export function toY ({ area, y }: Frame, value: number): number {
  return area.y + area.height - share(y, value) * area.height
}

export interface TextStyle {
  anchor?: 'start' | 'middle' | 'end'
  size?: number
  colour?: string
  turn?: boolean
  bold?: boolean
}

export function text (at: { x: number, y: number }, words: string, style: TextStyle = {}): string {
  const { anchor = 'middle', size = 8, colour = ink, turn = false, bold = false } = style
  const place = `x="${fix(at.x)}" y="${fix(at.y)}"`
  const turned = turn ? ` transform="rotate(-90 ${fix(at.x)} ${fix(at.y)})"` : ''
  const weight = bold ? ' font-weight="bold"' : ''
  return `<text ${place} font-size="${size}" text-anchor="${anchor}" fill="${colour}"${weight}${turned}>${words}</text>`
}

export interface Stroke { colour?: string, width?: number, dash?: string }

export function segment (from: [number, number], to: [number, number], stroke: Stroke = {}): string {
  return polyline([from, to], stroke)
}

export function polyline (points: readonly [number, number][], stroke: Stroke = {}): string {
  const { colour = ink, width = 0.8, dash = '' } = stroke
  const path = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${fix(x)} ${fix(y)}`).join('')
  const dashes = dash === '' ? '' : ` stroke-dasharray="${dash}"`
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${width}"${dashes}/>`
}

/** Grid, ticks, labels and the two axes. */
export function axes (frame: Frame): string {
  const { area, x, y } = frame
  const bottom = area.y + area.height
  const parts: string[] = []
  for (const tick of y.ticks) {
    const at = toY(frame, tick)
    parts.push(segment([area.x, at], [area.x + area.width, at], { colour: grid, width: 0.5 }))
    parts.push(text({ x: area.x - 4, y: at + 2.7 }, (y.text ?? String)(tick), { anchor: 'end' }))
  }
  for (const tick of x.ticks) {
    const at = toX(frame, tick)
    parts.push(segment([at, bottom], [at, bottom + 3], { width: 0.6 }))
    parts.push(text({ x: at, y: bottom + 11.5 }, (x.text ?? String)(tick)))
  }
  parts.push(polyline([[area.x, area.y], [area.x, bottom], [area.x + area.width, bottom]], { width: 0.6 }))
  parts.push(text({ x: area.x + area.width / 2, y: bottom + 23 }, x.label, { size: 8.5 }))
  parts.push(text({ x: area.x - 25, y: area.y + area.height / 2 }, y.label, { size: 8.5, turn: true }))
  return parts.join('\n')
}

export function marker ([x, y]: [number, number], { colour, marker: shape }: Style): string {
  const around = (points: [number, number][]) =>
    `<polygon points="${points.map(([dx, dy]) => `${fix(x + dx)},${fix(y + dy)}`).join(' ')}" fill="${colour}"/>`
  if (shape === 'square') return around([[-2, -2], [2, -2], [2, 2], [-2, 2]])
  if (shape === 'triangle') return around([[0, -2.7], [2.5, 1.9], [-2.5, 1.9]])
  if (shape === 'diamond') return around([[0, -2.9], [2.5, 0], [0, 2.9], [-2.5, 0]])
  return `<circle cx="${fix(x)}" cy="${fix(y)}" r="2.2" fill="${colour}"/>`
}

/** A line through points with error bars of ± `half`. */
export function series (frame: Frame, points: readonly Point[], style: Style): string {
  const { colour, dash } = style
  const places = points.map(({ x, y }): [number, number] => [toX(frame, x), toY(frame, y)])
  const bars = points.flatMap(({ x, y, half }) => {
    if (half === undefined) return []
    const at = toX(frame, x)
    const [top, bottom] = [toY(frame, y + half), toY(frame, y - half)]
    const stroke = { colour, width: 0.7 }
    return [segment([at, top], [at, bottom], stroke),
      segment([at - 1.8, top], [at + 1.8, top], stroke),
      segment([at - 1.8, bottom], [at + 1.8, bottom], stroke)]
  })
  const markers = places.map(place => marker(place, style))
  return [polyline(places, { colour, width: 1.1, dash }), ...bars, ...markers].join('\n')
}

interface Row { x: number, y: number, step: number }

/** One row of line samples with their names, from `at` to the right, `step` points apart. */
export function legend (at: Row, entries: readonly (readonly [string, Style])[]): string {
  return entries.map(([name, style], index) => {
    const x = at.x + index * at.step
    return [polyline([[x, at.y], [x + 16, at.y]], { colour: style.colour, width: 1.1, dash: style.dash }),
      marker([x + 8, at.y], style), text({ x: x + 20, y: at.y + 2.7 }, name, { anchor: 'start' })].join('\n')
  }).join('\n')
}

export function picture (width: number, height: number, parts: readonly string[]): string {
  const size = `width="${width}pt" height="${height}pt" viewBox="0 0 ${width} ${height}"`
  const open = `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="Libertinus Serif">`
  return `${open}\n${parts.join('\n')}\n</svg>\n`
}
