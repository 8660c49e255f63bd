/**
 * The XML that BioMed Central published until 2015 (root `art`), as the JATS it corresponds to: the
 * same parts under other names, so one reader serves both.
 */
import { allOf, attributeOf, childOf, childrenOf, elementsOf, isElement, rawText, type Element, type Node } from '../markup/element.ts'

/** Names that mean the same; the others keep theirs. */
const names = new Map([
  ['st', 'title'], ['it', 'italic'], ['b', 'bold'], ['ul', 'underline'], ['snm', 'surname'], ['ins', 'aff'],
  ['graphic', 'graphic'], ['tgroup', 'tgroup'], ['suppl', 'supplementary-material'], ['url', 'ext-link'], ['monospace', 'monospace'],
  ['inline-formula', 'inline-formula'], ['display-formula', 'disp-formula'], ['m', 'math'], ['smcaps', 'sc']
])
/** References to figures, tables, supplements and the list: the attribute that holds the id. */
const references = new Map([['figr', 'fid'], ['tblr', 'tid'], ['supplr', 'sid'], ['abbr', 'bid'], ['secr', 'rid'], ['insr', 'iid'], ['formr', 'rid']])

export function bmcAsJats (art: Element): Element {
  const front = childOf(art, 'fm')
  const bibl = childOf(front, 'bibl')
  const meta = element('article-meta', [
    element('title-group', [element('article-title', contentOf(childOf(bibl, 'title')))]),
    element('contrib-group', childrenOf(childOf(bibl, 'aug'), 'au').map(author => element('contrib', [
      ...author.children.some(node => isElement(node) && node.name === 'cnm') ? [element('collab', contentOf(childOf(author, 'cnm')))] : [personOf(author)],
      ...childrenOf(author, 'insr').map(reference => element('xref', [], { 'ref-type': 'aff', rid: attributeOf(reference, 'iid') }))
    ], { 'contrib-type': 'author' }))),
    ...childrenOf(childOf(bibl, 'insg'), 'ins').map(place => element('aff', contentOf(place), { id: attributeOf(place, 'id') })),
    ...childrenOf(front, 'abs').map(abstractOf)
  ])
  const back = childOf(art, 'bm')
  return element('article', [
    element('front', [meta]),
    element('body', translated(childOf(art, 'bdy'))),
    element('back', back === undefined ? [] : elementsOf(back).flatMap(backPart))
  ])
}

function abstractOf (abs: Element): Element {
  const outer = childrenOf(abs, 'sec')
  // One section named "Abstract" around all of it.
  const inner = outer.length === 1 && childrenOf(outer[0], 'sec').length > 0 ? childrenOf(outer[0], 'sec') : outer
  const [only] = inner
  return inner.length === 1 && only !== undefined
    ? element('abstract', translated(only).filter(node => !isElement(node) || node.name !== 'title'))
    : element('abstract', inner.flatMap(translatedNode))
}

function backPart (part: Element): Node[] {
  if (part.name === 'refgrp') {
    return [element('ref-list', [element('title', ['References']), ...childrenOf(part, 'bibl').map(referenceOf)])]
  }
  const sections = childrenOf(part, 'sec')
  return sections.length > 0 ? sections.flatMap(translatedNode) : [element('sec', translated(part))]
}

function translated (parent: Element | undefined): Node[] {
  return parent === undefined ? [] : parent.children.flatMap(translatedNode)
}

function translatedNode (node: Node): Node[] {
  if (!isElement(node)) return [node]
  const idAttribute = references.get(node.name)
  if (idAttribute !== undefined) return [element('xref', translated(node), { rid: attributeOf(node, idAttribute) })]
  switch (node.name) {
    case 'st': return [element('title', contentOf(node))]
    case 'abbrgrp': return [`[${allOf(node, 'abbr').map(abbr => rawText(abbr).trim()).join(',')}]`]
    case 'fig': return [element('fig', floatParts(node), idOf(node))]
    case 'tbl': case 'table': return [element('table-wrap', tableParts(node), idOf(node))]
    case 'suppl': return [element('supplementary-material', floatParts(node), idOf(node))]
    case 'file': return []
    case 'list': return [element('list', childrenOf(node, 'li', 'item').map(item => element('list-item', translated(item))))]
    case 'hr': return [' ']
  }
  return [{ ...node, name: names.get(node.name) ?? node.name, children: translated(node) }]
}

