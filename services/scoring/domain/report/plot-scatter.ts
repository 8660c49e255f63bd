/** Scatter: two leading scores of every run, with the line that fits best. */
import type { Report } from '../../../../shared/contracts/report.ts'
import type { Score } from '../../../../shared/contracts/score.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import { isConstant, pearson, pearsonInterval } from '../../../../shared/stats/correlation.ts'
import { html, type Markup } from './html.ts'
import { headlineOf, kindNames, kindsOf, metricName, overall, written } from './numbers.ts'
import { axisBelow, axisLeft, listRow, numberedList, percent, placeOn, round, sayOf, scaleOf, type Scale } from './plot-parts.ts'
import { noPlot, type Plot } from './plot.ts'
import { plotLabels, runNames } from './run-names.ts'

const plotHeight = 320
const axisHeight = 46
const runsMin = 3
/** Of all the scores drawn. */
const limits = [0, 1] as const
/** As for any correlation of models. */
const runsForClaim = 10

interface Axis { kind: ItemKind, metric: string, name: string }
interface Point { name: string, label: string, x: Score, y: Score }

const columns = ['run', 'x', 'x low', 'x high', 'x n', 'y', 'y low', 'y high', 'y n']

export function scatterPlot (report: Report): Plot {
  const [x, y] = axesOf(report)
  const head = {
    name: 'scatter',
    title: `${y.name} against ${x.name}`,
    about: 'Each number is a run; lines through it are 95 % intervals.'
  }
  const points = pointsOf(report, x, y)
  if (points.length < runsMin) return noPlot(head, `A scatter needs ${runsMin} runs with both values; there ${points.length === 1 ? 'is' : 'are'} ${points.length}.`, columns)
  const fit = fitOf(points)
  const across = scaleOf(points.flatMap(point => ends(point.x)), { from: 0.05, to: 0.98, limits })
  const up = scaleOf(points.flatMap(point => ends(point.y)), { from: plotHeight - 8, to: 34, limits })
  const listTop = plotHeight + axisHeight + 6
  return {
    ...head,
    about: `${head.about} ${fit.said}`,
    said: points.map(point => `${point.name}: ${saidOf(point)}`).join('; '),
    table: {
      columns,
      rows: points.map(point => [point.name, ...cells(point.x), ...cells(point.y)])
    },
    chart: {
      height: listTop + points.length * listRow,
      markup: html`${axisBelow(across, { height: plotHeight, say: sayOf(x.metric) })}${axisLeft(up, sayOf(y.metric))}
<text class="tick" x="100%" y="${plotHeight + 38}" text-anchor="end">→ ${x.name}</text><text class="tick" x="0" y="10">↑ ${y.name}</text>
${fit.line === null ? null : fitLine(fit.line, across, up)}${points.map((point, at) => mark(point, { across, up, at }))}
${numberedList(points.map(point => ({ ...point, said: saidOf(point) })), listTop + 6)}`,
      legend: [{ mark: 'dot', text: 'run' }, { mark: 'line', text: '95 % intervals' }, ...fit.line === null ? [] : [{ mark: 'line' as const, className: 'fit', text: 'least squares' }]]
    }
  }
}

/** The first two kinds that have items; of one kind alone, its score and how often a reply answered. */
function axesOf ({ runs }: Report): [Axis, Axis] {
  const kinds = kindsOf(runs)
  const axis = (kind: ItemKind, metric: string): Axis => ({ kind, metric, name: `${kindNames[kind]}, ${metricName(metric)}` })
  const [first = 'binary', second] = kinds
  if (second !== undefined) return [axis(first, headlineOf(first)), axis(second, headlineOf(second))]
  return headlineOf(first) === 'accuracy'
    ? [axis(first, 'formatAdherence'), axis(first, 'accuracy')]
    : [axis(first, 'rouge1.fmeasure'), axis(first, 'rougeL.fmeasure')]
}

function pointsOf ({ runs }: Report, x: Axis, y: Axis): Point[] {
  const labels = plotLabels(runs)
  return runNames(runs).flatMap((name, at) => {
    const [a, b] = [x, y].map(({ kind, metric }) => overall(runs[at]!, kind, metric))
    const whole = typeof a?.value === 'number' && typeof b?.value === 'number'
    return whole ? [{ name, label: labels[at]!, x: a, y: b }] : []
  })
}

function ends ({ value, interval }: Score): number[] {
  return [value!, ...interval === null ? [] : [interval.low, interval.high]]
}

function cells ({ value, interval, n }: Score) {
  return [value, interval?.low ?? null, interval?.high ?? null, n]
}

const saidOf = ({ x, y }: Point) => `${written(x.metric, x.value)} (n = ${x.n}) · ${written(y.metric, y.value)} (n = ${y.n})`

interface Line { slope: number, intercept: number }

/** Least squares, with Pearson's r. */
function fitOf (points: readonly Point[]): { line: Line | null, said: string } {
  const [x, y] = [points.map(point => point.x.value!), points.map(point => point.y.value!)]
  const n = points.length
  if (isConstant(x) || isConstant(y)) return { line: null, said: `No line: all ${n} runs have the same value of one of the two.` }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / n
  const [meanX, meanY] = [mean(x), mean(y)]
  const slope = x.reduce((sum, value, at) => sum + (value - meanX) * (y[at]! - meanY), 0) /
    x.reduce((sum, value) => sum + (value - meanX) ** 2, 0)
  const r = pearson({ x, y }).statistic
  const { low, high } = pearsonInterval(r, n)
  const few = n < runsForClaim ? ` ${n} runs are too few for a claim; ${runsForClaim} would do.` : ''
  return {
    line: { slope, intercept: meanY - slope * meanX },
    said: `r = ${r.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}] over ${n} runs, slope ${slope.toFixed(2)}.${few}`.replaceAll('-', '−')
  }
}

/** Cut where it leaves the plot. */
function fitLine ({ slope, intercept }: Line, across: Scale, up: Scale): Markup {
  const at = (x: number) => slope * x + intercept
  const within = ({ low, high }: Scale, value: number) => value >= low - 1e-9 && value <= high + 1e-9
  const crossings = slope === 0 ? [] : [up.low, up.high].map(y => (y - intercept) / slope)
  const xs = [across.low, across.high, ...crossings]
    .filter(x => within(across, x) && within(up, at(x))).sort((a, b) => a - b)
  const [from, to] = [xs[0], xs.at(-1)]
  if (from === undefined || to === undefined || from === to) return html``
  return html`<line class="fit" x1="${percent(placeOn(across, from))}" x2="${percent(placeOn(across, to))}" y1="${round(placeOn(up, at(from)))}" y2="${round(placeOn(up, at(to)))}"/>`
}

function mark ({ x, y, name }: Point, { across, up, at }: { across: Scale, up: Scale, at: number }): Markup {
  const [left, top] = [percent(placeOn(across, x.value!)), round(placeOn(up, y.value!))]
  const wide = x.interval === null ? null : html`<line class="thin" x1="${percent(placeOn(across, x.interval.low))}" x2="${percent(placeOn(across, x.interval.high))}" y1="${top}" y2="${top}"/>`
  const tall = y.interval === null ? null : html`<line class="thin" x1="${left}" x2="${left}" y1="${round(placeOn(up, y.interval.low))}" y2="${round(placeOn(up, y.interval.high))}"/>`
  return html`${wide}${tall}<circle class="dot" cx="${left}" cy="${top}" r="8"><title>${name}</title></circle><text class="inside" x="${left}" y="${top + 3.5}" text-anchor="middle">${at + 1}</text>`
}
