/**
 * HTML as LaTeXML makes it of LaTeX (arXiv's HTML papers, ar5iv), to an outline. The classes that it
 * sets, all of which begin with ltx_, tell what is what.
 *
 * @see LaTeXML manual, appendix on the schema
 */
import { Problem } from '../../../../shared/errors/problem.ts'
import { splitParts } from '../../domain/abstract.ts'
import { allOf, attributeOf, elementsOf, findAll, isElement, type Element, type Node } from '../markup/element.ts'
import { hasClass, readHtml } from '../markup/html.ts'
import { emptyOutline, type Outline } from '../outline.ts'
import type { Reader } from '../reader.ts'
import { authorsOf } from './authors.ts'
import { noteText, readEquations, readFigure, rowsIn } from './floats.ts'
import { referenceOf } from './references.ts'
import { equationClasses, newMet, textBut, textOf, type Met } from './text.ts'

interface Walk { outline: Outline, section: number | null, errors: number }

export const readHtmlPaper: Reader = bytes => {
  const { root, warnings } = readHtml(bytes)
  const document = first(root, 'ltx_document') ?? first(root, 'ltx_page_content')
  if (document === undefined) throw new Problem('not-a-paper', 'The page has no part of class ltx_document, which LaTeXML gives every paper. If you meant a PDF, download the PDF itself.')
  const outline: Outline = { ...emptyOutline(), warnings }
  const language = attributeOf(root, 'lang').toLowerCase()
  if (/^[a-z]{2,3}$/u.test(language)) outline.language = language
  const walk: Walk = { outline, section: null, errors: 0 }
  const title = first(document, 'ltx_title_document')
  outline.title = title === undefined ? textOf(allOf(root, 'title')[0]) : textBut(title, ['ltx_tag'])
  outline.authors = authorsOf(document)
  outline.abstract = abstractOf(first(document, 'ltx_abstract'))
  for (const thanks of findAll(first(document, 'ltx_authors') ?? title ?? emptyElement, element => hasClass(element, 'ltx_role_footnote', 'ltx_role_thanks'))) addNote(thanks, walk)
  const start = document.children.findIndex(child => isElement(child) && hasClass(child, 'ltx_title_document'))
  // A notice above the title is no part of the text.
  for (const above of document.children.slice(0, Math.max(0, start))) if (textOf(above) !== '') outline.footnotes.push({ text: textOf(above) })
  readBlocks(document.children.slice(start + 1), walk, 1)
  if (walk.errors > 0) outline.warnings.push({ code: 'latexml-errors', detail: `LaTeXML did not understand ${walk.errors} commands of the source; what they stand for is missing.` })
  return { outline }
}

const emptyElement: Element = { name: 'none', attributes: new Map(), children: [] }

function first (element: Element, name: string): Element | undefined {
  return findAll(element, child => hasClass(child, name)).next().value ?? undefined
}

function abstractOf (abstract: Element | undefined): Outline['abstract'] {
  const text = textBut(abstract, ['ltx_title'])
  const parts = splitParts(text)
  return text === '' ? null : { text, ...(parts.length > 0 && { parts }) }
}

const sectionClasses = ['ltx_part', 'ltx_chapter', 'ltx_section', 'ltx_subsection', 'ltx_subsubsection', 'ltx_paragraph',
  'ltx_subparagraph', 'ltx_appendix', 'ltx_acknowledgements', 'ltx_acknowledgement']
const frontClasses = ['ltx_title', 'ltx_authors', 'ltx_abstract', 'ltx_dates', 'ltx_keywords', 'ltx_classification', 'ltx_TOC',
  'ltx_page_navbar', 'ltx_page_footer', 'ltx_pagination', 'ltx_subtitle', 'ltx_role_newpage', 'ltx_caption']
const inlineNames = new Set(['span', 'a', 'em', 'strong', 'b', 'i', 'sup', 'sub', 'math', 'cite', 'br', 'code', 'img', 'button', 'q', 'var', 'text'])

/** Text and inline elements between blocks are gathered to paragraphs. */
function readBlocks (nodes: readonly Node[], walk: Walk, level: number): void {
  let run: Node[] = []
  const flush = () => {
    if (run.length > 0) addParagraph({ name: 'span', attributes: new Map(), children: run }, walk)
    run = []
  }
  for (const node of nodes) {
    if (!isElement(node) || (inlineNames.has(node.name) && !hasClass(node, 'ltx_tabular'))) {
      run.push(node)
      continue
    }
    flush()
    readBlock(node, walk, level)
  }
  flush()
}

function isFront (element: Element): boolean {
  return hasClass(element, ...frontClasses) || ['nav', 'header', 'footer'].includes(element.name)
}

function readBlock (element: Element, walk: Walk, level: number): void {
  if (isFront(element)) return
  if (hasClass(element, ...sectionClasses)) readSection(element, walk, level)
  else if (hasClass(element, 'ltx_bibliography')) readBibliography(element, walk, level)
  else if (element.name === 'figure') readFloat(element, walk, level)
  else if (hasClass(element, 'ltx_theorem', 'ltx_proof')) readTheorem(element, walk, level)
  else if (hasClass(element, 'ltx_para')) readPara(element, walk, level)
  else if (isEquation(element) || element.name === 'p') addParagraph(element, walk)
  else if (hasClass(element, 'ltx_item') || element.name === 'dd') readItem(element, walk, level)
  else if (hasClass(element, 'ltx_listing')) addParagraph(element, walk)
  else if (hasClass(element, 'ltx_tabular')) readTabular(element, walk)
  else readBlocks(element.children, walk, level)
}

