/** A stored report in the forms people read. */
import type { Report } from '../../../shared/contracts/report.ts'
import { figureBytesMax, htmlBytesMax, reportHtml } from '../domain/report/report-html.ts'
import { reportLatex as latexOf } from '../domain/report/report-latex.ts'
import { reportMarkdown } from '../domain/report/report-markdown.ts'
import { plotCsv, plotJson, plotsOf, plotSvg } from '../domain/report/plots.ts'
import { reportCsv } from '../domain/report/report-text.ts'
import type { Plot } from '../domain/report/plot.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Parts } from './parts.ts'

/** Longest side in pixels: sharp at the page's width on a screen of twice the density. */
const figureSideMax = 1200
const thumbnailSide = 144
const thumbnailsMax = 200
const thumbnailBytesMax = 1_200_000

type ReadParts = Pick<Parts, 'store' | 'benchmarks'>

/** @throws Problem report-not-found */
export async function getReport ({ store }: Pick<Parts, 'store'>, reportId: string): Promise<Report> {
  return JSON.parse((await store.getReportJson(reportId)).toString('utf8')) as Report
}

export async function readReportHtml (parts: ReadParts, reportId: string): Promise<string> {
  const report = await getReport(parts, reportId)
  const none = new Map<string, string>()
  const bytes = Buffer.byteLength(reportHtml(report, { figures: none, thumbnails: none }))
  const room = htmlBytesMax - bytes
  const figures = await figuresOf(parts, report, Math.min(figureBytesMax, room))
  const left = room - [...figures.values()].reduce((sum, url) => sum + url.length, 0)
  const thumbnails = await thumbnailsOf(parts, report, Math.min(thumbnailBytesMax, left))
  return reportHtml(report, { figures, thumbnails })
}

export async function readReportMarkdown (parts: ReadParts, reportId: string): Promise<string> {
  return reportMarkdown(await getReport(parts, reportId))
}

export async function readReportCsv (parts: ReadParts, reportId: string): Promise<string> {
  return reportCsv(await getReport(parts, reportId))
}

export async function readReportLatex (parts: ReadParts, reportId: string): Promise<string> {
  return latexOf(await getReport(parts, reportId))
}

export async function listPlots (parts: ReadParts, reportId: string) {
  const plots = plotsOf(await getReport(parts, reportId))
  return {
    items: plots.map(({ name, title, about, reason, table }) => ({
      name,
      title,
      about,
      rows: table.rows.length,
      drawn: reason === undefined,
      ...reason !== undefined && { reason }
    }))
  }
}

const written = { svg: plotSvg, csv: plotCsv, json: (plot: Plot) => `${JSON.stringify(plotJson(plot), null, 2)}\n` }

export type PlotForm = keyof typeof written

/** @throws Problem report-not-found; plot-not-found, naming those there are */
export async function readPlot (
  parts: ReadParts, { reportId, name }: { reportId: string, name: string }, form: PlotForm
): Promise<string> {
  const plots = plotsOf(await getReport(parts, reportId))
  const plot = plots.find(each => each.name === name)
  if (plot !== undefined) return written[form](plot)
  throw new Problem('plot-not-found', `The report has no plot "${name.slice(0, 50)}". It has ${plots.map(each => each.name).join(', ')}.`)
}

/**
 * Figures of the examples as data URLs, first come first served, as long as they fit. A figure
 * that stands in several examples takes room in each.
 */
async function figuresOf (
  parts: ReadParts, { benchmark, examples }: Report, bytesMax: number
): Promise<Map<string, string>> {
  const imageIds = examples.flatMap(({ figures }) => figures.map(({ imageId }) => imageId))
  return await picturesOf(parts, { benchmarkId: benchmark.id, imageIds, side: figureSideMax }, bytesMax)
}

async function thumbnailsOf (
  parts: ReadParts, { benchmark, items = [] }: Report, bytesMax: number
): Promise<Map<string, string>> {
  const imageIds = [...new Set(items.flatMap(item => item.imageIds))].slice(0, thumbnailsMax)
  return await picturesOf(parts, { benchmarkId: benchmark.id, imageIds, side: thumbnailSide }, bytesMax)
}

interface Wanted { benchmarkId: string, imageIds: readonly string[], side: number }

async function picturesOf (
  { benchmarks }: ReadParts, { benchmarkId, imageIds, side }: Wanted, bytesMax: number
): Promise<Map<string, string>> {
  const urls = new Map<string, string>()
  let room = bytesMax
  for (const imageId of imageIds) {
    const url = urls.get(imageId) ?? await benchmarks.figureUrl(benchmarkId, imageId, side)
    if (url.length > room) continue
    room -= url.length
    urls.set(imageId, url)
  }
  return urls
}
