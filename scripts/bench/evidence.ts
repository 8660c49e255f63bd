/**
 * How well quotes are told from what only looks like them: npm run bench:evidence -- --papers DIR
 * [--cache DIR] [--held-out] [--per-kind N] [--misses N] [--json FILE]
 *
 * DIR holds PDFs. Rules were tuned on every other paper, from the first; figures are of the others.
 * --held-out: nothing was tuned on any of them, so all are reported together.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { evidenceSourceOf } from '../../shared/text/evidence.ts'
import { attributionsOf } from './evidence/attribution.ts'
import { readPapers } from './evidence/papers.ts'
import { attributionRows, printRows, quoteRows } from './evidence/print.ts'
import { subjectOf, tryMutations, tryNoises } from './evidence/quotes.ts'
import { printSpeed } from './evidence/speed.ts'

const { values } = parseArgs({
  options: {
    papers: { type: 'string' },
    'held-out': { type: 'boolean', default: false },
    cache: { type: 'string', default: '/tmp/viva-bench-evidence' },
    'per-kind': { type: 'string', default: '40' },
    misses: { type: 'string', default: '0' },
    json: { type: 'string' }
  }
})
if (values.papers === undefined) {
  console.error('Say where the papers are: npm run bench:evidence -- --papers DIR')
  process.exit(2)
}

const papers = await readPapers(values.papers, values.cache)
const perKind = Number(values['per-kind'])
const misses = Number(values.misses)
const subjects = papers.map(subjectOf)
const after = (i: number) => (i + 1) % papers.length
const results: Record<string, unknown> = {}
const groups = values['held-out'] ? ['papers held out'] : ['papers tuned on', 'papers reported']
for (const [group, name] of groups.entries()) {
  const mine = subjects.flatMap((subject, i) => i % groups.length === group
    ? [{ subject, other: subjects[after(i)]! }]
    : [])
  const noises = quoteRows(mine.flatMap(({ subject }) => tryNoises(subject, perKind)))
  const mutants = quoteRows(mine.flatMap(({ subject, other }) => tryMutations(subject, other, perKind)))
  printRows(`True quotes with noise, ${name} (${mine.length}): accepted`, noises, { misses, want: true })
  printRows(`Mutants, ${name}: accepted`, mutants, { misses, want: false })
  const attributed = papers.flatMap((paper, i) => i % groups.length === group
    ? attributionsOf(paper, papers[after(i)]!, evidenceSourceOf(paper.document))
    : [])
  const attribution = attributionRows(attributed)
  for (const [title, rows] of Object.entries(attribution)) {
    printRows(`${title}, ${name}`, rows, { misses, want: title.startsWith('Supporting') })
  }
  results[name] = { noises, mutants, ...attribution }
}
printSpeed(papers)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, (key, value) => key === 'cases' ? undefined : value, 2)}\n`)
