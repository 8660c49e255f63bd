/** The parser we ship: each format to its reader. Runs in a process that may be killed. */
import type { PaperFormat } from '../../shared/contracts/paper.ts'
import { drawPictures } from './formats/draw-pictures.ts'
import { assembleOutline } from './formats/assemble-outline.ts'
import { markupReader } from './formats/markup/reader.ts'
import type { Reader } from './formats/reader.ts'
import { parsePdf, renderPage as renderPdfPage } from './parse-pdf.ts'
import { parserVersion } from './parser-version.ts'
import type { Parser } from './parser.ts'

export const renderPage: Parser['renderPage'] = renderPdfPage

export const parsePaper: Parser['parsePaper'] = async (bytes, { paperId, format, limits, answer, ocr }) => {
  if (format === 'pdf') {
    const { document, images } = await parsePdf(bytes, { paperId, limits, ocr })
    if (answer === undefined) return { document, images }
    // Loaded when needed, as the readers of other formats are.
    const { mergeEngine } = await import('./merge-engine.ts')
    return { document: await mergeEngine(document, answer), images }
  }
  const read = await (await readerOf(format))(bytes)
  const { images, pictureOf } = await drawPictures(read)
  const parser = { engine: read.format ?? format, version: parserVersion }
  const document = assembleOutline(read.outline, { paperId, parser, pictureOf })
  return { document, images, ...(read.format !== undefined && { format: read.format }) }
}

/** Loaded when asked for: a process that parses PDFs needs none of them. */
async function readerOf (format: Exclude<PaperFormat, 'pdf'>): Promise<Reader> {
  switch (format) {
    case 'latex': return (await import('./formats/latex/read-latex.ts')).readLatex
    case 'markdown': return (await import('./formats/markdown.ts')).readMarkdown
    case 'text': return (await import('./formats/text.ts')).readText
    default: return await markupReader(format)
  }
}
