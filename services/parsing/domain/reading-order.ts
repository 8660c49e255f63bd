/**
 * The order in which the text of a page is read. The content stream is the prior: producers write
 * what they set, mostly in order. Geometry is the check: a stream that jumps upwards inside a
 * column was not written in order, and the page is then read band by band, column by column.
 */
import type { Line } from './line.ts'

/** Upward jumps, as a share of the lines, up to which the content stream is believed. */
const jumpsMax = 0.02

/** @param lines running text of one page; floats, notes and running heads are left out before */
export function orderLines (lines: readonly Line[]): Line[] {
  const streamed = [...lines].sort((a, b) => a.order - b.order)
  const limit = Math.max(0, Math.floor(jumpsMax * lines.length))
  return countJumps(streamed) <= limit ? streamed : orderByGeometry(lines)
}

function countJumps (lines: readonly Line[]): number {
  let jumps = 0
  for (let i = 1; i < lines.length; i++) {
    const from = lines[i - 1]!
    const to = lines[i]!
    const up = to.baseline < from.baseline - 0.6 * Math.max(from.size, to.size)
    if (!up) continue
    const onwards = to.column > from.column && from.column !== -1
    if (!onwards) jumps++
  }
  return jumps
}

/** Lines over a gutter part the page into bands; each band is read column by column. */
export function orderByGeometry (lines: readonly Line[]): Line[] {
  const sorted = [...lines].sort((a, b) => a.baseline - b.baseline || a.box[0] - b.box[0])
  const ordered: Line[] = []
  let band: Line[] = []
  for (const line of sorted) {
    if (line.column !== -1) {
      band.push(line)
      continue
    }
    ordered.push(...readBand(band), line)
    band = []
  }
  return [...ordered, ...readBand(band)]
}

function readBand (band: readonly Line[]): Line[] {
  return [...band].sort((a, b) => a.column - b.column || a.baseline - b.baseline || a.box[0] - b.box[0])
}
