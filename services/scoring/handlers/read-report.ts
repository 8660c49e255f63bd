/** A stored report in the forms people read. */
import type { Report } from '../../../shared/contracts/report.ts'
import { figureBytesMax, htmlBytesMax, reportHtml } from '../domain/report/report-html.ts'
import { reportCsv, reportMarkdown } from '../domain/report/report-text.ts'
import type { Parts } from './parts.ts'

/** Longest side in pixels: sharp at the page's width on a screen of twice the density. */
const figureSideMax = 1200

type ReadParts = Pick<Parts, 'store' | 'benchmarks'>

/** @throws Problem report-not-found */
export async function getReport ({ store }: Pick<Parts, 'store'>, reportId: string): Promise<Report> {
  return JSON.parse((await store.getReportJson(reportId)).toString('utf8')) as Report
}

export async function readReportHtml (parts: ReadParts, reportId: string): Promise<string> {
  const report = await getReport(parts, reportId)
  const bytes = Buffer.byteLength(reportHtml(report, new Map()))
  const room = Math.min(figureBytesMax, htmlBytesMax - bytes)
  return reportHtml(report, await figuresOf(parts, report, room))
}

export async function readReportMarkdown (parts: ReadParts, reportId: string): Promise<string> {
  return reportMarkdown(await getReport(parts, reportId))
}

export async function readReportCsv (parts: ReadParts, reportId: string): Promise<string> {
  return reportCsv(await getReport(parts, reportId))
}

/**
 * Figures of the examples as data URLs, first come first served, as long as they fit. A figure
 * that stands in several examples takes room in each.
 */
async function figuresOf (
  { benchmarks }: ReadParts, { benchmark, examples }: Report, bytesMax: number
): Promise<Map<string, string>> {
  const urls = new Map<string, string>()
  let room = bytesMax
  for (const { imageId } of examples.flatMap(({ figures }) => figures)) {
    const url = await benchmarks.figureUrl(benchmark.id, imageId, figureSideMax)
    if (url.length > room) continue
    room -= url.length
    urls.set(imageId, url)
  }
  return urls
}
