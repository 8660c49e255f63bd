/** The tables of the HTML report. */
import type { Report, Score, SliceScores } from '../../../../shared/contracts/report.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import { html, type Markup } from './html.ts'
import { countsLine, headlineOf, kindNames, kindsOf, metricName, metricsOf, overall, runNames, written, writtenInterval } from './numbers.ts'

/** Longer ones are cut here and are whole in the CSV and JSON files. */
const sliceRowsMax = 400

/** Every score of everything, one row a run; what they are held against is folded away below. */
export function scoreTable (report: Report, kind: ItemKind): Markup {
  const context = metricsOf(report.runs, kind, true)
  const main = metricTable(report, kind, { title: 'all items', metrics: metricsOf(report.runs, kind, false) })
  if (context.length === 0) return main
  return html`${main}
<details><summary>${kindNames[kind]}: what these numbers stand between</summary>
<p class="soft">Floor: the score that the reference of another place of the same paper would get. Ceiling: what a second reference would get; none where each item has one. Recall: the share of the reference's numbers and terms that the reply has.</p>
${metricTable(report, kind, { title: 'recall, floor and ceiling', metrics: context })}</details>`
}

interface Columns { title: string, metrics: readonly string[] }

function metricTable ({ runs }: Report, kind: ItemKind, { title, metrics }: Columns): Markup {
  const names = runNames(runs)
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Table: ${kindNames[kind]}, ${title}">
<table><caption><span>${kindNames[kind]}: ${title}. Value, 95 % interval, n. An en dash is "no data", never zero.</span></caption>
<thead><tr><th scope="col">Model</th>${metrics.map(metric => html`<th scope="col">${metricName(metric)}</th>`)}</tr></thead>
<tbody>${runs.map((run, index) => html`<tr><th scope="row">${names[index]}<small>${countsLine(run, kind)}</small></th>${metrics.map(metric => scoreCell(overall(run, kind, metric)))}</tr>`)}</tbody>
</table></div>`
}

function scoreCell (score: Score | undefined): Markup {
  if (score === undefined) return html`<td>–</td>`
  if (score.value === null) return html`<td title="${score.reason}">–<small>n = ${score.n}</small></td>`
  return html`<td title="${score.interval === null ? score.reason : `${score.interval.method}. ${score.interval.note}`}"><b>${written(score.metric, score.value)}</b><small>${writtenInterval(score) || 'no interval'}</small><small>n = ${score.n}</small></td>`
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
<thead><tr><th scope="col">Slice</th><th scope="col">Model</th><th scope="col">${metricName(metric)}</th><th scope="col">95 % interval</th><th scope="col">n</th></tr></thead>
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
  return html`<tr><th scope="row">${slice.dimension}: ${title || slice.value}</th><td class="text">${name}</td><td>${written(score.metric, score.value)}</td><td>${writtenInterval(score)}</td><td>${score.n}</td></tr>`
}

/** What each number rests on, once. */
export function signatureTable (report: Report): Markup {
  const scores = report.runs.flatMap(({ slices }) => slices.flatMap(({ scores }) => scores))
  const signatures = new Map(scores.map(({ metric, signature }) => [`${metric}\u0000${signature}`, { metric, signature }]))
  const methods = new Map(scores.flatMap(({ interval }) => interval === null ? [] : [[`${interval.method}: ${interval.note}`, interval] as const]))
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Table: signatures"><table>
<caption>Signatures: every choice behind a number.</caption>
<thead><tr><th scope="col">Metric</th><th scope="col">Signature</th></tr></thead>
<tbody>${[...signatures.values()].map(({ metric, signature }) => html`<tr><th scope="row"><code>${metric}</code></th><td class="text"><code>${signature}</code></td></tr>`)}</tbody>
</table></div>
<h3>Intervals</h3><ul>${[...methods].sort(([a], [b]) => a < b ? -1 : 1).map(([, { method, note }]) => html`<li><code>${method}</code> ${note}</li>`)}</ul>`
}
