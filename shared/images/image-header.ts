/**
 * What an image is, from its header alone: format and size in pixels of PNG, JPEG, GIF, WebP and BMP.
 * Nothing is decoded, so a picture that inflates to gigabytes costs as little as an honest one.
 */

export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'bmp'

export interface ImageHeader {
  format: ImageFormat
  width: number
  height: number
}

/** Bytes [start, end) of the image; fewer where it ends sooner. */
export type ReadBytes = (start: number, end: number) => Buffer

export type ImageFault = 'not-an-image' | 'truncated'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const segmentsMax = 4096
/** Searched for the end of a JPEG: pictures in it (MPF, motion photos) stand before its last marker. */
const tailBytes = 64 * 1024

/**
 * @param bytes  of the image
 * @returns      a fault for another format, an impossible size, and an image that stops before its end
 *               as far as the format says where that is (PNG: all chunks; JPEG: the end marker; WebP and
 *               BMP: the size they declare; GIF: its header)
 * @see          PNG: W3C REC-png-3 §5; JPEG: ITU-T T.81 Annex B; GIF89a §18; WebP: RFC 9649 §2; BMP:
 *               BITMAPINFOHEADER
 */
export function imageHeader (read: ReadBytes, bytes: number): ImageHeader | ImageFault {
  const head = read(0, 32)
  if (head.length < 4) return 'not-an-image'
  if (head.subarray(0, 8).equals(signature)) return png(read, head, bytes)
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return jpeg(read, bytes)
  const name = head.toString('latin1', 0, 6)
  if (name === 'GIF89a' || name === 'GIF87a') {
    return head.length < 13 ? 'truncated' : sized('gif', head.readUInt16LE(6), head.readUInt16LE(8))
  }
  if (name.startsWith('RIFF') && head.toString('latin1', 8, 12) === 'WEBP') return webp(head, bytes)
  if (name.startsWith('BM')) return bmp(head, bytes)
  return 'not-an-image'
}

/** The format a media type names; undefined for one we do not read. */
export function formatOf (mediaType: string): ImageFormat | undefined {
  const name = mediaType.startsWith('image/') ? mediaType.slice('image/'.length) : ''
  if (name === 'jpg' || name === 'pjpeg') return 'jpeg'
  if (name === 'x-ms-bmp' || name === 'x-bmp') return 'bmp'
  return name === 'png' || name === 'jpeg' || name === 'gif' || name === 'webp' || name === 'bmp' ? name : undefined
}

function sized (format: ImageFormat, width: number, height: number): ImageHeader | ImageFault {
  return width > 0 && height > 0 ? { format, width, height } : 'not-an-image'
}

function png (read: ReadBytes, head: Buffer, bytes: number): ImageHeader | ImageFault {
  if (head.length < 29) return 'truncated'
  if (head.toString('latin1', 12, 16) !== 'IHDR' || head.readUInt32BE(8) !== 13) return 'not-an-image'
  const header = sized('png', head.readUInt32BE(16), head.readUInt32BE(20))
  if (typeof header === 'string') return header
  for (let at = 8, count = 0; at + 12 <= bytes && count < segmentsMax * 16; count++) {
    const chunk = read(at, at + 8)
    if (chunk.length < 8) break
    if (chunk.toString('latin1', 4, 8) === 'IEND') return header
    at += 12 + chunk.readUInt32BE(0)
  }
  return 'truncated'
}

/** Steps from segment to segment up to the frame header, which holds the size. */
function jpeg (read: ReadBytes, bytes: number): ImageHeader | ImageFault {
  let at = 2
  for (let count = 0; count < segmentsMax; count++) {
    const segment = read(at, at + 9)
    if (segment.length < 9) return 'truncated'
    if (segment[0] !== 0xff) return 'not-an-image'
    const kind = segment[1] as number
    // Fill bytes, and markers that stand alone.
    if (kind === 0xff) { at++; continue }
    if (kind === 0x01 || (kind >= 0xd0 && kind <= 0xd8)) { at += 2; continue }
    if (kind === 0xda || kind === 0xd9) return 'not-an-image'
    const length = segment.readUInt16BE(2)
    if (length < 2) return 'not-an-image'
    // Of C0 to CF, C4, C8 and CC are no frames.
    if (kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc) {
      const isWhole = read(Math.max(at, bytes - tailBytes), bytes).lastIndexOf('\xff\xd9', undefined, 'latin1') >= 0
      return isWhole ? sized('jpeg', segment.readUInt16BE(7), segment.readUInt16BE(5)) : 'truncated'
    }
    at += 2 + length
  }
  return 'not-an-image'
}

function webp (head: Buffer, bytes: number): ImageHeader | ImageFault {
  if (head.length < 30) return 'truncated'
  // Some writers leave the padding byte out.
  if (head.readUInt32LE(4) + 8 > bytes + 1) return 'truncated'
  const kind = head.toString('latin1', 12, 16)
  if (kind === 'VP8X') return sized('webp', head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1)
  if (kind === 'VP8 ') {
    const starts = head[23] === 0x9d && head[24] === 0x01 && head[25] === 0x2a
    return starts ? sized('webp', head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff) : 'not-an-image'
  }
  if (kind !== 'VP8L' || head[20] !== 0x2f) return 'not-an-image'
  const packed = head.readUInt32LE(21)
  return sized('webp', (packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1)
}

function bmp (head: Buffer, bytes: number): ImageHeader | ImageFault {
  if (head.length < 26) return 'truncated'
  const declared = head.readUInt32LE(2)
  const headerBytes = head.readUInt32LE(14)
  if (headerBytes !== 12 && (headerBytes < 16 || headerBytes > 256)) return 'not-an-image'
  if (declared > bytes) return 'truncated'
  return headerBytes === 12
    ? sized('bmp', head.readUInt16LE(18), head.readUInt16LE(20))
    // A negative height means the rows go down.
    : sized('bmp', head.readInt32LE(18), Math.abs(head.readInt32LE(22)))
}
