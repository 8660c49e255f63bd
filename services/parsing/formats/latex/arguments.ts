/** Arguments of LaTeX commands, read from the input as they stand, not expanded. */
import { nextToken, peekToken, putBack, type Input } from './input.ts'
import { par, space, stop, type Token } from './tokens.ts'

/** In tokens; what comes after that is text again. */
export const argumentMax = 500_000
/** One in brackets is short; a bracket that never closes is text. */
const bracketedMax = 10_000

export function skipSpaces (input: Input): void {
  let token = nextToken(input)
  while (token === space) token = nextToken(input)
  if (token !== undefined) putBack(input, [token])
}

/** The next token; none at the end of a list, which stays. */
function inList (input: Input): Token | undefined {
  const token = nextToken(input)
  if (token !== stop) return token
  putBack(input, [token])
  return undefined
}

/** Up to the brace that closes the group just opened. */
function groupRest (input: Input): Token[] {
  const content: Token[] = []
  for (let depth = 1; content.length < argumentMax;) {
    const token = inList(input)
    if (token === undefined) break
    if (!token.cs && token.text === '{') depth++
    if (!token.cs && token.text === '}' && --depth === 0) break
    content.push(token)
  }
  return content
}

/** The next group without its braces, or the next token. */
export function argument (input: Input): Token[] {
  let token = nextToken(input)
  while (token === space || token === par) token = nextToken(input)
  if (token === undefined) return []
  if (!token.cs && token.text === '{') return groupRest(input)
  if (token === stop || (!token.cs && token.text === '}')) {
    putBack(input, [token])
    return []
  }
  return [token]
}

function bracketed (input: Input, [open, close]: string): Token[] | undefined {
  skipSpaces(input)
  const first = nextToken(input)
  if (first === undefined) return undefined
  if (first.cs || first.text !== open) {
    putBack(input, [first])
    return undefined
  }
  const content: Token[] = []
  for (let depth = 0; content.length < bracketedMax;) {
    const token = nextToken(input)
    if (token === undefined) break
    if (token === stop || token === par) {
      // Never closed: it was no argument.
      putBack(input, [first, ...content, token])
      return undefined
    }
    if (!token.cs && token.text === '{') depth++
    if (!token.cs && token.text === '}') depth--
    if (!token.cs && token.text === close && depth === 0) return content
    content.push(token)
  }
  putBack(input, [first, ...content])
  return undefined
}

export function delimited (input: Input, end: readonly Token[]): Token[] {
  const content: Token[] = []
  for (let depth = 0; content.length < argumentMax;) {
    const token = inList(input)
    if (token === undefined) break
    if (!token.cs && token.text === '{') depth++
    if (!token.cs && token.text === '}') depth--
    content.push(token)
    if (depth === 0 && endsWith(content, end)) {
      content.length -= end.length
      break
    }
  }
  const whole = content.length >= 2 && content[0]!.text === '{' && content.at(-1)!.text === '}'
  return whole && !content[0]!.cs ? content.slice(1, -1) : content
}

export function optional (input: Input): Token[] | undefined {
  return bracketed(input, '[]')
}

export function inParentheses (input: Input): Token[] | undefined {
  return bracketed(input, '()')
}

/** Whether a star stands here; it is consumed. */
export function star (input: Input): boolean {
  skipSpaces(input)
  const token = peekToken(input)
  if (token === undefined || token.cs || token.text !== '*') return false
  nextToken(input)
  return true
}

export function same (token: Token | undefined, wanted: Token): boolean {
  return token?.cs === wanted.cs && token.text === wanted.text
}

function endsWith (content: readonly Token[], end: readonly Token[]): boolean {
  return end.length > 0 && content.length >= end.length &&
    end.every((wanted, i) => same(content[content.length - end.length + i], wanted))
}
