/**
 * What a model is given of a paper, by content mode. Writing items uses full, sections and
 * semantic; examining models also retrieved, oracle and none.
 */
import type { Document } from '../contracts/document.ts'
import type { Evidence } from '../contracts/item.ts'
import { Problem } from '../errors/problem.ts'
import { bm25Of } from './bm25.ts'
import { fitted, separator, type Fitted, type Piece } from './content-budget.ts'
import {
  abstractPieces, figurePieces, floatPieces, highlightPieces, piecesById, referencePieces, sectionPieces,
  sectionsOf, titlePieces, withFloats
} from './content-pieces.ts'

export const contentModes = ['full', 'sections', 'semantic', 'retrieved', 'oracle', 'none'] as const
export type ContentMode = (typeof contentModes)[number]

export interface ContentOptions {
  mode: ContentMode
  /** Everything, when absent. */
  maxTokens?: number | undefined
  /** For sections and semantic: this section with its subsections, instead of all. */
  sectionId?: string | undefined
  /** For sections and semantic: what the paper has on this figure, instead of a section. */
  figureId?: string | undefined
  /** For retrieved. */
  query?: string | undefined
  /** For oracle: the quotes of an item. */
  evidence?: ReadonlyArray<Pick<Evidence, 'quote'> & { target?: { id?: string } }> | undefined
  /** For oracle, instead of evidence: parts of the document by id, paragraphs above all. */
  paragraphIds?: readonly string[] | undefined
}

export interface Content extends Fitted {
  /** Figures whose caption is given, or that a paragraph given mentions, in the order of the paper. */
  figureIds: string[]
}

/**
 * - `full`: title, abstract, every section in order with its captions and tables, references
 * - `sections`: the text of one section (with its subsections), of all, or what there is on a figure
 * - `semantic`: abstract, the three highlight lists, then as `sections`
 * - `retrieved`: the passages that answer `query` best by BM25, as many as fit, in reading order
 * - `oracle`: the quotes of `evidence`, or the parts that `paragraphIds` name, and nothing else
 * - `none`: nothing
 *
 * What there is on a figure: caption, paragraphs that mention it, then the rest of its section, so
 * that a budget cuts what is furthest from the figure. Pieces are taken in the order named until the
 * budget is used up; the first that does not fit is cut at a space, and every piece not given whole
 * is named in `leftOut`. Pure; same input, same text.
 *
 * @throws Problem section-not-found, figure-not-found for unknown ids; invalid-request for
 *         `retrieved` without a query, `oracle` without evidence, a section and a figure at once, and
 *         a budget below 1
 */
export function contentOf (document: Document, options: ContentOptions): Content {
  const { mode, maxTokens } = options
  if (maxTokens !== undefined && !(maxTokens >= 1)) {
    throw new Problem('invalid-request', 'maxTokens must be at least 1; leave it out for no limit.')
  }
  const bytesMax = maxTokens === undefined ? Infinity : maxTokens * 4
  const content = mode === 'retrieved'
    ? retrieved(document, options.query, bytesMax)
    : fitted(piecesOf(document, options), bytesMax)
  return { ...content, figureIds: figuresOf(document, content) }
}

function piecesOf (document: Document, options: ContentOptions): Piece[] {
  switch (options.mode) {
    case 'full': return [
      ...titlePieces(document), ...abstractPieces(document),
      ...document.sections.flatMap(section => withFloats(document, section)),
      ...floatPieces(document, null), ...referencePieces(document)
    ]
    case 'sections': return textPieces(document, options)
    case 'semantic': return [
      ...abstractPieces(document), ...highlightPieces(document), ...textPieces(document, options)
    ]
    case 'oracle': return oraclePieces(document, options)
    default: return []
  }
}

function textPieces (document: Document, { sectionId, figureId }: ContentOptions): Piece[] {
  if (figureId === undefined) return sectionsOf(document, sectionId).flatMap(sectionPieces)
  if (sectionId !== undefined) throw new Problem('invalid-request', 'Name a section or a figure, not both: a figure brings its own section.')
  return figurePieces(document, figureId)
}

function oraclePieces (document: Document, { evidence, paragraphIds }: ContentOptions): Piece[] {
  if (paragraphIds !== undefined) return piecesById(document, paragraphIds)
  if (evidence === undefined) throw new Problem('invalid-request', 'Content mode oracle needs the evidence of an item: name its paragraphs in paragraphIds.')
  return evidence.map(({ quote, target }, i) => ({ kind: 'evidence', id: target?.id ?? String(i + 1), text: quote }))
}

function figuresOf ({ figures }: Document, { parts }: Fitted): string[] {
  const given = new Set(parts.map(({ id }) => id))
  return figures
    .filter(({ id, mentions }) => given.has(id) || mentions.some(({ paragraphId }) => given.has(paragraphId)))
    .map(({ id }) => id)
}

function retrieved (document: Document, query: string | undefined, bytesMax: number): Fitted {
  if (query === undefined || query.trim() === '') {
    throw new Problem('invalid-request', 'Content mode retrieved needs a query: the question, for example.')
  }
  const passages = [
    ...abstractPieces(document),
    ...document.sections.flatMap(section => withFloats(document, section)),
    ...floatPieces(document, null)
  ].filter(({ kind }) => kind !== 'heading')
  const ranked = bm25Of(passages.map(({ text }) => text)).rank(query, passages.length)
  const chosen = new Set<number>()
  let bytes = 0
  for (const index of ranked) {
    const more = Buffer.byteLength(passages[index]?.text ?? '') + (chosen.size > 0 ? separator.length : 0)
    if (bytes + more > bytesMax) break
    bytes += more
    chosen.add(index)
  }
  // A best passage that is larger than the whole budget is better cut than left out.
  const [first] = ranked
  if (chosen.size === 0 && first !== undefined) chosen.add(first)
  const content = fitted(passages.filter((_, index) => chosen.has(index)), bytesMax)
  const count = passages.length - chosen.size
  return count === 0 ? content : { ...content, leftOut: [...content.leftOut, `${count} of ${passages.length} passages, less like the query`] }
}
