/**
 * What a model is given of a paper, by content mode. Writing items uses full, sections and
 * semantic; examining models also retrieved, oracle and none.
 */
import type { Document, Highlight, Section } from '../contracts/document.ts'
import type { Evidence } from '../contracts/item.ts'
import { Problem } from '../errors/problem.ts'
import { bm25Of } from './bm25.ts'

export const contentModes = ['full', 'sections', 'semantic', 'retrieved', 'oracle', 'none'] as const
export type ContentMode = (typeof contentModes)[number]

export interface ContentOptions {
  mode: ContentMode
  /** Everything, when absent. */
  maxTokens?: number | undefined
  /** For sections and semantic: this section with its subsections, instead of all. */
  sectionId?: string | undefined
  /** For retrieved. */
  query?: string | undefined
  /** For oracle. */
  evidence?: ReadonlyArray<Pick<Evidence, 'quote'> & { target?: { id?: string } }> | undefined
}

export type ContentPartKind = 'title' | 'abstract' | 'highlights' | 'heading' | 'paragraph' | 'caption' | 'table' | 'reference' | 'evidence'

/** One piece of the text, as it stands there; `cut` when its end was left out. */
export interface ContentPart { kind: ContentPartKind, id: string, text: string, cut: boolean }

export interface Content {
  text: string
  parts: ContentPart[]
  /** Of `text`, by `estimateTokens`. */
  tokens: number
  /** What the budget left out, one line for each run of pieces; empty when nothing was. */
  leftOut: string[]
}

type Piece = Omit<ContentPart, 'cut'>

const separator = '\n\n'

/** ceil(UTF-8 bytes / 4): the estimate used wherever no tokenizer of the model is at hand. */
export function estimateTokens (text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}

/**
 * - `full`: title, abstract, every section in order with its captions and tables, references
 * - `sections`: the text of one section (with its subsections), or of all
 * - `semantic`: abstract, the three highlight lists, then as `sections`
 * - `retrieved`: the passages that answer `query` best by BM25, as many as fit, in reading order
 * - `oracle`: the quotes of `evidence` and nothing else
 * - `none`: nothing
 *
 * Pieces are taken in that order until the budget is used up; the first that does not fit is cut
 * at a space, and every piece not given whole is named in `leftOut`. Pure; same input, same text.
 *
 * @throws Problem section-not-found for an unknown `sectionId`; invalid-request for `retrieved`
 *         without a query, `oracle` without evidence, and a budget below 1
 */
export function contentOf (document: Document, options: ContentOptions): Content {
  const { mode, maxTokens } = options
  if (maxTokens !== undefined && !(maxTokens >= 1)) {
    throw new Problem('invalid-request', 'maxTokens must be at least 1; leave it out for no limit.')
  }
  const bytesMax = maxTokens === undefined ? Infinity : maxTokens * 4
  return mode === 'retrieved'
    ? retrieved(document, options.query, bytesMax)
    : fitted(piecesOf(document, options), bytesMax)
}

function piecesOf (document: Document, { mode, sectionId, evidence }: ContentOptions): Piece[] {
  switch (mode) {
    case 'full': return [
      ...titlePieces(document), ...abstractPieces(document),
      ...document.sections.flatMap(section => withFloats(document, section)),
      ...floatPieces(document, null),
      ...document.references.map(({ id, label, text }): Piece =>
        ({ kind: 'reference', id, text: label === '' ? text : `${label} ${text}` }))
    ]
    case 'sections': return sectionsOf(document, sectionId).flatMap(sectionPieces)
    case 'semantic': return [
      ...abstractPieces(document), ...highlightPieces(document),
      ...sectionsOf(document, sectionId).flatMap(sectionPieces)
    ]
    case 'oracle':
      if (evidence === undefined) throw new Problem('invalid-request', 'Content mode oracle needs the evidence of an item.')
      return evidence.map(({ quote, target }, i) => ({ kind: 'evidence', id: target?.id ?? String(i + 1), text: quote }))
    default: return []
  }
}

/** A section with all below it, in reading order; every section when none is named. */
function sectionsOf (document: Document, sectionId: string | undefined): Section[] {
  if (sectionId === undefined) return document.sections
  const wanted = new Set([sectionId])
  // Parents come before their subsections, so one pass finds all generations.
  const found = document.sections.filter(({ id, parentId }) => {
    if (parentId !== null && wanted.has(parentId)) wanted.add(id)
    return wanted.has(id)
  })
  if (found.length === 0) throw new Problem('section-not-found', `This document has no section ${sectionId}; its document lists them.`)
  return found
}

