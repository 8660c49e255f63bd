/** Forest plot: every run against the first one, on the items that count for both. */
import type { Report, RunDifference } from '../../../../shared/contracts/report.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import { html, type Markup } from './html.ts'
import { headlineOf, kindNames, metricName, plural, writtenDifference, writtenInterval } from './numbers.ts'
import { rowHead } from './plot-bars.ts'
import { axisBelow, percent, placeOn, scaleOf, whisker, type Scale } from './plot-parts.ts'
import { noPlot, type Plot } from './plot.ts'
import { plotLabels, runNames } from './run-names.ts'

const rowHeight = 58
const axisHeight = 26
const markAt = 42
const columns = ['run', 'against', 'metric', 'difference', 'low', 'high', 'n', 'papers', 'p', 'adjusted p', 'test', 'verdict', 'why']

export function forestPlot (report: Report, kind: ItemKind): Plot {
  const names = new Map(runNames(report.runs).map((name, at) => [report.runs[at]!.runId, name]))
  const labels = new Map(plotLabels(report.runs).map((label, at) => [report.runs[at]!.runId, label]))
  const rows = (report.differences ?? []).filter(difference => difference.kind === kind)
  const metric = headlineOf(kind)
  const head = {
    name: `differences-${kind}`,
    title: `${kindNames[kind]}: difference from ${labels.get(rows[0]?.against ?? '') ?? 'the first run'}`,
    about: `${metricName(metric)} of the run minus that of the first run named, on the items that count for both, with 95 % intervals over papers. Right of zero the run is better. p-values are adjusted (Holm) over all differences of this report.`
  }
  const first = rows[0]
  if (first === undefined) return noPlot(head, 'A difference needs two runs.', columns)
  if (rows.every(({ difference }) => difference === null)) return noPlot(head, first.reason ?? 'No item counts for both.', columns)
  const nameOf = (runId: string) => names.get(runId) ?? runId
  const scale = symmetric(rows)
  const height = rows.length * rowHeight
  const zero = percent(placeOn(scale, 0))
  return {
    ...head,
    said: rows.map(row => `${nameOf(row.runId)} ${caption(row)}`).join('; '),
    table: {
      columns,
      rows: rows.map(row => [
        nameOf(row.runId), nameOf(row.against), row.metric,
        row.difference, row.interval?.low ?? null, row.interval?.high ?? null,
        row.n, row.clusters, row.p, row.adjustedP, row.pMethod, row.verdict, row.why
      ])
    },
    chart: {
      height: height + axisHeight,
      markup: html`${axisBelow(scale, { height, say: tick => sayDifference(metric, tick) })}<line class="zero" x1="${zero}" x2="${zero}" y1="0" y2="${height}"/>
${rows.map((row, at) => forestRow(row, { scale, top: at * rowHeight, label: labels.get(row.runId)!, name: nameOf(row.runId) }))}`,
      legend: [
        { mark: 'dot', text: 'difference' }, { mark: 'line', text: '95 % interval' },
        { mark: 'ring', text: 'undecided' }
      ]
    }
  }
}

/** Zero in the middle, so that no side looks larger than it is. */
function symmetric (rows: readonly RunDifference[]): Scale {
  const ends = rows.flatMap(({ difference, interval }) => [difference, interval?.low, interval?.high])
    .filter(value => typeof value === 'number').map(Math.abs)
  const { high } = scaleOf([0, Math.max(0.02, ...ends)])
  return { low: -high, high, from: 0, to: 1 }
}

function sayDifference (metric: string, tick: number): string {
  const text = metric === 'accuracy' ? String(Math.round(tick * 1000) / 10) : String(Math.round(tick * 1000) / 1000)
  return text.replace('-', '−')
}

interface Row { scale: Scale, top: number, label: string, name: string }

function forestRow (row: RunDifference, { scale, top, label, name }: Row): Markup {
  const y = top + markAt
  const head = rowHead({ name, label }, caption(row), top)
  if (row.difference === null) return head
  const x = percent(placeOn(scale, row.difference))
  const mark = row.verdict === 'undecided'
    ? html`<circle class="ring filled" cx="${x}" cy="${y}" r="5"/>`
    : html`<circle class="dot" cx="${x}" cy="${y}" r="5"/>`
  return html`${head}<line class="rail" x1="0%" x2="100%" y1="${y}" y2="${y}"/>${row.interval === null ? null : whisker(scale, row.interval, y)}${mark}`
}

function caption (row: RunDifference): string {
  const { metric, difference, interval, n, clusters, adjustedP, verdict, reason } = row
  if (difference === null) return `no difference: ${(reason ?? '').slice(0, 90)}`
  const p = adjustedP === null ? 'no p' : adjustedP < 0.001 ? 'p < .001' : `p = ${adjustedP.toFixed(3)}`
  return [
    `${writtenDifference(metric, difference)} ${writtenInterval({ metric, interval })}`.trim(),
    `n = ${n}`, plural(clusters, 'paper'), p, verdict
  ].join(' · ')
}
