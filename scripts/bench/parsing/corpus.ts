/** A corpus: `<slug>.pdf` with `<slug>.gt.json`, the publisher's `<slug>.xml`, or both beside it. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readJats, type XmlTruth } from './jats.ts'

export interface TruthHeading {
  number: string,
  title: string,
  level?: number,
  page?: number,
  run_in?: boolean,
  back?: boolean
}
export interface TruthCaption {
  kind: string,
  label: string,
  first_words: string,
  page?: number,
  bbox?: [number, number, number, number]
}

/** As written by hand; what is absent is not known, and an empty list says that there is none. */
export interface Truth {
  title?: string
  authors?: string[]
  authors_first?: string
  abstract?: string
  abstract_first_words?: string
  abstract_last_words?: string
  abstract_labels?: string[]
  publisher_style?: string
  section_headings?: TruthHeading[]
  captions?: TruthCaption[]
  n_references?: number
  n_references_approx?: boolean
  /** Numbers of displayed equations, as printed. */
  equations?: Array<string | { number: string }>
  cross_refs?: { label: string, cited_in_section: string }[]
  reading_order_probes?: { kind: string, page: number, tail: string, head: string }[]
}

export interface CorpusPaper {
  slug: string
  pdf: string
  style: string
  truth: Truth
  xml: XmlTruth | null
  /** The folder's index says that it may be passed on. */
  redistributable: boolean
}

export interface Corpus { name: string, papers: CorpusPaper[], nasty: string | null }

/** @param folder a corpus (with papers/dev or dev inside), or the folder of PDFs itself */
export function readCorpus (folder: string): Corpus {
  const root = firstOf([join(folder, 'papers', 'dev'), join(folder, 'dev')]) ?? folder
  const nasty = firstOf([join(folder, 'papers', 'nasty'), join(folder, 'nasty'), join(root, '..', 'nasty')])
  const index = indexOf(root)
  const slugs = readdirSync(root).filter(name => name.endsWith('.pdf')).map(name => name.slice(0, -4)).sort()
  const papers = slugs.flatMap((slug): CorpusPaper[] => {
    const [gt, xml] = [join(root, `${slug}.gt.json`), firstOf(['.xml', '.nxml'].map(end => join(root, slug + end)))]
    if (!existsSync(gt) && xml === undefined) return []
    const read = xml === undefined ? null : readJats(readFileSync(xml, 'utf8'))
    const written = existsSync(gt) ? JSON.parse(readFileSync(gt, 'utf8')) as Truth : {}
    const entry = index.find(({ file }) => file === `${slug}.pdf`)
    return [{
      slug,
      pdf: join(root, `${slug}.pdf`),
      style: written.publisher_style ?? entry?.publisher_style ?? slug,
      truth: withXml(written, read),
      xml: read,
      redistributable: entry?.redistributable === true
    }]
  })
  return { name: basename(folder), papers, nasty: nasty ?? null }
}

interface IndexEntry { file?: string, publisher_style?: string, redistributable?: boolean }

function indexOf (root: string): IndexEntry[] {
  const file = join(root, 'index.json')
  const index: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  return Array.isArray(index) ? index : []
}

function firstOf (paths: readonly string[]): string | undefined {
  return paths.find(path => existsSync(path))
}

/**
 * What was written by hand stands; the XML tells what it does not say. It knows no pages, and not
 * which headings are run in.
 */
export function withXml (truth: Truth, xml: XmlTruth | null): Truth {
  if (xml === null) return truth
  const isEmpty = (list: readonly unknown[]) => list.length === 0
  return {
    ...xml.title !== '' && { title: xml.title },
    ...!isEmpty(xml.authors) && { authors: xml.authors },
    ...xml.abstract !== null && { abstract: xml.abstract.map(({ text }) => text).join(' ') },
    ...!isEmpty(xml.sections) && { section_headings: xml.sections.map(headingOf) },
    captions: xml.floats.map(({ kind, label, caption }) =>
      ({ kind, label, first_words: caption.slice(0, 60) })),
    ...!isEmpty(xml.references) && { n_references: xml.references.length },
    equations: xml.equations,
    ...!isEmpty(xml.homes) && { cross_refs: xml.homes },
    ...truth
  }
}

function headingOf ({ number, title, level, back }: XmlTruth['sections'][number]): TruthHeading {
  return { number, title, level, back }
}
