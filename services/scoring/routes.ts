/** What others may ask of scoring about runs and reports. A route is a schema and one call. */
import { Type } from 'typebox'
import { jobRoutes } from '../../shared/app/job-routes.ts'
import { fileResponse } from '../../shared/app/file-response.ts'
import type { App } from '../../shared/app/service.ts'
import { BenchmarkId, ReportId, RunId } from '../../shared/contracts/ids.ts'
import { jobStates } from '../../shared/contracts/job.ts'
import { pageOf, PageQuery } from '../../shared/contracts/page.ts'
import { Report, ReportRequest } from '../../shared/contracts/report.ts'
import { Outcome, Prediction, RepeatedRuns, RescoreRequest, Run, RunRequest, VerdictChanges } from '../../shared/contracts/run.ts'
import type { JobsWanted } from '../../shared/tasks/job-reader.ts'
import { getRepeats } from './handlers/get-repeats.ts'
import { runReader } from './handlers/get-run.ts'
import { listPredictions, readPredictionsJsonl } from './handlers/list-predictions.ts'
import { makeReport } from './handlers/make-report.ts'
import { openRun } from './handlers/open-run.ts'
import type { Parts, ReportsParts } from './handlers/parts.ts'
import { getReport, readReportCsv, readReportHtml, readReportMarkdown } from './handlers/read-report.ts'
import { listVerdictChanges, rescoreRun } from './handlers/rescore-run.ts'

const tags = ['scoring']
const OfRun = Type.Object({ runId: RunId })
const OfReport = Type.Object({ reportId: ReportId })

/** The page is ours and needs neither script nor network; whatever else gets into it must not run. */
export const pagePolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

export function routes (app: App, parts: ReportsParts): void {
  openRoute(app, parts)
  runRoutes(app, parts)
  againRoutes(app, parts)
  predictionRoutes(app, parts)
  reportRoutes(app, parts)
  reportFileRoutes(app, parts)
}

function openRoute (app: App, parts: Parts): void {
  app.post('/v1/runs', {
    schema: {
      tags,
      operationId: 'openRun',
      summary: 'Put a benchmark to a model or a baseline',
      description: 'The same benchmark, model and condition are the same run: 202 the first time, 200 after that. With `repeats` it answers the first of so many runs and names all in repeatIds. Baselines: baseline/always-yes, baseline/random, baseline/lead, baseline/extractive.',
      body: RunRequest,
      response: { 200: Run, 202: Run }
    }
  }, async ({ body }, reply) => {
    const { created, run } = await openRun(parts, body)
    return await reply.code(created ? 202 : 200).header('location', `/v1/runs/${run.id}`).send(run)
  })
}

function runRoutes (app: App, parts: Parts): void {
  jobRoutes(app, runReader(parts), {
    service: 'scoring',
    name: 'run',
    id: RunId,
    schema: Run,
    listed: {
      query: {
        benchmarkId: Type.Optional(BenchmarkId),
        model: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'As it was asked for, whole.' })),
        state: Type.Optional(Type.Enum([...jobStates], { description: 'A page may have fewer runs than its limit, even none; it is the last where nextCursor is null.' }))
      },
      wanted: runsWanted
    },
    summaries: {
      list: 'Runs, a page at a time; of one benchmark, of one model, in one state',
      get: 'One run: how far it is and how its replies ended; failed means some ended in error, the rest is readable',
      cancel: 'Stop a run; what was answered stays',
      retry: 'Ask again what ended in error or was cancelled'
    }
  })
}

interface RunsAsked extends Pick<JobsWanted, 'state'> { benchmarkId?: string, model?: string }

function runsWanted ({ benchmarkId, model, state }: RunsAsked): JobsWanted {
  const where = {
    ...benchmarkId !== undefined && { 'spec.benchmarkId': benchmarkId },
    ...model !== undefined && { 'spec.model': model }
  }
  return { where, ...state !== undefined && { state } }
}

function againRoutes (app: App, parts: Parts): void {
  app.post('/v1/runs/:runId/rescore', {
    schema: {
      tags,
      operationId: 'rescoreRun',
      summary: 'Score the replies of a run again, without asking a model',
      description: 'Makes a run of its own: the replies read by the present rules and held against a benchmark with corrected answers, or, without a body, against the same one. 202 the first time, 200 after that. Refused where an item was not asked as it stands there.',
      params: OfRun,
      body: RescoreRequest,
      response: { 200: Run, 202: Run }
    }
  }, async ({ params, body }, reply) => {
    const { created, run } = await rescoreRun(parts, params.runId, body)
    return await reply.code(created ? 202 : 200).header('location', `/v1/runs/${run.id}`).send(run)
  })

  app.get('/v1/runs/:runId/verdict-changes', {
    schema: {
      tags,
      operationId: 'listVerdictChanges',
      summary: 'Of a run scored again: every item whose verdict is another one than before, and why',
      params: OfRun,
      response: { 200: VerdictChanges }
    }
  }, async ({ params }) => await listVerdictChanges(parts, params.runId))

  app.get('/v1/runs/:runId/repeats', {
    schema: {
      tags,
      operationId: 'getRepeats',
      summary: 'All settled repeats of a run together: mean, variance within items and between them',
      params: OfRun,
      response: { 200: RepeatedRuns }
    }
  }, async ({ params }) => await getRepeats(parts, params.runId))
}

