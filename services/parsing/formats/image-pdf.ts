/**
 * JPEG and PNG put, as they are, into a PDF of one page, a point a pixel, which PDFium draws row by
 * row: a picture of 40 Mpx never stands in our memory. PDF has both codings (ISO 32000-1, 7.4.4
 * and 7.4.8), but no alpha and no interlacing beside the colours.
 */

export interface Size { width: number, height: number }
export interface JpegSize extends Size { components: number }

/** Size from the frame header (ITU-T T.81, B.2.2); undefined where there is none. */
export function jpegSize (bytes: Uint8Array): JpegSize | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 2; at + 10 <= view.length;) {
    if (view[at] !== 0xFF) return undefined
    const marker = view[at + 1]!
    if (marker === 0xFF) {
      at++
      continue
    }
    const isFrame = marker >= 0xC0 && marker <= 0xCF && ![0xC4, 0xC8, 0xCC].includes(marker)
    if (isFrame) {
      const [height, width] = [view.readUInt16BE(at + 5), view.readUInt16BE(at + 7)]
      const size = { width, height, components: view[at + 9]! }
      return size.width > 0 && size.height > 0 && [1, 3, 4].includes(size.components) ? size : undefined
    }
    if (marker === 0xD9 || marker === 0xDA) return undefined
    at += marker >= 0xD0 && marker <= 0xD8 ? 2 : 2 + view.readUInt16BE(at + 2)
  }
  return undefined
}

export function jpegAsPdf (bytes: Uint8Array, { width, height, components }: JpegSize): Uint8Array {
  const space = components === 1 ? '/DeviceGray' : components === 3 ? '/DeviceRGB' : '/DeviceCMYK'
  // Adobe writes CMYK inverted, and everyone else followed.
  const inverted = components === 4 ? ' /Decode [1 0 1 0 1 0 1 0]' : ''
  const coding = `/ColorSpace ${space} /BitsPerComponent 8 /Filter /DCTDecode${inverted}`
  return pictureAsPdf({ width, height }, coding, bytes)
}

export interface PngLayout extends Size {
  depth: number
  /** As in IHDR: 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  colorType: number
  interlaced: boolean
  /** Some colours are transparent. */
  hasTransparency: boolean
  palette: Uint8Array
  data: Uint8Array[]
}

/** Chunks of a PNG (W3C PNG, 5 and 11); undefined where it has no size or no data. */
export function pngLayout (bytes: Uint8Array): PngLayout | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.length < 33 || view.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const layout: PngLayout = {
    width: view.readUInt32BE(16),
    height: view.readUInt32BE(20),
    depth: view[24]!,
    colorType: view[25]!,
    interlaced: view[28] !== 0,
    hasTransparency: false,
    palette: new Uint8Array(),
    data: []
  }
  for (let at = 33; at + 12 <= view.length;) {
    const chunk = view.subarray(at + 8, at + 8 + view.readUInt32BE(at))
    const type = view.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') layout.data.push(chunk)
    if (type === 'PLTE') layout.palette = chunk.subarray(0, 768)
    if (type === 'tRNS') layout.hasTransparency = true
    if (type === 'IEND') break
    at += 12 + chunk.length
  }
  return layout.width > 0 && layout.height > 0 && layout.data.length > 0 ? layout : undefined
}

/** @param layout neither interlaced nor with alpha or transparent colours */
export function pngAsPdf (layout: PngLayout): Uint8Array {
  const { width, depth, colorType, palette, data } = layout
  const space = colorType === 3
    ? `[/Indexed /DeviceRGB ${Math.max(0, Math.floor(palette.length / 3) - 1)} <${Buffer.from(palette).toString('hex')}>]`
    : colorType === 2 ? '/DeviceRGB' : '/DeviceGray'
  const colors = colorType === 2 ? 3 : 1
  const predictor = `/Predictor 15 /Colors ${colors} /BitsPerComponent ${depth} /Columns ${width}`
  const coding = `/ColorSpace ${space} /BitsPerComponent ${depth} /Filter /FlateDecode /DecodeParms << ${predictor} >>`
  return pictureAsPdf(layout, coding, Buffer.concat(data))
}

function pictureAsPdf ({ width, height }: Size, coding: string, bytes: Uint8Array): Uint8Array {
  const content = `q ${width} 0 0 ${height} 0 0 cm /P Do Q`
  const parts: Uint8Array[] = []
  const offsets: number[] = []
  let length = 0
  const put = (part: string | Uint8Array) => {
    const chunk = typeof part === 'string' ? Buffer.from(part) : part
    parts.push(chunk)
    length += chunk.length
  }
  const object = (body: string, stream?: string | Uint8Array) => {
    offsets.push(length)
    put(`${offsets.length} 0 obj\n${body}\n`)
    if (stream !== undefined) for (const part of ['stream\n', stream, '\nendstream\n']) put(part)
    put('endobj\n')
  }
  put('%PDF-1.5\n')
  object('<< /Type /Catalog /Pages 2 0 R >>')
  object('<< /Type /Pages /Kids [3 0 R] /Count 1 >>')
  object(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /XObject << /P 5 0 R >> >> >>`)
  object(`<< /Length ${content.length} >>`, content)
  object(`<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${coding} /Length ${bytes.length} >>`, bytes)
  const start = length
  const entries = offsets.map(at => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  put(`xref\n0 6\n0000000000 65535 f \n${entries}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`)
  return Buffer.concat(parts)
}
