/**
 * Conditions of LaTeX sources. Those that hide or show text (`\iffalse`, `\newif` switches) are
 * decided; those on the state of a TeX machine, which is not run, count as false.
 */
import { skipSpaces } from './arguments.ts'
import { nextToken, putBack, type Input } from './input.ts'
import { space, stop, type Token } from './tokens.ts'

/** By the name without "if". */
export type Switches = Map<string, boolean>

const constant = {
  yes: ['iftrue', 'ifpdf', 'ifvmode', 'ifPDFTeX', 'ifeof', 'ifvoid'],
  no: ['iffalse', 'ifmmode', 'ifhmode', 'ifinner', 'ifxetex', 'ifluatex', 'ifXeTeX', 'ifLuaTeX', 'ifodd', 'ifhbox', 'ifvbox']
}
const decided = new Map([
  ...constant.yes.map(name => [name, true] as const), ...constant.no.map(name => [name, false] as const)
])
/** With something between name and branch that is not text. */
const comparing = new Set(['ifnum', 'ifdim', 'ifx', 'if', 'ifcat', 'ifcase', 'ifdefined', 'ifcsname'])

export function isCondition ({ switches }: Input, name: string): boolean {
  if (!name.startsWith('if')) return false
  return decided.has(name) || comparing.has(name) || switches.has(name.slice(2))
}

/** Whether `name` was a condition; if so the input goes on in the branch that holds. */
export function evaluate (input: Input, name: string): boolean {
  if (!isCondition(input, name)) return false
  if (!holds(input, name)) skipBranch(input, { toElse: true })
  return true
}

function holds (input: Input, name: string): boolean {
  const own = decided.get(name) ?? input.switches.get(name.slice(2))
  if (own !== undefined) return own
  switch (name) {
    case 'ifx': return sameMeaning(input, nextToken(input), nextToken(input))
    case 'if':
    case 'ifcat': {
      const [a, b] = [nextToken(input), nextToken(input)]
      return a !== undefined && a.cs === b?.cs && a.text === b.text
    }
    case 'ifdefined': return isDefined(input, nextToken(input))
    case 'ifnum': return compare(input)
    case 'ifcase': return number(input) === 0
    case 'ifcsname': {
      skipUntil(input, 'endcsname')
      return false
    }
    default:
      skipDimensions(input)
      return false
  }
}

function isDefined ({ macros }: Input, token: Token | undefined): boolean {
  return token !== undefined && macros.has(token.text)
}

function sameMeaning ({ macros }: Input, a: Token | undefined, b: Token | undefined): boolean {
  if (a === undefined || b === undefined) return false
  if (a.cs === b.cs && a.text === b.text) return true
  const [first, second] = [a, b].map(({ cs, text }) => cs ? macros.get(text) : undefined)
  if (first === undefined || second === undefined) return false
  return JSON.stringify(first.body.slice(0, 200)) === JSON.stringify(second.body.slice(0, 200))
}

function compare (input: Input): boolean {
  const left = number(input)
  skipSpaces(input)
  const relation = nextToken(input)?.text
  const right = number(input)
  if (Number.isNaN(left) || Number.isNaN(right)) return false
  return relation === '<' ? left < right : relation === '>' ? left > right : left === right
}

/** NaN for a register. */
function number (input: Input): number {
  skipSpaces(input)
  let digits = ''
  for (;;) {
    const token = nextToken(input)
    if (token === undefined) break
    if (!token.cs && /^[\d-]$/u.test(token.text) && digits.length < 9) {
      digits += token.text
      continue
    }
    if (token.cs && digits === '' && token !== stop) return NaN
    if (token !== space) putBack(input, [token])
    break
  }
  return digits === '' ? NaN : Number(digits)
}

function skipDimensions (input: Input): void {
  for (let i = 0; i < 40; i++) {
    const token = nextToken(input)
    if (token === undefined) return
    if (token === stop || (i > 2 && token.cs && !/(?:width|height|skip|length|sep|textwidth)$/u.test(token.text))) {
      putBack(input, [token])
      return
    }
    if (token === space && i > 4) return
  }
}

function skipUntil (input: Input, name: string): void {
  for (let token = nextToken(input); token !== undefined && token.text !== name; token = nextToken(input)) {
    if (token === stop) {
      putBack(input, [token])
      return
    }
  }
}

/** To the `\fi` of this condition, or also to its `\else`, conditions inside passed over. */
export function skipBranch (input: Input, { toElse }: { toElse: boolean }): void {
  for (let depth = 0; ;) {
    const token = nextToken(input)
    if (token === undefined) return
    if (token === stop) {
      putBack(input, [token])
      return
    }
    if (!token.cs) continue
    if (token.text === 'fi' && depth-- === 0) return
    if (token.text === 'else' && depth === 0 && toElse) return
    if (isCondition(input, token.text)) depth++
  }
}
