/**
 * Runs the benches and writes their figures into README.md, between its markers: `npm run bench`, or
 * `npm run bench -- DIR…` with folders of held-out papers beside the corpus in VIVA_CORPUS; without
 * that the rows of parsing stay out. Give the machine rest while it runs.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, tmpdir } from 'node:os'
import { join } from 'node:path'

const begin = '<!-- figures of scripts/bench -->'
const end = '<!-- end of figures -->'

const { VIVA_CORPUS } = process.env
const parts = [
  `Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}). Ratios are of one run.`,
  run('house.ts'),
  run('store.ts'),
  VIVA_CORPUS === undefined ? '' : corpusTable([VIVA_CORPUS, ...process.argv.slice(2)])
]
const readme = readFileSync('README.md', 'utf8')
const [before, rest] = readme.split(begin)
const after = rest?.split(end)[1]
if (before === undefined || after === undefined) throw new Error(`README.md lacks ${begin} … ${end}`)
writeFileSync('README.md', `${before}${begin}\n${parts.filter(Boolean).join('\n\n')}\n${end}${after}`)

function run (script: string, ...args: string[]): string {
  process.stderr.write(`${script} …\n`)
  const { status, stdout, stderr } = spawnSync(process.execPath,
    ['scripts/run.mjs', `scripts/bench/${script}`, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr}`)
  return stdout.trim()
}

interface Totals { totals: Record<string, { micro: number | null }> }

/** A few figures of the corpora; all of them are in parsing's own page, which is written as well. */
function corpusTable (corpora: readonly string[]): string {
  const file = join(tmpdir(), `viva-bench-${process.pid}.json`)
  const folders = corpora.flatMap(folder => ['--corpus', folder])
  run('parsing.ts', '--results', 'services/parsing/RESULTS.md', '--json', file, ...folders)
  const measured = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Totals>)
  rmSync(file)
  const row = (name: string, measure: string) =>
    `| ${name} | ${measured.map(({ totals }) => figure(totals[measure]?.micro)).join(' | ')} |`
  return `| parsing, papers with ground truth | ${measured.map((_, i) => i === 0 ? 'development' : `held out ${i}`).join(' | ')} |
|---|${measured.map(() => '---').join('|')}|
${[
  row('title right', 'title'), row('abstract right and nothing else in it', 'abstract'),
  row('displayed headings, F1', 'displayed'), row('levels of headings', 'levels'),
  row('captions of figures · found', 'figures'), row('captions of tables · found', 'tables'),
  row('figure crops, IoU ≥ .8', 'crop'), row('reading order probes', 'probes'),
  row('body text against the publisher\'s XML, recall', 'body'), row('body text, precision', 'bodyFound'),
  row('floats in the section that cites them first', 'homes')
].join('\n')}`
}

function figure (value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : value.toFixed(3)
}
