/** The report as Markdown. */
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import type { Report } from '../../../../shared/contracts/report.ts'
import type { Score } from '../../../../shared/contracts/score.ts'
import { tableMarkdown } from '../compare/table.ts'
import { candidatesMarkdown } from './candidates-table.ts'
import { intervalUses, meaningsOf } from './glossary.ts'
import { countsLine, figuresMark, kindNames, kindsOf, metricName, metricsOf, overall, plural, written, writtenInterval, writtenN } from './numbers.ts'
import { judgementsMarkdown, repeatsMarkdown } from './judged-sections.ts'
import { forestPlot } from './plot-forest.ts'
import { heatPlot } from './plot-heat.ts'
import type { Plot } from './plot.ts'
import { inline } from './report-text.ts'
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
    ...kindsOf(runs).flatMap(kind => plotRows(forestPlot(report, kind))),
    ...plotRows(heatPlot(report)),
    ...repeatsMarkdown(report),
    ...judgementsMarkdown(report),
    ...candidatesMarkdown(report),
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

/** What a plot shows, as a table; nothing where there is nothing. */
function plotRows ({ title, about, table: { columns, rows } }: Plot): string[] {
  if (rows.length === 0) return []
  const cells = rows.map(row => row.map(cell => typeof cell === 'number' ? String(Number(cell.toPrecision(3))) : cell))
  const numeric = (at: number) => rows.some(row => typeof row[at] === 'number')
  return ['', tableMarkdown({
    title, notes: [about], columns: columns.map((name, at) => ({ name, numeric: numeric(at) })), rows: cells
  }).trimEnd()]
}
