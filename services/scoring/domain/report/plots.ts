/** All plots of a report, and each as a file of its own. */
import type { Report } from '../../../../shared/contracts/report.ts'
import { html, type Markup } from './html.ts'
import { kindsOf } from './numbers.ts'
import { barPlot, outcomesPlot } from './plot-bars.ts'
import { forestPlot } from './plot-forest.ts'
import { heatPlot } from './plot-heat.ts'
import { itemsPlot } from './plot-items.ts'
import { radarPlot } from './plot-radar.ts'
import { scatterPlot } from './plot-scatter.ts'
import { slopePlot } from './plot-slope.ts'
import { csvField } from './report-text.ts'
import type { LegendEntry, Plot } from './plot.ts'
import { chartStyle } from './style.ts'

const ofKind = [barPlot, forestPlot, slopePlot, radarPlot, itemsPlot]
const ofAll = [outcomesPlot, scatterPlot, heatPlot]

/** In the order of the page: of each kind, then of all. */
export function plotsOf (report: Report): Plot[] {
  return [
    ...kindsOf(report.runs).flatMap(kind => ofKind.map(plot => plot(report, kind))),
    ...ofAll.map(plot => plot(report))
  ]
}

/** RFC 4180, CRLF; an empty cell is "no data". */
export function plotCsv ({ table: { columns, rows } }: Plot): string {
  return [columns, ...rows].map(row => `${row.map(csvField).join(',')}\r\n`).join('')
}

export function plotJson ({ name, title, about, table: { columns, rows }, reason }: Plot): object {
  return {
    name,
    title,
    about,
    columns,
    rows: rows.map(row => Object.fromEntries(row.map((cell, at) => [columns[at]!, cell]))),
    ...reason !== undefined && { reason }
  }
}

/** In a page: the chart fits its width, the words stand beside it. */
export function plotFigure ({ title, about, said, chart, reason }: Plot): Markup {
  if (chart === null) {
    return html`<figure class="plot"><figcaption><b>${title}</b></figcaption><p class="soft">Not drawn: ${reason}</p></figure>`
  }
  const size = chart.width === undefined
    ? html`width="100%" height="${chart.height}"`
    : html`viewBox="0 0 ${chart.width} ${chart.height}" style="max-width:${chart.width}px;width:100%"`
  return html`<figure class="plot">
<figcaption><b>${title}</b><span class="legend">${chart.legend.map(({ text, ...mark }) => html`<span><svg width="14" height="12" aria-hidden="true">${legendMark(mark, 7)}</svg> ${text}</span> `)}</span></figcaption>
<svg class="chart" ${size} role="img" aria-label="${`${title}. ${said}.`}">
${chart.markup}
</svg><p class="about">${about}</p></figure>`
}

function legendMark ({ mark, className }: Pick<LegendEntry, 'mark' | 'className'>, x: number): Markup {
  if (mark === 'dot') return html`<circle class="${className ?? 'dot'}" cx="${x}" cy="6" r="5"/>`
  if (mark === 'ring') return html`<circle class="ring" cx="${x}" cy="6" r="4"/>`
  if (mark === 'line') return html`<line class="${className ?? 'interval'}" x1="${x - 6}" x2="${x + 6}" y1="6" y2="6"/>`
  return html`<rect class="${className ?? 'bar'}" x="${x - 6}" y="0" width="12" height="12" rx="2"/>`
}

const [pageWidth, margin, titleHeight, lineHeight] = [760, 20, 46, 16]
/** Of 12.5 px text. */
const charWidth = 6.6

/** As a picture of its own, light or dark as its reader has it. */
export function plotSvg (plot: Plot): string {
  const { title, about, said, chart, reason } = plot
  const inner = pageWidth - 2 * margin
  const words = wrapped(chart === null ? `Not drawn: ${reason}` : about, Math.floor(inner / charWidth))
  const legend = legendRow(chart?.legend ?? [], inner)
  const top = titleHeight + legend.height
  const height = top + (chart?.height ?? 0) + 24 + words.length * lineHeight + margin
  const scale = chart?.width === undefined ? null : `0 0 ${chart.width} ${chart.height}`
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="${pageWidth}" height="${height}" viewBox="0 0 ${pageWidth} ${height}" role="img" aria-label="${`${title}. ${said}.`}"><style>${chartStyle}</style><rect class="page" width="${pageWidth}" height="${height}"/><text class="title" x="${margin}" y="30">${title}</text><svg x="${margin}" y="${titleHeight}" width="${inner}" height="${legend.height}">${legend.markup}</svg>${chart === null ? null : html`<svg class="inner" x="${margin}" y="${top}" width="${inner}" height="${chart.height}"${scale === null ? null : html` viewBox="${scale}"`}>${chart.markup}</svg>`}${words.map((line, at) => html`<text class="value" x="${margin}" y="${top + (chart?.height ?? 0) + 24 + at * lineHeight}">${line}</text>`)}</svg>
`.markup
}

function legendRow (legend: readonly LegendEntry[], width: number): { markup: Markup, height: number } {
  let [x, y] = [0, 0]
  const marks = legend.map(({ text, ...mark }) => {
    const wide = 26 + text.length * charWidth
    if (x > 0 && x + wide > width) [x, y] = [0, y + 18]
    const entry = html`<svg x="${x}" y="${y}" width="${Math.ceil(wide)}" height="18">${legendMark(mark, 7)}<text class="value" x="18" y="10">${text}</text></svg>`
    x += wide
    return entry
  })
  return { markup: html`${marks}`, height: legend.length === 0 ? 0 : y + 26 }
}

function wrapped (text: string, charsMax: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/u)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= charsMax) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
