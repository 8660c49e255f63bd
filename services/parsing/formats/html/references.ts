/** One entry of LaTeXML's bibliography. */
import { allOf, attributeOf, findAll, type Element } from '../markup/element.ts'
import { hasClass } from '../markup/html.ts'
import type { Outline } from '../outline.ts'
import { textBut, textOf } from './text.ts'

const doiPattern = /\b10\.\d{4,9}\/[^\s"<>]{1,200}[^\s"<>.,;)]/u

/** Of a .bib each part has its class; of a .bbl only blocks are known, by custom authors, title, the rest. */
export function referenceOf (item: Element): Outline['references'][number] {
  const tag = textOf([...findAll(item, element => hasClass(element, 'ltx_tag'))][0])
  // In the author-year style the tag is how the entry begins: "A. One and B. Two (2020)".
  const opening = /^\[?[\w+.:'-]{0,20}\]?\.?$/u.test(tag) ? '' : tag
  const part = (name: string) =>
    [...findAll(item, element => hasClass(element, name))].map(element => textOf(element))
  const blocks = part('ltx_bibblock').filter(block => block !== '')
  const rest = textBut(item, ['ltx_tag', 'ltx_bib_cited', 'ltx_bib_key', 'ltx_bib_external', 'ltx_bib_links']).replace(/\s*External Links:.*$/u, '')
  const text = `${opening} ${rest}`.trim()
  const [author = '', named = ''] = opening !== '' ? [opening.replace(/\s*\(?\d{4}[a-z]?\)?$/u, ''), ...blocks] : blocks.length >= 3 ? blocks : []
  const title = (part('ltx_bib_title')[0] ?? named).replace(/[.,\s]+$/u, '')
  const authors = namesIn(part('ltx_bib_author').join(', ') || author)
  const years = `${part('ltx_bib_year').join(' ')} ${opening} ${opening === '' ? text : ''.replace(doiPattern, '').replace(/\barXiv:\S+/giu, '')}`.match(/(?<![\d\u2013-])(?:1[5-9]\d\d|20\d\d)(?!\d)/gu)
  const year = part('ltx_bib_year').length > 0 ? years?.[0] : years?.at(-1)
  const doi = [...allOf(item, 'a').map(link => attributeOf(link, 'href')).filter(href => href.includes('doi.org/')), text]
    .map(place => doiPattern.exec(place)?.[0]).find(found => found !== undefined)
  return {
    label: opening === '' ? tag : '',
    text,
    ...(title !== '' && { title }),
    ...(authors.length > 0 && { authors }),
    ...(year !== undefined && { year: Number(year) }),
    ...(doi !== undefined && { doi })
  }
}

/** "A. One, B. Two, and C. Three."; too long a piece is no name, and then none is believed. */
function namesIn (text: string): string[] {
  const names = text.replace(/\.$/u, '').split(/,\s*(?:and\s+)?|\s+and\s+/u).map(name => name.trim()).filter(name => name !== '' && name !== 'et al')
  return names.every(name => name.length <= 60 && name.split(' ').length <= 6 && /\p{Lu}/u.test(name)) ? names : []
}
