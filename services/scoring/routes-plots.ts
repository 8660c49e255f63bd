/** A report's plots and tables as files. */
import { Type } from 'typebox'
import { fileResponse } from '../../shared/app/file-response.ts'
import type { App } from '../../shared/app/service.ts'
import { ReportId } from '../../shared/contracts/ids.ts'
import type { Parts } from './handlers/parts.ts'
import { listPlots, readPlot, readReportLatex, type PlotForm } from './handlers/read-report.ts'

const tags = ['scoring']
const closed = { additionalProperties: false }
const OfReport = Type.Object({ reportId: ReportId })
const OfPlot = Type.Object({
  reportId: ReportId,
  name: Type.String({ pattern: '^[a-z-]{1,60}$', description: 'One that GET …/plots lists.', examples: ['outcomes'] })
})

const PlotList = Type.Object({
  items: Type.Array(Type.Object({
    name: Type.String(),
    title: Type.String(),
    about: Type.String(),
    rows: Type.Integer({ minimum: 0, description: 'Of its table.' }),
    drawn: Type.Boolean(),
    reason: Type.Optional(Type.String({ description: 'Why there is no picture.' }))
  }, closed))
}, closed)

/** Nothing in a picture may run or fetch. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'"

const forms: ReadonlyArray<{ form: PlotForm, type: string, operationId: string, summary: string }> = [
  { form: 'svg', type: 'image/svg+xml', operationId: 'getPlotSvg', summary: 'A plot as a picture, light or dark as its reader has it' },
  { form: 'csv', type: 'text/csv', operationId: 'getPlotCsv', summary: 'What a plot shows, as a table' },
  { form: 'json', type: 'application/json', operationId: 'getPlotJson', summary: 'What a plot shows, as JSON' }
]

export function plotRoutes (app: App, parts: Parts): void {
  app.get('/v1/reports/:reportId/plots', {
    schema: { tags, operationId: 'listPlots', summary: 'The plots of a report, and why some are not drawn', params: OfReport, response: { 200: PlotList } }
  }, async ({ params }) => await listPlots(parts, params.reportId))

  for (const { form, type, operationId, summary } of forms) {
    app.get(`/v1/reports/:reportId/plots/:name.${form}` as '/v1/reports/:reportId/plots/:name', {
      schema: { tags, operationId, summary, params: OfPlot, response: { 200: fileResponse(type) } }
    }, async ({ params }, reply) => await reply.type(`${type}; charset=utf-8`)
      .header('content-security-policy', picturePolicy)
      .send(await readPlot(parts, params, form) as never))
  }

  app.get('/v1/reports/:reportId.tex', {
    schema: { tags, operationId: 'getReportLatex', summary: 'The leading scores as LaTeX tables (booktabs)', params: OfReport, response: { 200: fileResponse('application/x-tex') } }
  }, async ({ params }, reply) => await reply.type('application/x-tex; charset=utf-8')
    .header('content-disposition', `attachment; filename="${params.reportId}.tex"`)
    .send(await readReportLatex(parts, params.reportId) as never))
}
