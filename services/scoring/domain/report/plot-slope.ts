/** Slope graph: what a score becomes from one content mode to the next, or from lenient to strict. */
import type { Report } from '../../../../shared/contracts/report.ts'
import type { Score } from '../../../../shared/contracts/score.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import { html, type Markup } from './html.ts'
import { headlineOf, kindNames, metricName, overall, written } from './numbers.ts'
import { scoreCells, scoreColumns } from './plot-bars.ts'
import { axisLeft, percent, placeOn, round, sayOf, scaleOf, spread, type Scale } from './plot-parts.ts'
import { noPlot, type Plot } from './plot.ts'
import { cutMiddle, plotLabels, runNames } from './run-names.ts'

/** From nothing of the paper to what the answer stands in. */
const modes = ['none', 'retrieved', 'semantic', 'sections', 'full', 'oracle'] as const
const [left, right, labelAt] = [0.08, 0.6, 0.66]
const labelCharsMax = 30
const gap = 15

interface Line { name: string, label: string, scores: Array<Score | undefined> }
interface Slopes { steps: string[], lines: Line[] }

const columns = ['line', 'step', ...scoreColumns]

export function slopePlot (report: Report, kind: ItemKind): Plot {
  const metric = headlineOf(kind)
  const { steps, lines } = byMode(report, kind) ?? byReading(report, kind)
  const drawn = lines.filter(({ scores }) => scores.filter(score => typeof score?.value === 'number').length > 1)
  const head = {
    name: `slopes-${kind}`,
    title: `${kindNames[kind]}: ${metricName(metric)} from ${steps[0]} to ${steps.at(-1)}`,
    about: 'One line a model. Intervals are in the table: a slope alone is no test of a difference.'
  }
  if (drawn.length === 0) return noPlot(head, 'No model has two values to draw a line between.', columns)
  const values = drawn.flatMap(({ scores }) => scores.flatMap(score => score?.value ?? []))
  const height = Math.max(260, drawn.length * gap + 60)
  const up = scaleOf(values, { from: height - 34, to: 34, limits: [0, 1] })
  return {
    ...head,
    said: drawn.map(({ name, scores }) => `${name}: ${scores.map((score, at) => `${steps[at]} ${written(metric, score?.value ?? null)} (n = ${score?.n ?? 0})`).join(', ')}`).join('; '),
    table: {
      columns,
      rows: drawn.flatMap(({ name, scores }) =>
        scores.map((score, at) => [name, steps[at]!, ...scoreCells(score)]))
    },
    chart: {
      height,
      markup: html`${axisLeft(up, sayOf(metric))}${steps.map((step, at) => html`<text class="tick" x="${percent(stepAt(at, steps.length))}" y="${height - 6}" text-anchor="middle">${step}</text>`)}
${labelled(drawn, { up, height, metric })}`,
      legend: []
    }
  }
}

function stepAt (at: number, count: number): number {
  return left + (right - left) * at / (count - 1)
}

/** Models whose runs differ in the content mode alone; undefined where there is no such pair of runs. */
function byMode ({ runs }: Report, kind: ItemKind): Slopes | undefined {
  const groups = new Map<string, Map<string, number>>()
  for (const [at, { model, condition }] of runs.entries()) {
    const { contentMode, contentTokensMax, ...rest } = condition
    const key = canonicalJson({ model, rest })
    const group = groups.get(key) ?? new Map<string, number>()
    if (!group.has(contentMode)) group.set(contentMode, at)
    groups.set(key, group)
  }
  const several = [...groups.values()].filter(group => group.size > 1)
  if (several.length === 0) return undefined
  const steps = modes.filter(mode => several.some(group => group.has(mode)))
  const heads = several.map(group => {
    const { runId, model, condition } = runs[[...group.values()][0]!]!
    return { runId, model, condition: { ...condition, contentMode: 'none' as const, contentTokensMax: 0 } }
  })
  const names = runNames(heads)
  const labels = plotLabels(heads)
  return {
    steps: steps.map(mode => `content ${mode}`),
    lines: several.map((group, at) => ({
      name: names[at]!,
      label: labels[at]!,
      scores: steps.map(mode => {
        const run = group.get(mode)
        return run === undefined ? undefined : overall(runs[run]!, kind, headlineOf(kind))
      })
    }))
  }
}

function byReading ({ runs }: Report, kind: ItemKind): Slopes {
  const closed = headlineOf(kind) === 'accuracy'
  const labels = plotLabels(runs)
  const metrics = closed ? ['accuracy', 'accuracy.strict'] : ['rougeL.fmeasure', 'rouge1.fmeasure']
  return {
    steps: closed ? ['read leniently', 'read strictly'] : ['ROUGE-L', 'ROUGE-1'],
    lines: runNames(runs).map((name, at) => ({
      name, label: labels[at]!, scores: metrics.map(metric => overall(runs[at]!, kind, metric))
    }))
  }
}

interface Drawn { up: Scale, height: number, metric: string }

function labelled (lines: readonly Line[], { up, height, metric }: Drawn): Markup {
  const wanted = lines.map(({ scores }) => placeOn(up, scores.findLast(score => typeof score?.value === 'number')!.value!))
  const places = spread(wanted, { gap, low: 24, high: height - 30 })
  return html`${lines.map((line, at) => slope(line, { up, metric, y: round(places[at]!), at }))}`
}

interface Placed { up: Scale, metric: string, y: number, at: number }

function slope ({ name, label, scores }: Line, { up, metric, y, at }: Placed): Markup {
  const points = scores.flatMap((score, step) => typeof score?.value === 'number'
    ? [{ x: stepAt(step, scores.length), y: round(placeOn(up, score.value)), value: score.value }]
    : [])
  const last = points.at(-1)!
  const shade = `s-${at % 8}`
  return html`${points.slice(1).map((point, before) => html`<line class="s-line ${shade}" x1="${percent(points[before]!.x)}" y1="${points[before]!.y}" x2="${percent(point.x)}" y2="${point.y}"/>`)}${points.map(point => html`<circle class="s-dot ${shade}" cx="${percent(point.x)}" cy="${point.y}" r="4"/>`)}<line class="thin" x1="${percent(last.x)}" y1="${last.y}" x2="${percent(labelAt - 0.005)}" y2="${y}"/><text class="value" x="${percent(labelAt)}" y="${y + 4}">${written(metric, last.value)} ${cutMiddle(label, labelCharsMax)}<title>${name}</title></text>`
}
