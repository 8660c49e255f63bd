/** The reference list: as BibTeX left it (`.bbl`, `thebibliography`), or from the `.bib` files themselves. */
import { argument, optional } from './arguments.ts'
import { bibNames, readBibtex, type BibEntry } from './bibtex.ts'
import { openSource } from './input.ts'
import { namedSection } from './paragraphs.ts'
import { textOf, typeset, warn, write, type BibItem, type EnvironmentHandler, type Handler, type Reader } from './reader.ts'
import { lexer, sourceOf, type Token } from './tokens.ts'

const itemsMax = 5_000

export const bibliographyEnvironments: [string, EnvironmentHandler][] = [['thebibliography', {
  begin (reader) {
    if (!reader.bibliography.isDone) namedSection(reader, 'References', 'references')
    reader.bibliography.isDone = true
    const outer = reader.sink
    reader.sink = { flows: false, text: '', cites: [] }
    reader.open.at(-1)!.close = inner => {
      endItem(inner)
      inner.sink = outer
    }
  }
}]]

function bibItem (reader: Reader): void {
  endItem(reader)
  const label = optional(reader.input)
  const key = sourceOf(argument(reader.input))
  if (reader.bibliography.items.length >= itemsMax) return
  reader.bibliography.items.push({ key, label: label === undefined ? '' : textOf(reader, label), text: '' })
}

/** Blocks of an entry are set apart by `\newblock`: authors, title, the rest. */
function endItem (reader: Reader): void {
  const text = typeset(reader.sink.text)
  reader.sink.text = ''
  const last = reader.bibliography.items.at(-1)
  if (last === undefined || last.text !== '' || reader.sink.flows) return
  const blocks = text.split('\uE015').map(block => block.replaceAll(/\s+/gu, ' ').trim()).filter(block => block !== '')
  last.text = blocks.join(' ')
  const [authors, title] = blocks
  if (blocks.length > 2 && authors !== undefined && title !== undefined) {
    last.title = title.replace(/[\s.,]+$/u, '')
    last.authors = listedNames(authors)
  }
}

