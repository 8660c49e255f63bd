/**
 * Charts as PNG: each drawn as a PDF page in the PDF's own sans serif, which PDFium brings along, and
 * rasterised by PDFium as parsing does it. No font, clock or zlib of the machine takes part, so that the
 * same chart is the same bytes everywhere.
 */
import { encode } from 'fast-png'
import {
  clip, endPath, PDFDocument, popGraphicsState, pushGraphicsState, rectangle, rgb, StandardFonts,
  degrees, type PDFFont, type PDFPage
} from 'pdf-lib'
import type { Pixels } from '../../../services/parsing/domain/page-glyphs.ts'
import { openPdf } from '../../../services/parsing/engine/pdfium.ts'
import type { Chart, Mark } from './marks.ts'

const wasmBytesMax = 256 * 2 ** 20
/** Of a colour channel: 16 steps are enough for smooth edges, and pack far better than 256. */
const step = 17

/** In their order. */
export async function toPngs (charts: readonly Chart[]): Promise<Uint8Array[]> {
  const document = await PDFDocument.create()
  const fonts = {
    plain: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold)
  }
  for (const { width, height, marks } of charts) {
    draw(marks, { page: document.addPage([width, height]), fonts, height })
  }
  const pages = await openPdf(await document.save(), { pagesMax: charts.length, wasmBytesMax })
  try {
    return charts.map(({ width, height }, at) => encoded(pages.render(at + 1, [0, 0, width, height], 72)))
  } finally { pages.close() }
}

function encoded ({ width, height, data }: Pixels): Uint8Array {
  const coarse = data.map(value => Math.round(value / step) * step)
  return encode({ width, height, data: coarse, channels: 3, depth: 8 }, { zlib: { level: 9 } })
}

interface Sheet { page: PDFPage, fonts: { plain: PDFFont, bold: PDFFont }, height: number }

function draw (marks: readonly Mark[], sheet: Sheet): void {
  const { page, height } = sheet
  for (const mark of marks) {
    if ('clip' in mark) {
      const { x, y, width, height: high } = mark.clip
      page.pushOperators(pushGraphicsState(), rectangle(x, height - y - high, width, high), clip(), endPath())
      draw(mark.marks, sheet)
      page.pushOperators(popGraphicsState())
    } else if ('path' in mark) {
      const { stroke, fill, width = 1.5, dash } = mark.ink
      page.drawSvgPath(mark.path, {
        x: 0,
        y: height,
        ...stroke !== undefined && { borderColor: colourOf(stroke), borderWidth: width },
        ...fill !== undefined && { color: colourOf(fill) },
        ...dash !== undefined && { borderDashArray: [...dash] }
      })
    } else letter(mark, sheet)
  }
}

function letter (mark: Extract<Mark, { words: string }>, { page, fonts, height }: Sheet): void {
  const { words, at: [x, y], size, colour, bold, anchor, turn } = mark
  const font = bold ? fonts.bold : fonts.plain
  const share = { start: 0, middle: 0.5, end: 1 }[anchor]
  const back = font.widthOfTextAtSize(words, size) * share
  const angle = turn * Math.PI / 180
  page.drawText(words, {
    x: x - back * Math.cos(angle),
    y: height - y - back * Math.sin(angle),
    size,
    font,
    color: colourOf(colour),
    rotate: degrees(turn)
  })
}

/** @param hex  #rrggbb */
function colourOf (hex: string) {
  const channel = (at: number) => parseInt(hex.slice(at, at + 2), 16) / 255
  return rgb(channel(1), channel(3), channel(5))
}
