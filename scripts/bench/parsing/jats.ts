/**
 * What the publisher's XML says of a paper (JATS, and BMC's DTD before it): read apart from the
 * product's own reader, and only what is measured.
 */
import { all, children, first, plain, readXml, textOf, type Element, type Node } from './xml.ts'
import { tokensOf } from './text.ts'
import { kindOfTitle, type ListKind } from './kinds.ts'

/** Text of the body as printed; `optional` tokens may be there or not: citation numbers, formulas. */
export interface TruthParagraph {
  text: string
  required: string[]
  optional: string[]
  /** Place among the sections. */
  section: number | null
}
export interface TruthSection {
  number: string
  title: string
  level: number
  back: boolean
  kind: ListKind | null
  /** Place of the top section it is in. */
  top: number
}
/** An entry of the list may name several works: then it has several years. `words` are to know it by. */
export interface TruthReference { words: string[], years: number[], doi?: string }

export interface XmlTruth {
  title: string
  authors: string[]
  /** Parts of the abstract; the label is empty where it has none. Null without an abstract. */
  abstract: Array<{ label: string, text: string }> | null
  paragraphs: TruthParagraph[]
  /** Of back matter, notes and supplements: printed somewhere, not asked for. */
  optional: string[]
  sections: TruthSection[]
  floats: Array<{ kind: 'figure' | 'table', label: string, caption: string }>
  /** Labels of displayed formulas, without parentheses. */
  equations: string[]
  references: TruthReference[]
  homes: Array<{ label: string, cited_in_section: string }>
}

/** Not running text: floats, displayed formulas, supplements, notes, TeX beside MathML, BMC's titles. */
const apart = new Set(['fig', 'fig-group', 'table-wrap', 'table-wrap-group', 'tbl', 'disp-formula', 'disp-formula-group',
  'display-formula', 'tex-math', 'annotation', 'supplementary-material', 'suppl', 'media', 'fn', 'graphic',
  'alternatives-graphic', 'floats-group', 'st', 'object-id', 'permissions'])
const formulas = new Set(['inline-formula', 'math'])

export function readJats (source: string): XmlTruth {
  const root = readXml(source)
  const article = first(root, 'article') ?? first(root, 'art') ?? root
  const front = children(article, 'front')[0] ?? children(article, 'fm')[0]
  const body = children(article, 'body')[0] ?? children(article, 'bdy')[0]
  const back = children(article, 'back')[0] ?? children(article, 'bm')[0]
  const meta = first(front, 'article-meta') ?? front
  const walk: Walk = { sections: [], paragraphs: [] }
  if (body !== undefined) walkBody(body, { level: 0, section: null, back: false }, walk)
  if (back !== undefined) walkBody(back, { level: 0, section: null, back: true }, walk)
  return {
    title: plain(first(meta, 'article-title') ?? first(meta, 'title'), new Set(['fn', 'xref'])),
    authors: authorsOf(meta),
    abstract: abstractOf(meta),
    paragraphs: walk.paragraphs.filter(({ back }) => !back),
    optional: tokensOf([
      ...back === undefined ? [] : [textOf(back, new Set(['ref-list', 'refgrp', 'tex-math']))],
      ...body === undefined ? [] : extrasOf(body)
    ].join(' ')),
    sections: walk.sections,
    floats: floatsOf(article),
    equations: [...all(article, 'disp-formula', new Set(['sub-article', 'response'])), ...all(article, 'display-formula')]
      .flatMap(formula => children(formula, 'label').map(label => plain(label).replace(/[^\p{L}\p{N}.]/gu, '')))
      .filter(label => label !== ''),
    references: referencesOf(article),
    homes: homesOf(article, walk)
  }
}

interface Walk {
  sections: TruthSection[]
  paragraphs: Array<TruthParagraph & { back: boolean, element: Element }>
}
interface At { level: number, section: number | null, back: boolean }

function walkBody (element: Element, at: At, walk: Walk): void {
  for (const child of element.children) {
    if (typeof child === 'string' || apart.has(child.name)) continue
    if (child.name === 'p') {
      walk.paragraphs.push({ ...paragraphOf(child), section: at.section, back: at.back, element: child })
    } else if (child.name === 'sec' || (at.back && ['ack', 'app', 'notes', 'glossary'].includes(child.name))) {
      walkBody(child, enterSection(child, at, walk), walk)
    } else if (!['ref-list', 'refgrp', 'title', 'label'].includes(child.name)) walkBody(child, at, walk)
  }
}

/** A part without a title is no section of its own. */
function enterSection (element: Element, at: At, walk: Walk): At {
  const printed = plain(children(element, 'title')[0] ?? children(element, 'st')[0])
  if (printed === '') return at
  const label = plain(children(element, 'label')[0])
  const [, inTitle = '', title = printed] = /^((?:\d+(?:\.\d+)*|[IVX]+)\.?)\s+(\S.*)$/u.exec(printed) ?? []
  const section = walk.sections.length
  const parent = at.section === null ? undefined : walk.sections[at.section]
  const kind = kindOfTitle(title) ?? kindOfTitle(element.attributes['sec-type'] ?? '') ?? parent?.kind ?? null
  const number = (label !== '' ? label : inTitle).replace(/\.$/u, '')
  walk.sections.push({ number, title, level: at.level + 1, back: at.back, kind, top: parent?.top ?? section })
  return { level: at.level + 1, section, back: at.back }
}

