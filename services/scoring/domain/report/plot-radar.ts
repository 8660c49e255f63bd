/** Radar: the leading score of up to five runs over the values of one dimension. */
import type { Report } from '../../../../shared/contracts/report.ts'
import type { Score } from '../../../../shared/contracts/score.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import { html, type Markup } from './html.ts'
import { headlineOf, kindNames, metricName, written } from './numbers.ts'
import { scoreCells, scoreColumns } from './plot-bars.ts'
import { round } from './plot-parts.ts'
import { noPlot, type Plot } from './plot.ts'
import { cut } from './item-scores.ts'
import { plotLabels, runNames } from './run-names.ts'

const runsMax = 5
const [axesMin, axesMax] = [3, 8]
const preferred = ['domain', 'aspect', 'figureType', 'class', 'difficulty']
const [width, height] = [560, 400]
const [middleX, middleY, radius] = [280, 195, 140]
const columns = ['run', 'dimension', 'slice', ...scoreColumns]

export function radarPlot (report: Report, kind: ItemKind): Plot {
  const metric = headlineOf(kind)
  const dimension = dimensionOf(report, kind)
  const head = {
    name: `radar-${kind}`,
    title: `${kindNames[kind]}: ${metricName(metric)} by ${dimension ?? 'slice'}`,
    about: `From 0 in the middle to ${written(metric, 1)} at the rim. Intervals are in the table of slices: the areas of a radar say nothing. A corner without a mark has no data.`
  }
  if (dimension === undefined) return noPlot(head, `No dimension of these items has ${axesMin} to ${axesMax} values.`, columns)
  const values = valuesOf(report, kind, dimension)
  const isBaseline = report.runs.map(({ baseline }) => Number(baseline))
  const order = [...report.runs.keys()].sort((a, b) => isBaseline[a]! - isBaseline[b]! || a - b)
  const shown = order.slice(0, runsMax).sort((a, b) => a - b)
  const names = runNames(report.runs)
  const labels = plotLabels(report.runs)
  const rows = shown.map(at => ({
    name: names[at]!,
    label: labels[at]!,
    scores: values.map(value => scoreOf(report.runs[at]!, { kind, dimension, value }, metric))
  }))
  if (rows.every(({ scores }) => scores.every(score => score === undefined || score.value === null))) {
    return noPlot(head, 'No run has a value for any of them.', columns)
  }
  const left = report.runs.length - shown.length
  return {
    ...head,
    about: left === 0 ? head.about : `${head.about} The first ${shown.length} runs that are no baselines come first; ${left} more are in the tables.`,
    said: rows.map(({ name, scores }) => `${name}: ${scores.map((score, at) => `${values[at]} ${written(metric, score?.value ?? null)} (n = ${score?.n ?? 0})`).join(', ')}`).join('; '),
    table: {
      columns,
      rows: rows.flatMap(({ name, scores }) =>
        scores.map((score, at) => [name, dimension, values[at]!, ...scoreCells(score)]))
    },
    chart: {
      width,
      height,
      markup: html`${rings(values)}${rows.map(({ scores }, at) => polygon(scores, at))}${rims}`,
      legend: rows.map(({ label }, at) => ({ mark: 'square', className: `s-${at}`, text: label }))
    }
  }
}

interface Slice { kind: ItemKind, dimension: string, value: string }

function scoreOf (run: Report['runs'][number], { kind, dimension, value }: Slice, metric: string): Score | undefined {
  return run.slices.filter(slice => slice.kind === kind && slice.dimension === dimension)
    .find(slice => slice.value === value)?.scores.find(score => score.metric === metric)
}

function valuesOf ({ runs }: Report, kind: ItemKind, dimension: string): string[] {
  return [...new Set(runs.flatMap(({ slices }) => slices
    .filter(slice => slice.kind === kind && slice.dimension === dimension).map(({ value }) => value)))].sort()
}

/** Those that readers ask for first, then the others in code unit order. */
function dimensionOf (report: Report, kind: ItemKind): string | undefined {
  const all = [...new Set(report.runs.flatMap(({ slices }) => slices
    .filter(slice => slice.kind === kind).map(({ dimension }) => dimension)))].sort()
  return [...preferred.filter(name => all.includes(name)), ...all.filter(name => !preferred.includes(name))]
    .filter(name => name !== 'all' && name !== 'paper').find(name => {
      const count = valuesOf(report, kind, name).length
      return count >= axesMin && count <= axesMax
    })
}

/** Above the areas, or they could not be read. */
const rims = html`${[0.25, 0.5, 0.75, 1].map(share => html`<text class="tick" x="${middleX + 4}" y="${round(middleY - radius * share + 11)}">${share * 100} %</text>`)}`

function corner (at: number, count: number, share: number): [number, number] {
  const angle = 2 * Math.PI * at / count - Math.PI / 2
  const length = radius * share
  return [round(middleX + length * Math.cos(angle)), round(middleY + length * Math.sin(angle))]
}

function rings (values: readonly string[]): Markup {
  const points = (share: number) => values.map((_, at) => corner(at, values.length, share).join(',')).join(' ')
  return html`${[0.25, 0.5, 0.75, 1].map(share => html`<polygon class="web" points="${points(share)}"/>`)}${values.map((value, at) => {
    const [x, y] = corner(at, values.length, 1)
    const [labelX, labelY] = corner(at, values.length, 1.1)
    const anchor = labelX < middleX - 20 ? 'end' : labelX > middleX + 20 ? 'start' : 'middle'
    return html`<line class="web" x1="${middleX}" y1="${middleY}" x2="${x}" y2="${y}"/><text class="value" x="${labelX}" y="${labelY + (labelY > middleY + 20 ? 10 : labelY < middleY - 20 ? -2 : 4)}" text-anchor="${anchor}">${cut(value, 16)}<title>${value}</title></text>`
  })}`
}

/** Lines between neighbours that both have data; a corner without is left open. */
function polygon (scores: ReadonlyArray<Score | undefined>, at: number): Markup {
  const points = scores.map((score, corners) =>
    typeof score?.value === 'number' ? corner(corners, scores.length, score.value) : null)
  const whole = points.every(point => point !== null)
  const lines = points.flatMap((point, from) => {
    const next = points[(from + 1) % points.length]
    return point === null || next === null || next === undefined ? [] : [html`<line class="s-line s-${at}" x1="${point[0]}" y1="${point[1]}" x2="${next[0]}" y2="${next[1]}"/>`]
  })
  return html`${whole ? html`<polygon class="s-area s-${at}" points="${points.map(point => point!.join(',')).join(' ')}"/>` : null}${lines}${points.map(point => point === null ? null : html`<circle class="s-dot s-${at}" cx="${point[0]}" cy="${point[1]}" r="3.5"/>`)}`
}
