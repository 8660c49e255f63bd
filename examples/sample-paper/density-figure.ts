/** Figure 4: a raster of how often estimate and standard error fall together, and its axes. */
import { encode } from 'fast-png'
import { tQuantile } from './intervals.ts'
import { axes, picture, polyline, text, toX, toY, type Frame } from './plot.ts'
import type { Results } from './results.ts'

/** From white through orange to a dark violet; lightness falls all the way. */
const ramp: [number, number, number][] = [
  [255, 255, 255], [254, 217, 142], [244, 135, 75], [196, 57, 107], [110, 20, 110], [30, 8, 60]
]
/** Pixels of the PNG to a side of a bin: a printer must not smooth the bins. */
const zoom = 8

const scaleBar = { width: 6, height: 100 }

function colourOf (share: number): [number, number, number] {
  const at = share * (ramp.length - 1)
  const lower = Math.min(ramp.length - 2, Math.floor(at))
  const [from, to] = [ramp[lower]!, ramp[lower + 1]!]
  const mix = (channel: 0 | 1 | 2) => Math.round(from[channel] + (to[channel] - from[channel]) * (at - lower))
  return [mix(0), mix(1), mix(2)]
}

interface Raster { columns: number, rows: number, zoom: number }

/** @param shares  0 to 1, row by row from the top */
function png (shares: readonly number[], { columns, rows, zoom: side }: Raster): Uint8Array {
  const [width, height] = [columns * side, rows * side]
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      data.set(colourOf(shares[Math.floor(y / side) * columns + Math.floor(x / side)]!), (y * width + x) * 3)
    }
  }
  return encode({ width, height, data, channels: 3, depth: 8 })
}

/** Highest count of a bin, where the colour scale ends. */
export function densestBin ({ density }: Results): number {
  return Math.max(...density.counts)
}

/** The root of the count, so that rare bins are seen, too. */
export function densityImage (results: Results): Uint8Array {
  const { counts, estimate, error } = results.density
  const most = densestBin(results)
  const rows = Array.from({ length: error.bins }, (_, row) =>
    counts.slice(row * estimate.bins, (row + 1) * estimate.bins))
  const shares = rows.toReversed().flat().map(count => Math.sqrt(count / most))
  return png(shares, { columns: estimate.bins, rows: error.bins, zoom })
}

export function scaleImage (): Uint8Array {
  const steps = scaleBar.height
  const shares = Array.from({ length: steps }, (_, row) => 1 - row / (steps - 1))
  return png(shares, { columns: 1, rows: steps, zoom: 4 })
}

/** Where the raster lies in the picture, in points; sample-paper.typ says the same. */
const area = { x: 34, y: 6, width: 160, height: 150 }

/** Axes and the two lines beyond which the t interval misses, without a background. */
export function densityAxes (results: Results): string {
  const { estimate, error, setting } = results.density
  const frame: Frame = {
    area,
    x: {
      ...estimate,
      ticks: [0.5, 0.6, 0.7, 0.8, 0.9],
      label: 'Estimated accuracy',
      text: tick => tick.toFixed(1)
    },
    y: {
      ...error,
      ticks: [0.01, 0.03, 0.05, 0.07, 0.09],
      label: 'Standard error',
      text: tick => tick.toFixed(2)
    }
  }
  const quantile = tQuantile(setting.papers - 1)
  const line = (side: 1 | -1): [number, number][] => {
    const edge = side === 1 ? estimate.high : estimate.low
    const high = Math.min(error.high, Math.abs(edge - setting.accuracy) / quantile)
    return [error.low, high].map(se => [toX(frame, setting.accuracy + side * quantile * se), toY(frame, se)])
  }
  const grid = /<path[^>]*stroke="#dddddd"[^>]*>\n?/g
  const barX = area.x + area.width + 10
  const barTop = area.y + 24
  return picture(236, 186, [
    axes(frame).replace(grid, ''),
    polyline(line(1), { width: 1, dash: '4 2' }), polyline(line(-1), { width: 1, dash: '4 2' }),
    text({ x: barX + 3, y: barTop - 6 }, 'Count', { size: 8 }),
    ...[0, 0.25, 0.5, 0.75, 1].map(share => text(
      { x: barX + scaleBar.width + 3, y: barTop + scaleBar.height * (1 - share) + 2.7 },
      String(Math.round(share * share * densestBin(results))), { anchor: 'start', size: 7.5 }))
  ])
}
