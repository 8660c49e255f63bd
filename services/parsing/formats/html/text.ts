/** Running text of LaTeXML's HTML. */
import { attributeOf, isElement, type Element, type Node } from '../markup/element.ts'
import { hasClass } from '../markup/html.ts'
import { mathText } from '../markup/math-text.ts'
import { raised } from '../markup/raised.ts'

/** What was met in a text, for its reader to place; `errors`: what LaTeXML did not understand. */
export interface Met {
  cites: string[]
  notes: Element[]
  floats: Element[]
  equations: Element[]
  errors: Element[]
}

export const equationClasses = ['ltx_equation', 'ltx_equationgroup', 'ltx_eqn_table']

export function newMet (): Met {
  return { cites: [], notes: [], floats: [], equations: [], errors: [] }
}

const apart = new Set(['p', 'br', 'div', 'li', 'td', 'th', 'tr', 'table', 'figcaption', 'section', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const silent = ['ltx_note_mark', 'ltx_note_type', 'ltx_tag_note', 'ltx_rdf', 'ltx_role_footnotemark', 'ltx_pagination', 'ltx_missing_image']

/** In one line; '' for what is not there. */
export function textOf (node: Node | undefined, met: Met = newMet()): string {
  return node === undefined ? '' : textIn(node, met).replace(/\s+/gu, ' ').trim()
}

/** Text without the parts of these classes. */
export function textBut (element: Element | undefined, classes: readonly string[], met?: Met): string {
  return element === undefined ? '' : textOf(without(element, classes), met)
}

function without (element: Element, classes: readonly string[]): Element {
  const children = element.children.filter(child => !isElement(child) || !hasClass(child, ...classes))
  return { ...element, children: children.map(child => isElement(child) ? without(child, classes) : child) }
}

function textIn (node: Node, met: Met): string {
  if (!isElement(node)) return node
  if (node.name === 'math') return mathText(node).trim() || attributeOf(node, 'alttext')
  if (hasClass(node, ...silent)) return ''
  if (hasClass(node, 'ltx_note')) {
    met.notes.push(node)
    return ''
  }
  if (hasClass(node, 'ltx_ERROR')) {
    met.errors.push(node)
    return ''
  }
  if (node.name === 'figure') {
    met.floats.push(node)
    return ' '
  }
  if (hasClass(node, ...equationClasses)) {
    met.equations.push(node)
    return ` ${node.children.map(child => textIn(child, { ...met, equations: [] })).join('')} `
  }
  const href = attributeOf(node, 'href')
  if (node.name === 'a' && href.includes('#')) met.cites.push(href.slice(href.indexOf('#') + 1))
  const text = node.children.map(child => textIn(child, met)).join('')
  if (node.name === 'sup' && !text.includes('[')) return raised(text)
  return apart.has(node.name) ? ` ${text} ` : text
}
