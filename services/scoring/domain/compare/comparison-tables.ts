/** A comparison in the forms people cite. */
import type { Comparison, PairedDifference } from '../../../../shared/contracts/comparison.ts'
import { metricName } from '../report/numbers.ts'
import { fixed, probability, tableCsv, tableLatex, tableMarkdown, type Cell, type Table } from './table.ts'

const columns = [
  'first', 'second', 'metric', 'slice', 'n', 'papers', 'score of first', 'score of second', 'difference', 'low',
  'high', 'only first', 'only second', 'detectable', 'p', 'adjusted p', 'better'
]
const words = new Set(['first', 'second', 'metric', 'slice', 'better'])

function digitsOf (metric: string): number {
  return metric.startsWith('bleu') ? 1 : 3
}

/** One row a difference. */
export function comparisonTable (comparison: Comparison): Table {
  const { benchmark, runs, family, differences, level, notes } = comparison
  const nameOf = (runId: string) => runs.find(run => run.runId === runId)?.name ?? runId
  const row = (found: PairedDifference): Cell[] => {
    const digits = digitsOf(found.metric)
    return [
      nameOf(found.first), nameOf(found.second), { shown: metricName(found.metric), full: found.metric },
      found.slice.dimension === 'all' ? 'all' : `${found.slice.dimension}: ${found.slice.value}`,
      found.n, found.clusters, fixed(found.firstScore, digits), fixed(found.secondScore, digits),
      fixed(found.difference, digits), fixed(found.interval?.low ?? null, digits),
      fixed(found.interval?.high ?? null, digits), found.effect.onlyFirst, found.effect.onlySecond,
      fixed(found.minimumDetectableEffect, digits), probability(found.p), probability(found.adjustedP),
      { shown: found.verdict, full: found.verdict }
    ]
  }
  return {
    title: `Paired differences on ${benchmark.name}`,
    notes: [
      `Difference is first minus second on the items both have, with ${Number((100 * level).toFixed(3))} % intervals over papers.`,
      `Adjusted by ${family.method} over ${family.size} tests: ${family.members}.`,
      ...notes
    ],
    columns: columns.map(name => ({ name, numeric: !words.has(name) })),
    rows: differences.map(row)
  }
}

export function comparisonCsv (comparison: Comparison): string {
  return tableCsv(comparisonTable(comparison))
}

export function comparisonLatex (comparison: Comparison): string {
  return tableLatex(comparisonTable(comparison))
}

/** The differences, what became of each, and how the errors go together. */
export function comparisonMarkdown (comparison: Comparison): string {
  const nameOf = (runId: string) => comparison.runs.find(run => run.runId === runId)?.name ?? runId
  const reasons: Table = {
    title: 'What can be claimed',
    notes: [],
    columns: ['pair', 'metric', 'slice', 'verdict', 'why', 'test', 'left out'].map(name => ({ name, numeric: false })),
    rows: comparison.differences.map(({ first, second, metric, slice, verdict, why, pMethod, leftOut }) => [
      `${nameOf(first)} against ${nameOf(second)}`, metricName(metric),
      slice.dimension === 'all' ? 'all' : `${slice.dimension}: ${slice.value}`, verdict, why, pMethod,
      leftOut.length === 0 ? 'none' : leftOut.map(({ reason, n }) => `${n} ${reason}`).join('; ')
    ])
  }
  const together: Table = {
    title: 'Right and wrong together',
    notes: ['By how both replies ended.'],
    columns: ['pair', 'metric', 'first ended', 'second ended', 'n', 'both right', 'only first', 'only second', 'neither']
      .map((name, at) => ({ name, numeric: at > 3 })),
    rows: comparison.errorGroups.flatMap(({ metric, first, second, byOutcome }) => byOutcome.map(group => [
      `${nameOf(first)} against ${nameOf(second)}`, metricName(metric), group.first, group.second, group.n,
      group.both, group.onlyFirst, group.onlySecond, group.neither
    ]))
  }
  return [comparisonTable(comparison), reasons, ...together.rows.length > 0 ? [together] : []]
    .map(table => tableMarkdown(table)).join('\n') + `\nComparison \`${comparison.id}\`.\n`
}
