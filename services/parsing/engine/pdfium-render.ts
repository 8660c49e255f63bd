/** Pixels of a part of a page, drawn by PDFium. */
import type { Box, Pixels } from '../domain/page-glyphs.ts'
import type { OpenPdf } from './pdfium.ts'

const pixelsMax = 16_000_000
/** FPDFBitmap_BGRx; the fourth byte is unused. */
const format = 3
/** FPDF_LCD_TEXT stays off: coloured fringes would differ between builds. */
const flags = 0

/**
 * @param job.page from 1
 * @param job.box  in displayed points; parts outside the page are white
 * @returns        at most 16 million pixels: the dpi is lowered for larger boxes
 */
export function renderBox (pdf: OpenPdf, job: { page: number, box: Box, dpi: number }): Pixels {
  const { module, calls } = pdf
  const [x0, y0, x1, y1] = job.box
  const area = Math.max(1, (x1 - x0) * (y1 - y0))
  const scale = Math.min(job.dpi / 72, Math.sqrt(pixelsMax / area))
  const width = Math.max(1, Math.round((x1 - x0) * scale))
  const height = Math.max(1, Math.round((y1 - y0) * scale))
  const page = calls.FPDF_LoadPage!(pdf.document, job.page - 1)
  const bitmap = calls.FPDFBitmap_CreateEx!(width, height, format, 0, 0)
  if (bitmap === 0) throw new RangeError('The picture does not fit the memory limit')
  calls.FPDFBitmap_FillRect!(bitmap, 0, 0, width, height, 0xFFFFFFFF)
  if (page !== 0) {
    const turn = pdf.turns.get(job.page) ?? 0
    const shown = [calls.FPDF_GetPageWidthF!(page), calls.FPDF_GetPageHeightF!(page)]
    if (turn % 2 === 1) shown.reverse()
    const wide = Math.round(shown[0]! * scale)
    const high = Math.round(shown[1]! * scale)
    const left = -Math.round(x0 * scale)
    const top = -Math.round(y0 * scale)
    calls.FPDF_RenderPageBitmap!(bitmap, page, left, top, wide, high, turn, flags)
    calls.FPDF_ClosePage!(page)
  }
  const start = calls.FPDFBitmap_GetBuffer!(bitmap)
  const stride = calls.FPDFBitmap_GetStride!(bitmap)
  const data = toRgb(module.HEAPU8.subarray(start, start + stride * height), { width, height, stride })
  calls.FPDFBitmap_Destroy!(bitmap)
  return { width, height, data }
}

function toRgb (bgrx: Uint8Array, size: { width: number, height: number, stride: number }) {
  const data = new Uint8Array(size.width * size.height * 3)
  let to = 0
  for (let y = 0; y < size.height; y++) {
    let from = y * size.stride
    for (let x = 0; x < size.width; x++, from += 4, to += 3) {
      data[to] = bgrx[from + 2]!
      data[to + 1] = bgrx[from + 1]!
      data[to + 2] = bgrx[from]!
    }
  }
  return data
}
