/** Figures and tables of JATS. */
import { allOf, attributeOf, childOf, childrenOf, findAll, type Element } from '../markup/element.ts'
import { tableRows } from '../markup/table-rows.ts'
import type { Outline, OutlineFigure, OutlineTable, PictureSource } from '../outline.ts'
import { inlineText, newMet, ownText, textBut } from './inline.ts'

type Into = Pick<Outline, 'figures' | 'tables' | 'footnotes' | 'warnings'>

/** @param section index of the section in which the float stands, null outside of all */
export function readFloat (float: Element, section: number | null, into: Into): void {
  switch (float.name) {
    case 'fig-group': readFigureGroup(float, section, into); break
    case 'fig': case 'chem-struct-wrap':
      into.figures.push(figureOf(float, section, into))
      // Supplements of a figure stand inside it, under labels of their own.
      for (const inner of allOf(float, 'fig').filter(isLabelled)) into.figures.push(figureOf(inner, section, into))
      break
    case 'table-wrap-group': for (const table of allOf(float, 'table-wrap')) readFloat(table, section, into); break
    case 'table-wrap': into.tables.push(tableOf(float, section, into)); break
  }
}

/** Panels without labels of their own are one figure; figures with labels only stand together. */
function readFigureGroup (group: Element, section: number | null, into: Into): void {
  const members = allOf(group, 'fig')
  if (childOf(group, 'caption') !== undefined && !members.some(isLabelled)) {
    into.figures.push(figureOf(group, section, into))
  } else for (const fig of members) readFloat(fig, section, into)
}

function isLabelled (fig: Element): boolean {
  return childOf(fig, 'label') !== undefined
}

function figureOf (fig: Element, section: number | null, into: Into): OutlineFigure {
  const members = [fig, ...allOf(fig, 'fig').filter(inner => !isLabelled(inner))]
  const own = captionOf(fig, into)
  // Some publishers put the caption beside, without the element for it.
  const caption = own !== '' ? own : textBut(fig, ['label', 'graphic', 'media', 'attrib', 'permissions', 'alternatives'])
  return {
    keys: members.map(member => attributeOf(member, 'id')).filter(id => id !== ''),
    label: inlineText(childOf(fig, 'label') ?? ''),
    caption,
    section,
    pictures: members.flatMap(picturesIn)
  }
}

function picturesIn (fig: Element): PictureSource[] {
  return [...childrenOf(fig, 'graphic'), ...childrenOf(fig, 'alternatives').flatMap(alternatives => childrenOf(alternatives, 'graphic'))]
    .map(graphic => ({ href: attributeOf(graphic, 'href') })).filter(({ href }) => href !== '')
}

function tableOf (wrap: Element, section: number | null, into: Into): OutlineTable {
  const label = inlineText(childOf(wrap, 'label') ?? '')
  const rows = [...findAll(wrap, ({ name }) => name === 'table' || name === 'array')]
    .flatMap(table => tableRows(table, cell => inlineText(cell)))
  for (const foot of childrenOf(wrap, 'table-wrap-foot')) into.footnotes.push(...footTexts(foot).map(text => ({ text })))
  if (rows.length === 0) into.warnings.push({ code: 'table-without-cells', detail: `${label || 'A table'} has no cells in the file, as when it is only a picture.` })
  return {
    keys: [attributeOf(wrap, 'id')].filter(id => id !== ''),
    label,
    caption: captionOf(wrap, into),
    section,
    ...(rows.length > 0 && { rows })
  }
}

function footTexts (foot: Element): string[] {
  const notes = allOf(foot, 'fn')
  const rest = textBut(foot, ['fn', 'fn-group'])
  return [...notes.map(note => ownText(note)), rest].filter(text => text !== '')
}

/** Title and paragraphs; a title without a stop gets one, or it would run into the first sentence. */
function captionOf (float: Element, into: Into): string {
  const met = newMet()
  const parts = childrenOf(float, 'caption').flatMap(caption => childrenOf(caption, 'title', 'p'))
  const texts = parts.map(part => inlineText(part, met)).filter(text => text !== '')
  into.footnotes.push(...met.notes.map(note => ({ text: ownText(note) })))
  return texts.map((text, i) => i < texts.length - 1 && !/[.?!:;,]["')\]\u201D]?$/u.test(text) ? `${text}.` : text).join(' ')
}
