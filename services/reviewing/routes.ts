/** What others may ask of reviewings and reviews. A route is a schema and one call. */
import { Type } from 'typebox'
import { jobRoutes } from '../../shared/app/job-routes.ts'
import type { App } from '../../shared/app/service.ts'
import { exampleIds } from '../../shared/contracts/example-ids.ts'
import { ReviewRecipe } from '../../shared/contracts/generation.ts'
import { ItemId, ReviewingId } from '../../shared/contracts/ids.ts'
import { ItemKind } from '../../shared/contracts/item.ts'
import { pageOf, PageQuery } from '../../shared/contracts/page.ts'
import { ReviewEstimate } from '../../shared/contracts/review-estimate.ts'
import { ReviewedItem, Reviewing, ReviewingSource, Revision, Verdict } from '../../shared/contracts/review.ts'
import { estimateReviewing, type EstimateParts } from './handlers/estimate-reviewing.ts'
import { reviewingReader, type ReadParts } from './handlers/get-reviewing.ts'
import { listRevisions, type RevisionParts } from './handlers/list-revisions.ts'
import { openReviewing } from './handlers/open-reviewing.ts'

const tags = ['reviewing']

export function routes (app: App, parts: EstimateParts & ReadParts & RevisionParts): void {
  reviewingRoutes(app, parts)
  itemRoutes(app, parts)
}

function reviewingRoutes (app: App, parts: EstimateParts & ReadParts): void {
  app.post('/v1/reviewings', {
    schema: {
      tags,
      operationId: 'openReviewing',
      summary: 'Have the items of a finished generation, import or curation reviewed',
      description: 'A generation opens its own reviewing unless its recipe says review: false; asking again answers the same one with 200. Follow Location, or GET it with ?wait=60. With the strategy model, items and pairs go through rounds of review and rewriting, and end with one independent confirmatory review. Items of an item bank are checked by the strategy mechanical alone (400 for model, whose criteria rest on a paper); people review them as they do others. With ?dryRun=true: what it would ask of the model; nothing is opened.',
      querystring: Type.Object({ dryRun: Type.Boolean({ default: false }) }),
      body: Type.Object({
        source: ReviewingSource,
        recipe: Type.Object(ReviewRecipe.properties, { additionalProperties: false, default: { strategy: 'mechanical' } })
      }, {
        additionalProperties: false,
        examples: [{ source: { generationId: exampleIds.generation } }]
      }),
      response: { 200: Type.Union([Reviewing, ReviewEstimate]), 202: Reviewing }
    }
  }, async (request, reply) => {
    if (request.query.dryRun) return await reply.code(200).send(await estimateReviewing(parts, request.body))
    const { id, created } = await openReviewing(parts, request.body)
    return await reply.code(created ? 202 : 200)
      .header('location', `/v1/reviewings/${id}`).send(await reviewingReader(parts).get(id))
  })

  jobRoutes(app, reviewingReader(parts), {
    service: 'reviewing',
    name: 'reviewing',
    id: ReviewingId,
    schema: Reviewing,
    summaries: {
      list: 'All reviewings, a page at a time',
      get: 'One reviewing: how far it is, and how many items got which verdict',
      cancel: 'Stop a reviewing; what is reviewed stays',
      retry: 'Review again the papers whose reviewing failed or was cancelled'
    }
  })
}

function itemRoutes (app: App, parts: ReadParts & RevisionParts): void {
  const { store } = parts
  app.get('/v1/reviewed-items', {
    schema: {
      tags,
      operationId: 'listReviewedItems',
      summary: 'Items with their verdict and the checks they failed',
      querystring: Type.Object({
        ...PageQuery,
        reviewingId: Type.Optional(ReviewingId),
        verdict: Type.Optional(Verdict),
        kind: Type.Optional(ItemKind),
        eligible: Type.Optional(Type.Boolean({ description: 'Whether a benchmark may take the item.' }))
      }),
      response: { 200: pageOf(ReviewedItem) }
    }
  }, async ({ query: { cursor, limit, ...asked } }) =>
    await store.listReviewedItems(asked, { limit, ...cursor !== undefined && { cursor } }))

  app.get('/v1/items/:itemId/revisions', {
    schema: {
      tags,
      operationId: 'listRevisions',
      summary: 'Every version of an item, in each reviewing that rewrote or edited it',
      params: Type.Object({ itemId: ItemId }),
      querystring: Type.Object(PageQuery),
      response: { 200: pageOf(Revision) }
    }
  }, async ({ params, query }) => await listRevisions(parts, params.itemId, query))
}