function isEquation (element: Element): boolean {
  return hasClass(element, ...equationClasses)
}

function readSection (element: Element, walk: Walk, level: number): void {
  const title = elementsOf(element).find(child => hasClass(child, 'ltx_title'))
  const tag = title === undefined ? undefined : first(title, 'ltx_tag')
  const met = newMet()
  const isThanks = hasClass(element, 'ltx_acknowledgements', 'ltx_acknowledgement')
  openSection(walk, {
    number: textOf(tag),
    title: textBut(title, ['ltx_tag'], met) || (isThanks ? 'Acknowledgements' : ''),
    level,
    ...(hasClass(element, 'ltx_appendix') && { kind: 'appendix' as const }),
    runIn: hasClass(element, 'ltx_paragraph', 'ltx_subparagraph')
  })
  placeMet(met, walk)
  readBlocks(element.children, walk, level + 1)
}

function openSection (walk: Walk, section: Omit<Outline['sections'][number], 'paragraphs'>): void {
  walk.outline.sections.push({ ...section, paragraphs: [] })
  walk.section = walk.outline.sections.length - 1
}

/** Sentences around a displayed formula are one paragraph, as in print. */
function readPara (para: Element, walk: Walk, level: number): void {
  let run: Node[] = []
  const flush = () => {
    if (run.length > 0) addParagraph({ name: 'div', attributes: new Map(), children: run }, walk)
    run = []
  }
  for (const child of para.children) {
    if (!isElement(child) || child.name === 'p' || isEquation(child) || inlineNames.has(child.name)) run.push(child)
    else {
      flush()
      readBlock(child, walk, level)
    }
  }
  flush()
}

function readItem (item: Element, walk: Walk, level: number): void {
  const tag = elementsOf(item).find(child => hasClass(child, 'ltx_tag'))
  const mark = textOf(tag)
  lead(item.children.filter(child => child !== tag), /^[\u2022\u2013\u2217*\u22C5-]?$/u.test(mark) ? '' : mark, { walk, level })
}

/** "Theorem 1." stands at the start of its first paragraph. */
function readTheorem (theorem: Element, walk: Walk, level: number): void {
  const title = elementsOf(theorem).find(child => hasClass(child, 'ltx_title'))
  lead(theorem.children.filter(child => child !== title), textOf(title), { walk, level })
}

function lead (nodes: readonly Node[], words: string, { walk, level }: { walk: Walk, level: number }): void {
  const before = paragraphsOf(walk).length
  readBlocks(nodes, walk, level)
  const added = paragraphsOf(walk)[before]
  if (words !== '' && added !== undefined) added.text = `${words} ${added.text}`
}

function paragraphsOf ({ outline, section }: Walk): Outline['sections'][number]['paragraphs'] {
  return section === null ? [] : outline.sections[section]!.paragraphs
}

/** Algorithms and listings float too, but are text. */
function readFloat (figure: Element, walk: Walk, level: number): void {
  const count = walk.outline.figures.length + walk.outline.tables.length
  readFigure(figure, walk.section, walk.outline)
  if (walk.outline.figures.length + walk.outline.tables.length > count) return
  const caption = elementsOf(figure).find(child => hasClass(child, 'ltx_caption'))
  if (caption !== undefined) addParagraph({ ...caption, name: 'div' }, walk)
  readBlocks(figure.children.filter(child => child !== caption), walk, level)
}

function readTabular (tabular: Element, { outline, section }: Walk): void {
  const rows = rowsIn(tabular)
  if (rows.length > 1) outline.tables.push({ keys: [], label: '', caption: '', section, rows })
}

function readBibliography (element: Element, walk: Walk, level: number): void {
  const title = textBut(elementsOf(element).find(child => hasClass(child, 'ltx_title')), ['ltx_tag'])
  openSection(walk, { number: '', title: title === '' ? 'References' : title, level, kind: 'references' })
  for (const item of [...findAll(element, child => hasClass(child, 'ltx_bibitem'))].slice(0, 5_000)) walk.outline.references.push(referenceOf(item))
}

function addParagraph (element: Element, walk: Walk): void {
  const met = newMet()
  const text = textOf(element, met)
  if (text !== '') {
    if (walk.section === null) openSection(walk, { number: '', title: '', level: 1 })
    paragraphsOf(walk).push({ text, cites: met.cites })
  }
  placeMet(met, walk)
}

function placeMet ({ notes, floats, equations, errors }: Met, walk: Walk): void {
  walk.errors += errors.length
  for (const note of notes) addNote(note, walk)
  for (const float of floats) readFigure(float, walk.section, walk.outline)
  for (const equation of equations) readEquations(equation, walk.outline)
}

function addNote (note: Element, { outline }: Walk): void {
  if (hasClass(note, 'ltx_role_footnotemark')) return
  const text = noteText(note)
  if (text !== '') outline.footnotes.push({ text })
}
