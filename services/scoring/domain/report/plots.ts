/**
 * Plots as inline SVG. Horizontal places are percentages and text has a fixed size, so a plot is
 * readable on a phone as on a desk; colours come from the page's style sheet, light or dark.
 */
import type { Report, Score } from '../../../../shared/contracts/report.ts'
import { outcomes, type Outcome } from '../../../../shared/contracts/run.ts'
import { html, type Markup } from './html.ts'
import { headlineOf, kindNames, metricName, overall, plural, written, writtenInterval } from './numbers.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import { plotLabels, runNames } from './run-names.ts'

const rowHeight = 58
const axisHeight = 26
const stripAt = 42

/** Dots with intervals by run: lenient accuracy with the strict beside it, or ROUGE-L with ROUGE-1. */
export function dotPlot (report: Report, kind: ItemKind): Markup {
  const metric = headlineOf(kind)
  const second = metric === 'accuracy' ? 'accuracy.strict' : 'rouge1.fmeasure'
  const names = runNames(report.runs)
  const labels = plotLabels(report.runs)
  const rows = report.runs.map((run, index) => ({
    name: names[index]!,
    label: labels[index]!,
    score: overall(run, kind, metric),
    beside: overall(run, kind, second)
  })).filter(({ score }) => score !== undefined)
  const height = rows.length * rowHeight + axisHeight
  const title = `${kindNames[kind]}: ${metricName(metric)} by model`
  const said = rows.map(({ name, score }) => `${name} ${caption(score!)}`).join('; ')
  return html`<figure class="plot">
<figcaption><b>${title}</b><span class="legend"><svg width="12" height="12" aria-hidden="true"><circle class="dot" cx="6" cy="6" r="5"/></svg> ${metricName(metric)}, 95 % interval <svg width="12" height="12" aria-hidden="true"><circle class="ring" cx="6" cy="6" r="4"/></svg> ${metricName(second)}</span></figcaption>
<svg class="chart" width="100%" height="${height}" role="img" aria-label="${title}. ${said}.">
${axis(metric, rows.length * rowHeight)}
${rows.map((row, index) => dotRow(row, { score: row.score!, beside: row.beside }, index * rowHeight))}
</svg></figure>`
}

function axis (metric: string, height: number): Markup {
  return html`${[0, 25, 50, 75, 100].map(tick => html`<line class="grid" x1="${tick}%" x2="${tick}%" y1="0" y2="${height}"/><text class="tick" x="${tick}%" y="${height + 18}" text-anchor="${tick === 0 ? 'start' : tick === 100 ? 'end' : 'middle'}">${metric === 'accuracy' ? `${tick} %` : (tick / 100).toFixed(2)}</text>`)}`
}

/** The label is the name, cut to fit. */
interface Named { name: string, label: string }

interface Dots { score: Score, beside: Score | undefined }

function dotRow ({ name, label }: Named, { score, beside }: Dots, top: number): Markup {
  const y = top + stripAt
  const head = html`<text class="name" x="0" y="${top + 15}">${label}<title>${name}</title></text><text class="value" x="0" y="${top + 30}">${caption(score)}</text>`
  if (score.value === null) return head
  const { interval } = score
  const bar = interval === null
    ? null
    : html`<line class="interval" x1="${percent(interval.low)}" x2="${percent(interval.high)}" y1="${y}" y2="${y}"/>${[interval.low, interval.high].map(end => html`<line class="interval" x1="${percent(end)}" x2="${percent(end)}" y1="${y - 5}" y2="${y + 5}"/>`)}`
  const ring = beside === undefined || beside.value === null
    ? null
    : html`<circle class="ring" cx="${percent(beside.value)}" cy="${y}" r="5"/>`
  return html`${head}<line class="rail" x1="0%" x2="100%" y1="${y}" y2="${y}"/>${bar}<circle class="dot" cx="${percent(score.value)}" cy="${y}" r="5"/>${ring}`
}

/** "62.5 % [51.0, 73.2] · n = 48 · 3 papers", or why there is no number. */
function caption (score: Score): string {
  if (score.value === null) return `no value: ${score.reason ?? ''}`
  return [`${written(score.metric, score.value)} ${writtenInterval(score)}`.trim(), `n = ${score.n}`, plural(score.clusters, 'paper')].join(' · ')
}

export const outcomeNames: Record<Outcome, string> = {
  answered: 'answered', unparsable: 'unparsable', refused: 'refused', truncated: 'truncated', error: 'error', skipped: 'skipped'
}

/** One bar for each run: how its items ended, in shares of all items. */
export function outcomesPlot (report: Report): Markup {
  const names = runNames(report.runs)
  const labels = plotLabels(report.runs)
  const rows = report.runs.map((run, index) => {
    const all = run.slices.filter(({ dimension }) => dimension === 'all')
    const counts = outcomes.map(outcome => ({
      outcome, count: all.reduce((total, slice) => total + (slice.outcomes[outcome] ?? 0), 0)
    }))
    const total = counts.reduce((total, { count }) => total + count, 0)
    return { name: names[index]!, label: labels[index]!, counts, total }
  })
  const seen = outcomes.filter(outcome => rows.some(({ counts }) =>
    counts.some(entry => entry.outcome === outcome && entry.count > 0)))
  const said = rows.map(({ name, counts }) => `${name}: ${inWords(counts)}`).join('; ')
  return html`<figure class="plot">
<figcaption><b>How the replies ended</b><span class="legend">${seen.map(outcome => html`<svg width="12" height="12" aria-hidden="true"><rect class="o-${outcome}" width="12" height="12" rx="2"/></svg> ${outcomeNames[outcome]} `)}</span></figcaption>
<svg class="chart" width="100%" height="${rows.length * rowHeight}" role="img" aria-label="How the replies ended. ${said}.">
${rows.map(({ name, label, counts, total }, index) => {
  const top = index * rowHeight
  return html`<text class="name" x="0" y="${top + 15}">${label}<title>${name}</title></text><text class="value" x="0" y="${top + 30}">${inWords(counts)}</text>${segments(counts, total, top + 36)}`
})}
</svg></figure>`
}

interface Count { outcome: Outcome, count: number }

function inWords (counts: readonly Count[]): string {
  return counts.filter(({ count }) => count > 0).map(({ outcome, count }) => `${count} ${outcomeNames[outcome]}`).join(' · ') || 'no items'
}

function segments (counts: readonly Count[], total: number, top: number): Markup {
  let before = 0
  return html`${counts.filter(({ count }) => count > 0).map(({ outcome, count }) => {
    const x = before / total
    before += count
    return html`<rect class="o-${outcome}" x="${percent(x)}" y="${top}" width="${percent(count / total)}" height="12"><title>${count} ${outcome}</title></rect>`
  })}`
}

/** A place on the axis; what lies outside is drawn at its end. */
function percent (share: number): string {
  return `${(100 * Math.min(1, Math.max(0, share))).toFixed(3)}%`
}
