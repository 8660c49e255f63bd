/** Members of a JSON list or object as text, found without parsing them. */

export interface Piece {
  text: string
  /** Where it begins. */
  at: number
  /** Of a member of an object. */
  key?: string
  /** False for the last one of a text that ends within it. */
  isWhole: boolean
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a

/** @param at where the bracket stands that opens the list or object */
export function * membersOf (text: string, at: number): Generator<Piece> {
  const isObject = text[at] === '{'
  let depth = 0
  let from = at + 1
  let key: string | undefined
  const piece = (to: number, isWhole: boolean): Piece | undefined => {
    const found = text.slice(from, to)
    const own = found.trim()
    if (own === '') return undefined
    return { text: own, at: from + found.indexOf(own), ...key !== undefined && { key }, isWhole }
  }
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next)
    if (code === quote) next = endOfString(text, next)
    else if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) {
      if (depth-- > 0) continue
      const last = piece(next, true)
      if (last !== undefined) yield last
      return
    } else if (depth === 0 && code === comma) {
      const found = piece(next, true)
      if (found !== undefined) yield found
      from = next + 1
      key = undefined
    } else if (depth === 0 && isObject && code === colon && key === undefined) {
      key = unquoted(text.slice(from, next).trim())
      from = next + 1
    }
  }
  const cut = piece(text.length, false)
  if (cut !== undefined) yield cut
}

function endOfString (text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote) return at
  }
  return text.length
}

function unquoted (literal: string): string {
  try { return String(JSON.parse(literal)).replace(/\p{Surrogate}/gu, '\uFFFD') } catch { return literal }
}
