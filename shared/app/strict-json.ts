/**
 * JSON that means one thing: a repeated key is an error instead of "the last one wins" (RFC 8259 §4
 * leaves it to the parser), nesting is bounded, text is whole characters, numbers are finite, and
 * `__proto__` never reaches an object.
 */
import { isAscii, isUtf8, transcode } from 'node:buffer'
import secureJson from 'secure-json-parse'
import { Problem } from '../errors/problem.ts'

export const jsonDepthMax = 64

/**
 * Bytes as they came: what is not UTF-8 is refused, where a decoder would put U+FFFD in its place and say
 * nothing (RFC 8259 §8.1).
 *
 * @throws Problem invalid-json that says what is wrong and where
 */
export function parseStrictBytes (bytes: Buffer): unknown {
  // Most bodies are ASCII, images above all; those need no decoding.
  if (isAscii(bytes)) return parseStrictJson(bytes.toString('latin1'))
  if (!isUtf8(bytes)) throw new Problem('invalid-json', 'The body is not UTF-8; send it in that encoding.')
  // Two to four times as fast as decoding with toString.
  return parseStrictJson(transcode(bytes, 'utf8', 'utf16le').toString('utf16le'))
}

/** @throws Problem invalid-json that says what is wrong and where */
export function parseStrictJson (text: string): unknown {
  if (text.trim() === '') {
    throw new Problem('invalid-json', 'The body is empty; send JSON, or leave the content type out.')
  }
  const isSuspect = scan(text)
  try {
    // Its own search of the whole text costs more than the parsing; the scan has seen every key.
    if (!isSuspect) return JSON.parse(text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text)
    return secureJson.parse(text, undefined, { protoAction: 'error', constructorAction: 'error' })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new Problem('invalid-json', `The body is not valid JSON: ${message.slice(0, 200)}`, { cause })
  }
}

const byteOrderMark = 0xfeff
const quote = 0x22
const backslash = 0x5c

/** Keys of each open object: a list while there are few, for most objects have few; null for an array. */
type Keys = string[] | Set<string> | null
const listedMax = 16

/**
 * One pass over the text that looks only at strings, brackets and numbers: what is not JSON is left for
 * the parser to name. Strings, which are most of a large body, are leapt over.
 *
 * @returns whether a key is one that could reach a prototype
 */
function scan (text: string): boolean {
  // Bytes are well-formed once decoded; only an escape can name half of a character.
  const mayHoldHalves = text.includes('\\u') && /\\u[dD]/.test(text)
  const open: Keys[] = []
  let keyExpected = false
  let isSuspect = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(text, at)
      if (mayHoldHalves) refuseHalf(text.slice(at, end + 1), at)
      if (keyExpected && open.length > 0) {
        const key = keyOf(text, at, end)
        if (key !== undefined) {
          if (key === '__proto__' || key === 'constructor' || key === 'prototype') isSuspect = true
          open[open.length - 1] = noteKey(open[open.length - 1] ?? null, key, at)
        }
      }
      keyExpected = false
      at = end
    } else if (code === 0x7b || code === 0x5b) {
      if (open.length >= jsonDepthMax) {
        throw new Problem('invalid-json', `The body is nested deeper than ${jsonDepthMax} levels.`)
      }
      open.push(code === 0x7b ? [] : null)
      keyExpected = code === 0x7b
    } else if (code === 0x7d || code === 0x5d) {
      open.pop()
      keyExpected = false
    } else if (code === 0x2c) keyExpected = open.length > 0 && open[open.length - 1] !== null
    else if (code >= 0x30 && code <= 0x39) at = endOfNumber(text, at) - 1
  }
  return isSuspect
}

/** @returns the keys with this one among them */
function noteKey (keys: Keys, key: string, at: number): Keys {
  if (keys === null) return null
  const isList = Array.isArray(keys)
  if (isList ? keys.includes(key) : keys.has(key)) {
    throw new Problem('invalid-json', `The key ${JSON.stringify(key.slice(0, 60))} stands twice in one object (again at character ${at}); which one is meant is unclear.`)
  }
  if (!isList) return keys.add(key)
  if (keys.length >= listedMax) return new Set([...keys, key])
  keys.push(key)
  return keys
}

/** "a" and "\u0061" are the same key; undefined for a literal the parser will not take. */
function keyOf (text: string, start: number, end: number): string | undefined {
  const key = text.slice(start + 1, end)
  if (!key.includes('\\')) return key
  try { return JSON.parse(text.slice(start, end + 1)) as string } catch { return undefined }
}

/**
 * Half of a surrogate pair is no Unicode: it cannot be written as UTF-8, so it would come out of a
 * file or another service as something else (RFC 8259 §8.2).
 */
function refuseHalf (literal: string, at: number): void {
  if (!/\\u[dD]/.test(literal)) return
  let value: string
  try { value = JSON.parse(literal) as string } catch { return }
  if (/\p{Surrogate}/u.test(value)) {
    throw new Problem('invalid-json', `The text at character ${at} holds half of a character (a lone \\ud800 to \\udfff); send it whole or leave it out.`)
  }
}

/** The closing quote: the first with an even number of backslashes before it. */
function endOfString (text: string, start: number): number {
  // Escapes stand close together where there are any; a search for each would cost more than a look.
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at
    while (first - 1 > start && text.charCodeAt(first - 1) === backslash) first--
    if ((at - first) % 2 === 0) return at
  }
  return text.length
}

/** The parser turns 1e400 into Infinity, which goes on as null. */
function endOfNumber (text: string, start: number): number {
  let end = start + 1
  while (end < text.length && isOfNumber(text.charCodeAt(end))) end++
  // A number of fewer characters and without an exponent is finite.
  if (end - start < 5 || Number.isFinite(Number(text.slice(start, end)))) return end
  const literal = text.slice(start, end)
  if (Number.isNaN(Number(literal))) return end
  throw new Problem('invalid-json', `The number ${literal.slice(0, 40)} at character ${start} is too large for a double (RFC 8259 §6).`)
}

/** Digits and . e E + - */
function isOfNumber (code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true
  return code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d
}
