/** The tables of the HTML report. */
import type { Report, RunReport, SliceScores } from '../../../../shared/contracts/report.ts'
import type { Score } from '../../../../shared/contracts/score.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import { intervalUses } from './glossary.ts'
import { html, type Markup } from './html.ts'
import { countsLine, figuresMark, headlineOf, kindNames, kindsOf, metricName, metricsOf, overall, written, writtenInterval, writtenN } from './numbers.ts'
import { runNames } from './run-names.ts'

/** Longer ones are cut here and are whole in the CSV and JSON files. */
const sliceRowsMax = 400

/** Every score of everything, one row a run; what they are held against is folded away below. */
export function scoreTable (report: Report, kind: ItemKind): Markup {
  const context = metricsOf(report.runs, kind, true)
  const main = metricTable(report, kind, { title: 'all items', metrics: metricsOf(report.runs, kind, false) })
  if (context.length === 0) return main
  return html`${main}
<details><summary>${kindNames[kind]}: what these numbers stand between</summary>
${metricTable(report, kind, { title: 'recall, floor and ceiling', metrics: context })}</details>`
}

interface Columns { title: string, metrics: readonly string[] }

function metricTable ({ runs }: Report, kind: ItemKind, { title, metrics }: Columns): Markup {
  const names = runNames(runs)
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Table: ${kindNames[kind]}, ${title}">
<table><caption><span>${kindNames[kind]}: ${title}. Value, 95 % interval, n. An en dash is "no data", never zero.</span></caption>
<thead><tr><th scope="col">Model</th>${metrics.map(metric => html`<th scope="col">${metricName(metric)}</th>`)}</tr></thead>
<tbody>${runs.map((run, index) => html`<tr><th scope="row">${names[index]}${rowNotes(run, kind, runs)}</th>${metrics.map(metric => scoreCell(overall(run, kind, metric)))}</tr>`)}</tbody>
</table></div>`
}

/** Below a run's name: how many items count, and what sets the run apart from the others. */
function rowNotes (run: RunReport, kind: ItemKind, runs: readonly RunReport[]): Markup {
  const mark = figuresMark(run, runs)
  return html`<small>${countsLine(run, kind)}</small>${mark === '' ? null : html`<small class="mark">${mark}</small>`}`
}

function scoreCell (score: Score | undefined): Markup {
  if (score === undefined) return html`<td>–</td>`
  if (score.value === null) return html`<td title="${score.reason}">–<small>n = ${score.n}</small></td>`
  return html`<td title="${score.interval === null ? score.reason : `${score.interval.method}. ${score.interval.note}`}"><b>${written(score.metric, score.value)}</b><small>${writtenInterval(score) || 'no interval'}</small><small>n = ${writtenN(score)}</small></td>`
}

/** The leading score by every dimension, folded away until asked for. */
export function sliceTables (report: Report): Markup {
  return html`${kindsOf(report.runs).map(kind => {
    const metric = headlineOf(kind)
    const rows = report.runs.flatMap((run, index) => run.slices
      .filter(slice => slice.kind === kind && slice.dimension !== 'all')
      .map(slice => ({ name: runNames(report.runs)[index]!, slice })))
      .sort((a, b) => order(a.slice, b.slice))
    if (rows.length === 0) return null
    const cut = rows.length > sliceRowsMax ? ` The first ${sliceRowsMax} of ${rows.length} rows; the CSV file has all.` : ''
    return html`<details><summary>${kindNames[kind]} by slice: ${metricName(metric)}</summary>
<div class="scroll" role="region" tabindex="0" aria-label="Table: ${kindNames[kind]} by slice"><table>
<caption>${metricName(metric)} by slice.${cut}</caption>
<thead><tr><th scope="col">Slice</th><th scope="col" class="text">Model</th><th scope="col">${metricName(metric)}</th><th scope="col">95 % interval</th><th scope="col">n</th></tr></thead>
<tbody>${rows.slice(0, sliceRowsMax).map(({ name, slice }) => sliceRow(name, slice, report))}</tbody></table></div></details>`
  })}`
}

function order (a: SliceScores, b: SliceScores): number {
  const [left, right] = [a, b].map(({ dimension, value }) => `${dimension}\u0000${value}`)
  return left! < right! ? -1 : left! > right! ? 1 : 0
}

function sliceRow (name: string, slice: SliceScores, report: Report): Markup {
  const score = slice.scores.find(({ metric }) => metric === headlineOf(slice.kind))!
  const title = slice.dimension === 'paper'
    ? report.benchmark.papers.find(({ paperId }) => paperId === slice.value)?.title
    : undefined
  return html`<tr><th scope="row">${slice.dimension}: ${title || slice.value}</th><td class="text">${name}</td><td>${written(score.metric, score.value)}</td><td>${writtenInterval(score)}</td><td>${writtenN(score)}</td></tr>`
}

/** What each number rests on, once. */
export function signatureTable (report: Report): Markup {
  const scores = report.runs.flatMap(({ slices }) => slices.flatMap(({ scores }) => scores))
  const signatures = new Map(scores.map(({ metric, signature }) => [`${metric}\u0000${signature}`, { metric, signature }]))
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Table: signatures"><table>
<caption>Signatures: every choice behind a number.</caption>
<thead><tr><th scope="col">Metric</th><th scope="col" class="text">Signature</th></tr></thead>
<tbody>${[...signatures.values()].map(({ metric, signature }) => html`<tr><th scope="row"><code>${metric}</code></th><td class="text"><code>${signature}</code></td></tr>`)}</tbody>
</table></div>
<div class="scroll" role="region" tabindex="0" aria-label="Table: intervals"><table>
<caption>Intervals: which way was taken for which number, slices included.</caption>
<thead><tr><th scope="col">Method</th><th scope="col" class="text">Numbers</th><th scope="col" class="text">Note</th></tr></thead>
<tbody>${intervalUses(report).map(({ method, note, metrics }) => html`<tr><th scope="row"><code>${method}</code></th><td class="text">${metrics.join(' · ')}</td><td class="text">${note}</td></tr>`)}</tbody>
</table></div>`
}
