/** Item banks taken in. A route is a schema and one call. */
import { Readable } from 'node:stream'
import type {} from '@fastify/multipart'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { fileResponse } from '../../../shared/app/file-response.ts'
import { jobRoutes } from '../../../shared/app/job-routes.ts'
import type { App } from '../../../shared/app/service.ts'
import { compileValidator } from '../../../shared/app/validators.ts'
import { BankImport, ImportRequest, ImportRow, RowState } from '../../../shared/contracts/bank.ts'
import { BankImportId } from '../../../shared/contracts/ids.ts'
import { pageOf, PageQuery } from '../../../shared/contracts/page.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { limits } from './domain/limits.ts'
import { bankImage, bankItemLines, importReader } from './get-import.ts'
import { openImport } from './open-import.ts'
import type { ImportParts } from './parts.ts'
import { sentAsForm, sentAsJson, tooLong } from './take-in.ts'

const tags = ['generation']
const OfImport = Type.Object({ importId: BankImportId })
const file = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })
/** Multipart needs some bytes around the file. */
const formBytes = 65_536
const formLimits = { fileSize: limits.fileBytes + 1, files: 1, fields: 1, parts: 2, fieldSize: 32_768 }
/** What never changes may be kept for good, by the one who asked. */
const forGood = 'private, max-age=31536000, immutable'

export function importRoutes (app: App, parts: ImportParts): void {
  postRoute(app, parts)
  readRoutes(app, parts)
  imageRoute(app, parts)
}

function postRoute (app: App, parts: ImportParts): void {
  app.post('/v1/imports', {
    // A form's body is a stream, and JSON is checked where it is read.
    validatorCompiler: route => route.httpPart === 'body' ? () => true : compileValidator(route),
    schema: {
      tags,
      operationId: 'openImport',
      summary: 'Take an item bank in: each of its rows becomes an item, or is told why it does not',
      description: 'Read are JSON, JSONL, CSV, XLSX, Parquet and a zip of these with their images; K-MetBench, KMMLU, MMLU, ScienceQA, VQA-RAD and GPQA by their own columns, others by columns with usual names or a mapping. A form has the file as "file" and ImportOptions as JSON in a field "options"; JSON has the bank as text, or the paperId of an exam that parsing has read. At most 64 MiB, inflated 512 MiB, 100,000 rows. The same bytes and options are the same import: 202 the first time, 200 after that. Follow Location, or GET it with ?wait=60.',
      body: {
        content: {
          'multipart/form-data': { schema: Type.Object({ file, options: Type.Optional(Type.String({ description: 'JSON: ImportOptions.' })) }, { required: ['file'] }) },
          'application/json': { schema: ImportRequest }
        }
      },
      response: { 200: BankImport, 202: BankImport }
    }
  }, async (request, reply) => {
    const isForm = request.isMultipart()
    if (!isForm && request.headers['content-type'] === undefined) {
      throw new Problem('unsupported-media-type', 'Send the item bank as multipart/form-data, in a part named "file", or as text in JSON: {"content": "…"}.')
    }
    if (isForm && Number(request.headers['content-length'] ?? 0) > limits.fileBytes + formBytes) throw tooLong()
    const sent = isForm ? await sentAsForm(request.parts({ limits: formLimits })) : sentAsJson(request.body)
    const { id, created } = await openImport(parts, sent)
    return await reply.code(created ? 202 : 200).header('location', `/v1/imports/${id}`)
      .send(await importReader(parts).get(id))
  })
}

function readRoutes (app: App, parts: ImportParts): void {
  const reader = importReader(parts)
  jobRoutes(app, reader, {
    service: 'generation',
    name: 'bankImport',
    parameter: 'importId',
    id: BankImportId,
    schema: BankImport,
    summaries: {
      list: 'All imports of item banks, a page at a time',
      get: 'One import: how far it is, and what became of its rows',
      cancel: 'Stop an import; rows that were read stay',
      retry: 'Read again what failed or was cancelled'
    }
  })

  app.get('/v1/imports/:importId/rows', {
    schema: {
      tags,
      operationId: 'listImportRows',
      summary: 'Each row of the file: accepted, repaired, flagged or rejected, and why',
      params: OfImport,
      querystring: Type.Object({
        state: Type.Optional(RowState),
        note: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9-]{0,60}$', description: 'Rows with this code among their notes; image-defect: with any that begins with image-.' })),
        ...PageQuery
      }),
      response: { 200: pageOf(ImportRow) }
    }
  }, async ({ params, query }) => {
    await reader.job(params.importId)
    return await parts.banks.listRows(params.importId, query)
  })

  app.get('/v1/imports/:importId/items.jsonl', {
    schema: {
      tags,
      operationId: 'exportImportedItems',
      summary: 'Its items as a file, one JSON object a line',
      description: 'In the order of the rows; the same import gives the same bytes once it has ended.',
      params: OfImport,
      response: { 200: fileResponse('application/x-ndjson') }
    }
  }, async ({ params }, reply) => {
    await reader.job(params.importId)
    return await reply.type('application/x-ndjson; charset=utf-8')
      .send(Readable.from(bankItemLines(parts, params.importId)) as never)
  })
}

function imageRoute (app: App, parts: ImportParts): void {
  app.get('/v1/bank-images/:imageId', {
    schema: {
      tags,
      operationId: 'getBankImage',
      summary: 'An image of an item bank, by the sha256 of its bytes (PNG, JPEG, GIF or WebP)',
      params: Type.Object({ imageId: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
      response: { 200: { description: 'The image', content: Object.fromEntries(['png', 'jpeg', 'gif', 'webp'].map(type => [`image/${type}`, { schema: file }])) } }
    }
  }, async (request, reply) => {
    const { imageId } = request.params
    const { mediaType, bytes, content } = await bankImage(parts, imageId)
    void reply.header('etag', `"${imageId}"`).header('cache-control', forGood)
    if (request.headers['if-none-match'] === `"${imageId}"`) {
      content.destroy()
      return await (reply as FastifyReply<any>).code(304).send() as never
    }
    return await reply.type(mediaType).header('content-length', bytes)
      .header('x-content-type-options', 'nosniff').header('content-security-policy', 'sandbox').send(content as never)
  })
}
