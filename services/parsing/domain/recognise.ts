/**
 * The format of a file, by its first bytes; what it is called counts for nothing. Only Markdown and
 * plain text, which look like anything, are believed when they are declared.
 */
import type { PaperFormat } from '../../../shared/contracts/paper.ts'
import { encodingOf, rootOf } from './markup-start.ts'

/** Markup is read so far for its first element and its marks; comments and styles may stand before. */
export const recogniseBytesMax = 262_144

/** Readers accept a PDF whose header stands anywhere in here (ISO 32000-1, annex H). */
const pdfHeaderBytes = 1_024

export type Declared = 'markdown' | 'text' | undefined

export type Recognised = { format: PaperFormat } | { fault: string }

/** How many of the first bytes `recognise` wants to see, knowing these. */
export function bytesToSee (start: Uint8Array): number {
  return looksLikeMarkup(start) || /^(?:%(?!PDF-)|\\|\s)/u.test(latinOf(start)) ? recogniseBytesMax : pdfHeaderBytes
}

/**
 * @param start    the first bytes of the file, as many as `bytesToSee` of them asks for, or all
 * @param declared what the sender says it is, where that counts
 * @returns        the format, or what to tell the sender
 */
export function recognise (start: Uint8Array, declared?: Declared): Recognised {
  const latin = latinOf(start.subarray(0, pdfHeaderBytes))
  if (latin.startsWith('%PDF-')) return { format: 'pdf' }
  if (isArchive(start)) return { format: 'latex' }
  const marked = looksLikeMarkup(start) ? ofMarkup(start.subarray(0, recogniseBytesMax)) : undefined
  if (marked !== undefined && 'format' in marked) return marked
  if (isLatex(latinOf(start.subarray(0, recogniseBytesMax)))) return { format: 'latex' }
  if (declared !== undefined) {
    return isText(start)
      ? { format: declared }
      : { fault: `The file is declared as ${declared}, but its bytes are no text; send it as UTF-8.` }
  }
  if (latin.includes('%PDF-')) return { format: 'pdf' }
  return marked ?? { fault: 'The file is neither PDF, JATS XML, TEI XML, HTML made by LaTeXML, nor LaTeX (.tar.gz, .zip or .tex). Markdown and plain text are read when declared: as the Content-Type of the part (text/markdown, text/plain), or with ?format=markdown, ?format=text.' }
}

function latinOf (bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** gzip, zip, or tar (POSIX.1-1988, "ustar"). */
function isArchive (start: Uint8Array): boolean {
  const bytes = Buffer.from(start.subarray(0, 512))
  return bytes.subarray(0, 3).equals(Buffer.from([0x1F, 0x8B, 8])) ||
    bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1')) ||
    bytes.subarray(257, 262).toString('latin1') === 'ustar'
}

/** A source that is one file: comments, then what every LaTeX document begins with. */
function isLatex (latin: string): boolean {
  return /^(?:\u00EF\u00BB\u00BF)?(?:\s|%[^\n]*(?:\n|$)|\\(?:NeedsTeXFormat|RequirePackage|PassOptionsToPackage)\b[^\n]*(?:\n|$))*\\document(?:class|style)\b/u.test(latin)
}

function looksLikeMarkup (start: Uint8Array): boolean {
  return /^(?:\u00EF\u00BB\u00BF|\u00FE\u00FF|\u00FF\u00FE)?[\s\0]*</.test(latinOf(start.subarray(0, 1_024)))
}

function ofMarkup (start: Uint8Array): Recognised | undefined {
  const encoding = encodingOf(start)
  const text = encoding === 'utf-16be'
    ? Buffer.from(start.subarray(0, start.length & ~1)).swap16().toString('utf16le')
    : Buffer.from(start).toString(encoding === 'utf-16le' ? 'utf16le' : 'latin1')
  const root = rootOf(text.replace(/^\u00EF\u00BB\u00BF/u, ''))
  if (root === undefined) return { fault: `The file begins like XML or HTML, but has no element within its first ${recogniseBytesMax} bytes that can be read; check that it is whole.` }
  const rest = text.slice(root.at)
  const name = root.name
  if (name === 'TEI') return { format: 'tei' }
  if (name === 'art' && /<(?:ui|fm|ji)[\s>]/u.test(rest)) return { format: 'jats' }
  if (['article', 'pmc-articleset', 'OAI-PMH'].includes(name)) {
    return /<(?:[\w.-]{1,60}:)?article[\s>]/u.test(rest) && /<(?:[\w.-]{1,60}:)?front(?:-stub)?[\s>]/u.test(rest)
      ? { format: 'jats' }
      : { fault: 'The file is XML with an <article>, but without the <front> of JATS; DocBook and the XML of single publishers are not read.' }
  }
  if (name.toLowerCase() === 'html') {
    return /\bltx_(?:document|page_main|page_content|page_navbar)\b/u.test(rest)
      ? { format: 'html' }
      : { fault: 'The file is a web page. HTML is read only as LaTeXML makes it (arXiv\'s and ar5iv\'s HTML papers). If you meant a PDF, the page was saved in its place: download the PDF itself.' }
  }
  return { fault: `The file is XML with the root <${name}>; of XML, JATS (<article>), the older BMC form of it (<art>) and TEI (<TEI>) are read.` }
}

/** Text in UTF-8 (or UTF-16 with its mark), as far as the start tells; a character may be cut at its end. */
function isText (start: Uint8Array): boolean {
  if (/^(?:\u00FE\u00FF|\u00FF\u00FE)/u.test(latinOf(start.subarray(0, 2)))) return true
  return !start.includes(0)
}
