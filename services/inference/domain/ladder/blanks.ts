/** What may stand between two tokens. */
import { Cut, type Note } from './notes.ts'

const odd = /[\ufeff\u200b-\u200d\u2060\u00a0\u3000\u2028\u2029]/

/**
 * The offset of the next token: behind blanks, what looks like a blank, and comments.
 *
 * @throws Cut when the text ends inside a comment
 */
export function skipBlanks (text: string, from: number, notes: Note[]): number {
  let at = from
  for (;;) {
    const char = text[at]
    if (char === ' ' || char === '\n' || char === '\t' || char === '\r') at++
    else if (char === undefined) return at
    else if (odd.test(char)) {
      note(notes, 'odd-blank', at)
      at++
    } else if (char === '#' || (char === '/' && (text[at + 1] === '/' || text[at + 1] === '*'))) {
      note(notes, 'comment', at)
      at = endOfComment(text, at)
    } else return at
  }
}

/** Of comments passed over in one look ahead: many looks over one long line would take for ever. */
const commentCharsMax = 2_000

/** The same, for a look ahead; comments are passed over only so far. */
export function nextToken (text: string, from: number): number {
  const end = Math.min(text.length, from + commentCharsMax)
  let at = from
  for (;;) {
    const char = text[at]
    if (char === ' ' || char === '\n' || char === '\t' || char === '\r' || (char !== undefined && odd.test(char))) at++
    else if (at < end && (char === '#' || (char === '/' && (text[at + 1] === '/' || text[at + 1] === '*')))) {
      at = endOfLook(text, at, end)
    } else return at
  }
}

function endOfLook (text: string, at: number, end: number): number {
  try { return endOfComment(text.slice(0, end), at) } catch { return end }
}

function note (notes: Note[], step: 'odd-blank' | 'comment', at: number): void {
  notes.push({ step, at })
}

function endOfComment (text: string, at: number): number {
  const block = text[at] === '/' && text[at + 1] === '*'
  const end = block ? text.indexOf('*/', at + 2) : text.indexOf('\n', at)
  if (end < 0) {
    if (block) throw new Cut(false)
    return text.length
  }
  return block ? end + 2 : end + 1
}