function paragraphOf (element: Element) {
  const optional: string[] = []
  const text = (node: Node): string => {
    if (typeof node === 'string') return node
    if (apart.has(node.name)) return ' '
    const inner = node.children.map(text).join('')
    const isCitation = node.name === 'abbrgrp' || (node.name === 'xref' && node.attributes['ref-type'] === 'bibr')
    if (formulas.has(node.name) || (isCitation && !/\p{L}{2}/u.test(inner))) {
      optional.push(inner)
      return ' '
    }
    return inner
  }
  const required = text(element).replace(/\s+/gu, ' ').trim()
  return { text: required, required: tokensOf(required), optional: tokensOf(optional.join(' ')) }
}

/** Set with the text, but not asked for: notes, captions of supplements. */
function extrasOf (body: Element): string[] {
  return ['fn', 'supplementary-material', 'suppl', 'media'].flatMap(name => all(body, name).map(found => textOf(found)))
}

function authorsOf (meta: Element | undefined): string[] {
  if (meta === undefined) return []
  const group = all(meta, 'contrib').filter(({ attributes }) => (attributes['contrib-type'] ?? 'author') === 'author')
  return [...group, ...all(meta, 'au')].flatMap(person => {
    const surname = plain(first(person, 'surname') ?? first(person, 'snm'))
    return surname === '' ? [] : [`${plain(first(person, 'given-names') ?? first(person, 'fnm'))} ${surname}`.trim()]
  })
}

function abstractOf (meta: Element | undefined): XmlTruth['abstract'] {
  if (meta === undefined) return null
  const found = children(meta, 'abstract').find(({ attributes }) => (attributes['abstract-type'] ?? '') === '') ??
    first(meta, 'abstract') ?? first(meta, 'abs')
  if (found === undefined) return null
  const leaves = all(found, 'sec').filter(section => all(section, 'sec').length === 0)
  const skip = new Set(['title', 'st', 'tex-math', 'fn'])
  const parts = leaves.length > 0
    ? leaves.map(section => ({
      label: plain(children(section, 'title')[0] ?? children(section, 'st')[0]).replace(/[:.]\s*$/u, ''), text: plain(section, skip)
    }))
    : all(found, 'p').flatMap(paragraph => labelledParts(paragraph, skip))
  return parts.length === 0 ? null : parts
}

/** "<p><bold>Methods:</bold> We …": a structured abstract without sections, in one paragraph or many. */
function labelledParts (paragraph: Element, skip: ReadonlySet<string>): NonNullable<XmlTruth['abstract']> {
  const parts = [{ label: '', text: '' }]
  for (const child of paragraph.children) {
    const label = typeof child === 'string' || !emphasis.has(child.name) ? '' : plain(child)
    // A word that is set so in the middle of a sentence is no label.
    const opensSentence = /^$|[.:)]$/u.test(parts.at(-1)!.text.trim())
    if (opensSentence && /^\p{Lu}/u.test(label) && kindOfTitle(label) !== null) {
      parts.push({ label: label.replace(/[:.]\s*$/u, ''), text: '' })
    } else parts.at(-1)!.text += textOf(child, skip)
  }
  return parts.map(({ label, text }) => ({ label, text: text.replace(/\s+/gu, ' ').replace(/^[\s:.]+/u, '').trim() }))
    .filter(({ text }) => text !== '')
}

const emphasis = new Set(['bold', 'b', 'italic', 'it', 'sc'])

function floatsOf (article: Element): XmlTruth['floats'] {
  const skip = new Set(['sub-article', 'response', 'supplementary-material', 'front'])
  const list = (kind: 'figure' | 'table', ...names: string[]) => names.flatMap(name => all(article, name, skip))
    .map(float => ({ kind, label: plain(children(float, 'label')[0] ?? children(float, 'title')[0]), caption: plain(first(float, 'caption')) }))
    .filter(({ label }) => /\d|[IVX]+$/u.test(label))
  return [...list('figure', 'fig'), ...list('table', 'table-wrap', 'tbl')]
}

/** What is printed of nearly every reference; titles often are not. */
const namedParts = ['surname', 'snm', 'article-title', 'title', 'volume', 'fpage']

function referencesOf (article: Element): TruthReference[] {
  const lists = [...all(article, 'ref-list'), ...all(article, 'refgrp')]
  return lists.flatMap(list => [...children(list, 'ref'), ...children(list, 'bibl')]).map(ref => {
    const years = [...all(ref, 'year'), ...all(ref, 'pubdate')].flatMap(year => /\d{4}/u.exec(plain(year))?.[0] ?? [])
    const doi = [...all(ref, 'pub-id'), ...all(ref, 'pubid')]
      .find(({ attributes }) => (attributes['pub-id-type'] ?? attributes['idtype']) === 'doi')
    return {
      words: tokensOf(namedParts.flatMap(name => all(ref, name)).map(part => plain(part)).join(' ')),
      years: years.map(Number),
      ...doi === undefined ? {} : { doi: plain(doi).toLowerCase() }
    }
  })
}

/** Where the text first speaks of each figure and table. */
function homesOf (article: Element, { paragraphs, sections }: Walk): XmlTruth['homes'] {
  const labels = new Map(['fig', 'table-wrap', 'tbl'].flatMap(name => all(article, name)).flatMap(float => {
    const id = float.attributes['id']
    const label = plain(children(float, 'label')[0] ?? children(float, 'title')[0])
    return id === undefined || label === '' ? [] : [[id, label] as const]
  }))
  const homes = new Map<string, string>()
  for (const { element, section } of paragraphs) {
    if (section === null) continue
    const refs = ['xref', 'figr', 'tblr'].flatMap(name => all(element, name))
    for (const { attributes } of refs) {
      const label = labels.get((attributes['rid'] ?? attributes['fid'] ?? attributes['tid'] ?? '').split(' ')[0]!)
      if (label !== undefined && !homes.has(label)) homes.set(label, sections[section]!.title)
    }
  }
  return Array.from(homes, ([label, title]) => ({ label, cited_in_section: title }))
}