function titlePieces ({ title }: Document): Piece[] {
  return title === '' ? [] : [{ kind: 'title', id: 'title', text: title }]
}

function abstractPieces ({ abstract }: Document): Piece[] {
  return abstract === null ? [] : [{ kind: 'abstract', id: 'abstract', text: `Abstract\n${abstract.text}` }]
}

function highlightPieces ({ highlights }: Document): Piece[] {
  const list = (id: string, name: string, found: readonly Highlight[]): Piece[] => found.length === 0
    ? []
    : [{ kind: 'highlights', id, text: [name, ...found.map(({ text }) => `- ${text}`)].join('\n') }]
  return [
    ...list('problem', 'Problem', highlights.problem),
    ...list('solution', 'Solution', highlights.solution),
    ...list('results', 'Results', highlights.results)
  ]
}

function sectionPieces ({ id, number, title, paragraphs }: Section): Piece[] {
  const heading = [number, title].filter(part => part !== '').join(' ')
  return [
    ...heading === '' ? [] : [{ kind: 'heading' as const, id, text: heading }],
    ...paragraphs.map(({ id, text }): Piece => ({ kind: 'paragraph', id, text }))
  ]
}

function withFloats (document: Document, section: Section): Piece[] {
  return [...sectionPieces(section), ...floatPieces(document, section.id)]
}

function floatPieces (document: Document, sectionId: string | null): Piece[] {
  const captionText = (float: { label: string, caption: string }) =>
    [float.label, float.caption].filter(part => part !== '').join(': ')
  return [
    ...document.figures.filter(figure => figure.sectionId === sectionId)
      .map((figure): Piece => ({ kind: 'caption', id: figure.id, text: captionText(figure) })),
    ...document.tables.filter(table => table.sectionId === sectionId).map((table): Piece => ({
      kind: 'table',
      id: table.id,
      text: [captionText(table), ...(table.rows ?? []).map(row => row.join(' | '))].join('\n')
    }))
  ].filter(({ text }) => text !== '')
}

function retrieved (document: Document, query: string | undefined, bytesMax: number): Content {
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

/** The pieces that fit, the one that is cut, and the names of the rest. */
function fitted (pieces: readonly Piece[], bytesMax: number): Content {
  const parts: ContentPart[] = []
  const leftOut: string[] = []
  let room = bytesMax
  for (const piece of pieces) {
    if (parts.length > 0) room -= separator.length
    const text = cutToBytes(piece.text, room)
    const cut = text.length < piece.text.length
    // A cut heading would mislead.
    if (text === '' || (cut && piece.kind === 'heading')) break
    parts.push({ ...piece, text, cut })
    if (cut) {
      leftOut.push(`the last ${piece.text.length - text.length} of ${piece.text.length} characters of ${nameOf(piece)}`)
      break
    }
    room -= Buffer.byteLength(text)
  }
  // So would a heading with nothing of its section after it.
  while (parts.length < pieces.length && parts.at(-1)?.kind === 'heading') parts.pop()
  leftOut.push(...runsOf(pieces.slice(parts.length)))
  const text = parts.map(part => part.text).join(separator)
  return { text, parts, tokens: estimateTokens(text), leftOut }
}

function nameOf ({ kind, id }: Piece): string {
  return kind === id ? kind : `${kind} ${id}`
}

/** Neighbours of one kind on one line: "12 paragraphs, p30 to p41". */
function runsOf (pieces: readonly Piece[]): string[] {
  const runs: Piece[][] = []
  for (const piece of pieces) {
    const run = runs.at(-1)
    if (run?.[0]?.kind === piece.kind) run.push(piece)
    else runs.push([piece])
  }
  return runs.map(run => {
    const [first, last] = [run[0] as Piece, run.at(-1) as Piece]
    return run.length === 1 ? nameOf(first) : `${run.length} of ${first.kind}, ${first.id} to ${last.id}`
  })
}

/** The longest start of `text` within `bytesMax` UTF-8 bytes that ends before a space; may be empty. */
function cutToBytes (text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text
  let bytes = 0
  let end = 0
  let lastSpace = 0
  for (const character of text) {
    if (character.trim() === '') lastSpace = end
    bytes += Buffer.byteLength(character)
    if (bytes > bytesMax) return text.slice(0, lastSpace).trimEnd()
    end += character.length
  }
  return text
}
