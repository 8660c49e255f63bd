/** The paper's vector figures, drawn from the results alone. Points of 1/72 inch. */
import type { Method } from './intervals.ts'
import {
  axes, legend, picture, polyline, segment, series, text, toX, toY,
  type Frame, type Point, type Scale, type Style
} from './plot.ts'
import type { Results } from './results.ts'
import type { Cell, Setting } from './simulate.ts'

const column = 236

const looks: Record<Method, Style> = {
  wilson: { colour: '#d55e00', dash: '', marker: 'circle' },
  bootstrap: { colour: '#0072b2', dash: '5 2', marker: 'square' },
  sandwich: { colour: '#009e73', dash: '1.5 1.5', marker: 'triangle' },
  t: { colour: '#222222', dash: '', marker: 'diamond' }
}
const names: Record<Method, string> = {
  wilson: 'Wilson', bootstrap: 'bootstrap', sandwich: 'sandwich', t: 't–CR2'
}
/** Of what is meant, not measured: the truth and the nominal level. */
const guide = { colour: '#888888', dash: '3 2' }
const tenths = (value: number) => value.toFixed(1)
const percent = (share: number) => String(Math.round(share * 100))

type Free = 'papers' | 'items'

/** The cells that differ from the base setting in `key` alone, and in what `change` says. */
function cellsAlong ({ plan, cells }: Results, key: Free, change: Partial<Setting> = {}): Cell[] {
  const wanted = { ...plan.base, ...change }
  const fixed = (['papers', 'icc', 'items', 'sizes', 'accuracy'] as const).filter(name => name !== key)
  return cells.filter(cell => fixed.every(name => cell[name] === wanted[name]))
    .toSorted((a, b) => a[key] - b[key])
}

/** 95 % of the time a share of `replicates` lies within ± this of its expectation. */
function simulationError (covered: number, replicates: number): number {
  return 1.96 * Math.sqrt(covered * (1 - covered) / replicates)
}

function coverage (results: Results, method: Method): (cell: Cell, x: number) => Point {
  return (cell, x) => {
    const { covered } = cell[method]
    return { x, y: covered, half: simulationError(covered, results.plan.replicates) }
  }
}

function nominal (frame: Frame, level: number): string {
  const { x, width } = frame.area
  return segment([x, toY(frame, level)], [x + width, toY(frame, level)], guide)
}

/** Figure 1: the first replicates with two of their intervals, side by side. */
export function replicatesFigure ({ first, plan }: Results): string {
  const parts: string[] = []
  const panels: [Method, number][] = [['wilson', 22], ['t', 135]]
  for (const [method, x] of panels) {
    const frame: Frame = {
      area: { x, y: 18, width: 96, height: 206 },
      x: { low: 0.35, high: 1, ticks: [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1], label: 'Accuracy', text: tenths },
      y: { low: 0, high: first.length + 1, ticks: [], label: '' }
    }
    parts.push(axes(frame))
    const truth = toX(frame, plan.base.accuracy)
    parts.push(segment([truth, frame.area.y], [truth, frame.area.y + frame.area.height], guide))
    const missed = first.filter(({ intervals }) => !holds(intervals[method], plan.base.accuracy)).length
    const heading = `(${method === 'wilson' ? 'a' : 'b'}) ${names[method]}: ${missed} missed`
    parts.push(text({ x: x + 48, y: 11 }, heading, { bold: true }))
    first.forEach(({ mean, intervals }, index) => {
      const { low, high } = intervals[method]
      const at = toY(frame, first.length - index)
      const colour = holds(intervals[method], plan.base.accuracy) ? '#5b7fa6' : '#d55e00'
      parts.push(segment([toX(frame, low), at], [toX(frame, high), at], { colour, width: 1.5 }))
      parts.push(`<circle cx="${toX(frame, mean).toFixed(2)}" cy="${at.toFixed(2)}" r="1.5" fill="${colour}"/>`)
    })
  }
  parts.push(text({ x: 12, y: 121 }, 'Replicate', { size: 8.5, turn: true }))
  return picture(column, 254, parts)
}

