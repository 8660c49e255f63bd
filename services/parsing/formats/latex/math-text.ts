/**
 * A formula in running text. What plain characters can show is shown so ("p < 0.05", "10⁻³", "α"), as
 * a reader of the printed paper has it; anything that needs two dimensions stays LaTeX between dollar
 * signs, since a lossy form would be another formula.
 */
import { mathSymbols, scriptOf } from './symbols.ts'
import { sourceOf, space, type Token } from './tokens.ts'

/** Longer ones are not tried: they are formulas in any case. */
const plainMax = 120
/** Commands that say how letters look; their argument is what is read. */
const styles = new Set(['mathrm', 'text', 'textrm', 'mathit', 'textit', 'mathbf', 'textbf', 'boldsymbol', 'bm', 'mbox', 'operatorname', 'mathsf', 'textsc', 'textnormal', 'rm', 'ensuremath', 'mathnormal', 'texttt', 'mathtt', 'hbox'])
const relation = /^[=<>≤≥≪≫≠≡≈∼≃≅∝≲≳⊂⊆⊃⊇∈∉→←⟶↔⇒⇐⇔↦×±∓]$/u

/** @param tokens of a formula, macros expanded */
export function mathText (tokens: readonly Token[]): string {
  const source = sourceOf(tokens)
  if (source === '') return ''
  const plain = tokens.length <= plainMax ? plainOf(tokens) : undefined
  return plain !== undefined ? plain.replaceAll(/ {2,}/gu, ' ').trim() : `$${source}$`
}

function plainOf (tokens: readonly Token[]): string | undefined {
  let text = ''
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!
    if (token === space) {
      if (text !== '' && /^[A-Za-z]$/u.test(text.at(-1)!) && !tokens[i - 1]?.cs) continue
      continue
    }
    if (token.cs && styles.has(token.text)) {
      const group = groupAt(tokens, i + 1)
      const inner = group === undefined ? undefined : plainText(group.content, token.text)
      if (group === undefined || inner === undefined) return undefined
      text += inner
      i = group.last
      continue
    }
    if (!token.cs && (token.text === '^' || token.text === '_')) {
      const group = groupAt(tokens, i + 1)
      const inner = group === undefined ? undefined : plainOf(group.content)
      const script = inner === undefined ? undefined : scriptOf(inner, token.text)
      if (group === undefined || script === undefined) return undefined
      text += script
      i = group.last
      continue
    }
    const piece = characterOf(token)
    if (piece === undefined) return undefined
    text += relation.test(piece) ? ` ${piece} ` : piece
  }
  return text
}

function characterOf ({ cs, text }: Token): string | undefined {
  if (cs) return text === 'par' ? ' ' : mathSymbols.get(text)
  if (text === '{' || text === '}' || text === '~') return text === '~' ? ' ' : ''
  if (text === "'") return '′'
  if (text === '-') return '−'
  return /[&#$\\]/u.test(text) ? undefined : text
}

/** Words inside a formula keep their spaces. */
function plainText (tokens: readonly Token[], style: string): string | undefined {
  const words = /^(?:text|mbox|hbox)/u.test(style)
  if (!words) return plainOf(tokens)
  let text = ''
  for (const token of tokens) {
    const piece = token === space ? ' ' : token.cs ? mathSymbols.get(token.text) : token.text
    if (piece === undefined || /[$^_&]/u.test(piece)) return undefined
    if (piece !== '{' && piece !== '}') text += piece
  }
  return text
}

/** The group or single token that begins at `from`, spaces passed over. */
function groupAt (tokens: readonly Token[], from: number): { content: Token[], last: number } | undefined {
  let at = from
  while (tokens[at] === space) at++
  const first = tokens[at]
  if (first === undefined) return undefined
  if (first.cs || first.text !== '{') return { content: [first], last: at }
  for (let depth = 0, end = at; end < tokens.length; end++) {
    const { cs, text } = tokens[end]!
    if (!cs && text === '{') depth++
    if (!cs && text === '}' && --depth === 0) return { content: tokens.slice(at + 1, end), last: end }
  }
  return undefined
}
