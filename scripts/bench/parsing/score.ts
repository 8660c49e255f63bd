/** How well a parsed paper agrees with what is known of it; every miss is named. */
import type { Document } from '../../../shared/contracts/document.ts'
import { scoreBody, scoreProbes } from './body.ts'
import type { CorpusPaper } from './corpus.ts'
import { scoreFloats, type PageLine } from './floats.ts'
import { scoreFront } from './front.ts'
import { scoreHeadings } from './headings.ts'
import { scoreHighlights } from './highlights.ts'
import { yes, type Counts } from './measures.ts'
import { scoreEquations, scoreReferences } from './references.ts'

export interface PaperScore { counts: Counts, misses: string[] }

export interface Parsed {
  document: Document
  /** Every line that the engine found, running heads and lines of figures included. */
  lines: readonly PageLine[]
}

export function scorePaper ({ document, lines }: Parsed, { truth, xml }: Pick<CorpusPaper, 'truth' | 'xml'>): PaperScore {
  const misses: string[] = []
  const front = scoreFront(document, truth, misses)
  const bodyText = xml?.paragraphs.map(({ text }) => text) ?? null
  const floats = scoreFloats({ document, lines, truth, bodyText }, misses)
  const known = [front.title, front.abstract, front.first, floats.pictured].filter(part => part !== null)
  return {
    counts: {
      whole: known.length === 0 ? null : yes(known.every(part => part.hit === part.of)),
      ...front,
      ...scoreHeadings(document, truth, misses),
      ...scoreProbes(document, truth, misses),
      ...scoreBody(document, xml, misses),
      ...floats,
      ...scoreReferences(document, { truth, xml, lines }, misses),
      equations: scoreEquations(document, truth, misses),
      ...scoreHighlights(document, xml)
    },
    misses
  }
}
