/** What parsing needs of an engine; `parse-pdf.ts` is the one we ship, tests bring worse ones. */
import type { Document } from '../../shared/contracts/document.ts'
import type { Image, Limits } from './pool/messages.ts'

/** A document before highlights are found and its hash is taken. */
export type DocumentDraft = Omit<Document, 'documentHash' | 'highlights'> & Partial<Document>

export interface Parser {
  /**
   * Deterministic: same bytes, same document and images.
   *
   * @throws Problem paper-encrypted, paper-damaged, paper-too-long, paper-too-complex
   */
  parsePdf (bytes: Uint8Array, options: { paperId: string, limits: Limits }): Promise<{
    document: DocumentDraft, images: Image[]
  }>
  /** A page as PNG. @throws Problem page-not-found, and as above */
  renderPage (bytes: Uint8Array, page: number, dpi: number): Promise<Uint8Array>
}
