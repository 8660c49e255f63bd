/** What plots share: places on an axis, ticks, and labels that keep off each other. */
import { nice, ticks as ticksOf } from 'd3-array'
import { html, type Markup } from './html.ts'

/** A place on an axis as a percentage of the width; what lies outside is drawn at its end. */
export function percent (share: number): string {
  return `${(100 * Math.min(1, Math.max(0, share))).toFixed(3)}%`
}

export interface Scale {
  low: number
  high: number
  /** Where the axis begins and ends, as shares of the width or height. */
  from: number
  to: number
}

export function placeOn ({ low, high, from, to }: Scale, value: number): number {
  const share = high === low ? 0.5 : (Math.min(high, Math.max(low, value)) - low) / (high - low)
  return from + share * (to - from)
}

export interface ScaleOptions {
  from?: number
  to?: number
  /** What no value can leave. */
  limits?: readonly [low: number, high: number]
}

/** Ends on round numbers, a little beyond the values; never empty. */
export function scaleOf (
  values: readonly number[], { from = 0, to = 1, limits = [-Infinity, Infinity] }: ScaleOptions = {}
): Scale {
  const least = values.length === 0 ? 0 : Math.min(...values)
  const most = values.length === 0 ? 1 : Math.max(...values)
  const pad = most - least < 1e-9 ? 0.05 : 0.02 * (most - least)
  const [low, high] = nice(least - pad, most + pad, 5)
  return { low: Math.max(limits[0], low), high: Math.min(limits[1], high), from, to }
}

export function ticksIn ({ low, high }: Scale, count = 5): number[] {
  return ticksOf(low, high, count)
}

interface AxisOptions {
  height: number
  say: (tick: number) => string
}

/** Vertical grid lines with their numbers below. */
export function axisBelow (scale: Scale, { height, say }: AxisOptions): Markup {
  const ticks = ticksIn(scale, 4)
  return html`${ticks.map(tick => {
    const at = placeOn(scale, tick)
    const anchor = at < 0.05 ? 'start' : at > 0.95 ? 'end' : 'middle'
    return html`<line class="grid" x1="${percent(at)}" x2="${percent(at)}" y1="0" y2="${height}"/><text class="tick" x="${percent(at)}" y="${height + 18}" text-anchor="${anchor}">${say(tick)}</text>`
  })}`
}

/** Horizontal grid lines with their numbers on them, for a scale in pixels from the top. */
export function axisLeft (scale: Scale, say: (tick: number) => string): Markup {
  return html`${ticksIn(scale, 5).map(tick => {
    const y = round(placeOn(scale, tick))
    return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/><text class="tick" x="0" y="${y - 3}">${say(tick)}</text>`
  })}`
}

export function round (value: number): number {
  return Math.round(value * 100) / 100
}

export interface Room { gap: number, low: number, high: number }

/**
 * Heights for labels that want to stand at certain ones, so far apart at least: in the same order,
 * pushed down and then back up where the end is reached.
 */
export function spread (wanted: readonly number[], { gap, low, high }: Room): number[] {
  const order = [...wanted.keys()].sort((a, b) => wanted[a]! - wanted[b]! || a - b)
  const found = [...wanted]
  let reached = low
  for (const at of order) {
    found[at] = Math.max(reached, wanted[at]!)
    reached = found[at]! + gap
  }
  let room = high
  for (const at of order.toReversed()) {
    found[at] = Math.min(room, found[at]!)
    room = found[at]! - gap
  }
  return found
}

export interface Numbered { name: string, label: string, said: string }

/** Numbered names, one a line: what a point's number stands for. */
export function numberedList (names: readonly Numbered[], top: number): Markup {
  return html`${names.map(({ name, label, said }, at) => html`<text class="value" x="0" y="${top + at * listRow}"><tspan class="name">${at + 1}</tspan> ${label.replace(/^\d+\. /, '')} <tspan class="soft-text">${said}</tspan><title>${name}</title></text>`)}`
}

export const listRow = 18

const percentTicks = (tick: number) => `${Math.round(tick * 100)} %`

/** Numbers of an axis of this metric. */
export function sayOf (metric: string): (tick: number) => string {
  return metric === 'accuracy' ? percentTicks : tick => String(round(tick)).replace('-', '−')
}

export interface Whisker { low: number, high: number }

/** A horizontal interval with its ends. */
export function whisker (scale: Scale, { low, high }: Whisker, y: number): Markup {
  const [x1, x2] = [percent(placeOn(scale, low)), percent(placeOn(scale, high))]
  return html`<line class="interval" x1="${x1}" x2="${x2}" y1="${y}" y2="${y}"/>${[x1, x2].map(x => html`<line class="interval" x1="${x}" x2="${x}" y1="${y - 5}" y2="${y + 5}"/>`)}`
}
