/** What others may ask of curations. A route is a schema and one call. */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { fileResponse } from '../../../shared/app/file-response.ts'
import { jobRoutes } from '../../../shared/app/job-routes.ts'
import type { App } from '../../../shared/app/service.ts'
import { Curation, CurationChange, CurationFlag, CurationRequest } from '../../../shared/contracts/curation.ts'
import { CurationId } from '../../../shared/contracts/ids.ts'
import { pageOf, PageQuery } from '../../../shared/contracts/page.ts'
import { curatedLines, curationReader } from './handlers/get-curation.ts'
import { openCuration } from './handlers/open-curation.ts'
import type { CurationParts } from './handlers/parts.ts'

const tags = ['generation']
const OfCuration = Type.Object({ curationId: CurationId })

export function curationRoutes (app: App, parts: CurationParts): void {
  const reader = curationReader(parts)
  app.post('/v1/curations', {
    schema: {
      tags,
      operationId: 'openCuration',
      summary: 'Take the items of a bank through steps',
      description: 'The items of an import, or of another curation, one step after the other. No item is changed: what a step makes of one is another item with its parent\'s id, what it drops is listed, what it cannot decide is flagged for people and goes on. The same source, steps and seed are the same curation: 202 the first time, 200 after that. A change is undone by another curation with `except`.',
      body: CurationRequest,
      response: { 200: Curation, 202: Curation }
    }
  }, async ({ body }, reply) => {
    const { id, created } = await openCuration(parts, body)
    return await reply.code(created ? 202 : 200).header('location', `/v1/curations/${id}`).send(await reader.get(id))
  })

  jobRoutes(app, reader, {
    service: 'generation',
    name: 'curation',
    id: CurationId,
    schema: Curation,
    summaries: {
      list: 'All curations, a page at a time',
      get: 'One curation: how far it is, and in the end what each step did',
      cancel: 'Stop a curation; it ends without items',
      retry: 'Do again what failed or was cancelled'
    }
  })

  changeRoutes(app, parts, reader)
}

function changeRoutes (app: App, parts: CurationParts, reader: ReturnType<typeof curationReader>): void {
  app.get('/v1/curations/:curationId/changes', {
    schema: {
      tags,
      operationId: 'listCurationChanges',
      summary: 'What each step did to which item, before and after',
      params: OfCuration,
      querystring: Type.Object({
        step: Type.Optional(Type.Integer({ minimum: 0, maximum: 19 })),
        action: Type.Optional(Type.Enum(['changed', 'dropped', 'flagged'])),
        ...PageQuery
      }),
      response: { 200: pageOf(CurationChange) }
    }
  }, async ({ params, query }) => {
    await reader.job(params.curationId)
    return await parts.curations.listChanges(params.curationId, query)
  })

  app.get('/v1/curations/:curationId/flags', {
    schema: {
      tags,
      operationId: 'listCurationFlags',
      summary: 'Its items that a step left for a person to decide, and why',
      description: 'By their ids in the curation; what a later step dropped is not among them. A page may have fewer than its limit.',
      params: OfCuration,
      querystring: Type.Object(PageQuery),
      response: { 200: pageOf(CurationFlag) }
    }
  }, async ({ params, query }) => {
    await reader.job(params.curationId)
    return await parts.curations.listFlags(params.curationId, query)
  })

  app.get('/v1/curations/:curationId/items.jsonl', {
    schema: {
      tags,
      operationId: 'exportCuratedItems',
      summary: 'Its items as a file, one JSON object a line',
      description: 'In the order of the source; none until it has ended.',
      params: OfCuration,
      response: { 200: fileResponse('application/x-ndjson') }
    }
  }, async ({ params }, reply) => {
    await reader.job(params.curationId)
    return await reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(curatedLines(parts, params.curationId)) as never)
  })
}
