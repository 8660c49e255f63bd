/** Ground truth of a corpus: `<slug>.pdf` beside `<slug>.gt.json`. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

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
  page: number,
  bbox?: [number, number, number, number]
}

export interface Truth {
  title: string
  authors?: string[]
  authors_first?: string
  abstract_first_words?: string
  abstract_last_words?: string
  publisher_style?: string
  section_headings: TruthHeading[]
  captions: TruthCaption[]
  n_references?: number
  n_references_approx?: boolean
  cross_refs?: { label: string, cited_in_section: string }[]
  reading_order_probes?: { kind: string, page: number, tail: string, head: string }[]
}

export interface CorpusPaper { slug: string, pdf: string, truth: Truth }

/** @param folder the corpus (with papers/dev inside), or the folder of PDFs itself */
export function readCorpus (folder: string): CorpusPaper[] {
  const inner = join(folder, 'papers', 'dev')
  const root = existsSync(inner) ? inner : folder
  return readdirSync(root).filter(name => name.endsWith('.gt.json')).sort().map(name => {
    const slug = name.slice(0, -'.gt.json'.length)
    const truth = JSON.parse(readFileSync(join(root, name), 'utf8')) as Truth
    return { slug, pdf: join(root, `${slug}.pdf`), truth }
  })
}
