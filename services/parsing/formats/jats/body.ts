/** Sections, paragraphs and what stands among them. */
import type { Section } from '../../../../shared/contracts/document.ts'
import { attributeOf, childOf, childrenOf, elementsOf, isElement, type Element, type Node } from '../markup/element.ts'
import { readFloat } from './floats.ts'
import { floatNames, formulaText, inlineText, newMet, ownText, textBut, type Met } from './inline.ts'
import { readReferences } from './references.ts'
import { addText, openSection, type Walk } from './walk.ts'

const blocks = new Set(['p', 'list', 'def-list', 'disp-quote', 'boxed-text', 'statement', 'verse-group', 'speech',
  'disp-formula', 'disp-formula-group', 'array', 'preformat', 'code', 'sec', 'table'])

/** Values of sec-type, as PubMed Central and publishers use them. */
const kinds: Array<[RegExp, Section['kind']]> = [
  [/intro|background/u, 'introduction'], [/method|material|subject|procedure/u, 'methods'],
  [/conclusion/u, 'conclusion'], [/result/u, 'results'], [/discussion/u, 'discussion'],
  [/supplement|append/u, 'appendix'], [/acknowledg/u, 'acknowledgements'], [/limitation/u, 'limitations']
]

export function readBody (body: Element, walk: Walk): void {
  readBlocks(body.children, walk, 1)
}

/** @param level of the section that the element opens, if it has a title */
export function readSection (sec: Element, walk: Walk, level: number): void {
  const { title, label } = headOf(sec)
  const titled = title !== '' || label !== ''
  if (titled) {
    const type = attributeOf(sec, 'sec-type').toLowerCase()
    const kind = kinds.find(([pattern]) => pattern.test(type))?.[1]
    openSection(walk, { number: label, title, level, ...(kind !== undefined && { kind }) })
  }
  const rest = sec.children.filter(child => !isElement(child) || !['title', 'label', 'sec-meta'].includes(child.name))
  readBlocks(rest, walk, titled ? level + 1 : level)
  const { sections } = walk.outline
  // PubMed Central adds one around files that the paper does not speak of.
  if (titled && /supplement/u.test(attributeOf(sec, 'sec-type')) && sections.at(-1)?.paragraphs.length === 0 && sections.at(-1)?.title === title) {
    sections.pop()
    walk.section = sections.length === 0 ? null : sections.length - 1
  }
}

function headOf (sec: Element): { title: string, label: string } {
  const met = newMet()
  return { title: inlineText(childOf(sec, 'title') ?? '', met), label: inlineText(childOf(sec, 'label') ?? '', met) }
}

/** Runs of text between blocks are paragraphs too: BMC and others put lists and formulas into them. */
export function readBlocks (nodes: readonly Node[], walk: Walk, level: number): void {
  let run: Node[] = []
  const flush = () => {
    if (run.some(node => isElement(node) || node.trim() !== '')) addParagraph({ name: 'run', attributes: new Map(), children: run }, walk)
    run = []
  }
  for (const node of nodes) {
    if (!isElement(node) || !isBlock(node)) {
      run.push(node)
      continue
    }
    flush()
    readBlock(node, walk, level)
  }
  flush()
}

function isBlock ({ name }: Element): boolean {
  return blocks.has(name) || blockReaders.has(name) || floatNames.has(name)
}

type BlockReader = (element: Element, walk: Walk, level: number) => void

const blockReaders = new Map<string, BlockReader>([
  ['sec', readSection],
  ['p', readParagraph],
  ['list', (list, walk) => { for (const item of childrenOf(list, 'list-item')) readItem(item, walk) }],
  ['def-list', (list, walk) => { for (const item of childrenOf(list, 'def-item')) addParagraph(item, walk) }],
  ['array', (array, walk) => { for (const row of tableRowsOf(array)) addParagraph(row, walk) }],
  ['ref-list', (list, walk, level) => readReferences(list, walk, level)],
  ['fn-group', readNotes],
  ['fn', (note, walk) => { walk.outline.footnotes.push({ text: ownText(note) }) }],
  ['supplementary-material', readSupplement],
  ['inline-supplementary-material', readSupplement],
  ['disp-formula', addParagraph],
  ['disp-formula-group', addParagraph],
  ['glossary', readSection],
  ['app', (app, walk, level) => { readSection(app, walk, level) }]
])