function listedNames (text: string): string[] {
  const names = text.slice(0, 5_000).replace(/\(?\b(?:1[89]|20)\d\d[a-z]?\)?[\s.:]{0,5}$/u, '').replace(/[\s.,]*\bet al\.?\s*$/u, '')
  // "Knuth, D. E., and Plass, M. F." or "Donald E. Knuth, Michael F. Plass".
  const parts = /^[^,]{2,40}, (?:\p{Lu}\.[\s~-]?)+/u.test(names)
    ? names.split(/(?<=\p{Lu}\.)\s*,\s+(?:and\s+|&\s+)?|(?<=\.)\s+(?:and|&)\s+/u)
    : names.split(/,?\s+and\s+|,\s+(?=\p{Lu}[\p{L}.'’-]*\s+\p{L})/u)
  return parts.map(name => name.replace(/[\s,]+$/u, '').trim()).filter(name => /\p{L}/u.test(name)).slice(0, 200)
}

function bibliography (reader: Reader): void {
  const names = sourceOf(argument(reader.input)).split(',')
  reader.bibliography.files.push(...names.map(name => name.trim()))
  printBibliography(reader)
}

function printBibliography (reader: Reader): void {
  optional(reader.input)
  const { project, input } = reader
  if (reader.bibliography.isDone) return
  reader.bibliography.isDone = true
  namedSection(reader, 'References', 'references')
  const bbl = bblOf(reader)
  if (bbl === undefined) return
  const text = project.text(bbl)
  if (/\\entry\{/u.test(text)) reader.bibliography.items.push(...biblatexItems(reader, text))
  else openSource(input, text, bbl)
}

/** The list that BibTeX made for this paper, or the only one there is. */
function bblOf ({ project }: Reader): string | undefined {
  const own = project.find(project.main.replace(/^.*\//u, '').replace(/\.\w+$/u, ''), ['.bbl'])
  const all = [...project.files.keys()].filter(name => name.endsWith('.bbl'))
  return own ?? (all.length === 1 ? all[0] : undefined)
}

const biblatexField = /\\(?:field|strng|list|verb)\{(\w{1,40})\}(?:\{\d+\})?\{((?:[^{}]|\{[^{}]{0,500}\}){0,2000})\}/gu
const venues = ['journal', 'journaltitle', 'booktitle', 'publisher', 'school', 'institution', 'howpublished']

/** Fields of biblatex's own list. */
function biblatexItems (reader: Reader, text: string): BibItem[] {
  return text.split(/\\entry\{/u).slice(1, itemsMax).map(entry => {
    const key = entry.slice(0, entry.indexOf('}'))
    const fields = new Map<string, string>()
    for (const [, name, value] of entry.matchAll(biblatexField)) fields.set(name!, value!)
    const doi = /\\verb\{doi\}\s*\\verb\s+(\S{1,200})/u.exec(entry)?.[1]
    if (doi !== undefined) fields.set('doi', doi)
    const people = [...entry.matchAll(/family=\{([^{}]{1,80})\}[\s\S]{0,200}?given=\{([^{}]{1,80})\}/gu)]
    fields.set('author', people.map(([, family, given]) => `${family}, ${given}`).join(' and '))
    return itemOf(reader, { type: 'article', key, fields })
  })
}

/** An entry as a text that a list would print. */
function itemOf (reader: Reader, { key, fields }: BibEntry): BibItem {
  const plain = (name: string) => textOf(reader, tokensOf(fields.get(name) ?? ''))
  const authors = bibNames(plain('author') === '' ? plain('editor') : plain('author'))
  const title = plain('title')
  const venue = venues.map(plain).find(text => text !== '') ?? ''
  const year = /\b(1[5-9]\d\d|20\d\d)\b/u.exec(`${fields.get('year') ?? ''} ${fields.get('date') ?? ''}`)?.[1]
  const doi = fields.get('doi')?.replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/iu, '').replaceAll('\\', '')
  const pages = plain('pages')
  const parts = [authors.join(', '), title, [venue, plain('volume'), pages === '' ? '' : `pages ${pages}`, year ?? ''].filter(part => part !== '').join(', '), doi === undefined ? '' : `doi:${doi}`, plain('eprint')]
  return {
    key,
    label: '',
    text: parts.filter(part => part !== '').map(part => part.replace(/\.$/u, '')).join('. ') + '.',
    ...(title !== '' && { title }),
    ...(authors.length > 0 && { authors }),
    ...(year !== undefined && { year: Number(year) }),
    ...(doi !== undefined && doi !== '' && { doi })
  }
}

function tokensOf (text: string): Token[] {
  const source = lexer(text, { at: false })
  const tokens: Token[] = []
  for (let token = source.next(); token !== undefined && tokens.length < 50_000; token = source.next()) {
    tokens.push(token)
  }
  return tokens
}

/**
 * What the whole source cites, from its `.bib` files: all of it when there is no list yet, else
 * what the entries of the list do not say themselves. Styles that keep the order of citation do so;
 * others sort by author.
 */
export function completeBibliography (reader: Reader): void {
  const { bibliography, project, cited } = reader
  const entries = new Map<string, BibEntry>()
  for (const name of bibliography.files) {
    const file = project.find(name, ['.bib', ''])
    if (file === undefined) {
      if (bibliography.items.length === 0) warn(reader, 'latex-input-missing', `The bibliography ${name.slice(0, 80)} is not in the archive; its references are missing.`)
      continue
    }
    for (const [key, entry] of readBibtex(project.text(file))) if (!entries.has(key)) entries.set(key, entry)
  }
  if (bibliography.items.length === 0) {
    const all = cited.has('*')
    const keys = all ? [...entries.keys()] : [...cited].map(key => key.toLowerCase())
    const chosen = keys.flatMap(key => entries.get(key) ?? [])
    const items = chosen.slice(0, itemsMax).map(entry => itemOf(reader, entry))
    const inOrder = /unsrt|ieee|phys|aip|aps|acm-ref.*num|nature|science|elsarticle-num|vancouver|splncs/iu.test(bibliography.style) || reader.names.options.has('biblatex:sorting=none')
    bibliography.items = inOrder ? items : items.sort((a, b) => compare(sortKey(a), sortKey(b)))
    return
  }
  for (const item of bibliography.items) {
    const entry = entries.get(item.key.toLowerCase())
    if (entry === undefined) continue
    const { text: _, label: __, ...more } = itemOf(reader, entry)
    Object.assign(item, { ...more, ...item })
  }
}

function sortKey ({ authors, title, year }: BibItem): string {
  const first = authors?.[0]?.split(' ').at(-1) ?? title ?? ''
  return `${first.toLowerCase()} ${authors?.slice(1).join(' ').toLowerCase() ?? ''} ${year ?? ''}`
}

function compare (a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export const bibliographyCommands: [string, Handler][] = [
  ['bibitem', bibItem],
  ['newblock', reader => write(reader, reader.sink.flows ? ' ' : '\uE015 ')],
  ['bibliography', bibliography],
  ['printbibliography', printBibliography],
  ['addbibresource', reader => {
    optional(reader.input)
    reader.bibliography.files.push(sourceOf(argument(reader.input)))
  }],
  ['bibliographystyle', reader => { reader.bibliography.style = sourceOf(argument(reader.input)) }]
]
