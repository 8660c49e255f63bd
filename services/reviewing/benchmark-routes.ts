/** What others may ask of benchmarks. A route is a schema and one call. */
import type { FastifyReply } from 'fastify'
import type { Readable } from 'node:stream'
import { Type, type TSchema } from 'typebox'
import type { App } from '../../shared/app/service.ts'
import { Benchmark, BenchmarkItem, BenchmarkRequest } from '../../shared/contracts/benchmark.ts'
import { exampleIds } from '../../shared/contracts/example-ids.ts'
import { Document } from '../../shared/contracts/document.ts'
import { BenchmarkId, DocumentHash } from '../../shared/contracts/ids.ts'
import { pageOf, PageQuery } from '../../shared/contracts/page.ts'
import { imageTypes } from '../../shared/images/image-type.ts'
import { contentModes } from '../../shared/text/content.ts'
import { freezeBenchmark, type FreezeParts } from './handlers/freeze-benchmark.ts'
import { readDocument, readFigure, readItemsCsv, readItemsJsonl } from './handlers/read-benchmark.ts'
import { exportFormats, readExport } from './handlers/read-export.ts'

const tags = ['reviewing']
const OfBenchmark = Type.Object({ benchmarkId: BenchmarkId })

export function benchmarkRoutes (app: App, parts: FreezeParts): void {
  resourceRoutes(app, parts)
  itemFileRoutes(app, parts)
  exportRoute(app, parts)
  copyRoutes(app, parts)
}

function resourceRoutes (app: App, parts: FreezeParts): void {
  const { store } = parts
  app.post('/v1/benchmarks', {
    schema: {
      tags,
      operationId: 'freezeBenchmark',
      summary: 'Freeze reviewed items as a benchmark that never changes',
      description: 'Takes the items with the verdicts and kinds asked for that failed no check, pairs whole. Without a model every verdict is unreviewed: ask for ["good", "unreviewed"] to take those too. Documents and figures are copied. The same content is the same benchmark: 201 the first time, 200 after that.',
      body: BenchmarkRequest,
      response: { 200: Benchmark, 201: Benchmark }
    }
  }, async (request, reply) => {
    const { benchmark, created } = await freezeBenchmark(parts, request.body)
    return await reply.code(created ? 201 : 200)
      .header('location', `/v1/benchmarks/${benchmark.id}`).send(benchmark)
  })

  app.get('/v1/benchmarks', {
    schema: {
      tags,
      operationId: 'listBenchmarks',
      summary: 'All benchmarks, a page at a time',
      querystring: Type.Object(PageQuery),
      response: { 200: pageOf(Benchmark) }
    }
  }, async ({ query }) => await store.listBenchmarks(query))

  app.get('/v1/benchmarks/:benchmarkId', {
    schema: {
      tags,
      operationId: 'getBenchmark',
      summary: 'One benchmark and its data card: what is in it, what was left out and why',
      params: OfBenchmark,
      response: { 200: Benchmark }
    }
  }, async ({ params }) => (await store.getBenchmark(params.benchmarkId)).value)

  app.get('/v1/benchmarks/:benchmarkId/items', {
    schema: {
      tags,
      operationId: 'listBenchmarkItems',
      summary: 'The items of a benchmark in its own order',
      params: OfBenchmark,
      querystring: Type.Object(PageQuery),
      response: { 200: pageOf(BenchmarkItem) }
    }
  }, async ({ params, query }) => await store.listBenchmarkItems(params.benchmarkId, query))
}

function itemFileRoutes (app: App, parts: FreezeParts): void {
  app.get('/v1/benchmarks/:benchmarkId/items.jsonl', {
    schema: {
      tags,
      operationId: 'getBenchmarkItemsJsonl',
      summary: 'All items as a file, one canonical JSON object a line',
      description: 'Its sha256 is part of what the benchmark\'s version is made of.',
      params: OfBenchmark,
      response: { 200: file('application/x-ndjson', Type.String()) }
    }
  }, async ({ params: { benchmarkId } }, reply) =>
    await sendFile(reply, 'application/x-ndjson; charset=utf-8', await readItemsJsonl(parts, benchmarkId)))

  app.get('/v1/benchmarks/:benchmarkId/items.csv', {
    schema: {
      tags,
      operationId: 'getBenchmarkItemsCsv',
      summary: 'All items as a table',
      description: 'For spreadsheets: a cell that would run as a formula has an apostrophe before it. Programs should read items.jsonl.',
      params: OfBenchmark,
      response: { 200: file('text/csv', Type.String()) }
    }
  }, async ({ params: { benchmarkId } }, reply) =>
    await sendFile(reply, 'text/csv; charset=utf-8', await readItemsCsv(parts, benchmarkId)))
}

