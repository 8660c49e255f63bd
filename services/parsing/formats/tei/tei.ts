/**
 * TEI as GROBID writes it, to an outline; other TEI with the same elements (div, head, p, figure,
 * listBibl) too. Where it has page sizes (`surface`) its coordinates become pages and boxes.
 *
 * @see TEI P5; GROBID, "Coordinates of structures in the original PDF"
 */
import type { Section } from '../../../../shared/contracts/document.ts'
import { splitParts } from '../../domain/abstract.ts'
import { allOf, attributeOf, childOf, childrenOf, elementsOf, isElement, pathOf, type Element, type Node } from '../markup/element.ts'
import { readXml } from '../markup/xml.ts'
import { emptyOutline, type Outline, type Place } from '../outline.ts'
import type { Reader } from '../reader.ts'
import { readFigure } from './floats.ts'
import { authorsOf, labelsOf, referenceOf } from './people.ts'
import { pagesOf, placesOf, type Pages } from './places.ts'
import { newMet, textOf, type Met } from './text.ts'

interface Walk { outline: Outline, section: number | null, pages: Pages }

export const readTei: Reader = bytes => {
  const { root, warnings } = readXml(bytes)
  const header = childOf(root, 'teiHeader')
  const text = childOf(root, 'text')
  const outline: Outline = { ...emptyOutline(), warnings }
  const language = (attributeOf(text, 'lang') || attributeOf(header, 'lang')).toLowerCase()
  if (/^[a-z]{2,3}$/u.test(language)) outline.language = language
  const pages = pagesOf(root)
  outline.pages = pages.sizes
  const walk: Walk = { outline, section: null, pages }
  readHeader(header, outline)
  readDivisions(childOf(text, 'body'), walk, 1)
  walk.section = null
  const back = childOf(text, 'back')
  for (const part of back === undefined ? [] : elementsOf(back)) readBackPart(part, walk)
  readBibliography(root, walk)
  return { outline }
}

function readHeader (header: Element | undefined, outline: Outline): void {
  const description = childOf(header, 'fileDesc')
  const titles = childrenOf(childOf(description, 'titleStmt'), 'title')
  const source = pathOf(description, 'sourceDesc', 'biblStruct')
  const main = titles.find(title => attributeOf(title, 'type') === 'main') ?? titles[0]
  outline.title = textOf(main) || textOf(childOf(childOf(source, 'analytic'), 'title'))
  outline.authors = authorsOf(source ?? childOf(description, 'titleStmt'))
  const abstract = pathOf(header, 'profileDesc', 'abstract')
  const text = allOf(abstract, 'p').map(p => textOf(p)).filter(text => text !== '').join(' ') || textOf(abstract)
  const parts = splitParts(text)
  if (text !== '') outline.abstract = { text, ...(parts.length > 0 && { parts }) }
}

function readDivisions (parent: Element | undefined, walk: Walk, depth: number): void {
  for (const element of parent === undefined ? [] : elementsOf(parent)) readBlock(element, walk, depth)
}

/** @param depth of divisions around the element, from 1 */
function readBlock (element: Element, walk: Walk, depth: number): void {
  switch (element.name) {
    case 'div': case 'div1': case 'div2': case 'div3': readDivision(element, walk, { depth }); break
    case 'figure': readFigure(element, walk); break
    case 'note': addNote(element, walk); break
    case 'list': for (const item of childrenOf(element, 'item')) addParagraph(item, walk); break
    case 'listBibl': case 'head': break
    case 'quote': case 'floatingText': case 'lg': case 'sp': readDivisions({ ...element, children: grouped(element) }, walk, depth); break
    default: addParagraph(element, walk)
  }
}

/** Text that stands in an element without a paragraph of its own gets one. */
function grouped (element: Element): Node[] {
  return element.children.some(node => isElement(node) && ['p', 'l', 'list'].includes(node.name)) ? element.children : [{ ...element, name: 'p' }]
}

