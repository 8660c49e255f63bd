/**
 * The input of a LaTeX reading: sources and lists of tokens on a stack, macros expanded on demand.
 * No TeX runs: a macro is text with holes, and every token is counted, so that no definition, however
 * it calls itself, keeps the reader busy.
 */
import { Problem } from '../../../../shared/errors/problem.ts'
import type { Switches } from './conditionals.ts'
import { lexer, type Lexer, type Token } from './tokens.ts'

/** A hole of a macro's body is the number of its argument, from 1. */
export interface Macro {
  /** Tokens that follow the name and each argument; none takes the next token or group. */
  delimiters: readonly (readonly Token[])[]
  /** The first argument may stand in brackets; this is what it is else. */
  fallback?: readonly Token[]
  body: readonly (Token | number)[]
}

interface Frame { lexer?: Lexer, tokens?: readonly Token[], at: number, file?: string }

export interface Input {
  frames: Frame[]
  macros: Map<string, Macro>
  /** Whether "@" is a letter now. */
  letters: { at: boolean }
  switches: Switches
  spent: { read: number, put: number, expansions: number }
}

/** Of tokens read, in all: a book has half a million. */
const readMax = 4_000_000
/** Of tokens that macros put back. */
const putMax = 16_000_000
const expansionsMax = 200_000
const depthMax = 20_000

export function openInput (): Input {
  return {
    frames: [],
    macros: new Map(),
    letters: { at: false },
    switches: new Map(),
    spent: { read: 0, put: 0, expansions: 0 }
  }
}

function tooComplex (what: string): Problem {
  return new Problem('paper-too-complex', `The LaTeX source ${what} (cause: macros); a macro that calls itself is a common reason. Put plain text in its place, or upload the PDF.`)
}

/** @throws Problem paper-too-complex when there were too many */
export function nextToken ({ frames, spent }: Input): Token | undefined {
  if (++spent.read > readMax) throw tooComplex('has too many tokens')
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const token = frame.lexer === undefined ? frame.tokens![frame.at++] : frame.lexer.next()
    if (token !== undefined) return token
    frames.pop()
  }
  return undefined
}

/** What is read next. */
export function putBack ({ frames, spent }: Input, list: readonly Token[]): void {
  if (list.length === 0) return
  spent.put += list.length
  // What is used up is let go first, so that tail calls do not pile up.
  const top = frames.at(-1)
  if (top?.tokens !== undefined && top.at >= top.tokens.length) frames.pop()
  if (frames.length > depthMax || spent.put > putMax) throw tooComplex('nests too deeply')
  frames.push({ tokens: list, at: 0 })
}

export function peekToken (input: Input): Token | undefined {
  const token = nextToken(input)
  if (token !== undefined) putBack(input, [token])
  return token
}

export function countExpansion ({ spent }: Input): void {
  if (++spent.expansions > expansionsMax) throw tooComplex('expands too many macros')
}

/** @param file by which it is known to `openFiles` */
export function openSource ({ frames, letters }: Input, text: string, file?: string): void {
  frames.push({ lexer: lexer(text, letters), at: 0, ...(file !== undefined && { file }) })
}

/** The source that is being read, if no tokens wait before it. */
export function rawSource ({ frames }: Input): Lexer | undefined {
  for (let top = frames.at(-1); top?.tokens !== undefined; top = frames.at(-1)) {
    if (top.at < top.tokens.length) return undefined
    frames.pop()
  }
  return frames.at(-1)?.lexer
}

/** Files being read, outermost first. */
export function openFiles ({ frames }: Input): string[] {
  return frames.flatMap(({ file }) => file ?? [])
}

/** `\endinput`: the rest of the innermost file is not read. */
export function endFile ({ frames }: Input): void {
  frames.findLast(frame => frame.lexer !== undefined)?.lexer?.close()
}
