/** Running text of JATS elements, and what hangs in it without being part of it. */
import { mathText, texBody } from '../markup/math-text.ts'
import { raised } from '../markup/raised.ts'
import { allOf, childOf, elementsOf, isElement, rawText, type Element, type Node } from '../markup/element.ts'

/** What was met in a text: for its reader to place. */
export interface Met {
  /** Ids that cross references name. */
  cites: string[]
  notes: Element[]
  floats: Element[]
  formulas: Element[]
}

export const floatNames = new Set(['fig', 'fig-group', 'table-wrap', 'table-wrap-group', 'chem-struct-wrap',
  'supplementary-material', 'inline-supplementary-material'])
const silent = new Set(['graphic', 'inline-graphic', 'media', 'object-id', 'alt-text', 'long-desc', 'index-term',
  'institution-id', 'private-char', 'processing-meta', 'x-meta', 'permissions', 'attrib-meta'])
const apart = new Set(['p', 'title', 'list', 'list-item', 'def-list', 'def-item', 'term', 'def', 'td', 'th', 'tr', 'disp-quote',
  'break', 'label', 'sec', 'speech', 'speaker', 'verse-line', 'statement', 'boxed-text', 'array', 'attrib'])
/** Names and records whose parts only mark-up sets apart. */
const joints = new Map([['name', ' '], ['string-name', ' '], ['element-citation', ', '], ['nlm-citation', ', '], ['person-group', ', ']])

export function newMet (): Met {
  return { cites: [], notes: [], floats: [], formulas: [] }
}

/** Text of a node in one line; `met` gathers what is not text of it. */
export function inlineText (node: Node, met: Met = newMet()): string {
  return unbroken(textIn(node, met))
}

/** Text of what is itself no part of running text: a note, a float's part. */
export function ownText (element: Element, met?: Met): string {
  return textBut(element, [], met)
}

/** Text of all children but those of the given names. */
export function textBut (element: Element | undefined, names: readonly string[], met?: Met): string {
  if (element === undefined) return ''
  const children = element.children.filter(child => !isElement(child) || !names.includes(child.name))
  return inlineText({ name: 'text', attributes: new Map(), children }, met)
}

function textIn (node: Node, met: Met): string {
  if (!isElement(node)) return node
  const { name } = node
  if (silent.has(name)) return ''
  if (floatNames.has(name)) {
    met.floats.push(node)
    return '\n'
  }
  switch (name) {
    case 'fn':
      met.notes.push(node)
      return ''
    case 'xref':
      met.cites.push(...(node.attributes.get('rid') ?? '').split(/\s+/u).filter(id => id !== ''))
      return within(node, met)
    // A raised citation is no power.
    case 'sup': return allOf(node, 'xref').length > 0 ? within(node, met) : raised(within(node, met))
    case 'inline-formula': case 'math': case 'tex-math': case 'alternatives': case 'chem-struct': return formulaText(node)
    case 'name': case 'string-name': case 'element-citation': case 'nlm-citation': case 'person-group':
      return joined(node, met)
    case 'disp-formula': case 'disp-formula-group': return ` ${displayed(node, met)} `
  }
  return apart.has(name) ? `\n${within(node, met)}\n` : within(node, met)
}

function within ({ children }: Element, met: Met): string {
  return children.map(child => textIn(child, met)).join('')
}

function joined (node: Element, met: Met): string {
  const isLoose = node.children.every(child => isElement(child) || child.trim() === '')
  if (!isLoose) return within(node, met)
  return elementsOf(node).map(child => textIn(child, met)).join(joints.get(node.name))
}

function displayed (node: Element, met: Met): string {
  const formulas = node.name === 'disp-formula' ? [node] : allOf(node, 'disp-formula')
  met.formulas.push(...formulas)
  return formulas.map(formula => `${formulaText(formula)} ${inlineText(childOf(formula, 'label') ?? '')}`).join(' ')
}

/** By MathML, whose text is nearest to print, else TeX, else what stands there. */
export function formulaText (formula: Element): string {
  const math = formula.name === 'math' ? formula : allOf(formula, 'math')[0]
  if (math !== undefined) return mathText(math)
  const tex = formula.name === 'tex-math' ? formula : allOf(formula, 'tex-math')[0]
  return tex !== undefined ? texBody(rawText(tex)) : textBut(formula, ['label'])
}

/**
 * White space with line breaks is how the file is laid out: behind an opening bracket and before a
 * closing one or a stop it means nothing.
 */
function unbroken (text: string): string {
  return text.replace(/\s+/gu, space => space.includes('\n') ? '\n' : ' ')
    .replace(/([([{])\n/gu, '$1').replace(/\n([)\]},.;:])/gu, '$1').replaceAll('\n', ' ').trim()
}
