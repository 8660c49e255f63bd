/** What others may ask about leaderboards as tables of counts. A route is a schema and one call. */
import { Type } from 'typebox'
import { callerSignal } from '../../shared/app/caller-signal.ts'
import { fileResponse } from '../../shared/app/file-response.ts'
import type { App } from '../../shared/app/service.ts'
import { BenchmarkId, ScoreTableId } from '../../shared/contracts/ids.ts'
import { pageOf, PageQuery } from '../../shared/contracts/page.ts'
import {
  LeaderboardTableQuery, LeaderboardTableRequest, RankedBy, ScoreRanking, ScoreTable, ScoreTableHead,
  ScoreTableRequest, tableBytesMax
} from '../../shared/contracts/score-table.ts'
import { pagePolicy } from './routes.ts'
import { leaderboardPage, tableOfLeaderboard } from './score-tables/of-leaderboard.ts'
import type { GridParts } from './handlers/scored-grids.ts'
import { importTable, pageOfTable, rankStoredTable, tableAsKmetbench, type TableParts } from './score-tables/score-tables.ts'

const tags = ['scoring']
const OfTable = Type.Object({ tableId: ScoreTableId })
const OfBenchmark = Type.Object({ benchmarkId: BenchmarkId })
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$', default: 'Leaderboard' })

export function scoreTableRoutes (app: App, parts: TableParts & GridParts): void {
  importRoute(app, parts)
  readRoutes(app, parts)
  fileRoutes(app, parts)
  ownRoutes(app, parts)
}

function importRoute (app: App, parts: TableParts): void {
  app.post('/v1/score-tables', {
    bodyLimit: tableBytesMax,
    schema: {
      tags,
      operationId: 'importScoreTable',
      summary: 'Take in the rows of a published leaderboard, with what keeps them from being compared',
      description: 'The body is the file: K-MetBench\'s leaderboard, or the same with counts. Percentages become counts where they are whole numbers of the items; parts must come to totals; each row is told where it was asked less, is of an older version, or does not say. At most 2,000 rows and 4 MiB. The same rows are the same table: 201 the first time, 200 after that.',
      querystring: Type.Object({ name: Name }),
      body: ScoreTableRequest,
      response: { 200: ScoreTable, 201: ScoreTable }
    }
  }, async ({ body, query }, reply) => {
    const { created, table } = await importTable(parts, body, query.name)
    return await reply.code(created ? 201 : 200).header('location', `/v1/score-tables/${table.id}`).send(table)
  })
}

function readRoutes (app: App, parts: TableParts): void {
  app.get('/v1/score-tables', {
    schema: { tags, operationId: 'listScoreTables', summary: 'All score tables, a page at a time', querystring: Type.Object(PageQuery), response: { 200: pageOf(ScoreTableHead) } }
  }, async ({ query }) => await parts.tables.list(query))

  app.get('/v1/score-tables/:tableId', {
    schema: { tags, operationId: 'getScoreTable', summary: 'A score table: its rows as counts, and the warnings', params: OfTable, response: { 200: ScoreTable } }
  }, async ({ params }) => await parts.tables.get(params.tableId))

  app.get('/v1/score-tables/:tableId/ranking', {
    schema: {
      tags,
      operationId: 'rankScoreTable',
      summary: 'Its rows by common items, or as they were published, with intervals, rank sets and tie groups',
      params: OfTable,
      querystring: Type.Object({
        by: Type.Optional(RankedBy),
        version: Type.Optional(Type.String({ maxLength: 100, description: 'Only rows of this version.' })),
        level: Type.Number({ minimum: 0.5, maximum: 0.999, default: 0.95 })
      }),
      response: { 200: ScoreRanking }
    }
  }, async ({ params, query }, reply) =>
    await rankStoredTable(parts, params.tableId, { query, signal: callerSignal(reply) }))
}

function fileRoutes (app: App, parts: TableParts): void {
  app.get('/v1/score-tables/:tableId/page', {
    schema: { tags, operationId: 'getScoreTablePage', summary: 'The table as one self-contained page: filters, sorting, intervals, warnings, and metrics against parameters', params: OfTable, response: { 200: fileResponse('text/html') } }
  }, async ({ params }, reply) => await reply.type('text/html; charset=utf-8')
    .header('content-security-policy', pagePolicy)
    .send(await pageOfTable(parts, params.tableId, callerSignal(reply)) as never))

  app.get('/v1/score-tables/:tableId/kmetbench.json', {
    schema: { tags, operationId: 'getScoreTableAsKmetbench', summary: 'The table in the shape of K-MetBench\'s leaderboard file; read in again it is the same table', params: OfTable, response: { 200: fileResponse('application/json') } }
  }, async ({ params }, reply) => await reply.type('application/json; charset=utf-8')
    .header('content-disposition', `attachment; filename="${params.tableId}-kmetbench.json"`)
    .send(await tableAsKmetbench(parts, params.tableId) as never))
}

function ownRoutes (app: App, parts: TableParts & GridParts): void {
  app.post('/v1/leaderboards/:benchmarkId/score-tables', {
    schema: {
      tags,
      operationId: 'makeScoreTable',
      summary: 'The leaderboard of stored runs as a score table, with what is said of their models',
      description: 'Size and flags of models come from `models` and are never guessed. Ranks are those of the leaderboard, from answers by item. The same replies and models are the same table: 201 the first time, 200 after that.',
      params: OfBenchmark,
      body: LeaderboardTableRequest,
      response: { 200: ScoreTable, 201: ScoreTable }
    }
  }, async ({ params, body }, reply) => {
    const asked = { asked: body, signal: callerSignal(reply) }
    const table = await tableOfLeaderboard(parts, params.benchmarkId, asked)
    const { created } = await parts.tables.save(table)
    return await reply.code(created ? 201 : 200).header('location', `/v1/score-tables/${table.id}`).send(table)
  })

  app.get('/v1/leaderboards/:benchmarkId/page', {
    schema: {
      tags,
      operationId: 'getLeaderboardPage',
      summary: 'The leaderboard of stored runs as a page; POST its score table first to give sizes and flags of models',
      params: OfBenchmark,
      querystring: LeaderboardTableQuery,
      response: { 200: fileResponse('text/html') }
    }
  }, async ({ params, query }, reply) => await reply.type('text/html; charset=utf-8')
    .header('content-security-policy', pagePolicy)
    .send(await leaderboardPage(parts, params.benchmarkId, { query, signal: callerSignal(reply) }) as never))
}
