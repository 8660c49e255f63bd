/** The leading scores as LaTeX tables with booktabs, one a kind. */
import type { Report } from '../../../../shared/contracts/report.ts'
import type { Score } from '../../../../shared/contracts/score.ts'
import { tableLatex, type Cell, type Table } from '../compare/table.ts'
import { headlineOf, kindNames, kindsOf, metricName, overall, written, writtenInterval, writtenN } from './numbers.ts'
import { runNames } from './run-names.ts'

const beside = { accuracy: ['accuracy.strict', 'formatAdherence'], 'rougeL.fmeasure': ['rouge1.fmeasure', 'bleu.sentence'] } as const

export function reportLatex (report: Report): string {
  const { benchmark, notes } = report
  const names = runNames(report.runs)
  const tables = kindsOf(report.runs).map((kind): Table => {
    const metrics = [headlineOf(kind), ...beside[headlineOf(kind)]]
    return {
      title: `${kindNames[kind]} of ${benchmark.name}.`,
      notes: ['Value, 95 % interval over papers and items (n); a dash is no data.', ...notes],
      columns: ['Run', ...metrics.flatMap(metric => [metricName(metric), '95 %', 'n'])].map((name, at) => ({ name, numeric: at > 0 })),
      rows: report.runs.map((run, at) =>
        [names[at]!, ...metrics.flatMap(metric => cells(overall(run, kind, metric)))])
    }
  })
  return [`% Report ${report.id}; needs \\usepackage{booktabs} and UTF-8.`, '', ...tables.map(tableLatex)].join('\n')
}

function cells (score: Score | undefined): Cell[] {
  if (score === undefined) return [null, null, 0]
  const value = score.value === null ? null : written(score.metric, score.value)
  return [value, writtenInterval(score) || null, writtenN(score)]
}