function predictionRoutes (app: App, parts: Parts): void {
  app.get('/v1/runs/:runId/predictions', {
    schema: {
      tags,
      operationId: 'listPredictions',
      summary: 'What the model replied and what was read out of it, in the benchmark\'s order',
      params: OfRun,
      querystring: Type.Object({ ...PageQuery, outcome: Type.Optional(Outcome) }),
      response: { 200: pageOf(Prediction) }
    }
  }, async ({ params, query }) => await listPredictions(parts, params.runId, query))

  app.get('/v1/runs/:runId/predictions.jsonl', {
    schema: {
      tags,
      operationId: 'getPredictionsJsonl',
      summary: 'All predictions of a run as a file, one JSON object a line',
      params: OfRun,
      response: { 200: fileResponse('application/x-ndjson') }
    }
  }, async ({ params }, reply) => await reply.type('application/x-ndjson')
    .send(await readPredictionsJsonl(parts, params.runId) as never))
}

function reportRoutes (app: App, parts: ReportsParts): void {
  app.get('/v1/runs/:runId/report', {
    schema: {
      tags,
      operationId: 'getRunReport',
      summary: 'The report of one run; made when it is first asked for',
      params: OfRun,
      response: { 200: Report }
    }
  }, async ({ params }) => (await makeReport(parts, { runIds: [params.runId], judgements: [] })).report)

  app.post('/v1/reports', {
    schema: {
      tags,
      operationId: 'makeReport',
      summary: 'One report of up to 50 runs of a benchmark',
      description: 'The same replies give the same report: 201 the first time, 200 after that. GET it as .html to look at it. With `judgements` it has what judges gave these runs; runs that differ in condition.repeat alone are also taken together.',
      body: ReportRequest,
      response: { 200: Report, 201: Report }
    }
  }, async ({ body }, reply) => {
    const { created, report } = await makeReport(parts, body)
    return await reply.code(created ? 201 : 200).header('location', `/v1/reports/${report.id}`).send(report)
  })

  app.get('/v1/reports/:reportId', {
    schema: { tags, operationId: 'getReport', summary: 'A report: every score with n, interval and signature', params: OfReport, response: { 200: Report } }
  }, async ({ params }) => await getReport(parts, params.reportId))
}

function reportFileRoutes (app: App, parts: Parts): void {
  app.get('/v1/reports/:reportId.json', {
    schema: {
      tags,
      operationId: 'getReportJson',
      summary: 'The report as a file: the same replies, the same bytes',
      params: OfReport,
      response: { 200: fileResponse('application/json', Report) }
    }
  }, async ({ params }, reply) => await reply.type('application/json; charset=utf-8')
    .send(await parts.store.getReportJson(params.reportId) as never))

  app.get('/v1/reports/:reportId.html', {
    schema: {
      tags,
      operationId: 'getReportHtml',
      summary: 'The report as one self-contained page, to look at and to send around',
      params: OfReport,
      response: { 200: fileResponse('text/html') }
    }
  }, async ({ params }, reply) => await reply.type('text/html; charset=utf-8')
    .header('content-security-policy', pagePolicy)
    .send(await readReportHtml(parts, params.reportId) as never))

  app.get('/v1/reports/:reportId.md', {
    schema: {
      tags,
      operationId: 'getReportMarkdown',
      summary: 'The report as Markdown',
      params: OfReport,
      response: { 200: fileResponse('text/markdown') }
    }
  }, async ({ params }, reply) => await reply.type('text/markdown; charset=utf-8')
    .send(await readReportMarkdown(parts, params.reportId) as never))

  app.get('/v1/reports/:reportId.csv', {
    schema: {
      tags,
      operationId: 'getReportCsv',
      summary: 'Every score of the report as a table',
      params: OfReport,
      response: { 200: fileResponse('text/csv') }
    }
  }, async ({ params }, reply) => await reply.type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${params.reportId}.csv"`)
    .send(await readReportCsv(parts, params.reportId) as never))
}
