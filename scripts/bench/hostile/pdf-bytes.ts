/** PDF files written by hand, right or wrong: objects, a cross-reference table, a trailer. */
import { deflateSync } from 'node:zlib'

/** Object bodies by number, from 1; object 1 is the catalog. */
export type Objects = (string | Buffer)[]

export function pdfOf (objects: Objects, trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets: number[] = []
  let at = parts[0]!.length
  const add = (part: Buffer) => { parts.push(part); at += part.length }
  objects.forEach((body, i) => {
    offsets.push(at)
    add(Buffer.concat([
      Buffer.from(`${i + 1} 0 obj\n`), Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1'), Buffer.from('\nendobj\n')
    ]))
  })
  const start = at
  const rows = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`))
  return Buffer.concat(parts)
}

export function streamOf (data: Uint8Array | string, dictionary = ''): Buffer {
  const bytes = Buffer.from(data as string, 'latin1')
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`), bytes, Buffer.from('\nendstream')
  ])
}

export function flateOf (data: Uint8Array | string, dictionary = ''): Buffer {
  return streamOf(deflateSync(Buffer.from(data as string, 'latin1'), { level: 9 }), `/Filter /FlateDecode ${dictionary}`)
}

export interface OnePage {
  content: Buffer | string
  mediaBox?: string
  resources?: string
  page?: string
  more?: Objects
  catalog?: string
  trailer?: string
}

/** Objects 1 to 5: catalog, pages, page, content, Helvetica as /F1; then `more`. */
export function onePage ({
  content, mediaBox = '[0 0 612 792]', resources = '', page = '', more = [], catalog = '', trailer = ''
}: OnePage): Buffer {
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox ${mediaBox} /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> ${page} >>`,
    Buffer.isBuffer(content) ? content : streamOf(content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...more
  ], trailer)
}

/** Content that shows lines of text, one below the other, from the top left. */
export function textLines (lines: readonly string[], { size = 10, x = 72, y = 720, lead = 12 } = {}): string {
  const shown = lines.map((line, i) => `1 0 0 1 ${x} ${y - i * lead} Tm (${line.replace(/[\\()]/g, '\\$&')}) Tj`)
  return `BT /F1 ${size} Tf\n${shown.join('\n')}\nET`
}

const sentence = 'The mean of the samples was compared with that of the control group in every run.'

/** A page as of a paper: title, abstract, a section, a caption. */
export const paperLines: readonly string[] = [
  'A study of nothing in particular', '', 'Abstract', sentence, sentence, '', '1 Introduction',
  ...Array.from({ length: 12 }, () => sentence), '', 'Figure 1. A caption without a figure.', '', 'References', '[1] A. Author. A title. 2020.'
]

export const plainPaper = (): Buffer => onePage({ content: textLines(paperLines) })
