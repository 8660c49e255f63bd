/** Pieces of text under a budget: what fits, what is cut, and the names of what is left out. */

export type ContentPartKind = 'title' | 'abstract' | 'highlights' | 'heading' | 'paragraph' | 'caption' | 'table' |
  'equation' | 'reference' | 'evidence'

/** One piece of the text, as it stands there; `cut` when its end was left out. */
export interface ContentPart { kind: ContentPartKind, id: string, text: string, cut: boolean }

export type Piece = Omit<ContentPart, 'cut'>

export interface Fitted {
  text: string
  parts: ContentPart[]
  /** Of `text`, by `estimateTokens`. */
  tokens: number
  /** What the budget left out, one line for each run of pieces; empty when nothing was. */
  leftOut: string[]
}

export const separator = '\n\n'

/** ceil(UTF-8 bytes / 4): the estimate used wherever no tokenizer of the model is at hand. */
export function estimateTokens (text: string): number {
  return Math.ceil(Buffer.byteLength(text) / usualBytesPerToken)
}

/** What the estimate takes a token for. */
export const usualBytesPerToken = 4
/** Estimates are off by some percent; a prompt that the server refuses is worth nothing. */
const reserveShare = 0.08

/** Tokens of a prompt at most, where it shares a context with its reply. */
export function promptTokensMax (contextTokens: number, replyTokensMax: number): number {
  return Math.floor((contextTokens - replyTokensMax) * (1 - reserveShare))
}

/**
 * Takes pieces in their order until the budget is used up; the first that does not fit is cut at a
 * space, and every piece not given whole is named in `leftOut`. Pieces without text are none.
 */
export function fitted (all: readonly Piece[], bytesMax: number): Fitted {
  const pieces = all.filter(({ text }) => text !== '')
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

/** Of scripts that set no spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}、。，]/u

/** The longest start of `text` within `bytesMax` UTF-8 bytes that ends with a word; may be empty. */
function cutToBytes (text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text
  let bytes = 0
  let end = 0
  let wordsEnd = 0
  for (const character of text) {
    if (character.trim() === '') wordsEnd = end
    bytes += Buffer.byteLength(character)
    if (bytes > bytesMax) return text.slice(0, wordsEnd).trimEnd()
    end += character.length
    if (unspaced.test(character)) wordsEnd = end
  }
  return text
}
