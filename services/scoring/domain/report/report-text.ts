/** The report as Markdown and as CSV. */
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import type { Report, Score } from '../../../../shared/contracts/report.ts'
import { outcomes } from '../../../../shared/contracts/run.ts'
import { intervalUses, meaningsOf } from './glossary.ts'
import { countsLine, figuresMark, kindNames, kindsOf, metricName, metricsOf, overall, plural, written, writtenInterval, writtenN } from './numbers.ts'
import { runNames } from './run-names.ts'

export function reportMarkdown (report: Report): string {
  const { benchmark, runs } = report
  const { card } = benchmark
  const names = runNames(runs)
  return [
    `# ${inline(benchmark.name)}`,
    '',
    `Benchmark \`${benchmark.id}\`, version \`${benchmark.version}\`: ${plural(card.itemCount, 'item')}, ${plural(card.pairCount, 'minimal pair')}, ${plural(card.paperCount, 'paper')}.`,
    '',
    ...[...report.notes, ...card.notes].map(note => `- ${inline(note)}`),
    ...kindsOf(runs).flatMap(kind => ['', `## ${kindNames[kind]}`, '', ...scoreRows(report, kind)]),
    '',
    '## How to read the numbers',
    '',
    ...meaningsOf(report).map(({ term, meaning }) => `- **${inline(term)}**: ${inline(meaning)}`),
    '',
    '## Runs',
    ...runs.flatMap((run, index) => [
      '', `### ${inline(names[index]!)}`, '', `Run \`${run.runId}\`, condition \`${JSON.stringify(run.condition)}\`.`,
      '', ...run.notes.map(note => `- ${inline(note)}`)
    ]),
    '',
    '## Signatures',
    '',
    ...signatures(report).map(([metric, signature]) => `- \`${metric}\`: \`${signature}\``),
    '',
    '## Intervals',
    '',
    ...intervalUses(report).map(({ method, note, metrics }) =>
      `- ${inline(method)}: ${metrics.map(inline).join(' · ')}${note === '' ? '' : ` (${inline(note)})`}`),
    '',
    `Report \`${report.id}\`.`,
    ''
  ].join('\n')
}

function scoreRows (report: Report, kind: ItemKind): string[] {
  const context = metricsOf(report.runs, kind, true)
  return [
    ...metricRows(report, kind, metricsOf(report.runs, kind, false)),
    ...context.length === 0 ? [] : ['', '### Recall, floor and ceiling', '', ...metricRows(report, kind, context)]
  ]
}

function metricRows ({ runs }: Report, kind: ItemKind, metrics: readonly string[]): string[] {
  const names = runNames(runs)
  const marks = runs.map(run => figuresMark(run, runs))
  return [
    `| Metric | ${names.map(inline).join(' | ')} |`,
    `|---|${names.map(() => '---:').join('|')}|`,
    `| Items | ${runs.map(run => countsLine(run, kind)).join(' | ')} |`,
    ...marks.some(mark => mark !== '') ? [`| Figures | ${marks.map(mark => mark || 'with').join(' | ')} |`] : [],
    ...metrics.map(metric => `| ${metricName(metric)} | ${runs.map(run => cell(overall(run, kind, metric))).join(' | ')} |`)
  ]
}

function cell (score: Score | undefined): string {
  if (score === undefined) return '–'
  if (score.value === null) return `– (n = ${score.n})`
  return `${written(score.metric, score.value)} ${writtenInterval(score)} (n = ${writtenN(score)})`.replace('  ', ' ')
}

function signatures ({ runs }: Report): Array<[string, string]> {
  const scores = runs.flatMap(({ slices }) => slices.flatMap(({ scores }) => scores))
  return [...new Map(scores.map(({ metric, signature }) => [`${metric} ${signature}`, [metric, signature] as [string, string]])).values()]
}

/** One line in which Markdown and HTML mean nothing. */
export function inline (text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/[\\`*_{}[\]<>#|!~]/g, character => `\\${character}`)
}

const columns = ['model', 'runId', 'kind', 'dimension', 'slice', 'metric', 'value', 'n', 'papers', 'low', 'high', 'level', 'method', 'note', 'reason', 'signature', ...outcomes, 'itemsOfOwnMethod']

/**
 * One row a score (RFC 4180, CRLF); an empty cell is "no data". The last columns say how the items
 * of the slice ended, and how many of the benchmark's items were made by the model's own method.
 */
export function reportCsv ({ runs }: Report): string {
  const slices = runs.flatMap(({ model, runId, itemsOfOwnMethod, slices }) =>
    slices.map(slice => ({ model, runId, itemsOfOwnMethod, ...slice })))
  const rows = slices.flatMap(({ scores, outcomes: counts, ...slice }) =>
    scores.map(({ metric, value, n, clusters, interval, reason, signature }) => [
      slice.model, slice.runId, slice.kind, slice.dimension, slice.value, metric, value, n, clusters,
      interval?.low, interval?.high, interval?.level, interval?.method, interval?.note, reason, signature,
      ...outcomes.map(outcome => counts[outcome] ?? 0), slice.itemsOfOwnMethod
    ]))
  return [columns, ...rows].map(row => `${row.map(csvField).join(',')}\r\n`).join('')
}

/** A spreadsheet must not take text for a formula, so text that begins like one gets an apostrophe. */
export function csvField (value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const runs = /^[\t\r\n]/u.test(value) || /^[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/u.test(value.trimStart())
  const text = runs ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
