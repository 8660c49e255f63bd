/** Macros expanded, conditions decided. */
import { argument, argumentMax, delimited, optional, same } from './arguments.ts'
import { evaluate, skipBranch } from './conditionals.ts'
import { countExpansion, nextToken, peekToken, putBack, type Input, type Macro } from './input.ts'
import type { Token } from './tokens.ts'

/** The next token that is no macro and no condition. */
export function expandedToken (input: Input): Token | undefined {
  for (;;) {
    const token = nextToken(input)
    if (token === undefined || !token.cs) return token
    const macro = input.macros.get(token.text)
    if (macro !== undefined) expand(input, macro)
    else if (token.text === 'else' || token.text === 'or') skipBranch(input, { toElse: false })
    else if (token.text !== 'fi' && !evaluate(input, token.text)) return token
  }
}

/** Puts a macro's body into the input; its arguments are taken from there. */
export function expand (input: Input, macro: Macro): void {
  countExpansion(input)
  putBack(input, filled(macro.body, argumentsOf(input, macro)))
}

function argumentsOf (input: Input, { delimiters, fallback }: Macro): Token[][] {
  const taken: Token[][] = []
  for (const [i, end] of delimiters.entries()) {
    if (i === 0) {
      for (const wanted of end) if (same(peekToken(input), wanted)) nextToken(input)
    } else if (i === 1 && fallback !== undefined) taken.push(optional(input) ?? [...fallback])
    else taken.push(end.length === 0 ? argument(input) : delimited(input, end))
  }
  return taken
}

function filled (body: Macro['body'], taken: readonly (readonly Token[])[]): Token[] {
  const list: Token[] = []
  for (const part of body) {
    if (typeof part !== 'number') list.push(part)
    else for (const token of taken[part - 1] ?? []) list.push(token)
    if (list.length > argumentMax) break
  }
  return list
}
