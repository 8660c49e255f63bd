/** The reference list of JATS, in its three kinds of citation. */
import { allOf, attributeOf, childOf, childrenOf, isElement, type Element } from '../markup/element.ts'
import type { Outline } from '../outline.ts'
import { inlineText, ownText, textBut } from './inline.ts'
import { openSection, type Walk } from './walk.ts'

type Reference = Outline['references'][number]

const citationNames = ['mixed-citation', 'element-citation', 'nlm-citation', 'citation', 'note']
const referencesMax = 5_000
const doiPattern = /\b10\.\d{4,9}\/[^\s"<>]{1,200}[^\s"<>.,;)]/u

/** A list with its title is a section; lists inside a list only group its entries. */
export function readReferences (list: Element, walk: Walk, level: number): void {
  const title = inlineText(childOf(list, 'title') ?? '')
  const isOpen = walk.outline.sections[walk.section ?? -1]?.kind === 'references'
  if (!isOpen) openSection(walk, { number: '', title: title === '' ? 'References' : title, level, kind: 'references' })
  for (const child of childrenOf(list, 'ref', 'ref-list')) {
    if (child.name === 'ref-list') readReferences(child, walk, level)
    else if (walk.outline.references.length < referencesMax) walk.outline.references.push(referenceOf(child))
  }
}

/** An entry of several works ("1. (a) …; (b) …") is one reference: title and authors are of the first. */
export function referenceOf (ref: Element): Reference {
  const citations = childrenOf(ref, 'citation-alternatives').concat(ref)
    .flatMap(holder => childrenOf(holder, ...citationNames).slice(0, holder.name === 'ref' ? undefined : 1))
  const [first] = citations
  const label = inlineText(childOf(ref, 'label') ?? childOf(first, 'label') ?? '')
  const text = citations.map(textOfCitation).filter(text => text !== '').join(' ')
  const title = titleOf(first)
  const authors = authorsOf(first)
  const year = yearOf(first) ?? yearIn(text)
  const doi = doiOf(citations, text)
  return {
    label,
    text,
    ...(title !== '' && { title }),
    ...(authors.length > 0 && { authors }),
    ...(year !== undefined && { year }),
    ...(doi !== undefined && { doi })
  }
}

function titleOf (citation: Element | undefined): string {
  const title = childOf(citation, 'article-title', 'chapter-title', 'data-title') ??
    allOf(citation, 'article-title', 'chapter-title', 'part-title')[0] ??
    // Of a book; beside a volume the source is a journal.
    (childOf(citation, 'volume', 'fpage') === undefined ? childOf(citation, 'source') : undefined)
  return title === undefined ? '' : ownText(title).replace(/\.$/u, '')
}

function authorsOf (citation: Element | undefined): string[] {
  const groups = allOf(citation, 'person-group')
  const authors = groups.find(group => attributeOf(group, 'person-group-type') !== 'editor')
  return allOf(authors ?? (groups.length === 0 ? citation : undefined), 'name', 'string-name', 'collab').map(nameOf)
    .filter(name => name !== '')
}

/** "Given Surname", as the paper's own authors are named. */
export function nameOf (name: Element): string {
  const part = (tag: string) => inlineText(childOf(name, tag) ?? '')
  const [surname, given, suffix] = [part('surname'), part('given-names'), part('suffix')]
  if (surname === '' && given === '') return textBut(name, ['contrib-group', 'xref', 'fn', 'email', 'address', 'aff'])
  const inOrder = attributeOf(name, 'name-style') === 'eastern' ? [surname, given] : [given, surname]
  return [...inOrder, suffix].filter(text => text !== '').join(' ')
}

function yearOf (citation: Element | undefined): number | undefined {
  return yearIn(inlineText(allOf(citation, 'year')[0] ?? ''))
}

/** The last: a title may name years too. Numbers of a DOI are none. */
function yearIn (text: string): number | undefined {
  const years = text.replace(doiPattern, '').match(/(?<![\d\u2013-])(?:1[5-9]\d\d|20\d\d)(?!\d)/gu)
  const year = years?.at(-1)
  return year === undefined ? undefined : Number(year)
}

function doiOf (citations: readonly Element[], text: string): string | undefined {
  const marked = citations.flatMap(citation => allOf(citation, 'pub-id', 'ext-link', 'uri'))
    .filter(id => attributeOf(id, 'pub-id-type') === 'doi' || attributeOf(id, 'ext-link-type') === 'doi' || attributeOf(id, 'href').includes('doi.org/'))
    .map(id => doiPattern.exec(`${inlineText(id)} ${attributeOf(id, 'href')}`)?.[0])
  return marked.find(doi => doi !== undefined) ?? doiPattern.exec(text)?.[0]
}

/** As printed where the punctuation is there; else put together in the order of most journals. */
function textOfCitation (citation: Element): string {
  const hasText = citation.children.some(node => !isElement(node) && /[.,;:\p{L}]/u.test(node))
  if (hasText || citation.name === 'mixed-citation' || citation.name === 'note') {
    const ids = citation.children.filter(node => !isElement(node) || node.name !== 'pub-id' || attributeOf(node, 'pub-id-type') === 'doi')
    return inlineText({ ...citation, children: ids.flatMap(node => isElement(node) && node.name === 'pub-id' ? [' ', node] : [node]) })
      .replace(/^\s*\[?\(?\d{1,4}[.)\]]+\s+/u, '')
  }
  return composed(citation)
}

function composed (citation: Element): string {
  const part = (...names: string[]) => inlineText(childOf(citation, ...names) ?? '')
  const people = allOf(citation, 'name', 'string-name', 'collab').map(name => {
    const [surname, given] = [inlineText(childOf(name, 'surname') ?? ''), inlineText(childOf(name, 'given-names') ?? '')]
    return surname === '' ? inlineText(name) : `${surname} ${given}`.trim()
  }).join(', ')
  const pages = [part('fpage'), part('lpage')].filter(page => page !== '').join('\u2013') || part('elocation-id', 'page-range')
  const issue = part('issue')
  const volume = `${part('volume')}${issue === '' ? '' : `(${issue})`}${pages === '' ? '' : `:${pages}`}`
  const source = [part('source'), part('edition'), part('publisher-loc'), part('publisher-name'), part('year'), volume]
  const doi = childrenOf(citation, 'pub-id').find(id => attributeOf(id, 'pub-id-type') === 'doi')
  const known = [`${people}${allOf(citation, 'etal').length === 0 ? '' : ' et al.'}`, part('article-title', 'chapter-title', 'data-title'),
    source.filter(text => text !== '').join(' '), part('comment'), doi === undefined ? '' : `doi:${inlineText(doi)}`]
  const text = known.filter(piece => piece !== '').map(piece => piece.replace(/[.\s]+$/u, '')).join('. ')
  return text === '' ? inlineText(citation) : `${text}.`
}
