/** What code can tell of an image: its type, whether it is whole, and whether there is anything on it. */
import { inflateSync } from 'node:zlib'
import { decode } from 'fast-png'
import { GifReader } from 'omggif'
import { imageHeader, type ImageHeader } from '../../../../shared/images/image-header.ts'
import { limits } from '../domain/limits.ts'
import type { Fault } from './images.ts'

export interface Inspected {
  /** Absent for what is not kept. */
  mediaType?: string
  faults: Fault[]
}

/** Larger ones are not decoded to see whether they are blank. */
const decodedPixelsMax = 20_000_000
const decodedBytesMax = 100_000_000

export function inspectImage (bytes: Buffer): Inspected {
  const header = imageHeader((start, end) => bytes.subarray(start, end), bytes.byteLength)
  if (header === 'truncated') return refused('image-truncated', 'The image ends before its end; get the whole file.')
  if (header === 'not-an-image') return refused(...notAnImage(bytes))
  const { format, width, height } = header
  if (format === 'bmp') return refused('image-type', 'The image is BMP; PNG, JPEG, GIF and WebP are taken.')
  if (width * height > limits.imagePixels) return refused('image-too-large', `The image has ${width} × ${height} pixels, at most ${limits.imagePixels / 1e6} million are taken.`)
  const blank = isBlank(bytes, header)
  if (blank === 'undecodable') return refused('image-undecodable', `The image begins like ${format.toUpperCase()} and cannot be decoded.`)
  const faults: Fault[] = []
  if (Math.min(width, height) < limits.imageSideMin) faults.push({ code: 'image-tiny', detail: `The image has ${width} × ${height} pixels.` })
  if (blank) faults.push({ code: 'image-blank', detail: 'All pixels of the image are of one colour.' })
  return { mediaType: `image/${format}`, faults }
}

function refused (code: string, detail: string): Inspected {
  return { faults: [{ code, detail }] }
}

function notAnImage (bytes: Buffer): [string, string] {
  if (bytes.byteLength === 0) return ['image-undecodable', 'The image has no bytes.']
  const start = bytes.toString('latin1', 0, 512).trimStart().toLowerCase()
  if (start.startsWith('<') || start.startsWith('\u00EF\u00BB\u00BF<')) return ['image-type', 'The image is SVG, HTML or XML, which a browser may run; PNG, JPEG, GIF and WebP are taken.']
  if (/^(?:ii\*\0|mm\0\*|%pdf-|\0\0\0.ftyp)/.test(start)) return ['image-type', 'The image is TIFF, PDF, HEIC or AVIF; PNG, JPEG, GIF and WebP are taken.']
  return ['image-undecodable', 'The bytes are of no image.']
}

function isBlank (bytes: Buffer, { format, width, height }: ImageHeader): boolean | 'undecodable' {
  if (width * height > decodedPixelsMax) return false
  try {
    if (format === 'png') return isBlankPng(bytes, width, height)
    if (format !== 'gif') return false
    const frame = new Uint8Array(width * height * 4)
    new GifReader(bytes).decodeAndBlitFrameRGBA(0, frame)
    return isUniform(frame, 4)
  } catch {
    // Whatever a decoder stumbles over, the image shows nothing.
    return 'undecodable'
  }
}

/** The decoder asks neither what the data inflate to nor what other chunks are for; here it is asked. */
function isBlankPng (bytes: Buffer, width: number, height: number): boolean {
  const depth = bytes[24]!
  const channels = [1, 0, 3, 1, 2, 0, 4][bytes[25]!] ?? 0
  const raw = Math.ceil(width * channels * depth / 8) * height + 7 * (height + width)
  if (channels === 0) throw new RangeError('no colour type of PNG')
  if (raw > decodedBytesMax) return false
  const kept = [bytes.subarray(0, 8)]
  const data = []
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'].includes(name)) kept.push(bytes.subarray(at, end))
    if (name === 'IDAT') data.push(bytes.subarray(at + 8, end - 4))
    at = end
  }
  inflateSync(Buffer.concat(data), { maxOutputLength: raw + 65_536 })
  const png = decode(Buffer.concat(kept))
  return isUniform(png.data, png.channels)
}

function isUniform (samples: ArrayLike<number>, channels: number): boolean {
  for (let at = channels; at < samples.length; at++) {
    if (samples[at] !== samples[at % channels]) return false
  }
  return true
}
