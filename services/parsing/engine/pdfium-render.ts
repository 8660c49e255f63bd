/** Pixels of a part of a page, drawn by PDFium. */
import type { Box, Pixels } from '../domain/page-glyphs.ts'
import { openPage } from './open-pages.ts'
import type { OpenPdf } from './pdfium.ts'

const pixelsMax = 16_000_000
/** FPDFBitmap_BGR: three bytes a pixel. */
const format = 2
/** FPDF_REVERSE_BYTE_ORDER. FPDF_LCD_TEXT stays off: coloured fringes would differ between builds. */
const flags = 0x10

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
  const page = openPage(pdf.pages, job.page, module.HEAPU8.length)
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
  }
  const start = calls.FPDFBitmap_GetBuffer!(bitmap)
  const stride = calls.FPDFBitmap_GetStride!(bitmap)
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    // Rows are padded to four bytes.
    const row = start + y * stride
    data.set(module.HEAPU8.subarray(row, row + width * 3), y * width * 3)
  }
  calls.FPDFBitmap_Destroy!(bitmap)
  return { width, height, data }
}
