/**
 * Pictures of archives and web pages as PNG. What a picture is, is read from its bytes. Every one
 * is decoded and encoded anew: equal pixels give equal bytes, and nothing else that a file carries
 * (metadata, other files behind the picture) is kept.
 *
 * All but GIF and PNG with alpha are drawn by PDFium, whose memory is capped.
 */
import { inflateSync } from 'node:zlib'
import { decode, type DecodedPng } from 'fast-png'
import { GifReader } from 'omggif'
import type { Pixels } from '../domain/page-glyphs.ts'
import { drawFirstPage } from '../engine/pdfium.ts'
import { encodePng } from '../engine/png.ts'
import { jpegAsPdf, jpegSize, pngAsPdf, pngLayout, type PngLayout } from './image-pdf.ts'
import { scaledDown } from './scale.ts'

export interface Picture { png: Uint8Array, width: number, height: number }

export type ImageKind = 'png' | 'jpeg' | 'gif' | 'pdf'

/** Pixels of the picture as it comes. */
export const pixelsMax = 40_000_000
/** Of samples decoded in our own memory, so that a picture and its copies fit a parser process. */
const sampleBytesMax = 50_000_000
/** As crops of PDF pages have it. */
const sideMax = 2_000
const dpi = 200
const wasmBytesMax = 256 * 2 ** 20

export function imageKind (bytes: Uint8Array): ImageKind | undefined {
  const start = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1')
  if (start.startsWith('\x89PNG\r\n\x1A\n')) return 'png'
  if (start.startsWith('\xFF\xD8\xFF')) return 'jpeg'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif'
  return start.includes('%PDF-') ? 'pdf' : undefined
}

/**
 * The picture on white, the longest side lowered to 2,000 pixels; of a PDF its first page at
 * 200 dpi, of an animation its first frame.
 *
 * @returns undefined for what cannot be read, is of another kind or has more than 40 Mpx
 */
export async function toPng (bytes: Uint8Array): Promise<Picture | undefined> {
  try {
    const pixels = await pixelsOf(bytes)
    if (pixels === undefined) return undefined
    const { width, height, data } = scaledDown(pixels, sideMax)
    return { png: encodePng({ width, height, data }), width, height }
  } catch {
    // Whatever a decoder stumbles over, the picture is not readable; the paper is.
    return undefined
  }
}

async function pixelsOf (bytes: Uint8Array): Promise<Pixels | undefined> {
  switch (imageKind(bytes)) {
    case 'png': return await pngPixels(bytes)
    case 'gif': return gifPixels(bytes)
    case 'jpeg': {
      const size = jpegSize(bytes)
      if (size === undefined || size.width * size.height > pixelsMax) return undefined
      return await pdfPixels(jpegAsPdf(bytes, size), 72)
    }
    case 'pdf': return await pdfPixels(bytes, dpi)
    default: return undefined
  }
}

async function pdfPixels (bytes: Uint8Array, wantedDpi: number): Promise<Pixels> {
  return await drawFirstPage(bytes, { pagesMax: 1, wasmBytesMax },
    (width, height) => Math.min(wantedDpi, sideMax * 72 / Math.max(width, height, 1)))
}

/**
 * What PDF can hold is drawn by PDFium; the rest (alpha, interlaced) is decoded here and so may be
 * smaller only.
 */
async function pngPixels (bytes: Uint8Array): Promise<Pixels | undefined> {
  const layout = pngLayout(bytes)
  if (layout === undefined || layout.width * layout.height > pixelsMax) return undefined
  const { colorType, interlaced, hasTransparency } = layout
  if ([0, 2, 3].includes(colorType) && !interlaced && !hasTransparency) {
    return await pdfPixels(pngAsPdf(layout), 72)
  }
  const bare = bareChunks(bytes, layout)
  if (bare === undefined) return undefined
  const png = decode(bare)
  return onWhite(rgbaOf(png), png.width, png.height)
}

/** The PNG with its pixels alone, if they inflate to what its size promises: the decoder asks neither. */
function bareChunks (bytes: Uint8Array, layout: PngLayout): Uint8Array | undefined {
  const { width, height, depth, colorType, data } = layout
  const channels = [1, 0, 3, 1, 2, 0, 4][colorType] ?? 0
  // A filter byte a row; interlacing has up to seven passes.
  const raw = Math.ceil(width * channels * depth / 8) * height + 7 * (height + width)
  if (channels === 0 || raw > sampleBytesMax) return undefined
  inflateSync(Buffer.concat(data), { maxOutputLength: raw + 65_536 })
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept: Uint8Array[] = [view.subarray(0, 8)]
  for (let at = 8; at + 12 <= view.length;) {
    const end = at + 12 + view.readUInt32BE(at)
    if (['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'].includes(view.toString('latin1', at + 4, at + 8))) {
      kept.push(view.subarray(at, end))
    }
    at = end
  }
  return Buffer.concat(kept)
}

/** Four bytes a pixel. */
function rgbaOf ({ width, height, data, channels, depth, palette, transparency }: DecodedPng): Uint8Array {
  if (channels === 4 && depth === 8) return data as Uint8Array
  const rgba = new Uint8Array(width * height * 4)
  const shift = depth === 16 ? 8 : 0
  // Samples of one, two and four bits are spread over 0 to 255.
  const stretch = depth < 8 ? 255 / (2 ** depth - 1) : 1
  const clear = transparency ?? []
  for (let at = 0; at < width * height; at++) {
    const from = at * channels
    const to = at * 4
    if (palette !== undefined) {
      const [red = 0, green = 0, blue = 0, alpha = 255] = palette[data[from]!] ?? []
      rgba[to] = red
      rgba[to + 1] = green
      rgba[to + 2] = blue
      rgba[to + 3] = alpha
      continue
    }
    const grey = channels <= 2
    rgba[to] = (data[from]! >> shift) * stretch
    rgba[to + 1] = (data[grey ? from : from + 1]! >> shift) * stretch
    rgba[to + 2] = (data[grey ? from : from + 2]! >> shift) * stretch
    const isClear = clear.length > 0 && data[from] === clear[0] &&
      (grey || (data[from + 1] === clear[1] && data[from + 2] === clear[2]))
    rgba[to + 3] = channels % 2 === 0 ? data[from + channels - 1]! >> shift : isClear ? 0 : 255
  }
  return rgba
}

function onWhite (rgba: Uint8Array, width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 3)
  for (let from = 0, to = 0; to < data.length; from += 4, to += 3) {
    const alpha = rgba[from + 3]!
    for (let part = 0; part < 3; part++) {
      const value = rgba[from + part]!
      data[to + part] = alpha === 255 ? value : 255 - Math.round((255 - value) * alpha / 255)
    }
  }
  return { width, height, data }
}

function gifPixels (bytes: Uint8Array): Pixels | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.readUInt16LE(6) * view.readUInt16LE(8) > sampleBytesMax / 4) return undefined
  const gif = new GifReader(view)
  const { width, height } = gif
  const frame = gif.frameInfo(0)
  if (width * height === 0 || frame.width * frame.height > sampleBytesMax / 4) return undefined
  const rgba = new Uint8Array(width * height * 4)
  gif.decodeAndBlitFrameRGBA(0, rgba)
  return onWhite(rgba, width, height)
}
