/**
 * How well quotes are told from what only looks like them: npm run bench:evidence -- --papers DIR
 * [--cache DIR] [--held-out] [--only quotes|relevance] [--per-kind N] [--misses N] [--json FILE]
 *
 * DIR holds PDFs. Rules were tuned on every other paper, from the first; figures are of the others.
 * --held-out: nothing was tuned on any of them, so all are reported together.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { evidenceSourceOf } from '../../shared/text/evidence.ts'
import { attributionsOf } from './evidence/attribution.ts'
import { readPapers } from './evidence/papers.ts'
import { attributionRows, printRows, quoteRows, type Row } from './evidence/print.ts'
import { sharesSentences, subjectOf, tryMutations, tryNoises } from './evidence/quotes.ts'
import { printSpeed } from './evidence/speed.ts'

const { values } = parseArgs({
  options: {
    papers: { type: 'string' },
    'held-out': { type: 'boolean', default: false },
    cache: { type: 'string', default: '/tmp/viva-bench-evidence' },
    only: { type: 'string' },
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
/** The next paper that says something else: a folder may hold one paper in several layouts. */
const others = subjects.map((subject, i) => {
  const next = [...papers.keys()].map(j => (i + 1 + j) % papers.length)
  return next.find(j => !sharesSentences(subject, subjects[j]!)) ?? i
})

function tryQuotes (group: readonly number[], name: string): Record<string, Row[]> {
  const noises = quoteRows(group.flatMap(i => tryNoises(subjects[i]!, perKind)))
  const mutants = quoteRows(group.flatMap(i => tryMutations(subjects[i]!, subjects[others[i]!]!, perKind)))
  printRows(`True quotes with noise, ${name} (${group.length}): accepted`, noises, { misses, want: true })
  printRows(`Mutants, ${name}: accepted`, mutants, { misses, want: false })
  return { noises, mutants }
}

function tryRelevance (group: readonly number[], name: string): Record<string, Row[]> {
  const rows = attributionRows(group.flatMap(i =>
    attributionsOf(papers[i]!, papers[others[i]!]!, evidenceSourceOf(papers[i]!.document))))
  for (const [title, of] of Object.entries(rows)) {
    printRows(`${title}, ${name}`, of, { misses, want: title.startsWith('Supporting') })
  }
  return rows
}

const results: Record<string, unknown> = {}
const names = values['held-out'] ? ['papers held out'] : ['papers tuned on', 'papers reported']
for (const [part, name] of names.entries()) {
  const group = [...papers.keys()].filter(i => i % names.length === part)
  results[name] = {
    ...values.only !== 'relevance' && tryQuotes(group, name),
    ...values.only !== 'quotes' && tryRelevance(group, name)
  }
}
printSpeed(papers)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, (key, value) => key === 'cases' ? undefined : value, 2)}\n`)
