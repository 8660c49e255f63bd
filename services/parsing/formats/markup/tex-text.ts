import { mathText } from '../latex/math-text.ts'
import { lexer, type Token } from '../latex/tokens.ts'

/** Longer formulas are shown as they are. */
const texMax = 5_000

/** A formula of TeX in running text: in plain characters where those can show it, else between dollars. */
export function texText (tex: string): string {
  if (tex.length > texMax) return `$${tex}$`
  const tokens: Token[] = []
  const { next } = lexer(tex, { at: false })
  for (let token = next(); token !== undefined; token = next()) tokens.push(token)
  return mathText(tokens)
}
