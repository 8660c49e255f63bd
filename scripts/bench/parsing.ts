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
  return [slug, yes(score.whole), yes(score.title), yes(score.abstract), yes(score.firstSection), yes(score.figures),
    f1(displayed), (displayed.hit / Math.max(1, displayed.found)).toFixed(2), (displayed.hit / Math.max(1, displayed.of)).toFixed(2),
    f1(score.all), `${score.levels.hit}/${score.levels.of}`,
    `${captions.figure.hit}/${captions.figure.of}`, `${captions.table.hit}/${captions.table.of}`,
    `${crops.half}/${crops.of}`, `${crops.eight}`, `${crops.contains}`,
    `${order.hit}/${order.of}`, `${homes.hit}/${homes.of}`, yes(score.references), f1(score.authors)]
}

/** Sums every number of the rows' scores, so that the total line is micro-averaged. */
function totalOf (rows: readonly Row[]): string[] {
  const sum = (pick: (score: PaperScore) => number) => rows.reduce((total, { score }) => total + pick(score), 0)
  const trio = (pick: (score: PaperScore) => { hit: number, found: number, of: number }) =>
    ({ hit: sum(s => pick(s).hit), found: sum(s => pick(s).found), of: sum(s => pick(s).of) })
  const displayed = trio(s => s.displayed)
  const figure = trio(s => s.captions.figure)
  const table = trio(s => s.captions.table)
  return ['total', ...(['whole', 'title', 'abstract', 'firstSection', 'figures'] as const).map(key => String(sum(s => Number(s[key])))),
    f1(displayed), (displayed.hit / Math.max(1, displayed.found)).toFixed(2), (displayed.hit / Math.max(1, displayed.of)).toFixed(2),
    f1(trio(s => s.all)), `${sum(s => s.levels.hit)}/${sum(s => s.levels.of)}`,
    `${figure.hit}/${figure.of}`, `${table.hit}/${table.of}`,
    `${sum(s => s.crops.half)}/${sum(s => s.crops.of)}`, `${sum(s => s.crops.eight)}`, `${sum(s => s.crops.contains)}`,
    `${sum(s => s.order.hit)}/${sum(s => s.order.of)}`, `${sum(s => s.homes.hit)}/${sum(s => s.homes.of)}`,
    String(sum(s => Number(s.references === true))), f1(trio(s => s.authors))]
}

const rows: Row[] = []
for (const paper of readCorpus(values.corpus)) {
  if (values.only !== undefined && !paper.slug.includes(values.only)) continue
  rows.push(await measure(paper))
}
const table = [columns, ...rows.map(cells), totalOf(rows)]
for (const line of table) console.log(line.map((cell, i) => i === 0 ? cell.padEnd(24) : cell.padStart(7)).join(''))
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
