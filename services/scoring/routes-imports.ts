/** Others' logs, read again with our rules. A route is a schema and one call. */
import type {} from '@fastify/multipart'
import { Type } from 'typebox'
import { callerSignal } from '../../shared/app/caller-signal.ts'
import type { App } from '../../shared/app/service.ts'
import { compileValidator, invalidRequest } from '../../shared/app/validators.ts'
import { RunImportId } from '../../shared/contracts/ids.ts'
import { pageOf, PageQuery } from '../../shared/contracts/page.ts'
import {
  ImportedItem, ImportRanking, ImportRankingRequest, RejectedRow, RunImport, RunImportRequest,
  type RunImportRequest as Requested
} from '../../shared/contracts/run-import.ts'
import { Problem } from '../../shared/errors/problem.ts'
import { limits } from './imports/domain/limits.ts'
import { importLog, sentAsForm, sentAsJson, tooLong, type ImportParts } from './imports/import-log.ts'
import { views } from './imports/kept.ts'
import { rankStored } from './imports/rank-imports.ts'
import type { Threads } from './thread/threads.ts'

const tags = ['scoring']
const OfImport = Type.Object({ importId: RunImportId })
const file = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })
/** Multipart needs some bytes around the file. */
const formBytes = 32_768
const formLimits = { fileSize: limits.fileBytes + 1, files: 1, fields: 1, parts: 2, fieldSize: 10_000 }
const validate = compileValidator({ schema: RunImportRequest, httpPart: 'body' })

type RankingParts = ImportParts & { threads: Threads }

export function importRoutes (app: App, parts: RankingParts): void {
  postRoute(app, parts)
  readRoutes(app, parts)
  rankingRoute(app, parts)
}

function postRoute (app: App, parts: ImportParts): void {
  app.post('/v1/run-imports', {
    // A form's body is a stream, and JSON is checked where it is read.
    validatorCompiler: route => route.httpPart === 'body' ? () => true : compileValidator(route),
    schema: {
      tags,
      operationId: 'importRun',
      summary: 'Read another harness\'s log again: its verdicts beside ours, and what that does to the score',
      description: 'Read are lm-eval\'s samples_*.jsonl, inspect-ai\'s .json and .eval logs, K-MetBench\'s run and judge files, and CSV with a mapping of its columns; the content decides. A form has the log as "file" and RunImportOptions as JSON in a field "options"; JSON has the log as text. At most 64 MiB, inflated 512 MiB, 50,000 rows. The same bytes and options are the same import: 201 the first time, 200 after that.',
      body: {
        content: {
          'multipart/form-data': { schema: Type.Object({ file, options: Type.Optional(Type.String({ description: 'JSON: RunImportOptions.' })) }, { required: ['file'] }) },
          'application/json': { schema: RunImportRequest }
        }
      },
      response: { 200: RunImport, 201: RunImport }
    }
  }, async (request, reply) => {
    const isForm = request.isMultipart()
    if (!isForm && request.headers['content-type'] === undefined) {
      throw new Problem('unsupported-media-type', 'Send the log as multipart/form-data, in a part named "file", or as text in JSON: {"content": "…"}.')
    }
    if (isForm && Number(request.headers['content-length'] ?? 0) > limits.fileBytes + formBytes) throw tooLong()
    const sent = isForm
      ? await sentAsForm(request.parts({ limits: formLimits }))
      : sentAsJson(checked(request.body))
    const { created, record } = await importLog(parts, sent)
    return await reply.code(created ? 201 : 200).header('location', `/v1/run-imports/${record.id}`).send(record)
  })
}

function checked (body: unknown): Requested {
  if (validate(body) !== true) throw invalidRequest(validate.errors ?? [], 'body')
  return body as Requested
}

function readRoutes (app: App, { imports }: ImportParts): void {
  app.get('/v1/run-imports', {
    schema: { tags, operationId: 'listRunImports', summary: 'All imports, a page at a time', querystring: Type.Object(PageQuery), response: { 200: pageOf(RunImport) } }
  }, async ({ query }) => await imports.list(query))

  app.get('/v1/run-imports/:importId', {
    schema: { tags, operationId: 'getRunImport', summary: 'One import: both scores, the shift, its test and the bounds', params: OfImport, response: { 200: RunImport } }
  }, async ({ params }) => await imports.get(params.importId))

  app.get('/v1/run-imports/:importId/items', {
    schema: {
      tags,
      operationId: 'listImportedItems',
      summary: 'Items whose verdict changes, those that stay open, all that were taken, or the rows that were rejected and why',
      params: OfImport,
      querystring: Type.Object({ ...PageQuery, show: Type.Enum([...views], { default: 'changed' }) }),
      response: { 200: pageOf(Type.Union([ImportedItem, RejectedRow])) }
    }
  }, async ({ params, query: { show, ...page } }) => await imports.listRows(params.importId, show, page))

  app.get('/v1/run-imports/:importId/items.jsonl', {
    schema: {
      tags,
      operationId: 'getImportedItemsJsonl',
      summary: 'The same as a file, one JSON object a line',
      params: OfImport,
      querystring: Type.Object({ show: Type.Enum([...views], { default: 'accepted' }) }),
      response: { 200: { description: 'The file', content: { 'application/x-ndjson': { schema: Type.String() } } } as never }
    }
  }, async ({ params, query }, reply) => await reply.type('application/x-ndjson')
    .send(await imports.bytesOf(params.importId, query.show) as never))
}

function rankingRoute (app: App, parts: RankingParts): void {
  app.post('/v1/run-import-rankings', {
    schema: {
      tags,
      operationId: 'rankRunImports',
      summary: 'Rank imported logs on the items all of them have; refused, with the reason, where what is undecided could turn the order',
      body: ImportRankingRequest,
      response: { 200: ImportRanking }
    },
    // The thread's answer is bytes already.
    serializerCompiler: () => data => JSON.stringify(data)
  }, async ({ body: { importIds } }, reply) => {
    const ranking = await rankStored(parts, { importIds, signal: callerSignal(reply) })
    return await reply.type('application/json').send(ranking as never)
  })
}
