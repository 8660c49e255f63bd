/** What an exported question brings of its paper. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { contentOf, type Content, type ContentMode } from '../../../../shared/text/content.ts'

export interface ContextOptions { contentMode: ContentMode, contextTokens: number }
export interface Context { text: string, leftOut: string[] }

const nothing: Context = { text: '', leftOut: [] }

/**
 * - `sections`: the abstract, then the section, figure or table that the item asks about
 * - every other mode: as content.ts has it, with the item's place, question and evidence
 *
 * Nothing for an item of a bank, and where the budget leaves no room.
 */
export function contextOf (item: BenchmarkItem, document: Document | null, options: ContextOptions): Context {
  const { contentMode: mode, contextTokens: maxTokens } = options
  if (document === null || mode === 'none') return nothing
  if (mode === 'oracle' && item.evidence.length === 0) return nothing
  const place = placeOf(item, document)
  if (mode !== 'sections') {
    return contextFrom([contentOf(document, { mode, maxTokens, query: item.question, evidence: item.evidence, ...mode === 'semantic' && place.options })])
  }
  const parts = contentOf(document, { mode: 'oracle', maxTokens, paragraphIds: [...document.abstract === null ? [] : ['abstract'], ...place.ids] })
  const room = maxTokens - parts.tokens - 1
  if (place.options === undefined || room < 1) return contextFrom([parts])
  return contextFrom([parts, contentOf(document, { mode, maxTokens: room, ...place.options })])
}

interface Place { ids: string[], options?: { sectionId?: string, figureId?: string } }

function placeOf ({ place }: BenchmarkItem, { figures, tables, equations, sections }: Document): Place {
  if (figures.some(({ id }) => id === place)) return { ids: [], options: { figureId: place } }
  if (sections.some(({ id }) => id === place)) return { ids: [], options: { sectionId: place } }
  const known = [...tables, ...equations].some(({ id }) => id === place)
  if (known) return { ids: [place] }
  return place === 'abstract' ? { ids: [] } : { ids: [], options: {} }
}

function contextFrom (contents: readonly Content[]): Context {
  return {
    text: contents.map(({ text }) => text).filter(text => text !== '').join('\n\n'),
    leftOut: contents.flatMap(({ leftOut }) => leftOut)
  }
}
