/** The last steps of every engine alike: highlights, then the hash over everything else. */
import type { Document } from '../../../shared/contracts/document.ts'
import { canonicalJson, idOf } from '../../../shared/contracts/hash.ts'
import type { DocumentDraft } from '../parser.ts'
import { findHighlights } from './highlights.ts'

/** @returns the document and its canonical JSON, whose bytes are what is stored */
export function finishDocument (draft: DocumentDraft): { document: Document, json: string } {
  const { documentHash: _, ...content } = draft
  const found = { ...content, highlights: findHighlights(draft.sections, draft.abstract) }
  const document = { ...found, documentHash: idOf('document', found) }
  return { document, json: canonicalJson(document) }
}
