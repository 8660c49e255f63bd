/** HTML in a text, taken out: what it shows stays, what it does goes. */
import { decodeHTMLStrict } from 'entities'
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import type { RowNote } from '../../../../shared/contracts/bank.ts'
import { note } from './bank.ts'

const names = 'p|br|div|span|b|i|em|strong|u|s|sub|sup|table|thead|tbody|tr|td|th|ul|ol|li|img|a|font|script|style|h[1-6]|hr|center|pre|code|iframe|svg|math|object|embed|html|head|body|meta|link|input|form|button|video|audio|blockquote|small|big|tt|template|noscript'
/** A tag stands by itself or has attributes: "a <b and c> d" is none. */
const tag = new RegExp(`<(?:/?(?:${names})(?:\\s+[a-z_:][\\w:.-]*(?:\\s*=[^<>]*)?)?\\s*/?>|!--)`, 'i')
const attributed = new RegExp(`<(?:${names})\\s+[a-z_:][\\w:.-]*\\s*=`, 'i')
/** In "x<y and y>z" it opens no tag, and a reader of HTML would take all of it away. */
const loose = new RegExp(`<(?!/?(?:${names})(?:\\s*/?>|\\s+[a-z_:][\\w:.-]*(?:\\s*=|\\s*/?>))|!--)`, 'gi')
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i

const dropped = new Set(['script', 'style', 'iframe', 'object', 'embed', 'template', 'noscript', 'video', 'audio', 'form', 'svg', 'head'])
const lines = new Set(['p', 'br', 'div', 'tr', 'li', 'ul', 'ol', 'table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'pre', 'blockquote', 'center'])
const active = new Set(['script', 'iframe', 'object', 'embed', 'form', 'svg'])

export function hasMarkup (text: string): boolean {
  return (text.includes('<') && (tag.test(text) || attributed.test(text))) || (text.includes('&') && entity.test(text))
}

export function withoutMarkup (
  text: string, field: string, notes: RowNote[]
): { text: string, images: string[] } {
  if (!tag.test(text) && !attributed.test(text)) {
    const decoded = decodeHTMLStrict(text)
    if (decoded !== text) notes.push(note('html-removed', field, 'Entities such as &amp; were written as characters.'))
    return { text: decoded, images: [] }
  }
  const shown = walk(parseFragment(text.replaceAll(loose, '&lt;')))
  notes.push(note('html-removed', field, 'HTML tags were removed; what they show stays.'))
  if (shown.isActive) notes.push(note('active-content', field, 'The HTML had a script or something else that runs; it was removed.'))
  return {
    text: shown.out.join('').replace(/[^\S\n]+/g, ' ').replace(/ ?\n ?/g, '\n').replace(/\n{3,}/g, '\n\n'), images: shown.images
  }
}

type Node = DefaultTreeAdapterTypes.ChildNode
interface Shown { out: string[], images: string[], isActive: boolean }
/** Where text that is raised or lowered began. */
interface Raised { side: 'sub' | 'sup', from: number }
type Open = Array<Node | string | Raised>

/** With a stack of its own: tags may be nested as deep as the text is long. */
function walk (root: DefaultTreeAdapterTypes.DocumentFragment): Shown {
  const shown: Shown = { out: [], images: [], isActive: false }
  const open: Open = root.childNodes.toReversed()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') shown.out.push(next)
    else if ('side' in next) shown.out.push(raised(shown.out.splice(next.from).join(''), next.side))
    else if (next.nodeName === '#text') shown.out.push((next as DefaultTreeAdapterTypes.TextNode).value)
    else if ('attrs' in next) enter(next, shown, open)
  }
  return shown
}

function enter (element: DefaultTreeAdapterTypes.Element, shown: Shown, open: Open): void {
  const { tagName, attrs, childNodes } = element
  if (active.has(tagName) || attrs.some(({ name, value }) => name.startsWith('on') || /^\s*javascript:/i.test(value))) shown.isActive = true
  if (dropped.has(tagName)) return
  if (tagName === 'img') {
    const source = attrs.find(({ name }) => name === 'src')?.value
    if (source !== undefined && source !== '') shown.images.push(source)
    return
  }
  if (tagName === 'sub' || tagName === 'sup') {
    open.push({ side: tagName, from: shown.out.length })
  } else if (lines.has(tagName)) {
    shown.out.push('\n')
    open.push('\n')
  } else if (tagName === 'td' || tagName === 'th') open.push(' | ')
  open.push(...childNodes.toReversed())
}

const digits = { sub: '₀₁₂₃₄₅₆₇₈₉₊₋', sup: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻' }

/** As characters where there are such, else as LaTeX writes it. */
function raised (text: string, side: 'sub' | 'sup'): string {
  const plain = text.trim()
  if (/^[\d+\u2212-]+$/.test(plain)) return Array.from(plain, each => digits[side]['0123456789+-'.indexOf(each.replace('\u2212', '-'))]).join('')
  return plain === '' ? '' : `${side === 'sub' ? '_' : '^'}{${plain}}`
}
