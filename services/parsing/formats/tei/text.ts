/** Running text of TEI. */
import { raised } from '../markup/raised.ts'
import { isElement, type Element, type Node } from '../markup/element.ts'

/** What was met in a text, for its reader to place. */
export interface Met { cites: string[], notes: Element[], figures: Element[], formulas: Element[] }

export function newMet (): Met {
  return { cites: [], notes: [], figures: [], formulas: [] }
}

const apart = new Set(['p', 'lb', 'pb', 'cb', 'item', 'head', 'cell', 'row', 'l', 'label', 'formula', 'div', 'quote'])

/** In one line; '' for what is not there. */
export function textOf (node: Node | undefined, met: Met = newMet()): string {
  return node === undefined ? '' : textIn(node, met).replace(/\s+/gu, ' ').trim()
}

function textIn (node: Node, met: Met): string {
  if (!isElement(node)) return node
  const { name } = node
  if (name === 'note') {
    met.notes.push(node)
    return ''
  }
  if (name === 'figure') {
    met.figures.push(node)
    return ' '
  }
  if (name === 'formula') met.formulas.push(node)
  if (name === 'ref') met.cites.push(...(node.attributes.get('target') ?? '').split(/\s+/u).filter(id => id.startsWith('#')).map(id => id.slice(1)))
  const text = node.children.map(child => textIn(child, met)).join('')
  if (name === 'hi' && /^sup/u.test(node.attributes.get('rend') ?? '')) return raised(text)
  return apart.has(name) ? ` ${text} ` : text
}