function exportRoute (app: App, parts: FreezeParts): void {
  const bytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })
  app.get('/v1/benchmarks/:benchmarkId/exports/:format', {
    schema: {
      tags,
      operationId: 'getBenchmarkExport',
      summary: 'The items in a form to publish, or to run elsewhere: without pair ids',
      description: 'jsonl, csv, parquet; huggingface: a folder that load_dataset reads, pictures inside; lm-eval: tasks of lm-evaluation-harness, by likelihood and as text; inspect: samples of inspect-ai with a task file; openai-batch: requests for OpenAI\'s batches and vllm run-batch. Folders are zip archives. Each carries the canary of the benchmark, and is the same bytes when exported again.',
      params: Type.Object({
        benchmarkId: BenchmarkId,
        format: Type.String({ maxLength: 40, description: exportFormats.join(', '), examples: ['jsonl'] })
      }),
      querystring: Type.Object({
        model: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'openai-batch needs it: the model as the server that will run it calls it.' })),
        contentMode: Type.Enum([...contentModes], { default: 'sections', description: 'What a question of lm-eval, inspect and openai-batch brings of its paper. sections: the abstract, then the place it asks about.' }),
        contextTokens: Type.Integer({ minimum: 1, maximum: 1048576, default: 6144, description: 'Of that text, at most; bytes / 4.' })
      }),
      response: {
        200: {
          description: 'As asked for',
          content: {
            'application/x-ndjson': { schema: Type.String() },
            'text/csv': { schema: Type.String() },
            'application/vnd.apache.parquet': { schema: bytes },
            'application/zip': { schema: bytes }
          }
        }
      }
    }
  }, async ({ params, query }, reply) => {
    const { type, fileName, content } = await readExport(parts, params, query)
    // Ours throughout: an id, a format and numbers.
    reply.header('content-disposition', `attachment; filename="${fileName}"`)
    return await sendFile(reply, type, content)
  })
}

function copyRoutes (app: App, parts: FreezeParts): void {
  app.get('/v1/benchmarks/:benchmarkId/documents/:documentHash', {
    schema: {
      tags,
      operationId: 'getBenchmarkDocument',
      summary: 'The copy of a paper\'s document that belongs to the benchmark',
      params: Type.Object({ benchmarkId: BenchmarkId, documentHash: DocumentHash }),
      response: { 200: Document }
    }
  }, async ({ params }, reply) =>
    await sendFile(reply, 'application/json; charset=utf-8', await readDocument(parts, params)))

  app.get('/v1/benchmarks/:benchmarkId/figures/:imageId', {
    schema: {
      tags,
      operationId: 'getBenchmarkFigure',
      summary: 'The image of a figure that an item asks about, or of an item of a bank',
      description: 'PNG for figures of papers; images of banks as they were imported: PNG, JPEG, GIF or WebP.',
      params: Type.Object({
        benchmarkId: BenchmarkId,
        imageId: Type.String({
          maxLength: 200, description: 'imageId of a figure in the document, of an item or of a choice.', examples: [exampleIds.image]
        })
      }),
      response: {
        200: { description: 'As asked for', content: Object.fromEntries(imageTypes.map(type => [type, { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) }])) }
      }
    }
  }, async ({ params }, reply) => {
    const { bytes, type } = await readFigure(parts, params)
    return await sendFile(reply, type, bytes)
  })
}

/** What is frozen may be kept for good, by the one who asked. */
async function sendFile (reply: unknown, type: string, content: Readable | Buffer): Promise<never> {
  return await (reply as FastifyReply).type(type)
    .header('cache-control', 'private, max-age=31536000, immutable').send(content) as never
}

/** An answer that is not JSON, for the API documents. */
function file (type: string, schema: TSchema) {
  return { description: 'As asked for', content: { [type]: { schema } } }
}
