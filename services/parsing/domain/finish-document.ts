/** The last steps of every engine alike: domain, highlights, then the hash over everything else. */
import type { Document } from '../../../shared/contracts/document.ts'
import { canonicalJson, idOf } from '../../../shared/contracts/hash.ts'
import type { Domain } from '../../../shared/contracts/domain.ts'
import type { DocumentDraft } from '../parser.ts'
import { guessDomain } from './domain-of.ts'
import { exponentWarnings } from './exponent-warnings.ts'
import { findHighlights } from './highlights.ts'

/**
 * @param domain  as given by whoever uploaded the paper; guessed when absent
 * @returns the document and its canonical JSON, whose bytes are what is stored
 */
export function finishDocument (draft: DocumentDraft, domain?: Domain): { document: Document, json: string } {
  const { documentHash: _, ...content } = draft
  const found = {
    ...content,
    domain: domain ?? guessDomain(draft),
    highlights: findHighlights(draft.sections, draft.abstract),
    warnings: [...draft.warnings, ...exponentWarnings(draft)]
  }
  const document = { ...found, documentHash: idOf('document', found) }
  return { document, json: canonicalJson(document) }
}
