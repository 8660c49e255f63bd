import t from 'tap'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentDraft } from '../../parser.ts'
import { documentOf } from './fixtures/read.ts'

const corpus = process.env.VIVA_CORPUS
const skip = corpus === undefined && 'needs VIVA_CORPUS'
const folder = join(corpus ?? '', 'papers')
const bare = (text: string) => text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const labelOf = (label: string) => bare(label).replace(/^fig(?:ure)?/u, '')

interface Truth {
  title: string
  authors?: string[]
  abstract?: string
  section_headings: Array<{ title: string, level: number, run_in?: boolean }>
  captions: Array<{ kind: string, label: string, first_words: string }>
  n_references: number
  cross_refs: Array<{ label: string, cited_in_section: string }>
}

/** The parts of 11 papers that two people would agree on, against what was checked by hand. */
t.test('JATS of publishers says what the printed paper says', { skip }, async t => {
  const slugs = readdirSync(join(folder, 'dev')).filter(name => name.endsWith('.xml')).map(name => name.slice(0, -4))
  t.ok(slugs.length > 9)
  let [headings, levels, found, homes, cited] = [0, 0, 0, 0, 0]
  for (const slug of slugs) {
    const document = await documentOf('jats', readFileSync(join(folder, 'dev', `${slug}.xml`)))
    const truth = JSON.parse(readFileSync(join(folder, 'dev', `${slug}.gt.json`), 'utf8')) as Truth
    t.equal(bare(document.title), bare(truth.title), `${slug}: title`)
    const names = document.authors.map(({ name }) => bare(name))
    // The truth of three papers names the editors too.
    t.ok(names.length > 0 && (truth.authors ?? []).slice(0, names.length).every(name => names.includes(bare(name))), `${slug}: authors`)
    if (truth.abstract !== undefined) t.equal(bare(document.abstract?.text ?? ''), bare(truth.abstract), `${slug}: abstract`)
    t.equal(document.references.length, truth.n_references, `${slug}: references`)
    for (const { kind, label, first_words: words } of truth.captions) {
      const floats = kind === 'table' ? document.tables : document.figures
      const float = floats.find(float => labelOf(float.label) === labelOf(label))
      t.ok(bare(float?.caption ?? '').startsWith(bare(words).slice(0, 14)), `${slug}: ${label}`)
    }
    for (const { title, level } of truth.section_headings.filter(({ run_in: runIn }) => runIn !== true)) {
      headings++
      const section = document.sections.find(section =>
        bare(section.title) === bare(title) && section.level === level) ??
        document.sections.find(section => bare(section.title) === bare(title))
      if (section !== undefined) found++
      if (section?.level === level) levels++
    }
    for (const { label, cited_in_section: home } of truth.cross_refs) {
      cited++
      const isHome = (title: string) => bare(title) === bare(home) || bare(home).endsWith(bare(title))
      if (homeOf(document, label).some(isHome)) homes++
    }
  }
  t.ok(found / headings > 0.96, `${found} of ${headings} displayed headings`)
  t.equal(levels, found, 'each at its level')
  t.ok(homes / cited > 0.97, `${homes} of ${cited} homes of figures and tables`)
})

function homeOf ({ figures, tables, sections }: DocumentDraft, label: string): string[] {
  const homes = [...figures, ...tables].filter(float => labelOf(float.label) === labelOf(label))
    .map(({ sectionId }) => sectionId)
  return sections.filter(({ id }) => homes.includes(id)).map(({ title }) => title)
}

t.test('a paper as PDF and as JATS is the same paper', { skip }, async t => {
  for (const slug of ['plosone-2014', 'hindawi-tswj-2017']) {
    const [pdf, jats] = [
      await documentOf('pdf', readFileSync(join(folder, 'dev', `${slug}.pdf`))),
      await documentOf('jats', readFileSync(join(folder, 'dev', `${slug}.xml`)))
    ]
    const { recall, precision } = overlap(wordsOf(pdf), wordsOf(jats))
    t.ok(recall > 0.95 && precision > 0.93, `${slug}: body words, recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}`)
    const titles = new Set(pdf.sections.map(({ title }) => bare(title)))
    const missing = jats.sections.filter(({ title }) => title !== '' && !titles.has(bare(title))).map(({ title }) => title)
    t.ok(missing.length <= 0.15 * jats.sections.length, `${slug}: headings; not in the PDF's: ${missing.join(', ')}`)
    const labels = ({ figures }: typeof pdf) => figures.map(({ label }) => labelOf(label)).sort()
    t.same(labels(pdf), labels(jats))
    t.same(pdf.references.length, jats.references.length)
  }
})

function wordsOf ({ sections }: DocumentDraft): string[] {
  return sections.flatMap(({ paragraphs }) => paragraphs).flatMap(({ text }) => text.normalize('NFKC').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
}

/** Of words as often as they occur. */
function overlap (found: readonly string[], wanted: readonly string[]) {
  const counts = new Map<string, number>()
  for (const word of wanted) counts.set(word, (counts.get(word) ?? 0) + 1)
  let common = 0
  for (const word of found) {
    const left = counts.get(word) ?? 0
    if (left > 0) common++
    counts.set(word, left - 1)
  }
  return { recall: common / wanted.length, precision: common / found.length }
}
