/** Bars with intervals by run, and how the replies of each run ended. */
import type { Report } from '../../../../shared/contracts/report.ts'
import type { Score } from '../../../../shared/contracts/score.ts'
import { outcomes, type Outcome } from '../../../../shared/contracts/run.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import { html, type Markup } from './html.ts'
import { headlineOf, kindNames, metricName, overall, plural, written, writtenInterval } from './numbers.ts'
import { plotLabels, runNames } from './run-names.ts'
import { axisBelow, percent, sayOf, whisker, type Scale } from './plot-parts.ts'
import { noPlot, type Cell, type Plot } from './plot.ts'

const rowHeight = 58
const axisHeight = 26
const barAt = 42
const whole: Scale = { low: 0, high: 1, from: 0, to: 1 }

/** What a score is as cells: value, n, papers, interval, method, reason. */
export const scoreColumns = ['value', 'n', 'papers', 'low', 'high', 'method', 'reason']

export function scoreCells (score: Score | undefined): Cell[] {
  if (score === undefined) return [null, 0, 0, null, null, null, 'no items of this kind']
  const { value, n, clusters, interval, reason } = score
  const { low = null, high = null, method = null } = interval ?? {}
  return [value, n, clusters, low, high, method, reason ?? null]
}

/** Lenient accuracy with the strict beside it, or ROUGE-L with ROUGE-1. */
export function barPlot (report: Report, kind: ItemKind): Plot {
  const metric = headlineOf(kind)
  const second = metric === 'accuracy' ? 'accuracy.strict' : 'rouge1.fmeasure'
  const labels = plotLabels(report.runs)
  const rows = runNames(report.runs).map((name, at) => {
    const run = report.runs[at]!
    return { name, label: labels[at]!, score: overall(run, kind, metric), beside: overall(run, kind, second) }
  }).filter(({ score }) => score !== undefined)
  const title = `${kindNames[kind]}: ${metricName(metric)} by model`
  const height = rows.length * rowHeight
  return {
    name: `bars-${kind}`,
    title,
    about: 'Whiskers are 95 % intervals; where they overlap or not is no test of a difference: see the paired differences.',
    said: rows.map(({ name, score }) => `${name} ${caption(score!)}`).join('; '),
    table: {
      columns: ['run', 'metric', ...scoreColumns],
      rows: rows.flatMap(({ name, score, beside }) =>
        [[name, metric, ...scoreCells(score)], [name, second, ...scoreCells(beside)]])
    },
    chart: {
      height: height + axisHeight,
      markup: html`${axisBelow(whole, { height, say: sayOf(metric) })}
${rows.map((row, at) => barRow(row, { score: row.score!, beside: row.beside }, at * rowHeight))}`,
      legend: [
        { mark: 'bar', text: metricName(metric) }, { mark: 'line', text: '95 % interval' }, { mark: 'ring', text: metricName(second) }
      ]
    }
  }
}

/** The label is the name, cut to fit. */
interface Named { name: string, label: string }

interface Bars { score: Score, beside: Score | undefined }

function barRow ({ name, label }: Named, { score, beside }: Bars, top: number): Markup {
  const y = top + barAt
  const head = rowHead({ name, label }, caption(score), top)
  if (score.value === null) return head
  const ring = beside === undefined || beside.value === null
    ? null
    : html`<circle class="ring" cx="${percent(beside.value)}" cy="${y}" r="5"/>`
  return html`${head}<line class="rail" x1="0%" x2="100%" y1="${y}" y2="${y}"/><rect class="bar" x="0" y="${y - 6}" width="${percent(score.value)}" height="12"/>${score.interval === null ? null : whisker(whole, score.interval, y)}${ring}`
}

export function rowHead ({ name, label }: Named, said: string, top: number): Markup {
  return html`<text class="name" x="0" y="${top + 15}">${label}<title>${name}</title></text><text class="value" x="0" y="${top + 30}">${said}</text>`
}

const reasonCharsMax = 90

/** "62.5 % [51.0, 73.2] · n = 48 · 3 papers", or why there is no number. */
export function caption (score: Score): string {
  if (score.value === null) return `no value: ${(score.reason ?? '').slice(0, reasonCharsMax)}`
  return [`${written(score.metric, score.value)} ${writtenInterval(score)}`.trim(), `n = ${score.n}`, plural(score.clusters, 'paper')].join(' · ')
}

/** One bar for each run: how its items ended, in shares of all items. */
export function outcomesPlot (report: Report): Plot {
  const labels = plotLabels(report.runs)
  const rows = runNames(report.runs).map((name, at) => {
    const all = report.runs[at]!.slices.filter(({ dimension }) => dimension === 'all')
    const counts = outcomes.map(outcome => ({
      outcome, count: all.reduce((total, slice) => total + (slice.outcomes[outcome] ?? 0), 0)
    }))
    return { name, label: labels[at]!, counts, total: counts.reduce((total, { count }) => total + count, 0) }
  })
  const head = {
    name: 'outcomes',
    title: 'How the replies ended',
    about: 'Unparsable, refused and truncated replies count as wrong. Error (infrastructure) and skipped (the model cannot take the item) are in no score.'
  }
  const seen = outcomes.filter(outcome => rows.some(({ counts }) =>
    counts.some(entry => entry.outcome === outcome && entry.count > 0)))
  if (seen.length === 0) return noPlot(head, 'No run has an item.')
  return {
    ...head,
    said: rows.map(({ name, counts }) => `${name}: ${inWords(counts)}`).join('; '),
    table: {
      columns: ['run', 'items', ...outcomes],
      rows: rows.map(({ name, counts, total }) => [name, total, ...counts.map(({ count }) => count)])
    },
    chart: {
      height: rows.length * rowHeight,
      markup: html`${rows.map(({ name, label, counts, total }, at) => {
        const top = at * rowHeight
        return html`${rowHead({ name, label }, inWords(counts), top)}${segments(counts, total, top + 36)}`
      })}`,
      legend: seen.map(outcome => ({ mark: 'square' as const, className: `o-${outcome}`, text: outcome }))
    }
  }
}

interface Count { outcome: Outcome, count: number }

function inWords (counts: readonly Count[]): string {
  return counts.filter(({ count }) => count > 0).map(({ outcome, count }) => `${count} ${outcome}`).join(' · ') || 'no items'
}

function segments (counts: readonly Count[], total: number, top: number): Markup {
  let before = 0
  return html`${counts.filter(({ count }) => count > 0).map(({ outcome, count }) => {
    const x = before / total
    before += count
    return html`<rect class="o-${outcome}" x="${percent(x)}" y="${top}" width="${percent(count / total)}" height="12"><title>${count} ${outcome}</title></rect>`
  })}`
}
