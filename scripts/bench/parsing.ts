/**
 * Parses corpora and compares them with what is known of them: npm run bench:parsing --
 * --corpus DIR [--corpus DIR…] [--only SLUG] [--text-only] [--no-misses] [--no-nasty] [--json FILE]
 *
 * DIR holds `<slug>.pdf` with `<slug>.gt.json`, `<slug>.xml` or both, itself or in `dev` or
 * `papers/dev`; hostile files in `nasty` beside them. Given twice, each is measured apart, and both.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readCorpus } from './parsing/corpus.ts'
import { measurePaper, type Row } from './parsing/measure.ts'
import { measureNasty, type NastyResult } from './parsing/nasty.ts'
import { printMisses, printNasty, printSpeed, printTables } from './parsing/print.ts'
import { resultsOf } from './parsing/results.ts'

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
    'text-only': { type: 'boolean', default: false },
    // Misses are printed unless asked not to; the flag that once asked for them is still taken.
    misses: { type: 'boolean', default: false },
    'no-misses': { type: 'boolean', default: false },
    'no-nasty': { type: 'boolean', default: false },
    json: { type: 'string' }
  }
})
if (values.corpus.length === 0) {
  console.error('Say where the papers are: npm run bench:parsing -- --corpus DIR')
  process.exit(2)
}

const everything: Row[] = []
const results: Record<string, unknown> = {}
for (const folder of values.corpus) {
  const corpus = readCorpus(folder)
  const rows: Row[] = []
  for (const paper of corpus.papers) {
    if (values.only !== undefined && !paper.slug.includes(values.only)) continue
    try {
      rows.push(await measurePaper(paper, values['text-only']))
    } catch (cause) {
      console.error(`${paper.slug} was not measured: ${cause instanceof Error ? cause.message : String(cause)}`)
      process.exitCode = 1
    }
  }
  const nasty: NastyResult[] = corpus.nasty === null || values['no-nasty'] || (values.only !== undefined && rows.length > 0)
    ? []
    : await measureNasty(corpus.nasty, values.only)
  if (rows.length > 0) printTables(corpus.name, rows)
  if (!values['no-misses']) printMisses(rows)
  if (nasty.length > 0) printNasty(nasty)
  if (rows.length > 0) printSpeed(corpus.name, rows)
  everything.push(...rows)
  results[folder] = resultsOf(rows, nasty)
}
if (values.corpus.length > 1) {
  printTables('all corpora', everything)
  printSpeed('all corpora', everything)
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
if (everything.length === 0) {
  console.error('No paper was measured: the folder has no PDF with a truth beside it, or --only names none.')
  process.exitCode = 1
}
