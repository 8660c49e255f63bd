/**
 * Runs the benches and writes their figures into README.md, between its markers: `npm run bench`.
 * Give the machine rest while it runs. The corpus bench needs VIVA_CORPUS; without it its rows stay out.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'

const begin = '<!-- figures of scripts/bench -->'
const end = '<!-- end of figures -->'

const { VIVA_CORPUS } = process.env
const parts = [
  `Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}). Ratios are of one run.`,
  run('house.ts'),
  run('store.ts'),
  VIVA_CORPUS === undefined ? '' : corpusTable(run('parsing.ts', '--corpus', VIVA_CORPUS))
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

/** The total row of the corpus bench, by the names of its columns. */
function corpusTable (output: string): string {
  const lines = output.split('\n')
  const heads = lines[0]?.trim().split(/\s+/) ?? []
  const totals = lines.find(line => line.startsWith('total'))?.trim().split(/\s+/) ?? []
  const total = (name: string) => totals[heads.indexOf(name)] ?? '?'
  return `| parsing, papers with ground truth | figure |
|---|---|
| papers with title, abstract, first section and every figure right | ${total('all4')} |
| titles · abstracts · first sections right | ${total('title')} · ${total('abs')} · ${total('first')} |
| displayed headings, F1 (precision, recall) | ${total('headF1')} (${total('P')}, ${total('R')}) |
| captions found, figures · tables | ${total('figcap')} · ${total('tabcap')} |
| figure crops, IoU ≥ .5 · ≥ .8 | ${total('>=.5')} · ${total('>=.8')} |
| reading order probes | ${total('order')} |
| speed | ${lines.at(-1)} |`
}