/** GROBID's divisions are flat: the number of the heading tells the level, else the nesting does. */
function readDivision (div: Element, walk: Walk, { depth, named }: Around): void {
  const head = childOf(div, 'head')
  const title = textOf(head) || named?.title || ''
  const number = attributeOf(head, 'n')
  // Without a heading it goes on with the section before: GROBID begins one after a float.
  if (title !== '') {
    walk.outline.sections.push({
      number,
      title,
      level: Math.max(depth, number.split('.').filter(part => part !== '').length),
      ...(named?.kind !== undefined && { kind: named.kind }),
      ...placeOf(head ?? div, walk),
      paragraphs: []
    })
    walk.section = walk.outline.sections.length - 1
  }
  readDivisions(div, walk, title === '' ? depth : depth + 1)
}

interface Around { depth: number, named?: Named | undefined }

interface Named { title: string, kind: Section['kind'] }

const backNames: Record<string, Named> = {
  acknowledgement: { title: 'Acknowledgements', kind: 'acknowledgements' },
  funding: { title: 'Funding', kind: 'acknowledgements' },
  availability: { title: 'Data availability', kind: 'other' },
  conflict: { title: 'Competing interests', kind: 'other' },
  contribution: { title: 'Author contributions', kind: 'other' },
  annex: { title: 'Appendix', kind: 'appendix' }
}

/** A part with divisions inside takes its headings; one without takes its name. */
function readBackPart (part: Element, walk: Walk): void {
  const type = attributeOf(part, 'type')
  if (part.name !== 'div' || type === 'references') return
  const inner = childrenOf(part, 'div')
  if (inner.length === 0) {
    readDivision(part, walk, { depth: 1, named: backNames[type] })
    return
  }
  for (const [i, division] of inner.entries()) {
    readDivision(division, walk, { depth: 1, named: i === 0 ? backNames[type] : undefined })
  }
  for (const figure of childrenOf(part, 'figure')) readFigure(figure, walk)
}

function readBibliography (root: Element, walk: Walk): void {
  const entries = allOf(childOf(root, 'text'), 'listBibl').flatMap(list => childrenOf(list, 'biblStruct', 'bibl')).slice(0, 5_000)
  if (entries.length === 0) return
  const division = allOf(childOf(root, 'text'), 'div').find(div => attributeOf(div, 'type') === 'references')
  walk.outline.sections.push({ number: '', title: textOf(childOf(division, 'head')) || 'References', level: 1, kind: 'references', ...placeOf(entries[0]!, walk), paragraphs: [] })
  const labels = labelsOf(root)
  walk.outline.references = entries.map(entry => referenceOf(entry, labels.get(attributeOf(entry, 'id'))))
}

function addParagraph (element: Element, walk: Walk): void {
  const met = newMet()
  const text = textOf(element, met)
  const places = placesOf(element, walk.pages)
  if (text !== '') {
    if (walk.section === null) {
      walk.outline.sections.push({ number: '', title: '', level: 1, paragraphs: [] })
      walk.section = walk.outline.sections.length - 1
    }
    const section = walk.outline.sections[walk.section]!
    section.paragraphs.push({ text, cites: met.cites, ...(places.length > 0 && { places }) })
  }
  placeMet(element.name === 'formula' ? { ...met, formulas: [element] } : met, walk)
}

function placeMet ({ notes, figures, formulas }: Met, walk: Walk): void {
  for (const note of notes) addNote(note, walk)
  for (const figure of figures) readFigure(figure, walk)
  for (const formula of formulas) {
    const number = textOf(childOf(formula, 'label')).normalize('NFKC').replace(/^[([\u00F0]|[)\]\u00DE]$/gu, '')
    if (number === '') continue
    const children = formula.children.filter(node => !isElement(node) || node.name !== 'label')
    walk.outline.equations.push({ number, text: textOf({ ...formula, name: 'text', children }), ...placeOf(formula, walk) })
  }
}

function addNote (note: Element, walk: Walk): void {
  const text = textOf({ ...note, name: 'text' })
  if (text !== '') walk.outline.footnotes.push({ text, ...placeOf(note, walk) })
}

function placeOf (element: Element, { pages }: Walk): { place?: Place } {
  const [place] = placesOf(element, pages)
  return place === undefined ? {} : { place }
}
