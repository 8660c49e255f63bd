/**
 * A text that comes in pieces. Read piece by piece as one string it would be copied whole at each look,
 * which a reply of a megabyte turns into gigabytes; here the end is had at the cost of the end.
 */

const blockChars = 1_024

export interface GrowingText {
  add: (piece: string) => void
  /** All of a short text, else at least the last `chars` characters. */
  end: (chars: number) => string
  whole: () => string
}

export function growingText (): GrowingText {
  const blocks: string[] = []
  let open: string[] = []
  let openChars = 0
  return {
    add (piece) {
      open.push(piece)
      openChars += piece.length
      if (openChars < blockChars) return
      blocks.push(open.join(''))
      open = []
      openChars = 0
    },
    end: chars => [...blocks.slice(-Math.ceil(chars / blockChars)), ...open].join(''),
    whole: () => [...blocks, ...open].join('')
  }
}
