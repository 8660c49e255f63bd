/**
 * Markdown (CommonMark 0.31 with GitHub's tables and footnotes, dollar formulas and front matter).
 * HTML in it is text like any other; links are their text; pictures count only when they are in the
 * file itself (`data:`), since nothing is fetched.
 */
import { fromMarkdown } from 'mdast-util-from-markdown'
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { mathFromMarkdown } from 'mdast-util-math'
import { frontmatter } from 'micromark-extension-frontmatter'
import { gfm } from 'micromark-extension-gfm'
import { math } from 'micromark-extension-math'
import type { Nodes, Root, RootContent, Table } from 'mdast'
import { Problem } from '../../../shared/errors/problem.ts'
import { readLabel } from '../domain/captions.ts'
import { kindOf } from '../domain/section-kind.ts'
import { readFrontMatter } from './front-matter.ts'
import { emptyOutline, type Outline, type OutlineFigure, type PictureSource } from './outline.ts'
import { closeLevels, decodeText, isAbstractTitle, readReference } from './plain.ts'
import type { Reader } from './reader.ts'

/** Without its pictures; longer ones are data. */
const charactersMax = 4_000_000
const depthMax = 100
/** Of emphasis and links in one paragraph; the time to pair them grows with their square. */
const marksMax = 2_000

