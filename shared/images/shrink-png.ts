/** Makes a PNG no larger than a model or a page wants it. */
import { decode, encode } from 'fast-png'

export interface Size { width: number, height: number }

/** Width and height from the header (PNG §11.2.2); undefined for anything that is no PNG. */
export function pngSize (png: Uint8Array): Size | undefined {
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  if (png.length < 24 || signature.some((byte, at) => png[at] !== byte)) return undefined
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/**
 * The image with its longest side at most `sideMax` pixels, each new pixel the mean of those it
 * covers. Images of 16 bits or with a palette, and those small enough, come back as they are.
 */
export function shrinkPng (png: Uint8Array, sideMax: number): Uint8Array {
  const size = pngSize(png)
  if (size === undefined || Math.max(size.width, size.height) <= sideMax) return png
  const { width, height, data, channels, depth, palette } = decode(png)
  if (depth !== 8 || palette !== undefined || !(data instanceof Uint8Array)) return png
  const scale = sideMax / Math.max(width, height)
  const small = {
    width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale))
  }
  // Rows first, then columns: two passes over lines cost less than one over areas.
  const narrow = averageLines(data, {
    lines: height, from: width, to: small.width, step: channels, lineStep: width * channels, channels
  })
  const done = averageLines(narrow, {
    lines: small.width,
    from: height,
    to: small.height,
    step: small.width * channels,
    lineStep: channels,
    channels
  })
  return encode({ ...small, data: done, channels, depth: 8 })
}

interface Lines {
  lines: number
  /** Pixels of a line before and after. */
  from: number
  to: number
  /** Distance of neighbours within a line, and of the lines' first pixels, in the source. */
  step: number
  lineStep: number
  channels: number
}

/** Averages along lines; where lines were columns, they are columns again in the result. */
function averageLines (source: Uint8Array, shape: Lines): Uint8Array {
  const { lines, from, to, step, lineStep, channels } = shape
  const result = new Uint8Array(lines * to * channels)
  const isRow = step === channels
  for (let line = 0; line < lines; line++) {
    for (let pixel = 0; pixel < to; pixel++) {
      const start = Math.floor(pixel * from / to)
      const end = Math.max(start + 1, Math.floor((pixel + 1) * from / to))
      const target = (isRow ? line * to + pixel : pixel * lines + line) * channels
      for (let channel = 0; channel < channels; channel++) {
        let sum = 0
        for (let at = start; at < end; at++) sum += source[line * lineStep + at * step + channel]!
        result[target + channel] = Math.round(sum / (end - start))
      }
    }
  }
  return result
}
