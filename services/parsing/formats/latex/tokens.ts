/** LaTeX source cut into tokens as TeX cuts it (The TeXbook, chapter 8), comments left out. */

/** `cs`: a control sequence, named without its back slash; else one character, white space as " ". */
export interface Token { readonly cs: boolean, readonly text: string }

export const space: Token = { cs: false, text: ' ' }
/** A blank line; the same as `\par`. */
export const par: Token = { cs: true, text: 'par' }

/** Marks where a list of tokens put into the input ends. A source cannot spell its name. */
export const stop: Token = { cs: true, text: '\u0000stop' }

export interface Lexer {
  next: () => Token | undefined
  /** What stands before `end`, which is consumed too; to the end of the source if it never comes. */
  rawUntil: (end: string) => string
  /** The next character; white space counts. */
  rawCharacter: () => string
  /** The content of a group that opens here, braces balanced, nothing interpreted; or undefined. */
  rawGroup: () => string | undefined
  /** Nothing more is read. */
  close: () => void
}

const characters = new Map<string, Token>()

function character (text: string): Token {
  let token = characters.get(text)
  if (token === undefined) {
    token = { cs: false, text }
    if (characters.size < 10_000) characters.set(text, token)
  }
  return token
}

export function charactersOf (text: string): Token[] {
  return Array.from(text, each => /\s/u.test(each) ? space : character(each))
}

/** Controls count as white space. */
function isBlank (code: number): boolean {
  return code <= 32 || code === 0xA0
}

function isLetter (code: number, letters: { at: boolean }): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || (code === 64 && letters.at)
}

/** Where the content of the group that opens here begins and ends. */
function groupAt (text: string, from: number): { start: number, end: number } | undefined {
  let at = from
  while (isBlank(text.charCodeAt(at))) at++
  if (text[at] !== '{') return undefined
  const start = ++at
  for (let depth = 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) break
  }
  return { start, end: Math.min(at, text.length) }
}

/** @param letters.at whether "@" is a letter now (`\makeatletter`); read at each token */
export function lexer (text: string, letters: { at: boolean }): Lexer {
  let at = 0
  /** As after a line break or a control word, where white space is nothing. */
  let skipping = true

  function controlSequence (): Token {
    const start = ++at
    while (at < text.length && isLetter(text.charCodeAt(at), letters)) at++
    if (at > start) {
      skipping = true
      return { cs: true, text: text.slice(start, at) }
    }
    const symbol = at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : ' '
    at += symbol.length
    return { cs: true, text: /\s/u.test(symbol) ? ' ' : symbol }
  }

  /** White space from here: nothing, a space, or the end of a paragraph. */
  function gap (): Token | undefined {
    let breaks = 0
    while (at < text.length && isBlank(text.charCodeAt(at))) if (text[at++] === '\n') breaks++
    if (breaks >= 2) {
      skipping = true
      return par
    }
    const wasSkipping = skipping
    skipping ||= breaks > 0
    return wasSkipping ? undefined : space
  }

  function next (): Token | undefined {
    while (at < text.length) {
      const code = text.charCodeAt(at)
      if (code === 37) {
        const end = text.indexOf('\n', at)
        at = end === -1 ? text.length : end + 1
        // The line break went with the comment; only a blank line after it counts.
        while (text[at] === ' ' || text[at] === '\t') at++
        if (text[at] === '\n') {
          gap()
          return par
        }
        continue
      }
      if (isBlank(code)) {
        const token = gap()
        if (token !== undefined) return token
        continue
      }
      if (code === 92) return controlSequence()
      skipping = false
      const symbol = String.fromCodePoint(text.codePointAt(at)!)
      at += symbol.length
      return character(symbol)
    }
    return undefined
  }

  function rawGroup (): string | undefined {
    const range = groupAt(text, at)
    if (range !== undefined) at = range.end + 1
    return range && text.slice(range.start, range.end)
  }

  return {
    next,
    rawGroup,
    rawUntil (end) {
      const found = text.indexOf(end, at)
      const raw = text.slice(at, found === -1 ? text.length : found)
      at = found === -1 ? text.length : found + end.length
      skipping = false
      return raw
    },
    rawCharacter: () => text[at++] ?? '',
    close () { at = text.length }
  }
}

/** Tokens back as source. */
export function sourceOf (tokens: readonly Token[]): string {
  let source = ''
  let word = false
  for (const { cs, text } of tokens) {
    if (text === stop.text) continue
    const piece = cs ? (text === 'par' ? ' ' : `\\${text}`) : text
    if (word && /^[A-Za-z]/u.test(piece)) source += ' '
    if (!(piece === ' ' && source.endsWith(' '))) source += piece
    word = cs && /^[A-Za-z@]+$/u.test(text) && text !== 'par'
  }
  return source.trim()
}