function idOf (node: Element): Record<string, string> {
  return { id: attributeOf(node, 'id') }
}

/** The caption's title is repeated in bold at the start of the text: then the text alone is the caption. */
function floatParts (float: Element): Node[] {
  const title = contentOf(childOf(float, 'caption'))
  const text = childOf(float, 'text')
  const texts = text === undefined ? [] : childrenOf(text, 'p').map(p => element('p', translated(p)))
  const short = spaced(title.map(rawText).join(''))
  const repeated = short !== '' && spaced(texts.map(rawText).join(' ')).startsWith(short.replace(/[.\s]+$/u, ''))
  return [
    element('label', contentOf(childOf(float, 'title'))),
    element('caption', [...short === '' || repeated ? [] : [element('title', title)], ...texts]),
    ...childrenOf(float, 'graphic').map(graphic => element('graphic', [], { href: attributeOf(graphic, 'file') }))
  ]
}

function tableParts (table: Element): Node[] {
  const text = childOf(table, 'text')
  return [
    element('label', contentOf(childOf(table, 'title'))),
    element('caption', [element('p', contentOf(childOf(table, 'caption')))]),
    element('table', childrenOf(table, 'tgroup', 'tblbdy', 'tblhdr').flatMap(group => translatedNode(renamedRows(group)))),
    ...text === undefined ? [] : [element('table-wrap-foot', translated(text))]
  ]
}

/** The oldest files have rows and cells of their own. */
function renamedRows (node: Element): Element {
  const own = new Map([['r', 'tr'], ['c', 'td']])
  return {
    ...node,
    name: own.get(node.name) ?? node.name,
    attributes: node.name === 'c' ? new Map([['colspan', attributeOf(node, 'cspan') || '1'], ['rowspan', attributeOf(node, 'rspan') || '1']]) : node.attributes,
    children: node.children.map(child => isElement(child) ? renamedRows(child) : child)
  }
}

function referenceOf (bibl: Element): Element {
  const people = allOf(childOf(bibl, 'aug'), 'au', 'cnm').map(author => author.name === 'au' ? personOf(author) : element('collab', translated(author)))
  const editors = allOf(childOf(bibl, 'editor'), 'au').map(personOf)
  const part = (from: string, to: string) =>
    childrenOf(bibl, from).map(found => element(to, contentOf(found)))
  const doi = allOf(bibl, 'pubid').filter(id => attributeOf(id, 'idtype') === 'doi')
  return element('ref', [element('element-citation', [
    element('person-group', people, { 'person-group-type': 'author' }),
    ...editors.length === 0 ? [] : [element('person-group', editors, { 'person-group-type': 'editor' })],
    ...childOf(bibl, 'etal') === undefined && allOf(childOf(bibl, 'aug'), 'etal').length === 0 ? [] : [element('etal', [])],
    ...part('title', 'article-title'), ...part('source', 'source'), ...part('publisher', 'publisher-name'), ...part('edition', 'edition'),
    ...part('pubdate', 'year'), ...part('volume', 'volume'), ...part('issue', 'issue'), ...part('fpage', 'fpage'), ...part('lpage', 'lpage'),
    ...doi.map(id => element('pub-id', translated(id), { 'pub-id-type': 'doi' })),
    ...part('note', 'comment'), ...part('url', 'ext-link')
  ])], idOf(bibl))
}

function personOf (author: Element): Element {
  const given = [childOf(author, 'fnm'), childOf(author, 'mnm'), childOf(author, 'mi')].flatMap(part => part === undefined ? [] : [spaced(rawText(part))])
  return element('name', [
    element('surname', contentOf(childOf(author, 'snm'))),
    element('given-names', [given.join(' ')]),
    ...childrenOf(author, 'suf').map(suffix => element('suffix', translated(suffix)))
  ])
}

/** Content of an element, without the paragraph that this DTD puts around it. */
function contentOf (holder: Element | undefined): Node[] {
  if (holder === undefined) return []
  const paragraphs = childrenOf(holder, 'p')
  return paragraphs.length === 0 ? translated(holder) : paragraphs.flatMap((p, i) => i === 0 ? translated(p) : [' ', ...translated(p)])
}

function spaced (text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

function element (name: string, children: Node[], attributes: Record<string, string> = {}): Element {
  return { name, attributes: new Map(Object.entries(attributes)), children }
}
