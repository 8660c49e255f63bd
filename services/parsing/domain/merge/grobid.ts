/** Our text, figures and crops with GROBID's authors and references, which it is better at. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Outline } from '../../formats/outline.ts'
import type { DocumentDraft } from '../../parser.ts'
import { bare, conflict, countConflict, headingsIn, titleConflict } from './conflicts.ts'

type Reference = Document['references'][number]

/** @param outline null when it extracted nothing */
export function mergeGrobid (document: DocumentDraft, outline: Outline | null): DocumentDraft {
  if (outline === null) {
    return withWarnings(document, [conflict('GROBID extracts nothing from this file; authors and references are ours.')])
  }
  const { authors, references } = outline
  const warnings = [
    ...titleConflict('GROBID', document.title, outline.title),
    ...countConflict('GROBID', 'headings', [headingsIn(document.sections), outline.sections.filter(({ title }) => title !== '').length]),
    ...countConflict('GROBID', 'references', [document.references.length, references.length]),
    ...authorConflict(document.authors, authors)
  ]
  return withWarnings({
    ...document,
    authors: authors.length > 0 ? authors : document.authors,
    references: references.length > 0 ? mergeReferences(document.references, references) : document.references
  }, warnings)
}

function authorConflict (ours: Document['authors'], theirs: Document['authors']): Document['warnings'] {
  if (theirs.length === 0) return ours.length === 0 ? [] : [conflict('GROBID finds no authors; ours are kept.')]
  const names = (authors: Document['authors']) => authors.map(({ name }) => bare(name)).join()
  if (ours.length === 0 || names(ours) === names(theirs)) return []
  return [conflict(`We read the authors as ${ours.map(({ name }) => name).join(', ').slice(0, 500)}; GROBID's are taken.`)]
}

/**
 * GROBID's entries in GROBID's order, with label and text as we read them where an entry of ours holds
 * its title; each of ours is used once. What GROBID composes of parts is not what is printed.
 */
function mergeReferences (ours: readonly Reference[], theirs: Outline['references']): Reference[] {
  const texts = ours.map(({ text }) => bare(text))
  const free = new Set(ours.keys())
  let last = -1
  return theirs.map((entry, i) => {
    const title = bare(entry.title ?? '')
    const holds = (at: number) => title.length >= 12 && texts[at]!.includes(title)
    // Both lists go by the order of the page, so the next one is nearly always it.
    const at = free.has(last + 1) && holds(last + 1) ? last + 1 : [...free].find(holds)
    if (at === undefined) return { id: `r${i + 1}`, ...entry }
    free.delete(at)
    last = at
    const { label, text, year, doi } = ours[at]!
    return { id: `r${i + 1}`, ...year !== undefined && { year }, ...doi !== undefined && { doi }, ...entry, label: label || entry.label, text }
  })
}

export function withWarnings (document: DocumentDraft, warnings: Document['warnings']): DocumentDraft {
  return { ...document, warnings: [...document.warnings, ...warnings] }
}
