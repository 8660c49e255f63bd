/** The report as Markdown and as CSV. */
import type { Report, Score } from '../../../../shared/contracts/report.ts'
import { kindNames, kindsOf, metricName, overall, runNames, written, writtenInterval } from './numbers.ts'

export function reportMarkdown (report: Report): string {
  const { benchmark, runs } = report
  const { card } = benchmark
  const names = runNames(runs)
  return [
    `# ${inline(benchmark.name)}`,
    '',
    `Benchmark \`${benchmark.id}\`, version \`${benchmark.version}\`: ${card.itemCount} items, ${card.pairCount} minimal pairs, ${card.paperCount} papers.`,
    '',
    ...[...report.notes, ...card.notes].map(note => `- ${inline(note)}`),
    ...kindsOf(runs).flatMap(kind => ['', `## ${kindNames[kind]}`, '', ...scoreRows(report, kind)]),
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
    `Report \`${report.id}\`.`,
    ''
  ].join('\n')
}

function scoreRows (report: Report, kind: ReturnType<typeof kindsOf>[number]): string[] {
  const names = runNames(report.runs)
  const metrics = [...new Set(report.runs.flatMap(({ slices }) => slices
    .filter(slice => slice.kind === kind && slice.dimension === 'all')
    .flatMap(({ scores }) => scores.map(({ metric }) => metric))))]
  return [
    `| Metric | ${names.map(inline).join(' | ')} |`,
    `|---|${names.map(() => '---:').join('|')}|`,
    ...metrics.map(metric => `| ${metricName(metric)} | ${report.runs.map(run => cell(overall(run, kind, metric))).join(' | ')} |`)
  ]
}

function cell (score: Score | undefined): string {
  if (score === undefined || score.value === null) return '– (n = 0)'
  return `${written(score.metric, score.value)} ${writtenInterval(score)} (n = ${score.n})`.replace('  ', ' ')
}

function signatures ({ runs }: Report): Array<[string, string]> {
  const scores = runs.flatMap(({ slices }) => slices.flatMap(({ scores }) => scores))
  return [...new Map(scores.map(({ metric, signature }) => [`${metric} ${signature}`, [metric, signature] as [string, string]])).values()]
}

/** One line in which Markdown and HTML mean nothing. */
function inline (text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/[\\`*_{}[\]<>#|!~]/g, character => `\\${character}`)
}

const columns = ['model', 'runId', 'kind', 'dimension', 'slice', 'metric', 'value', 'n', 'papers', 'low', 'high', 'level', 'method', 'reason', 'signature']

/** One row a score (RFC 4180, CRLF); an empty cell is "no data". */
export function reportCsv ({ runs }: Report): string {
  const slices = runs.flatMap(({ model, runId, slices }) => slices.map(slice => ({ model, runId, ...slice })))
  const rows = slices.flatMap(({ model, runId, kind, dimension, value: slice, scores }) =>
    scores.map(({ metric, value, n, clusters, interval, reason, signature }) => [
      model, runId, kind, dimension, slice, metric, value, n, clusters,
      interval?.low, interval?.high, interval?.level, interval?.method, reason, signature
    ]))
  return [columns, ...rows].map(row => `${row.map(field).join(',')}\r\n`).join('')
}

/** A spreadsheet must not take text for a formula, so text that begins like one gets an apostrophe. */
function field (value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const runs = /^[\t\r\n]/u.test(value) || /^[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/u.test(value.trimStart())
  const text = runs ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
