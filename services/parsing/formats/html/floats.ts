/** Figures, tables and equations of LaTeXML's HTML. */
import { allOf, attributeOf, elementsOf, findAll, isElement, outermost, type Element } from '../markup/element.ts'
import { hasClass } from '../markup/html.ts'
import { tableRows } from '../markup/table-rows.ts'
import type { Outline, PictureSource } from '../outline.ts'
import { newMet, textBut, textOf } from './text.ts'

type Into = Pick<Outline, 'figures' | 'tables' | 'equations' | 'footnotes'>

/** Panels belong to the figure around them if that has the caption; else each stands for itself. */
export function readFigure (figure: Element, section: number | null, into: Into): void {
  const inner = allOf(figure, 'figure')
  const captioned = inner.filter(panel => captionIn(panel) !== undefined)
  // A caption in a cell beside what it is of.
  const beside = captioned.length === 1 && !hasContent(captioned[0]!) ? captionIn(captioned[0]!) : undefined
  const caption = captionIn(figure) ?? beside
  if (caption === undefined && captioned.length > 0) {
    for (const panel of captioned) readFigure(panel, section, into)
    return
  }
  const met = newMet()
  const float = {
    keys: [figure, ...inner].map(part => attributeOf(part, 'id')).filter(id => id !== ''),
    label: textOf([...findAll(caption ?? figure, isTag)][0]),
    caption: textBut(caption, ['ltx_tag'], met),
    section
  }
  for (const note of met.notes) into.footnotes.push({ text: noteText(note) })
  const rows = rowsIn(figure)
  if (hasClass(figure, 'ltx_table') || (beside !== undefined && hasClass(captioned[0]!, 'ltx_table')) || (rows.length > 0 && allOf(figure, 'img').length === 0)) {
    into.tables.push({ ...float, ...(rows.length > 0 && { rows }) })
  } else if (hasClass(figure, 'ltx_figure', 'ltx_figure_panel') || allOf(figure, 'img').length > 0) {
    into.figures.push({ ...float, pictures: allOf(figure, 'img').flatMap(pictureOf) })
  }
}

function captionIn (figure: Element): Element | undefined {
  return elementsOf(figure).find(isCaption)
}

function hasContent (figure: Element): boolean {
  return !findAll(figure, element => element.name === 'img' || element.name === 'table' || hasClass(element, 'ltx_tabular')).next().done
}

function isCaption (element: Element): boolean {
  return element.name === 'figcaption' || hasClass(element, 'ltx_caption')
}

function isTag (element: Element): boolean {
  return hasClass(element, 'ltx_tag')
}

/** Of a data URI its bytes (RFC 2397), else the name of the file beside; nothing is fetched. */
function pictureOf (image: Element): PictureSource[] {
  const source = attributeOf(image, 'src')
  const data = /^data:image\/[\w.+-]{1,40};base64,/iu.exec(source)
  if (data !== null) return [{ bytes: Buffer.from(source.slice(data[0].length), 'base64') }]
  return source === '' || /^[a-z][a-z\d+.-]*:|^\/\//iu.test(source) ? [] : [{ href: source }]
}

/** Tabulars are tables, or spans with the same classes where they stand in a line. */
export function rowsIn (holder: Element): string[][] {
  // A tabular inside a cell is text of that cell.
  const tables = hasClass(holder, 'ltx_tabular') ? [holder] : outermost(holder, element => hasClass(element, 'ltx_tabular'))
  return tables.flatMap(table => tableRows(asTable(table), cell => textOf(cell)))
}

function asTable (element: Element): Element {
  const name = hasClass(element, 'ltx_tr') ? 'tr' : hasClass(element, 'ltx_td', 'ltx_th') ? 'td' : element.name
  if (name === 'td') {
    const spans = ['colspan', 'rowspan'].map((span): [string, string] => [span, attributeOf(element, span) ||
      (new RegExp(`\\bltx_${span}_(\\d{1,3})\\b`, 'u').exec(attributeOf(element, 'class'))?.[1] ?? '1')])
    return { name, attributes: new Map(spans), children: element.children }
  }
  const children = element.children.map(child => isElement(child) ? asTable(child) : child)
  return { ...element, name, children }
}

/** One equation for each printed number, as the TeX it was made of; lines without one join the one before. */
export function readEquations (holder: Element, into: Into): void {
  const rows = [...findAll(holder, element => hasClass(element, 'ltx_eqn_row'))]
  let pending: string[] = []
  let last: Outline['equations'][number] | undefined
  for (const row of rows.length > 0 ? rows : [holder]) {
    pending.push(...allOf(row, 'math').map(math => attributeOf(math, 'alttext') || textOf(math)))
    const number = textOf([...findAll(row, element => hasClass(element, 'ltx_tag_equation'))][0]).replace(/^\(|\)$/gu, '')
    if (number === '') continue
    last = { number, text: pending.join(' ') }
    into.equations.push(last)
    pending = []
  }
  if (last !== undefined && pending.length > 0) last.text += ` ${pending.join(' ')}`
}

export function noteText (note: Element): string {
  const content = [...findAll(note, element => hasClass(element, 'ltx_note_content'))][0] ?? note
  return textOf({ name: 'div', attributes: new Map(), children: content.children })
}
