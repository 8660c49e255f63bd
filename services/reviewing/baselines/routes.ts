/** What others may ask of partial-input baselines. A route is a schema and one call. */
import { Type } from 'typebox'
import { jobRoutes } from '../../../shared/app/job-routes.ts'
import type { App } from '../../../shared/app/service.ts'
import { PartialInputBaselineId } from '../../../shared/contracts/ids.ts'
import { pageOf, PageQuery } from '../../../shared/contracts/page.ts'
import {
  PartialInputAnswers, PartialInputBaseline, PartialInputItem, PartialInputRequest
} from '../../../shared/contracts/partial-input.ts'
import { ReviewEstimate } from '../../../shared/contracts/review-estimate.ts'
import { estimateBaseline } from './handlers/estimate-baseline.ts'
import { baselineReader } from './handlers/get-baseline.ts'
import { openBaseline } from './handlers/open-baseline.ts'
import type { BaselineParts } from './handlers/parts.ts'

const tags = ['reviewing']
const OfBaseline = Type.Object({ partialInputBaselineId: PartialInputBaselineId })

export function baselineRoutes (app: App, parts: BaselineParts): void {
  const reader = baselineReader(parts)
  app.post('/v1/partial-input-baselines', {
    schema: {
      tags,
      operationId: 'openPartialInputBaseline',
      summary: 'Have models answer items from a part of their input',
      description: 'Each model is asked each item under each condition that takes something away from it, in cyclic orders of the choices, and with the full input. Models of a family have one vote together; with five families and more, each item gets a verdict: whether it needs its paper and its image, whether its evidence is sufficient and necessary. The same request over the same items is the same baseline. Follow Location, or GET it with ?wait=60. With ?dryRun=true: what it would ask of the models; nothing is opened.',
      querystring: Type.Object({ dryRun: Type.Boolean({ default: false }) }),
      body: PartialInputRequest,
      response: { 200: Type.Union([PartialInputBaseline, ReviewEstimate]), 202: PartialInputBaseline }
    }
  }, async (request, reply) => {
    if (request.query.dryRun) return await reply.code(200).send(await estimateBaseline(parts, request.body))
    const { id, created } = await openBaseline(parts, request.body)
    return await reply.code(created ? 202 : 200)
      .header('location', `/v1/partial-input-baselines/${id}`).send(await reader.get(id))
  })

  jobRoutes(app, reader, {
    service: 'reviewing',
    name: 'partialInputBaseline',
    id: PartialInputBaselineId,
    schema: PartialInputBaseline,
    summaries: {
      list: 'All partial-input baselines, a page at a time',
      get: 'One partial-input baseline: how far it is, and in the end accuracy under each condition',
      cancel: 'Stop a partial-input baseline; what was answered stays',
      retry: 'Ask again what failed or was cancelled'
    }
  })
  resultRoutes(app, parts)
}

function resultRoutes (app: App, parts: BaselineParts): void {
  const reader = baselineReader(parts)
  app.get('/v1/partial-input-baselines/:partialInputBaselineId/items', {
    schema: {
      tags,
      operationId: 'listPartialInputItems',
      summary: 'What each item needs: verdicts with p, q and n; none until the work has ended',
      params: OfBaseline,
      querystring: Type.Object(PageQuery),
      response: { 200: pageOf(PartialInputItem) }
    }
  }, async ({ params: { partialInputBaselineId: id }, query }) => {
    await reader.job(id)
    return await parts.baselines.listItems(id, query)
  })

  app.get('/v1/partial-input-baselines/:partialInputBaselineId/answers', {
    schema: {
      tags,
      operationId: 'listPartialInputAnswers',
      summary: 'Every reply of every model, and what was read out of it',
      params: OfBaseline,
      querystring: Type.Object(PageQuery),
      response: { 200: pageOf(PartialInputAnswers) }
    }
  }, async ({ params: { partialInputBaselineId: id }, query }) => {
    await reader.job(id)
    return await parts.baselines.listAnswers(id, query)
  })
}
