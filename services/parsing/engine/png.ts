/**
 * PNG bytes of pixels: equal pixels, equal bytes, on every machine. Run-length compression alone
 * is used (zlib's Z_RLE): it hashes nothing, so it gives the same bytes with and without a
 * processor's special instructions, and it is fast; the filter makes up for most of what it finds
 * less.
 *
 * @see PNG (Third Edition), 5 (datastream), 9.2 (filter types)
 */
import { constants, crc32, deflateSync } from 'node:zlib'
import type { Pixels } from '../domain/page-glyphs.ts'

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const channels = 3
const paeth = 4

export function encodePng ({ width, height, data }: Pixels): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a sample, RGB; compression, filter method and interlace have one value each.
  header.set([8, 2, 0, 0, 0], 8)
  const rows = filtered(data, width * channels, height)
  const packed = deflateSync(rows, { level: 6, strategy: constants.Z_RLE })
  return Buffer.concat([
    signature, chunk('IHDR', header), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))
  ])
}

function chunk (type: string, body: Buffer): Buffer {
  const bytes = Buffer.alloc(body.length + 12)
  bytes.writeUInt32BE(body.length, 0)
  bytes.write(type, 4, 'latin1')
  bytes.set(body, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, body.length + 8)), body.length + 8)
  return bytes
}

/** Each row with its filter byte and, for each sample, the difference from its best neighbour. */
function filtered (data: Uint8Array, row: number, height: number): Uint8Array {
  const out = new Uint8Array((row + 1) * height)
  const none = new Uint8Array(row)
  let to = 0
  for (let y = 0; y < height; y++) {
    const line = data.subarray(y * row, y * row + row)
    const above = y === 0 ? none : data.subarray(y * row - row, y * row)
    out[to++] = paeth
    for (let x = 0; x < channels; x++) out[to++] = line[x]! - above[x]!
    for (let x = channels; x < row; x++) {
      const left = line[x - channels]!
      const up = above[x]!
      const corner = above[x - channels]!
      // Most of a figure is flat.
      out[to++] = left === corner
        ? line[x]! - up
        : line[x]! - predicted(left, up, corner)
    }
  }
  return out
}

/** The neighbour nearest to left + up - corner; ties go to left, then up. */
function predicted (left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - 2 * corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
