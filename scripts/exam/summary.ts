/** What the exam found, on one screen. */
import type { Report, Score } from '../../shared/contracts/report.ts'
import type { Walked } from './walk.ts'

const shown: Array<[metric: string, head: string]> = [
  ['accuracy', 'accuracy'], ['pairAccuracy', 'pairs'], ['rougeL.fmeasure', 'ROUGE-L'], ['bleu.corpus', 'BLEU']
]

export function summaryText ({ report, faults }: Walked, files: Record<string, string>): string {
  const lines: string[] = []
  if (report !== undefined) lines.push(...scoreTable(report))
  lines.push('', ...Object.entries(files).map(([name, path]) => `${name.padEnd(12)} ${path}`))
  if (faults.length > 0) {
    lines.push('', 'Not everything succeeded:')
    lines.push(...faults.map(({ step, subject, detail }) => `  ${step}, ${subject}: ${detail}`))
  }
  return lines.join('\n')
}

function scoreTable ({ runs, benchmark }: Report): string[] {
  const { itemCount, paperCount } = benchmark.card
  const rows = runs.map(({ model, slices }) => {
    const scores = slices.filter(({ dimension }) => dimension === 'all').flatMap(slice => slice.scores)
    return [model, ...shown.map(([metric]) => cell(scores.find(score => score.metric === metric)))]
  })
  const table = [['model', ...shown.map(([, head]) => head)], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map(row => row[column]?.length ?? 0))) ?? []
  return [
    `${itemCount} items from ${paperCount} paper${paperCount === 1 ? '' : 's'}; value [95 % interval] n`,
    ...table.map(row => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ').trimEnd())
  ]
}

function cell (score: Score | undefined): string {
  if (score === undefined || score.value === null) return '–'
  const { value, interval, n } = score
  const digits = (x: number) => x.toFixed(Math.abs(x) > 1 ? 1 : 2)
  const range = interval === null ? '' : ` [${digits(interval.low)}, ${digits(interval.high)}]`
  return `${digits(value)}${range} n=${n}`
}
