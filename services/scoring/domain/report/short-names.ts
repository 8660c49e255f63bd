/** Names cut to a length such that what tells them apart stays. */

/** A model's name in pieces that are cut whole, and what stands in parentheses behind it. */
interface Parted { model: string[], parts: string[] }

/** Pieces longer than this are cut into such lengths. */
const pieceCharsMax = 10

/**
 * Each at most `charsMax` code points, with an ellipsis for what is gone. Pieces that most of the other
 * names have go first; of equally common ones those in the middle. Two may come out equal.
 */
export function shortNames (names: readonly string[], charsMax: number): string[] {
  const parted = names.map(partsOf)
  const seen = new Map<string, number>()
  for (const { model, parts } of parted) {
    for (const piece of new Set([...model, ...parts].map(bare))) seen.set(piece, (seen.get(piece) ?? 0) + 1)
  }
  return names.map((name, at) => Array.from(name).length <= charsMax
    ? name
    : shortened(parted[at]!, { charsMax, othersWith: piece => seen.get(bare(piece))! }))
}

interface Rule {
  charsMax: number
  /** How many names have a piece, this one included. */
  othersWith: (piece: string) => number
}

function shortened ({ model, parts }: Parted, { charsMax, othersWith }: Rule): string {
  const pieces = [...model, ...parts]
  const fromEnd = (at: number) => at < model.length
    ? Math.min(at, model.length - 1 - at)
    : Math.min(at - model.length, pieces.length - 1 - at)
  const order = pieces.map((piece, at) => ({ at, common: othersWith(piece), middle: fromEnd(at) }))
    .sort((a, b) => a.common - b.common || a.middle - b.middle || a.at - b.at)
  const kept = new Set<number>()
  const written = () => {
    const of = (some: readonly string[], from: number) => joined(some, at => kept.has(from + at))
    const behind = of(parts, model.length)
    return `${of(model, 0)}${behind === '' ? '' : ` (${behind})`}`
  }
  for (const { at } of order) {
    kept.add(at)
    if (Array.from(written()).length > charsMax) kept.delete(at)
  }
  return written()
}

/** Pieces that are kept, in their order, with one ellipsis for each stretch that is not. */
function joined (pieces: readonly string[], isKept: (at: number) => boolean): string {
  return pieces.map((piece, at) =>
    isKept(at) ? piece : at > 0 && !isKept(at - 1) ? '' : '…').join('')
}

/** "lab/big-7b (seed 1, repeat 0)" is "lab/", "big-", "7b" and "seed 1, ", "repeat 0". */
function partsOf (name: string): Parted {
  const opens = name.endsWith(')') ? name.lastIndexOf(' (') : -1
  const [model, behind] = opens < 0 ? [name, ''] : [name.slice(0, opens), name.slice(opens + 2, -1)]
  return { model: piecesOf(model, /(?<=[/_:\s-])/u), parts: piecesOf(behind, /(?<=, )/u) }
}

function piecesOf (text: string, between: RegExp): string[] {
  return text.split(between).filter(piece => piece !== '').flatMap(piece => {
    const characters = Array.from(piece)
    const whole = characters.length <= 2 * pieceCharsMax
    return whole
      ? [piece]
      : Array.from({ length: Math.ceil(characters.length / pieceCharsMax) }, (_, at) =>
        characters.slice(at * pieceCharsMax, (at + 1) * pieceCharsMax).join(''))
  })
}

/** Without what only separates: the last piece of one name may be within another. */
function bare (piece: string): string {
  return piece.replace(/[/_:\s,-]+$/u, '')
}
