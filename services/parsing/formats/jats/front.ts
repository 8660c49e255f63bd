/** Title, authors and abstract of JATS. */
import { splitParts } from '../../domain/abstract.ts'
import { allOf, attributeOf, childOf, childrenOf, elementsOf, isElement, pathOf, type Element } from '../markup/element.ts'
import type { Outline } from '../outline.ts'
import { readSection } from './body.ts'
import { inlineText, newMet, ownText, textBut } from './inline.ts'
import { nameOf } from './references.ts'
import type { Walk } from './walk.ts'

const notText = ['fn', 'xref']

export function readFront (article: Element, { outline }: Walk): void {
  const meta = pathOf(article, 'front', 'article-meta') ?? childOf(article, 'front-stub') ?? childOf(article, 'front')
  const titles = childOf(meta, 'title-group')
  const title = textBut(childOf(titles, 'article-title'), notText)
  const subtitle = textBut(childOf(titles, 'subtitle'), notText)
  outline.title = subtitle === '' ? title : `${title.replace(/:$/u, '')}: ${subtitle}`
  outline.authors = authorsOf(meta)
  outline.footnotes.push(...childrenOf(meta, 'author-notes')
    .flatMap(notes => allOf(notes, 'fn', 'corresp')).map(note => ({ text: ownText(note) })))
  readAbstract(meta, outline)
}

/**
 * Of several abstracts the plain one; those that are printed under a title of their own (an author
 * summary) are sections, which `readSummaries` gives; what is left is told of.
 */
function readAbstract (meta: Element | undefined, outline: Outline): void {
  const all = [...childrenOf(meta, 'abstract'), ...childrenOf(meta, 'trans-abstract')]
  const own = all.find(isPlain) ?? all.find(({ name }) => name === 'trans-abstract')
  if (own !== undefined) outline.abstract = abstractOf(own)
  const left = all.filter(abstract => abstract !== own && !isSummary(abstract))
  if (left.length > 0) outline.warnings.push({ code: 'abstract-left-out', detail: `${left.length} further abstracts (${left.map(kindOfAbstract).join(', ').slice(0, 200)}) are not part of the document.` })
}

/** Summaries with a title, which print sets before the body. */
export function readSummaries (article: Element, walk: Walk): void {
  for (const abstract of childrenOf(pathOf(article, 'front', 'article-meta'), 'abstract').filter(isSummary)) {
    readSection(abstract, walk, 1)
  }
}

function isPlain (abstract: Element): boolean {
  return abstract.name === 'abstract' && ['', 'abstract', 'section', 'structured'].includes(attributeOf(abstract, 'abstract-type'))
}

function isSummary (abstract: Element): boolean {
  return abstract.name === 'abstract' && !isPlain(abstract) && childOf(abstract, 'title') !== undefined &&
    !/graphic|toc|teaser|highlight/u.test(attributeOf(abstract, 'abstract-type'))
}

function kindOfAbstract (abstract: Element): string {
  return attributeOf(abstract, 'abstract-type') || attributeOf(abstract, 'lang') || 'untyped'
}

function abstractOf (abstract: Element): Outline['abstract'] {
  const parts = allOf(abstract, 'sec').filter(sec => childOf(sec, 'p') !== undefined).map(sec => ({
    label: inlineText(childOf(sec, 'title') ?? '').replace(/[.:\s]+$/u, ''), text: textBut(sec, ['title', 'sec', 'label'])
  })).filter(({ label }) => label !== '')
  if (parts.length > 0) {
    // What stands before the first part, or between parts without a title, is kept in the text.
    const loose = [{ ...abstract, children: abstract.children.filter(child => !isElement(child) || !['title', 'sec', 'label'].includes(child.name)) }]
      .map(rest => ownText(rest)).filter(text => text !== '')
    return { text: [...loose, ...parts.map(({ label, text }) => `${label}: ${text}`)].join(' '), parts }
  }
  const text = elementsOf(abstract).filter(({ name }) => !['title', 'label', 'object-id'].includes(name))
    .map(block => inlineText(block, newMet())).filter(text => text !== '').join(' ')
  const found = splitParts(text)
  return { text, ...(found.length > 0 && { parts: found }) }
}

function authorsOf (meta: Element | undefined): Outline['authors'] {
  const groups = childrenOf(meta, 'contrib-group')
  const places = affiliationsById(meta)
  return groups.flatMap(group => {
    const writers = childrenOf(group, 'contrib').filter(contrib => ['author', '', 'collab'].includes(attributeOf(contrib, 'contrib-type')))
    // Affiliations that nobody points to are of all in the group.
    const shared = childrenOf(group, 'aff').map(affiliationText)
    return writers.map(contrib => {
      const named = allOf(contrib, 'xref').filter(xref => attributeOf(xref, 'ref-type') === 'aff' || places.has(attributeOf(xref, 'rid')))
        .flatMap(xref => attributeOf(xref, 'rid').split(/\s+/u)).flatMap(id => places.get(id) ?? [])
      const own = childrenOf(contrib, 'aff').map(affiliationText)
      const affiliations = [...new Set([...named, ...own])]
      return { name: authorName(contrib), affiliations: affiliations.length > 0 ? affiliations : shared }
    })
  }).filter(({ name }) => name !== '')
}

function authorName (contrib: Element): string {
  const holder = childOf(contrib, 'name-alternatives') ?? contrib
  const name = childOf(holder, 'name', 'string-name') ?? childOf(contrib, 'collab', 'collab-alternatives') ?? allOf(holder, 'name', 'string-name')[0]
  return name === undefined ? '' : nameOf(name)
}

function affiliationsById (meta: Element | undefined): Map<string, string> {
  const places = new Map<string, string>()
  for (const affiliation of allOf(meta, 'aff', 'aff-alternatives')) {
    const id = attributeOf(affiliation, 'id')
    const one = affiliation.name === 'aff' ? affiliation : childOf(affiliation, 'aff')
    if (id !== '' && one !== undefined) places.set(id, affiliationText(one))
  }
  return places
}

/** Without its mark and the addresses of mail; parts that only mark-up sets apart get commas. */
function affiliationText (affiliation: Element): string {
  const silent = ['label', 'institution-id', 'email', 'ext-link', 'fax', 'phone', 'target', 'sup']
  const hasText = affiliation.children.some(node => !isElement(node) && /[\p{L},]/u.test(node))
  const whole = (element: Element): string => textBut({
    ...element, children: element.children.map(node => isElement(node) && node.name === 'institution-wrap' ? { ...node, children: node.children.filter(part => !isElement(part) || part.name !== 'institution-id') } : node)
  }, silent)
  const text = hasText
    ? whole(affiliation)
    : elementsOf(affiliation).filter(({ name }) => !silent.includes(name)).map(part => whole({ ...affiliation, children: [part] })).filter(part => part !== '').join(', ')
  return text.replace(/^[\s,;.]+|[\s,;]+$/gu, '').replace(/\s+,/gu, ',').replace(/,(?:\s*,)+/gu, ',')
}
