/**
 * JSON that means one thing: a repeated key is an error instead of "the last one wins" (RFC 8259 §4
 * leaves it to the parser), nesting is bounded, text is whole characters, and `__proto__` never
 * reaches an object.
 */
import secureJson from 'secure-json-parse'
import { Problem } from '../errors/problem.ts'

export const jsonDepthMax = 64

/** @throws Problem invalid-json that says what is wrong and where */
export function parseStrictJson (text: string): unknown {
  if (text.trim() === '') {
    throw new Problem('invalid-json', 'The body is empty; send JSON, or leave the content type out.')
  }
  scan(text)
  try {
    return secureJson.parse(text, undefined, { protoAction: 'error', constructorAction: 'error' })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new Problem('invalid-json', `The body is not valid JSON: ${message.slice(0, 200)}`, { cause })
  }
}

/**
 * One pass over the text that looks only at strings and brackets: what is not JSON is left for the
 * parser to name.
 */
function scan (text: string): void {
  /** The keys seen in each open object; null for an open array. */
  const open: Array<Set<string> | null> = []
  let keyExpected = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      refuseHalf(text.slice(at, end + 1), at)
      const keys = open.at(-1)
      if (keyExpected && keys) noteKey(keys, text.slice(at, end + 1), at)
      keyExpected = false
      at = end
    } else if (char === '{' || char === '[') {
      if (open.length >= jsonDepthMax) {
        throw new Problem('invalid-json', `The body is nested deeper than ${jsonDepthMax} levels.`)
      }
      open.push(char === '{' ? new Set() : null)
      keyExpected = char === '{'
    } else if (char === '}' || char === ']') {
      open.pop()
      keyExpected = false
    } else if (char === ',') {
      keyExpected = open.at(-1) instanceof Set
    }
  }
}

function noteKey (keys: Set<string>, literal: string, at: number): void {
  let key: string
  // "a" and "\u0061" are the same key.
  try { key = JSON.parse(literal) as string } catch { return }
  if (keys.has(key)) {
    throw new Problem('invalid-json', `The key ${JSON.stringify(key.slice(0, 60))} stands twice in one object (again at character ${at}); which one is meant is unclear.`)
  }
  keys.add(key)
}

/**
 * Half of a surrogate pair is no Unicode: it cannot be written as UTF-8, so it would come out of a
 * file or another service as something else (RFC 8259 §8.2).
 */
function refuseHalf (literal: string, at: number): void {
  // Bytes are well-formed once decoded; only an escape can name a half.
  if (!/\\u[dD]/.test(literal)) return
  let value: string
  try { value = JSON.parse(literal) as string } catch { return }
  if (/\p{Surrogate}/u.test(value)) {
    throw new Problem('invalid-json', `The text at character ${at} holds half of a character (a lone \\ud800 to \\udfff); send it whole or leave it out.`)
  }
}

function endOfString (text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}
