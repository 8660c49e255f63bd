/** Authors, as LaTeXML gets them out of the many forms that LaTeX has for them. */
import type { Document } from '../../../../shared/contracts/document.ts'
import { allOf, attributeOf, findAll, isElement, type Element, type Node } from '../markup/element.ts'
import { hasClass } from '../markup/html.ts'
import { textOf } from './text.ts'

export function authorsOf (document: Element): Document['authors'] {
  const creators = [...findAll(document, element => hasClass(element, 'ltx_creator') && hasClass(element, 'ltx_role_author'))]
  return creators.flatMap((creator): Document['authors'] => {
    const person = [...findAll(creator, element => hasClass(element, 'ltx_personname'))][0]
    const places = [...findAll(creator, element => hasClass(element, 'ltx_role_affiliation', 'ltx_role_institute', 'ltx_role_address'))]
      .flatMap(contact => linesOf(contact)).filter(line => !isAddress(line))
    const people = person === undefined ? [] : blocksOf(person).flatMap(personIn)
    return people.map(({ name, affiliations = [] }) =>
      ({ name, affiliations: [...new Set([...affiliations, ...places])] }))
  }).filter(({ name }) => name !== '')
}

/** A class that LaTeXML does not know leaves all authors in one element, parted by "&" or \And. */
function blocksOf (person: Element): string[][] {
  const blocks: string[][] = [[]]
  for (const line of linesOf(person)) {
    const [before = '', ...others] = line.split(/\s*(?:&|\\(?:And|AND|and)\b)\s*/u)
    if (before !== '') blocks.at(-1)!.push(before)
    for (const other of others) blocks.push(other === '' ? [] : [other])
  }
  return blocks
}

/** Its first line has the names, the others say where they work. */
function personIn ([first = '', ...others]: string[]): Document['authors'] {
  const count = others.findIndex((line, i) => !isNames(line) && !(i > 0 && others[i - 1]!.endsWith(',')))
  const rest = count === -1 ? [] : others.slice(count)
  const names = [first, ...others.slice(0, others.length - rest.length)].join(', ').split(/\s*[,;]\s*(?:and\s+)?|\s+and\s+/u).map(name => name.replace(/^[\d*\u2020\u2021\s]+|[\d*\u2020\u2021\s]+$/gu, ''))
  const affiliations = rest.filter(line => !isAddress(line) && /\p{L}{3}/u.test(line))
  return names.filter(name => /\p{Lu}/u.test(name) && !isAddress(name) && name.split(' ').length <= 6).map(name => ({ name, affiliations }))
}

/** "Ann Lee, Bo de Vries, Cy Wu," and nothing that is said of places. */
function isNames (line: string): boolean {
  const pieces = line.split(/\s*,\s*(?:and\s+)?|\s+and\s+/u).filter(piece => piece !== '')
  return pieces.length >= 2 && !/\d|univ|instit|depart|school|labor|research|college|\binc\b|cent(?:er|re)|facult/iu.test(line) &&
    pieces.every(piece => /^\p{Lu}/u.test(piece) && piece.split(' ').length >= 2 && piece.split(' ').length <= 5)
}

function isAddress (line: string): boolean {
  return line.includes('@') || /^https?:/u.test(line)
}

/** Lines as the source breaks them; marks of notes and of affiliations are left out. */
function linesOf (element: Element): string[] {
  const lines: Node[][] = [[]]
  const walk = (node: Node) => {
    if (!isElement(node)) lines.at(-1)!.push(node)
    else if (node.name === 'br') lines.push([])
    else if (node.name === 'math') lines.at(-1)!.push(markless(node))
    else if (node.name !== 'sup' && !hasClass(node, 'ltx_note', 'ltx_ERROR', 'ltx_tag')) {
      for (const child of node.children) walk(child)
    }
  }
  for (const child of element.children) walk(child)
  return lines.map(children => textOf({ name: 'span', attributes: new Map(), children })).filter(line => line !== '')
}

/** "Jane Doe$^{1}$": a formula of raised marks alone. */
function markless (math: Element): Node {
  return allOf(math, 'msup').length > 0 || /^\s*(?:\{\})?\^/u.test(attributeOf(math, 'alttext')) ? ' ' : math
}
