/** What the exam found, on one screen. */
import type { Report } from '../../shared/contracts/report.ts'
import type { Score } from '../../shared/contracts/score.ts'
import { runNames } from '../../services/scoring/domain/report/run-names.ts'
import type { Walked } from './walk.ts'

type Kind = Report['runs'][number]['slices'][number]['kind']

const shown: Array<[metric: string, head: string]> = [
  ['accuracy', 'accuracy'], ['pairAccuracy', 'pairs'], ['rougeL.fmeasure', 'ROUGE-L'], ['bleu.corpus', 'BLEU']
]
const kinds: Array<[kind: Kind, name: string]> = [
  ['binary', 'Yes/no'], ['choice', 'Choice'], ['qa', 'Open'], ['vqa', 'Open, figures']
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

/** A table for each kind that occurs: scores of different kinds are never one number. */
function scoreTable ({ runs, benchmark }: Report): string[] {
  const { itemCount, paperCount } = benchmark.card
  const own = runs.filter(({ itemsOfOwnMethod }) => itemsOfOwnMethod > 0)
  return [
    `${itemCount} items from ${paperCount === 0 ? 'an item bank' : `${paperCount} paper${paperCount === 1 ? '' : 's'}`}; value [95 % interval] n`,
    ...kinds.flatMap(([kind, name]) => kindTable(runs, kind, name)),
    ...own.map(({ model, itemsOfOwnMethod }) =>
      `${model} answers by the method that made ${itemsOfOwnMethod} of the ${itemCount} items: its scores are flattered.`)
  ]
}

function kindTable (runs: Report['runs'], kind: Kind, name: string): string[] {
  const slices = runs.map(run => run.slices.find(slice => slice.dimension === 'all' && slice.kind === kind))
  const found = new Set(slices.flatMap(slice => slice?.scores.map(({ metric }) => metric) ?? []))
  const metrics = shown.filter(([metric]) => found.has(metric))
  if (metrics.length === 0) return []
  const names = runNames(runs)
  const rows = runs.map((_, at) => [
    names[at]!,
    ...metrics.map(([metric]) => cell(slices[at]?.scores.find(score => score.metric === metric))),
    leftOut(slices[at]?.outcomes)
  ])
  const table = [[name, ...metrics.map(([, head]) => head), 'not counted'], ...rows]
  const widths = table[0]!.map((_, column) => Math.max(...table.map(row => row[column]?.length ?? 0)))
  return ['', ...table.map(row => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ').trimEnd())]
}

/** Items that are in no score: an n without them beside it would hide them. */
function leftOut (outcomes: Record<string, number> = {}): string {
  return ['error', 'skipped'].filter(outcome => (outcomes[outcome] ?? 0) > 0)
    .map(outcome => `${outcomes[outcome]} ${outcome}`).join(', ') || '0'
}

function cell (score: Score | undefined): string {
  if (score === undefined || score.value === null) return `– n=${score?.n ?? 0}`
  const { value, interval, n } = score
  const digits = (x: number) => x.toFixed(Math.abs(x) > 1 ? 1 : 2)
  const range = interval === null ? '' : ` [${digits(interval.low)}, ${digits(interval.high)}]`
  return `${digits(value)}${range} n=${n}`
}
