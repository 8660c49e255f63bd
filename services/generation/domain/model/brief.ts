/**
 * The text of a paper that a prompt has room for. The abstract and what the place itself is (heading,
 * caption, cells) always go in; the text around it by content mode, until the room is used up. What
 * is not given whole is named in `leftOut`.
 */
import { fitted, type Fitted, type Piece } from '../../../../shared/text/content-budget.ts'
import { abstractPieces, highlightPieces, titlePieces } from '../../../../shared/text/content-pieces.ts'
import { contentOf } from '../../../../shared/text/content.ts'
import type { Place } from '../plan.ts'
import { piecesAround, targetOf } from './surroundings.ts'
import type { Material, Room } from './writer.ts'

export interface Brief {
  title: string
  abstract: string
  /** What the place is: heading, caption, cells. */
  target: string
  /** Text around it. */
  text: string
  leftOut: string[]
}

const bytesPerToken = 4
/** Abstract and target together leave at least half of the room to the text. */
const fixedShareMax = 0.25
/** Of a title; one that is longer was read wrongly. */
const titleBytesMax = 600
const noAbstract = '(The paper has no abstract.)'
const noText = '(No further text is given.)'

export function briefOf (place: Place, material: Material, room: Room): Brief {
  const [brief] = briefsOf(place, { ...material }, { room, partsMax: 1 })
  return brief!
}

/**
 * As many briefs as the text needs, each with the abstract and the target, cut between paragraphs;
 * what is beyond `partsMax` is left out of the last.
 */
export function briefsOf (
  place: Place, { document, recipe }: Material, { room, partsMax }: { room: Room, partsMax: number }
): Brief[] {
  const title = fixed(titlePieces(document), titleBytesMax)
  const bytes = room.tokens * bytesPerToken - title.bytes
  const abstract = fixed(abstractPieces(document), bytes * fixedShareMax)
  const target = place.aspect === 'abstract'
    ? { text: '', leftOut: [], bytes: 0 }
    : fixed([{ kind: 'caption', id: place.id, text: targetOf(document, place) }], bytes * fixedShareMax)
  const rest = bytes - abstract.bytes - target.bytes
  const frame = {
    title: title.text,
    abstract: abstract.text.replace(/^Abstract\n/u, '') || noAbstract,
    target: target.text,
    leftOut: [...title.leftOut, ...abstract.leftOut, ...target.leftOut]
  }
  if (recipe.contentMode === 'full') {
    const { text, leftOut } = withoutAbstract(contentOf(document, { mode: 'full', maxTokens: Math.floor((rest + abstract.bytes) / bytesPerToken) }))
    return [{ ...frame, text: text || noText, leftOut: [...frame.leftOut, ...leftOut] }]
  }
  const highlights = recipe.contentMode === 'semantic' ? fixed(highlightPieces(document), rest / 2) : { text: '', leftOut: [], bytes: 0 }
  const parts = partsOf(piecesAround(document, place), rest - highlights.bytes, partsMax)
  return parts.map(({ text, leftOut }) => ({
    ...frame,
    text: [highlights.text, text].filter(part => part !== '').join('\n\n') || noText,
    leftOut: [...frame.leftOut, ...highlights.leftOut, ...leftOut]
  }))
}

function fixed (pieces: readonly Piece[], bytesMax: number) {
  const { text, leftOut } = fitted(pieces, bytesMax)
  return { text, leftOut, bytes: Buffer.byteLength(text) }
}

/** The abstract has a place of its own in every prompt. */
function withoutAbstract ({ parts, leftOut }: Fitted): { text: string, leftOut: string[] } {
  return {
    text: parts.filter(({ kind }) => kind !== 'abstract').map(({ text }) => text).join('\n\n'),
    leftOut
  }
}

/** Runs of whole pieces, each run within `bytesMax`; a piece larger than that is cut. */
function partsOf (pieces: readonly Piece[], bytesMax: number, partsMax: number): Fitted[] {
  const parts: Fitted[] = []
  let rest = [...pieces]
  do {
    const taken = parts.length + 1 < partsMax ? wholePieces(rest, bytesMax) : rest.length
    parts.push(fitted(rest.slice(0, taken), bytesMax))
    rest = rest.slice(taken)
  } while (rest.length > 0)
  return parts
}

/** How many pieces from the first on fit whole, no heading as the last; one more where none does. */
function wholePieces (pieces: readonly Piece[], bytesMax: number): number {
  let bytes = 0
  for (const [i, { text }] of pieces.entries()) {
    bytes += Buffer.byteLength(text) + 2
    if (bytes <= bytesMax) continue
    return pieces.slice(0, i).findLastIndex(({ kind }) => kind !== 'heading') + 1 || i + 1
  }
  return pieces.length
}
