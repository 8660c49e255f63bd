/** Items by how hard they are and how well they tell strong runs from weak ones. */
import type { ItemScore, Report } from '../../../../shared/contracts/report.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import { pearsonInterval } from '../../../../shared/stats/correlation.ts'
import { wilsonInterval } from '../../../../shared/stats/proportions.ts'
import { html, type Markup } from './html.ts'
import { discriminationRunsMin } from './item-scores.ts'
import { headlineOf, kindNames, metricName } from './numbers.ts'
import { axisBelow, axisLeft, percent, placeOn, round, sayOf, type Scale } from './plot-parts.ts'
import { noPlot, type Plot } from './plot.ts'

const plotHeight = 320
const axisHeight = 46
const runsForEstimate = 20
const across: Scale = { low: 0, high: 1, from: 0.05, to: 0.97 }
const up: Scale = { low: -1, high: 1, from: plotHeight - 10, to: 36 }
const columns = ['item', 'n runs', 'mean worth', 'low', 'high', 'discrimination', 'discrimination low', 'discrimination high', 'reason']

export function itemsPlot (report: Report, kind: ItemKind): Plot {
  const metric = headlineOf(kind)
  const items = (report.items ?? []).filter(item => item.kind === kind)
  const models = report.runs.filter(({ baseline }) => !baseline).length
  const head = {
    name: `items-${kind}`,
    title: `${kindNames[kind]}: how hard, how telling`,
    about: `Each circle is the items at one place. Across: mean ${metricName(metric)} over ${models} runs of models, right is easy. Up: its correlation with the rest of the items over those runs; below zero stands what strong runs miss and weak ones get, which is worth checking for a wrong key.${models < runsForEstimate ? ` With fewer than ${runsForEstimate} runs this is a hint and no estimate.` : ''}`
  }
  const table = { columns, rows: items.map(item => cells(item, metric === 'accuracy')) }
  const placed = items.filter(({ mean, discrimination }) => mean !== null && discrimination !== null)
  if (placed.length === 0) return { ...noPlot(head, whyNone(models)), table }
  const left = items.length - placed.length
  return {
    ...head,
    about: left === 0 ? head.about : `${head.about} ${left} of ${items.length} items are not drawn: all runs did the same on them, or too few count.`,
    said: `${placed.length} items; ${placed.filter(({ discrimination }) => discrimination! < 0).length} of them below zero`,
    table,
    chart: {
      height: plotHeight + axisHeight,
      markup: html`${axisBelow(across, { height: plotHeight, say: sayOf(metric) })}${axisLeft(up, sayOf('correlation'))}<line class="zero" x1="0" x2="100%" y1="${round(placeOn(up, 0))}" y2="${round(placeOn(up, 0))}"/>
<text class="tick" x="100%" y="${plotHeight + 38}" text-anchor="end">→ easy</text><text class="tick" x="0" y="10">↑ tells strong from weak</text>
${circles(placed)}`,
      legend: [{ mark: 'dot', className: 'many', text: 'items; larger is more' }]
    }
  }
}

function whyNone (models: number): string {
  return models < discriminationRunsMin
    ? `It needs ${discriminationRunsMin} runs of models (baselines left out); there ${models === 1 ? 'is' : 'are'} ${models}.`
    : 'No item tells the runs apart.'
}

/** Intervals over runs, taken as independent: they say nothing of other papers. */
function cells ({ itemId, n, mean, discrimination }: ItemScore, isShare: boolean) {
  const range = isShare && mean !== null && n > 0
    ? wilsonInterval({ successes: Math.min(n, mean * n), trials: n })
    : null
  const spread = discrimination === null || Math.abs(discrimination) >= 1
    ? null
    : pearsonInterval(discrimination, n)
  const reason = mean === null ? 'counts for no run' : discrimination === null ? 'all runs did the same, or fewer than five count' : null
  const ends = (ends: { low: number, high: number } | null) => [ends?.low ?? null, ends?.high ?? null]
  return [itemId, n, mean, ...ends(range), discrimination, ...ends(spread), reason]
}

/** Items within a hundredth are one circle. */
function circles (items: readonly ItemScore[]): Markup {
  const places = new Map<string, { x: number, y: number, count: number }>()
  for (const { mean, discrimination } of items) {
    const [x, y] = [Math.round(mean! * 100) / 100, Math.round(discrimination! * 50) / 50]
    const place = places.get(`${x}/${y}`) ?? { x, y, count: 0 }
    place.count++
    places.set(`${x}/${y}`, place)
  }
  return html`${[...places.values()].map(({ x, y, count }) => html`<circle class="many" cx="${percent(placeOn(across, x))}" cy="${round(placeOn(up, y))}" r="${round(Math.min(14, 3 + Math.sqrt(count)))}"><title>${count} ${count === 1 ? 'item' : 'items'}</title></circle>`)}`
}
