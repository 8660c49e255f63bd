/** What others may ask of generation. A route is a schema and one call. */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { jobRoutes } from '../../shared/app/job-routes.ts'
import type { App } from '../../shared/app/service.ts'
import { GenerationDiversity } from '../../shared/contracts/diversity.ts'
import { Estimate, Generation, GenerationRequest } from '../../shared/contracts/generation.ts'
import { BankImportId, CurationId, GenerationId, ItemId, PaperId } from '../../shared/contracts/ids.ts'
import { Item, ItemKind, Rejection } from '../../shared/contracts/item.ts'
import { pageOf, PageQuery } from '../../shared/contracts/page.ts'
import { Problem } from '../../shared/errors/problem.ts'
import { getDiversity } from './handlers/get-diversity.ts'
import { generationReader } from './handlers/get-generation.ts'
import { itemLines } from './handlers/list-items.ts'
import { estimateGeneration, openGeneration } from './handlers/open-generation.ts'
import type { Parts } from './handlers/parts.ts'

const tags = ['generation']
const OfGeneration = Type.Object({ generationId: GenerationId })

export function routes (app: App, parts: Parts): void {
  openRoute(app, parts)
  generationRoutes(app, parts)
  changeRoutes(app, parts)
  itemRoutes(app, parts)
}

function openRoute (app: App, parts: Parts): void {
  app.post('/v1/generations', {
    schema: {
      tags,
      operationId: 'openGeneration',
      summary: 'Make items from papers',
      description: 'The same papers and recipe are the same generation: 202 the first time, 200 after that. Follow Location, or GET it with ?wait=60. With ?dryRun=true: what it would do.',
      querystring: Type.Object({ dryRun: Type.Boolean({ default: false }) }),
      body: GenerationRequest,
      response: { 200: Type.Union([Generation, Estimate]), 202: Generation }
    }
  }, async ({ body, query }, reply) => {
    if (query.dryRun) return await reply.code(200).send(await estimateGeneration(parts, body))
    const { id, created } = await openGeneration(parts, body)
    return await reply.code(created ? 202 : 200).header('location', `/v1/generations/${id}`)
      .send(await generationReader(parts).get(id))
  })
}

function generationRoutes (app: App, parts: Parts): void {
  jobRoutes(app, generationReader(parts), {
    service: 'generation',
    name: 'generation',
    id: GenerationId,
    schema: Generation,
    summaries: {
      list: 'All generations, a page at a time',
      get: 'One generation and how far it is',
      cancel: 'Stop a generation; what it made stays, and of a failed one the papers held back get their items',
      retry: 'Do again what failed or was cancelled'
    }
  })

  app.get('/v1/generations/:generationId/rejections', {
    schema: {
      tags,
      operationId: 'listRejections',
      summary: 'What could not be made, where and why',
      params: OfGeneration,
      querystring: Type.Object(PageQuery),
      response: { 200: pageOf(Rejection) }
    }
  }, async ({ params, query }) => {
    await generationReader(parts).job(params.generationId)
    return await parts.store.listRejections(params.generationId, query)
  })

  app.get('/v1/generations/:generationId/diversity', {
    schema: {
      tags,
      operationId: 'getDiversity',
      summary: 'How diverse its items are, beside random and k-centre selection',
      description: 'Once it has ended. Means over papers with intervals; `selection` compares with other choices of equal count, kinds and support rate from the same drafts.',
      params: OfGeneration,
      response: { 200: GenerationDiversity }
    }
  }, async ({ params }) => await getDiversity(parts, params.generationId))

  app.get('/v1/generations/:generationId/items.jsonl', {
    schema: {
      tags,
      operationId: 'exportItems',
      summary: 'Its items as a file, one JSON object a line',
      description: 'In the order of the papers; the same generation gives the same bytes once it has ended.',
      params: OfGeneration,
      response: { 200: { content: { 'application/x-ndjson': { schema: Type.String() } } } }
    }
  }, async ({ params }, reply) => {
    await generationReader(parts).job(params.generationId)
    return await reply.type('application/x-ndjson; charset=utf-8')
      .send(Readable.from(itemLines(parts, params.generationId)) as never)
  })
}

function changeRoutes (app: App, parts: Parts): void {
  app.post('/v1/generations/:generationId/acknowledge', {
    schema: {
      tags,
      operationId: 'acknowledgeGeneration',
      summary: 'Say that its end has been heard',
      description: 'For the service that reviews: until then the end is told again. A generation that was retried and ends with more items has to be acknowledged again.',
      params: OfGeneration,
      body: Type.Object({
        itemCount: Type.Integer({ minimum: 0, description: 'As the generation showed it.', examples: [42] })
      }, { additionalProperties: false }),
      response: { 204: Type.Null({ description: 'Acknowledged' }) }
    }
  }, async ({ params, body: { itemCount } }, reply) => {
    await generationReader(parts).job(params.generationId)
    await parts.store.acknowledge(params.generationId, itemCount)
    return await reply.code(204).send(null)
  })
}

function itemRoutes (app: App, { store, curations }: Parts): void {
  app.get('/v1/items', {
    schema: {
      tags,
      operationId: 'listItems',
      summary: 'Items as made, a page at a time',
      querystring: Type.Object({
        generationId: Type.Optional(GenerationId),
        paperId: Type.Optional(PaperId),
        importId: Type.Optional(BankImportId),
        curationId: Type.Optional(CurationId),
        kind: Type.Optional(ItemKind),
        ...PageQuery
      }),
      response: { 200: pageOf(Item) }
    }
  }, async ({ query: { curationId, ...query } }) => {
    if (curationId === undefined) return await store.listItems(query)
    if (query.generationId !== undefined || query.paperId !== undefined) throw new Problem('invalid-request', 'Items of a curation are of banks: leave out generationId and paperId, or curationId.')
    return await curations.listItems({ ...query, curationId })
  })

  app.get('/v1/items/:itemId', {
    schema: {
      tags,
      operationId: 'getItem',
      summary: 'One item, with its answer and the evidence for it',
      params: Type.Object({ itemId: ItemId }),
      response: { 200: Item }
    }
  }, async ({ params }) => await curations.findItem(params.itemId) ?? await store.getItem(params.itemId))
}