function readBlock (element: Element, walk: Walk, level: number): void {
  const reader = blockReaders.get(element.name)
  if (reader !== undefined) reader(element, walk, level)
  else if (floatNames.has(element.name)) readFloat(element, walk.section, walk.outline)
  // A box, a quotation: its title is a paragraph like the others, for what follows is not of the box.
  else readBlocks(elementsOf(element).map(child => child.name === 'title' || child.name === 'label' || child.name === 'attrib' ? { ...child, name: 'p' } : child), walk, level)
}

/** One paragraph, unless blocks other than formulas split it. */
function readParagraph (p: Element, walk: Walk, level: number): void {
  const splits = (node: Node) => isElement(node) && blocks.has(node.name) && !node.name.startsWith('disp-formula')
  if (p.children.some(splits)) readBlocks(p.children, walk, level)
  else addParagraph(p, walk)
}

function readItem (item: Element, walk: Walk): void {
  const label = inlineText(childOf(item, 'label') ?? '')
  const [first, ...rest] = elementsOf(item).filter(({ name }) => name !== 'label')
  if (first?.name === 'p' && label !== '') readBlock({ ...first, children: [`${label} `, ...first.children] }, walk, 1)
  else if (first !== undefined) readBlock(first, walk, 1)
  for (const block of rest) readBlock(block, walk, 1)
}

function tableRowsOf (array: Element): Element[] {
  return childrenOf(array, 'tr').concat(childrenOf(array, 'tbody', 'thead').flatMap(body => childrenOf(body, 'tr')))
}

/** With a title they are printed as a section; else as notes. */
function readNotes (group: Element, walk: Walk, level: number): void {
  if (headOf(group).title !== '') {
    readSection({ ...group, children: group.children.flatMap(child => isElement(child) && child.name === 'fn' ? child.children : [child]) }, walk, level)
  } else for (const note of childrenOf(group, 'fn')) readBackNote(note, walk, level)
}

/** A note that opens with a title in bold ("Author contributions") is printed as a section. */
function readBackNote (note: Element, walk: Walk, level: number): void {
  const paragraphs = childrenOf(note, 'p')
  const bold = paragraphs[0]?.children.find(node => isElement(node) || node.trim() !== '')
  const title = bold !== undefined && isElement(bold) && bold.name === 'bold' ? inlineText(bold).replace(/[.:\s]+$/u, '') : ''
  if (title === '' || title.length > 60 || paragraphs.map(p => ownText(p)).join('').length <= title.length + 1) {
    readBlock(note, walk, level)
    return
  }
  openSection(walk, { number: '', title, level, runIn: true })
  const [first, ...rest] = paragraphs
  readBlocks([{ ...first!, children: first!.children.filter(child => child !== bold) }, ...rest], walk, level)
}

/** What a supplement is called, without the link to it. */
function readSupplement (supplement: Element, walk: Walk): void {
  const caption = childrenOf(supplement, 'caption').map(part => ownText(part)).join(' ')
  const own = caption || textBut(supplement, ['label', 'media', 'object-id'])
  const text = `${inlineText(childOf(supplement, 'label') ?? '')} ${/^https?:\S*$/u.test(own) ? '' : own}`
  if (text.trim() !== '') addParagraph({ name: 'p', attributes: new Map(), children: [text] }, walk)
}

/** Adds the text, and places what hangs in it. */
function addParagraph (element: Element, walk: Walk): void {
  const met = newMet()
  const text = inlineText(element, met)
  if (text !== '') addText(walk, text, met.cites)
  placeMet(met, walk)
}

function placeMet ({ notes, floats, formulas }: Met, walk: Walk): void {
  for (const note of notes) walk.outline.footnotes.push({ text: ownText(note) })
  for (const float of floats) readBlock(float, walk, 1)
  for (const formula of formulas) {
    const number = inlineText(childOf(formula, 'label') ?? '').replace(/^\(|\)$/gu, '')
    if (number !== '') walk.outline.equations.push({ number, text: formulaText(formula) })
  }
}