function holds ({ low, high }: { low: number, high: number }, truth: number): boolean {
  return low <= truth && truth <= high
}

const papersScale: Scale = { low: 4.4, high: 46, log: true, ticks: [5, 10, 20, 40], label: 'Number of papers' }

/** Figure 2: coverage of the four intervals against the number of papers. */
export function papersFigure (results: Results): string {
  const frame: Frame = {
    area: { x: 34, y: 20, width: 196, height: 150 },
    x: papersScale,
    y: { low: 0.7, high: 1, ticks: [0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1], label: 'Coverage (%)', text: percent }
  }
  const methods: Method[] = ['wilson', 'bootstrap', 'sandwich', 't']
  const lines = methods.map(method => {
    const points = cellsAlong(results, 'papers').map(cell => coverage(results, method)(cell, cell.papers))
    return series(frame, points, looks[method])
  })
  const named = methods.map(method => [names[method], looks[method]] as const)
  const top = legend({ x: 22, y: 8, step: 55 }, named)
  return picture(column, 200, [axes(frame), nominal(frame, 0.95), ...lines, top])
}

/** Figure 3: (a) coverage and (b) width of two intervals against the items of a paper. */
export function itemsFigure (results: Results): string {
  const x: Scale = { low: 4.2, high: 95, log: true, ticks: results.plan.items, label: 'Items per paper' }
  const left: Frame = {
    area: { x: 36, y: 30, width: 196, height: 130 },
    x,
    y: { low: 0.4, high: 1, ticks: [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1], label: 'Coverage (%)', text: percent }
  }
  const right: Frame = {
    area: { x: 288, y: 30, width: 196, height: 130 },
    x,
    y: { low: 0, high: 0.4, ticks: [0, 0.1, 0.2, 0.3, 0.4], label: 'Mean width (points)', text: percent }
  }
  const cells = cellsAlong(results, 'items')
  const both: Method[] = ['wilson', 't']
  const theory = results.theory.byItems.map(({ items, coverage: share }): [number, number] =>
    [toX(left, items), toY(left, share)])
  const covered = (method: Method) => cells.map(cell => coverage(results, method)(cell, cell.items))
  const widths = (method: Method) => cells.map(cell => ({ x: cell.items, y: cell[method].width }))
  const parts = [
    axes(left), nominal(left, 0.95), polyline(theory, { colour: '#d55e00', width: 1, dash: '2 2' }),
    ...both.map(method => series(left, covered(method), looks[method])),
    axes(right),
    ...both.map(method => series(right, widths(method), looks[method])),
    text({ x: 134, y: 22 }, '(a) Coverage', { bold: true }),
    text({ x: 386, y: 22 }, '(b) Mean width', { bold: true }),
    legend({ x: 152, y: 8, step: 62 }, [...both.map(method => [names[method], looks[method]] as const)]),
    polyline([[276, 8], [292, 8]], { colour: '#d55e00', width: 1, dash: '2 2' }),
    text({ x: 296, y: 10.7 }, 'Equation 5', { anchor: 'start' })
  ]
  return picture(490, 190, parts)
}

/** Figure 5: mean width of the t interval against the number of papers, for three correlations. */
export function widthsFigure (results: Results): string {
  const frame: Frame = {
    area: { x: 34, y: 20, width: 196, height: 140 },
    x: papersScale,
    y: { low: 0, high: 0.7, ticks: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], label: 'Mean width (points)', text: percent }
  }
  const styles: [number, Style][] = [
    [0.4, { colour: '#882255', dash: '', marker: 'square' }],
    [0.1, { colour: '#222222', dash: '5 2', marker: 'diamond' }],
    [0, { colour: '#44aa99', dash: '1.5 1.5', marker: 'circle' }]
  ]
  const lines = styles.map(([icc, style]) =>
    series(frame, cellsAlong(results, 'papers', { icc })
      .map(cell => ({ x: cell.papers, y: cell.t.width })), style))
  const top = legend({ x: 40, y: 8, step: 66 }, styles.map(([icc, style]) => [`ICC ${icc}`, style] as const))
  return picture(column, 190, [axes(frame), ...lines, top])
}
