/** Marks in the outline made into text, once every number is known. */
import type { Outline } from '../outline.ts'
import { withoutMarks, type Mark } from './marks.ts'
import { typeset, type BibItem, type Numbered, type Reader } from './reader.ts'

interface Known {
  labels: ReadonlyMap<string, Numbered>
  items: ReadonlyMap<string, Cited>
  authorYear: boolean
  nameOf: (counter: string) => string
}

interface Cited { label: string, authors: string, year: string }

export function resolve (reader: Reader): void {
  const { outline, bibliography, names } = reader
  const authorYear = isAuthorYear(reader)
  const items = new Map<string, Cited>()
  for (const [i, item] of bibliography.items.entries()) {
    items.set(item.key, citedAs(item, authorYear ? '' : item.label || String(i + 1)))
  }
  const known: Known = {
    labels: reader.labels,
    items,
    authorYear,
    nameOf: counter => {
      const own: Record<string, string> = { figure: names.figure, table: names.table, equation: 'Eq.', section: 'Section', subsection: 'Section', subsubsection: 'Section', chapter: 'Chapter', item: 'item', algorithm: 'Algorithm' }
      return Object.hasOwn(own, counter) ? own[counter]! : counter.charAt(0).toUpperCase() + counter.slice(1)
    }
  }
  const text = (source: string) => withoutMarks(typeset(source), mark => shown(mark, known)).replaceAll(/[\uE000-\uE0FF]/gu, ' ')
  outline.title = text(outline.title)
  if (outline.abstract !== null) outline.abstract.text = text(outline.abstract.text)
  for (const section of outline.sections) {
    section.title = text(section.title)
    for (const paragraph of section.paragraphs) paragraph.text = text(paragraph.text)
  }
  for (const float of [...outline.figures, ...outline.tables]) float.caption = text(float.caption)
  for (const table of outline.tables) {
    if (table.rows !== undefined) table.rows = table.rows.map(row => row.map(text))
  }
  for (const note of outline.footnotes) note.text = text(note.text)
  for (const equation of outline.equations) equation.text = text(equation.text)
  outline.references = bibliography.items.filter(item => item.text !== '').map(item => referenceOf(item, items.get(item.key)!, text))
}

function isAuthorYear ({ bibliography, names }: Reader): boolean {
  const { options } = names
  if (options.has('natbib:numbers') || options.has('natbib:super') || options.has('numbers')) return false
  if (options.has('biblatex:style=authoryear') || options.has('biblatex:style=apa')) return true
  const labelled = bibliography.items.filter(({ label }) => yearForm.test(label)).length
  if (bibliography.items.some(({ label }) => label !== '')) return labelled > bibliography.items.length / 2
  return options.has('natbib') && !/unsrt|plain$|ieee|num/iu.test(bibliography.style)
}

/** natbib's label: "Knuth et al.(1990)Knuth, Plass". */
const yearForm = /^(.{1,200}?)\s?\((\d{4}[a-z]?|\w[^()]{0,40})\)/u

function citedAs (item: BibItem, label: string): Cited {
  const form = yearForm.exec(item.label)
  const year = form?.[2] ?? String(item.year ?? yearOf(item.text) ?? '')
  const names = item.authors?.map(name => name.split(' ').at(-1)!) ?? []
  const short = names.length > 2 ? `${names[0]} et al.` : names.join(' and ')
  return { label, authors: form?.[1] ?? (short === '' ? item.key : short), year }
}

function yearOf (text: string): number | undefined {
  const years = [...text.matchAll(/(?<!\d)(1[89]\d\d|20\d\d)(?![\d-])/gu)].map(([year]) => Number(year))
  return years.find(year => year <= 2100)
}

function referenceOf (item: BibItem, cited: Cited, text: (source: string) => string): Outline['references'][number] {
  const { title, authors, year = yearOf(item.text), doi = doiOf(item.text) } = item
  return {
    label: cited.label,
    text: text(item.text),
    ...(title !== undefined && { title: text(title) }),
    ...(authors !== undefined && authors.length > 0 && { authors }),
    ...(year !== undefined && { year }),
    ...(doi !== undefined && { doi })
  }
}

function doiOf (text: string): string | undefined {
  return /\b10\.\d{4,9}\/[^\s"<>{}]{1,200}[^\s"<>{}.,;)]/u.exec(text)?.[0]
}

function shown ({ kind, keys, before, after }: Mark, known: Known): string {
  if (kind === 'r' || kind === 'e') {
    const numbers = keys.map(key => known.labels.get(key)?.number || '??').join(', ')
    return kind === 'e' ? `(${numbers})` : numbers
  }
  if (kind === 'a' || kind === 'A') return namedReferences(keys, known)
  const cited = keys.map(key => known.items.get(key) ?? { label: key, authors: key, year: '' })
  const prefix = before === '' ? '' : `${before} `
  const suffix = after === '' ? '' : `, ${after}`
  if (kind === 'y') return cited.map(({ year }) => year).join(', ')
  if (kind === 'u') return cited.map(({ authors }) => authors).join(', ')
  const numbers = `[${prefix}${cited.map(({ label }) => label).join(', ')}${suffix}]`
  if (!known.authorYear) return kind === 't' ? `${cited.map(({ authors }) => authors).join(', ')} ${numbers}` : numbers
  if (kind === 'p') return `(${prefix}${cited.map(({ authors, year }) => `${authors}, ${year}`).join('; ')}${suffix})`
  return cited.map(({ authors, year }) => `${authors} (${prefix}${year}${suffix})`).join('; ')
}

/** "Figure 1", "Figures 1 and 2": one name where the kind is one. */
function namedReferences (keys: readonly string[], { labels, nameOf }: Known): string {
  const found = keys.map(key => labels.get(key) ?? { counter: '', number: '??' })
  const [first] = found
  if (first === undefined) return ''
  const name = nameOf(first.counter)
  if (found.length === 1) return `${name} ${first.number}`.trim()
  const numbers = found.map(({ number }) => number)
  const plural = /\.$/u.test(name) ? name.replace(/\.$/u, 's.') : `${name}s`
  return `${plural} ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
}
