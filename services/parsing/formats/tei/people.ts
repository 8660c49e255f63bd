/** Authors and references of TEI. */
import type { Document } from '../../../../shared/contracts/document.ts'
import { allOf, attributeOf, childOf, childrenOf, elementsOf, type Element } from '../markup/element.ts'
import type { Outline } from '../outline.ts'
import { textOf } from './text.ts'

export function authorsOf (source: Element | undefined): Document['authors'] {
  const holder = childOf(source, 'analytic') ?? childOf(source, 'monogr') ?? source
  return childrenOf(holder, 'author').map(author => ({
    name: nameOf(author), affiliations: [...new Set(childrenOf(author, 'affiliation').map(affiliationOf))].filter(text => text !== '')
  })).filter(({ name }) => name !== '')
}

/** "Given Middle Surname". */
function nameOf (author: Element): string {
  const person = childOf(author, 'persName') ?? author
  const parts = elementsOf(person).filter(({ name }) => ['forename', 'nameLink', 'surname', 'genName'].includes(name)).map(part => textOf(part))
  return parts.length > 0 ? parts.join(' ') : textOf(childOf(author, 'orgName', 'name') ?? person)
}

/** From the smallest unit to the country. */
function affiliationOf (affiliation: Element): string {
  const raw = childrenOf(affiliation, 'note').find(note => attributeOf(note, 'type') === 'raw_affiliation')
  if (raw !== undefined) {
    return textOf({ ...raw, name: 'text', children: raw.children.filter(node => typeof node === 'string' || node.name !== 'label') })
  }
  const units = childrenOf(affiliation, 'orgName').map(unit => textOf(unit))
  const address = childOf(affiliation, 'address')
  const place = address === undefined ? [] : elementsOf(address).map(line => textOf(line))
  const parts = [...units, ...place].filter(text => text !== '')
  return parts.length > 0 ? parts.join(', ') : textOf(affiliation)
}

/** Numbers by which the text cites entries ("[12]" for the target "#b11"), by id; author-year gives none. */
export function labelsOf (root: Element): Map<string, string> {
  const labels = new Map<string, string>()
  for (const ref of allOf(root, 'ref')) {
    const number = /^[[(]?(\d{1,4})[\]),;]*$/u.exec(textOf(ref))?.[1]
    const id = attributeOf(ref, 'target').replace(/^#/u, '')
    if (attributeOf(ref, 'type') === 'bibr' && number !== undefined && !labels.has(id)) labels.set(id, number)
  }
  return labels
}

export function referenceOf (entry: Element, label = ''): Outline['references'][number] {
  const analytic = childOf(entry, 'analytic')
  const monogr = childOf(entry, 'monogr')
  const title = textOf(childOf(analytic, 'title')) || textOf(childOf(monogr, 'title')) || textOf(childOf(entry, 'title'))
  const authors = childrenOf(analytic ?? monogr ?? entry, 'author').map(nameOf).filter(name => name !== '')
  const raw = allOf(entry, 'note').find(note => attributeOf(note, 'type') === 'raw_reference')
  const text = raw === undefined ? composed(entry, title, authors) : textOf({ ...raw, name: 'text' })
  const doi = allOf(entry, 'idno').find(id => attributeOf(id, 'type').toUpperCase() === 'DOI')
  const date = allOf(entry, 'date')[0]
  const year = /\b(1[5-9]\d\d|20\d\d)\b/u.exec(`${attributeOf(date, 'when')} ${textOf(date)} ${date === undefined ? text : ''}`)?.[1]
  return {
    label: label || attributeOf(entry, 'n'),
    text,
    ...(title !== '' && { title }),
    ...(authors.length > 0 && { authors }),
    ...(year !== undefined && { year: Number(year) }),
    ...(doi !== undefined && textOf(doi) !== '' && { doi: textOf(doi) })
  }
}

/** TEI keeps the parts of an entry, not the entry: put together in the order of most journals. */
function composed (entry: Element, title: string, authors: readonly string[]): string {
  if (entry.name === 'bibl') return textOf(entry)
  const monogr = childOf(entry, 'monogr')
  const imprint = childOf(monogr, 'imprint')
  const scope = (unit: string) => {
    const found = childrenOf(imprint, 'biblScope').find(part => attributeOf(part, 'unit') === unit)
    return textOf(found) || [attributeOf(found, 'from'), attributeOf(found, 'to')].filter(page => page !== '').join('\u2013')
  }
  const journal = textOf(childOf(monogr, 'title'))
  const [volume, issue, page] = [scope('volume'), scope('issue'), scope('page')]
  const numbers = `${volume}${issue === '' ? '' : `(${issue})`}${page === '' ? '' : `:${page}`}`
  const date = allOf(imprint, 'date')[0]
  const source = [journal === title ? '' : journal, textOf(childOf(imprint, 'publisher')), textOf(date) || attributeOf(date, 'when'), numbers]
  const rest = childrenOf(entry, 'note').map(note => textOf({ ...note, name: 'text' }))
  return [authors.join(', '), title, source.filter(part => part !== '').join(' '), ...rest].filter(part => part !== '')
    .map(part => part.replace(/[.\s]+$/u, '')).join('. ').concat('.')
}
