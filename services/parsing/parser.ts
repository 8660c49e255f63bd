/** What parsing needs of an engine; `parse.ts` is the one we ship, tests bring worse ones. */
import type { Document } from '../../shared/contracts/document.ts'
import type { Mark } from './domain/marks.ts'
import type { PaperFormat } from '../../shared/contracts/paper.ts'
import type { EngineAnswer } from './domain/external-engine.ts'
import type { Image, Limits } from './pool/messages.ts'

/** A document before highlights are found and its hash is taken. */
export type DocumentDraft = Omit<Document, 'documentHash' | 'highlights'> & Partial<Document>

export interface ParsedPaper {
  document: DocumentDraft
  /** PNG; the id is the sha256 of the bytes. Figures may share one. */
  images: Image[]
  /** Where opening the file tells more than its first bytes did: an archive may hold JATS. */
  format?: PaperFormat
}

export interface PageView {
  dpi: number
  /** Drawn onto the page. */
  marks?: readonly Mark[]
}

/** What was asked for beside our own reading. */
export interface Extras {
  /** Of an external engine, to be merged; PDFs only. */
  answer?: EngineAnswer
  /** For a PDF without text, which is then recognised: on so many pages at most, in `eng+kor`. */
  ocr?: { pagesMax: number, languages: string }
}

export interface Parser {
  /**
   * Deterministic: same bytes and format, same document and images.
   *
   * @throws Problem paper-encrypted, paper-damaged, paper-too-long, paper-too-complex, not-a-paper
   */
  parsePaper (
    bytes: Uint8Array, options: { paperId: string, format: PaperFormat, limits: Limits } & Extras
  ): Promise<ParsedPaper>
  /** A page of a PDF as PNG. @throws Problem page-not-found, and as above */
  renderPage (bytes: Uint8Array, page: number, view: PageView): Promise<Uint8Array>
}
