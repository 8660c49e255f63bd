/**
 * Parses a corpus and compares it with its ground truth:
 * npm run bench:parsing -- --corpus DIR [--only SLUG] [--misses]
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { paperIdOf } from '../../shared/contracts/hash.ts'
import { openPdf } from '../../services/parsing/engine/pdfium.ts'
import { parseLimits, parsePdf } from '../../services/parsing/parse-pdf.ts'
import { scorePaper, type PaperScore } from './parsing-score.ts'
import { readCorpus, type CorpusPaper } from './parsing-truth.ts'

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    only: { type: 'string' },
    misses: { type: 'boolean', default: false }
  }
})
if (values.corpus === undefined) {
  console.error('Say where the papers are: npm run bench:parsing -- --corpus DIR')
  process.exit(2)
}

interface Row { slug: string, score: PaperScore, pages: number, parseMs: number, engineMs: number }

async function measure ({ slug, pdf, truth }: CorpusPaper): Promise<Row> {
  const bytes = readFileSync(pdf)
  const engineMs = await readBare(bytes)
  const start = performance.now()
  const { document } = await parsePdf(bytes, { paperId: paperIdOf(bytes) })
  const parseMs = performance.now() - start
  return { slug, score: scorePaper(document, truth), pages: document.pages.length, parseMs, engineMs }
}

/** The engine alone, every glyph and object read: what structure is compared with. */
async function readBare (bytes: Uint8Array): Promise<number> {
  const start = performance.now()
  const source = await openPdf(bytes, parseLimits)
  for (let page = 1; page <= source.pageCount; page++) source.readPage(page)
  source.close()
  return performance.now() - start
}

function f1 ({ hit, found, of }: { hit: number, found: number, of: number }): string {
  if (of === 0 && found === 0) return '-'
  return (2 * hit / Math.max(1, found + of)).toFixed(2)
}

const yes = (right: boolean | null) => right === null ? '-' : right ? 'y' : 'N'
const columns = ['paper', 'all4', 'title', 'abs', 'first', 'fig', 'headF1', 'P', 'R', 'allF1', 'lvl', 'figcap', 'tabcap', '>=.5', '>=.8', '95%', 'order', 'home', 'refs', 'authF1']

function cells ({ slug, score }: Row): string[] {
  const { displayed, crops, captions, order, homes } = score
  const four = [score.title, score.abstract, score.firstSection, score.figures]
  return [
    slug, yes(score.whole), ...four.map(yes), ...headingCells(displayed),
    f1(score.all), part(score.levels), part(captions.figure), part(captions.table),
    `${crops.half}/${crops.of}`, `${crops.eight}`, `${crops.contains}`,
    part(order), part(homes), yes(score.references), f1(score.authors)
  ]
}

const part = ({ hit, of }: { hit: number, of: number }) => `${hit}/${of}`

/** F1, precision and recall. */
function headingCells (count: { hit: number, found: number, of: number }): string[] {
  const share = (of: number) => (count.hit / Math.max(1, of)).toFixed(2)
  return [f1(count), share(count.found), share(count.of)]
}

/** Sums every number of the rows' scores, so that the total line is micro-averaged. */
function totalOf (rows: readonly Row[]): string[] {
  const sum = (pick: (score: PaperScore) => number) => rows.reduce((total, { score }) =>
    total + pick(score), 0)
  const trio = (pick: (score: PaperScore) => { hit: number, found: number, of: number }) =>
    ({ hit: sum(s => pick(s).hit), found: sum(s => pick(s).found), of: sum(s => pick(s).of) })
  const pair = (pick: (score: PaperScore) => { hit: number, of: number }) =>
    part({ hit: sum(s => pick(s).hit), of: sum(s => pick(s).of) })
  const flags = ['whole', 'title', 'abstract', 'firstSection', 'figures', 'references'] as const
  const [references, ...counts] = flags.map(key => String(sum(s => Number(s[key] === true)))).reverse()
  return [
    'total', ...counts.reverse(), ...headingCells(trio(s => s.displayed)),
    f1(trio(s => s.all)), pair(s => s.levels), pair(s => s.captions.figure), pair(s => s.captions.table),
    `${sum(s => s.crops.half)}/${sum(s => s.crops.of)}`, `${sum(s => s.crops.eight)}`,
    `${sum(s => s.crops.contains)}`, pair(s => s.order), pair(s => s.homes), references ?? '0',
    f1(trio(s => s.authors))
  ]
}

const rows: Row[] = []
for (const paper of readCorpus(values.corpus)) {
  if (values.only !== undefined && !paper.slug.includes(values.only)) continue
  rows.push(await measure(paper))
}
const table = [columns, ...rows.map(cells), totalOf(rows)]
for (const line of table) console.log(line.map((cell, i) => i === 0 ? cell.padEnd(24) : cell.padStart(8)).join(''))
if (values.misses) {
  for (const { slug, score } of rows) {
    console.log(`\n${slug}`)
    for (const miss of score.misses) console.log(`  ${miss}`)
  }
}
const pages = rows.reduce((sum, row) => sum + row.pages, 0)
const parseMs = rows.reduce((sum, row) => sum + row.parseMs, 0)
const engineMs = rows.reduce((sum, row) => sum + row.engineMs, 0)
console.log(`\n${rows.length} papers, ${pages} pages: ${(1000 * pages / parseMs).toFixed(1)} pages/s parsed with crops, ` +
  `${(1000 * pages / engineMs).toFixed(1)} pages/s by the bare engine, ratio ${(engineMs / parseMs).toFixed(2)}`)
