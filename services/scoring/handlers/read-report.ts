/** A stored report in the forms people read. */
import type { Report } from '../../../shared/contracts/report.ts'
import { figureBytesMax, reportHtml } from '../domain/report/report-html.ts'
import { reportCsv, reportMarkdown } from '../domain/report/report-text.ts'
import type { Parts } from './parts.ts'

type ReadParts = Pick<Parts, 'store' | 'benchmarks'>

/** @throws Problem report-not-found */
export async function getReport ({ store }: Pick<Parts, 'store'>, reportId: string): Promise<Report> {
  return JSON.parse((await store.getReportJson(reportId)).toString('utf8')) as Report
}

export async function readReportHtml (parts: ReadParts, reportId: string): Promise<string> {
  const report = await getReport(parts, reportId)
  return reportHtml(report, await figuresOf(parts, report))
}

export async function readReportMarkdown (parts: ReadParts, reportId: string): Promise<string> {
  return reportMarkdown(await getReport(parts, reportId))
}

export async function readReportCsv (parts: ReadParts, reportId: string): Promise<string> {
  return reportCsv(await getReport(parts, reportId))
}

/** Figures of the examples as data URLs, first come first served, until the page's budget is used up. */
async function figuresOf ({ benchmarks }: ReadParts, { benchmark, examples }: Report): Promise<Map<string, string>> {
  const urls = new Map<string, string>()
  let room = figureBytesMax
  for (const { imageId } of examples.flatMap(({ figures }) => figures)) {
    if (urls.has(imageId)) continue
    const url = `data:image/png;base64,${(await benchmarks.figure(benchmark.id, imageId)).toString('base64')}`
    if (url.length > room) continue
    room -= url.length
    urls.set(imageId, url)
  }
  return urls
}