export const readMarkdown: Reader = bytes => {
  const pictures: Uint8Array[] = []
  // Taken out first: megabytes of base64 are slow to read as a link.
  const text = decodeText(bytes).replaceAll(/data:image\/[a-z+.-]{1,20};base64,([A-Za-z0-9+/=]+)/gu, (_, base64: string) => {
    pictures.push(Buffer.from(base64, 'base64'))
    return `viva-picture:${pictures.length - 1}`
  })
  if (text.length > charactersMax) throw tooComplex(`has more than ${charactersMax / 1e6} million characters`)
  const marked = chunksOf(text).some(chunk => (chunk.match(/[*_~[`]/gu)?.length ?? 0) > marksMax)
  if (marked) throw tooComplex(`has a paragraph with more than ${marksMax} marks`)
  return { outline: outlineOf(parse(text), pictures) }
}

/** What is read as one run of text: between blank lines, items, headings and rows of tables. */
function chunksOf (text: string): string[] {
  return text.split(/\n(?=[ \t]*(?:\n|[|#>*+-]|\d{1,9}[.)]))/u)
}

function tooComplex (what: string): Problem {
  return new Problem('paper-too-complex', `The Markdown ${what} (cause: structure); upload the paper alone, in plain paragraphs.`)
}

function parse (text: string): Root {
  try {
    return fromMarkdown(text, {
      extensions: [gfm(), math(), frontmatter(['yaml'])],
      mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown(), frontmatterFromMarkdown(['yaml'])]
    })
  } catch (cause) {
    if (cause instanceof RangeError) throw tooComplex('nests too deeply')
    throw cause
  }
}

interface Reading {
  outline: Outline
  pictures: readonly Uint8Array[]
  abstract: string[]
  part: 'body' | 'abstract' | 'references'
  /** A caption that may belong to the table or picture after it. */
  waiting: string | undefined
  last: OutlineFigure | Outline['tables'][number] | undefined
}

function outlineOf (root: Root, pictures: readonly Uint8Array[]): Outline {
  const outline = emptyOutline()
  const reading: Reading = { outline, pictures, abstract: [], part: 'body', waiting: undefined, last: undefined }
  const yaml = root.children.find(({ type }) => type === 'yaml')
  if (yaml?.type === 'yaml') {
    const { abstract, ...front } = readFrontMatter(yaml.value)
    Object.assign(outline, front)
    if (abstract !== '') reading.abstract.push(abstract)
  }
  for (const node of root.children) addBlock(reading, node, 0)
  flushCaption(reading)
  if (reading.abstract.length > 0) outline.abstract = { text: reading.abstract.join(' ') }
  closeLevels(outline.sections)
  return outline
}

function addBlock (reading: Reading, node: RootContent, depth: number): void {
  if (depth > depthMax) throw tooComplex('nests too deeply')
  const { outline } = reading
  if (node.type === 'heading') addHeading(reading, textOf(node), node.depth)
  else if (node.type === 'table') addTable(reading, node)
  else if (node.type === 'math') {
    outline.equations.push({ number: /\\tag\{([^{}]{1,20})\}/u.exec(node.value)?.[1] ?? '', text: node.value })
    addText(reading, `$${node.value.replaceAll(/\s+/gu, ' ')}$`)
  } else if (node.type === 'code' || node.type === 'html') addText(reading, node.value)
  else if (node.type === 'footnoteDefinition') outline.footnotes.push({ text: textOf(node) })
  else if (node.type === 'blockquote') for (const child of node.children) addBlock(reading, child, depth + 1)
  else if (node.type === 'list') {
    for (const [i, item] of node.children.entries()) {
      const mark = node.ordered === true ? `${(node.start ?? 1) + i}. ` : '• '
      for (const [at, child] of item.children.entries()) {
        if (child.type === 'paragraph') addText(reading, (at === 0 ? mark : '') + textOf(child))
        else addBlock(reading, child, depth + 1)
      }
    }
  } else if (node.type === 'paragraph') addParagraph(reading, node)
}

function addHeading (reading: Reading, title: string, level: number): void {
  const { outline } = reading
  flushCaption(reading)
  if (title === '') return
  const isFirst = outline.sections.length === 0 && reading.abstract.length === 0
  if (level === 1 && outline.title === '' && isFirst) {
    outline.title = title
    return
  }
  reading.part = isAbstractTitle(title) ? 'abstract' : kindOf(title.replace(/^[\d.]+\s+/u, '')) === 'references' ? 'references' : 'body'
  if (reading.part !== 'abstract') outline.sections.push({ number: '', title, level, paragraphs: [] })
}

function sectionNow ({ outline }: Reading): number | null {
  return outline.sections.length === 0 ? null : outline.sections.length - 1
}

/** A paragraph that is a picture, a caption, or text. */
function addParagraph (reading: Reading, node: RootContent & { type: 'paragraph' }): void {
  const text = textOf(node)
  const images = node.children.filter(child => child.type === 'image' || child.type === 'imageReference')
  const rest = node.children.filter(child => child.type !== 'image' && child.type !== 'imageReference').map(child => textOf(child)).join('').trim()
  if (images.length > 0 && (rest === '' || readLabel(rest) !== undefined)) {
    const sources = images.map(image => sourceOf(reading, image.type === 'image' ? image.url : ''))
    addFigure(reading, sources, rest !== '' ? rest : images.map(({ alt }) => alt ?? '').join(' ').trim())
    return
  }
  const label = readLabel(text)
  if (label?.delimiter !== true) addText(reading, text)
  else if (reading.last !== undefined && readLabel(reading.last.caption) === undefined &&
    label.kind === kindOfFloat(reading)) {
    reading.last.caption = text
    reading.last = undefined
  } else {
    flushCaption(reading)
    reading.waiting = text
  }
}

function kindOfFloat ({ last }: Reading): 'figure' | 'table' {
  return last !== undefined && 'pictures' in last ? 'figure' : 'table'
}

function sourceOf ({ pictures }: Reading, url: string): PictureSource {
  const bytes = pictures[Number(/^viva-picture:(\d{1,9})$/u.exec(url)?.[1] ?? NaN)]
  return bytes === undefined ? { href: url } : { bytes }
}

function addFigure (reading: Reading, pictures: PictureSource[], own: string): void {
  const caption = takeCaption(reading, 'figure') ?? own
  const figure = { keys: [], label: '', caption, section: sectionNow(reading), pictures }
  reading.outline.figures.push(figure)
  reading.last = figure
}

function addTable (reading: Reading, node: Table): void {
  const rows = node.children.map(row => row.children.map(cell => textOf(cell)))
  const caption = takeCaption(reading, 'table') ?? ''
  const table = { keys: [], label: '', caption, section: sectionNow(reading), rows }
  reading.outline.tables.push(table)
  reading.last = table
}

function takeCaption (reading: Reading, kind: 'figure' | 'table'): string | undefined {
  const { waiting } = reading
  if (waiting === undefined || readLabel(waiting)?.kind !== kind) {
    flushCaption(reading)
    return undefined
  }
  reading.waiting = undefined
  return waiting
}

/** A caption that no float took is text. */
function flushCaption (reading: Reading): void {
  const { waiting } = reading
  reading.waiting = undefined
  reading.last = undefined
  if (waiting !== undefined) addText(reading, waiting)
}

function addText (reading: Reading, text: string): void {
  const { outline, part } = reading
  flushCaption(reading)
  if (text.trim() === '') return
  if (part === 'abstract') reading.abstract.push(text)
  else if (part === 'references') outline.references.push(readReference(text.replace(/^•\s+/u, '')))
  else {
    if (outline.sections.length === 0) outline.sections.push({ number: '', title: '', level: 1, paragraphs: [] })
    outline.sections.at(-1)!.paragraphs.push({ text })
  }
}

/** Text as a reader sees it; formulas keep their dollar signs. */
function textOf (node: Nodes, depth = 0): string {
  if (depth > depthMax) return ''
  switch (node.type) {
    case 'text':
    case 'inlineCode':
    case 'html': return node.value
    case 'inlineMath': return `$${node.value}$`
    case 'break': return ' '
    case 'image':
    case 'imageReference': return node.alt ?? ''
    case 'footnoteReference': return ''
    default: return 'children' in node ? node.children.map(child => textOf(child, depth + 1)).join(isBlock(node) ? ' ' : '') : ''
  }
}

function isBlock ({ type }: Nodes): boolean {
  return ['root', 'list', 'listItem', 'blockquote', 'footnoteDefinition'].includes(type)
}
