/** Mathematics as one line of text. */
import { raised } from './raised.ts'
import { elementsOf, isElement, rawText, type Node } from './element.ts'

/**
 * MathML in reading order: fractions as a/b, powers as a^b, roots as √(a), rows of a table by "; ".
 * Indices follow their letter, as they do in running text.
 *
 * @see MathML 3, chapter 3
 */
export function mathText (node: Node): string {
  if (!isElement(node)) return node.trim()
  const parts = elementsOf(node).map(mathText)
  const [first = '', second = '', third = ''] = parts
  switch (node.name) {
    case 'annotation': case 'annotation-xml': return ''
    case 'semantics': return first
    case 'mtext': case 'ms': return rawText(node).replace(/\s+/gu, ' ')
    case 'mo': return operator(rawText(node).trim())
    case 'mfrac': return `${grouped(first)}/${grouped(second)}`
    case 'msqrt': return `√${grouped(parts.join(''))}`
    case 'mroot': return `${second}√${grouped(first)}`
    case 'msup': return `${first}${power(second)}`
    case 'msubsup': case 'munderover': return `${first}${second}${power(third)}`
    case 'mtr': case 'mlabeledtr': return parts.join(' ')
    case 'mtable': return parts.join('; ')
    case 'mfenced': return `${node.attributes.get('open') ?? '('}${parts.join(', ')}${node.attributes.get('close') ?? ')'}`
    case 'mspace': return ' '
    case 'mphantom': return ''
    default: return node.children.map(mathText).join('')
  }
}

const relation = /^[=<>\u2248\u2260\u2264\u2265\u2192\u2190\u221D\u223C\u2208+\u2212\u00B1\u00D7\u2261\u21D2-]$/u

/** Signs between terms stand apart; invisible ones (U+2061 to U+2064) go when text is cleaned. */
function operator (sign: string): string {
  if (sign === ',' || sign === ';') return `${sign} `
  return relation.test(sign) ? ` ${sign} ` : sign
}

function grouped (text: string): string {
  const plain = text.trim()
  return /^[\p{L}\p{N}.]*$/u.test(plain) || /^\([^()]*\)$/u.test(plain) ? plain : `(${plain})`
}

function power (text: string): string {
  const plain = text.trim()
  if (plain === '') return ''
  if (/^[\u2032\u2033*\u2217\u2020]+$/u.test(plain)) return plain
  const sign = plain.replace(/^\s*([+\u2212-])\s*/u, '$1')
  if (raised(sign) !== sign) return raised(sign)
  return /^[\p{L}\p{N}]$/u.test(plain) ? `^${plain}` : `^${grouped(sign)}`
}

/** The formula of a TeX document that holds nothing else, without the marks around it. */
export function texBody (tex: string): string {
  const from = tex.indexOf('\\begin{document}')
  const to = tex.lastIndexOf('\\end{document}')
  const body = from === -1 ? tex : tex.slice(from + '\\begin{document}'.length, to > from ? to : undefined)
  return body.trim().replace(/^\${1,2}|\${1,2}$/gu, '').replace(/^\\[([]|\\[)\]]$/gu, '')
    .replace(/\\(?:begin|end)\{(?:eqnarray|equation|align|displaymath|math|gather|aligned)\*?\}/gu, '')
    .trim()
}
