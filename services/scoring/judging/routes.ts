/** What others may ask of judgements. A route is a schema and one call. */
import { Type } from 'typebox'
import { jobRoutes } from '../../../shared/app/job-routes.ts'
import type { App } from '../../../shared/app/service.ts'
import { JudgementId } from '../../../shared/contracts/ids.ts'
import {
  HumanLabelsRequest, Judgement, JudgementRequest, LabelsAdded, Rating, StoredLabel
} from '../../../shared/contracts/judgement.ts'
import { JudgementSummary } from '../../../shared/contracts/judgement-summary.ts'
import { LabelSample, LabelSampleRequest, MetaEvaluation } from '../../../shared/contracts/meta-evaluation.ts'
import { pageOf, PageQuery } from '../../../shared/contracts/page.ts'
import { Rubric } from '../../../shared/contracts/rubric.ts'
import { Outcome } from '../../../shared/contracts/run.ts'
import { shippedRubrics } from './domain/shipped-rubrics.ts'
import { addLabels } from './handlers/add-labels.ts'
import { drawSample } from './handlers/draw-sample.ts'
import { evaluateJudges } from './handlers/evaluate-judges.ts'
import { judgementReader } from './handlers/get-judgement.ts'
import { openJudgement } from './handlers/open-judgement.ts'
import type { JudgementParts } from './handlers/parts.ts'
import { getSummary, listRatings, readRatingsJsonl } from './handlers/read-ratings.ts'

const tags = ['scoring']
const OfJudgement = Type.Object({ judgementId: JudgementId })

export function judgementRoutes (app: App, parts: JudgementParts): void {
  openRoute(app, parts)
  jobRoutes(app, judgementReader(parts), {
    service: 'scoring',
    name: 'judgement',
    id: JudgementId,
    schema: Judgement,
    summaries: {
      list: 'All judgements, a page at a time',
      get: 'One judgement: how far it is, and how its ratings ended',
      cancel: 'Stop a judgement; what was rated stays',
      retry: 'Ask again what ended in error or was cancelled'
    }
  })
  ratingRoutes(app, parts)
  labelRoutes(app, parts)
  metaRoutes(app, parts)
}

function openRoute (app: App, parts: JudgementParts): void {
  app.get('/v1/rubrics', {
    schema: {
      tags,
      operationId: 'listRubrics',
      summary: 'The rubrics that come with the service; a request may bring its own',
      response: { 200: Type.Object({ items: Type.Array(Rubric) }) }
    }
  }, async () => ({ items: Object.values(shippedRubrics) }))

  app.post('/v1/judgements', {
    schema: {
      tags,
      operationId: 'openJudgement',
      summary: 'Have models judge the replies of runs, by a rubric or against each other',
      description: 'Each answered prediction is put to each judge; what was not answered is not judged, and counted. A reply that is out of range or of the wrong form is repaired once, and else counted and left out of every mean. The same replies, judges, rubric and prompts are the same judgement: 202 the first time, 200 after that.',
      body: JudgementRequest,
      response: { 200: Judgement, 202: Judgement }
    }
  }, async ({ body }, reply) => {
    const { id, created } = await openJudgement(parts, body)
    return await reply.code(created ? 202 : 200).header('location', `/v1/judgements/${id}`)
      .send(await judgementReader(parts).get(id))
  })
}

function ratingRoutes (app: App, parts: JudgementParts): void {
  app.get('/v1/judgements/:judgementId/ratings', {
    schema: {
      tags,
      operationId: 'listRatings',
      summary: 'What each judge gave each reply, why, and where the rating came from',
      params: OfJudgement,
      querystring: Type.Object({ ...PageQuery, outcome: Type.Optional(Outcome) }),
      response: { 200: pageOf(Rating) }
    }
  }, async ({ params, query }) => await listRatings(parts, params.judgementId, query))

  app.get('/v1/judgements/:judgementId/ratings.jsonl', {
    schema: {
      tags,
      operationId: 'getRatingsJsonl',
      summary: 'All ratings of a judgement as a file, one JSON object a line',
      params: OfJudgement,
      response: { 200: { description: 'The file', content: { 'application/x-ndjson': { schema: Type.String() } } } as never }
    }
  }, async ({ params }, reply) => await reply.type('application/x-ndjson')
    .send(await readRatingsJsonl(parts, params.judgementId) as never))

  app.get('/v1/judgements/:judgementId/summary', {
    schema: {
      tags,
      operationId: 'getJudgementSummary',
      summary: 'Means by judge and panel with their intervals, agreement, drift, biases, and means corrected by people\'s labels',
      params: OfJudgement,
      response: { 200: JudgementSummary }
    }
  }, async ({ params }) => await getSummary(parts, params.judgementId))
}

function labelRoutes (app: App, parts: JudgementParts): void {
  app.post('/v1/judgements/:judgementId/human-labels', {
    bodyLimit: 1024 * 1024,
    schema: {
      tags,
      operationId: 'addHumanLabels',
      summary: 'Keep what a person gave to some of the replies, by the same rubric',
      description: 'At most 1,000 labels of one rater a request; all are checked before any is kept. They correct the judges\' means, and say how far the judges can be trusted.',
      params: OfJudgement,
      body: HumanLabelsRequest,
      response: { 200: LabelsAdded }
    }
  }, async ({ params, body }) => await addLabels(parts, params.judgementId, body))

  app.get('/v1/judgements/:judgementId/human-labels', {
    schema: {
      tags,
      operationId: 'listHumanLabels',
      summary: 'Labels of people, a page at a time',
      params: OfJudgement,
      querystring: Type.Object(PageQuery),
      response: { 200: pageOf(StoredLabel) }
    }
  }, async ({ params: { judgementId }, query }) => {
    await judgementReader(parts).job(judgementId)
    return await parts.judging.listLabels(judgementId, query)
  })
}

function metaRoutes (app: App, parts: JudgementParts): void {
  app.post('/v1/judgements/:judgementId/samples', {
    schema: {
      tags,
      operationId: 'drawLabelSample',
      summary: 'Draw replies for people to label: runs of every tier, items of every difficulty and category',
      description: 'Nothing is stored; the same request draws the same. Inclusion probabilities go back with the labels.',
      params: OfJudgement,
      body: LabelSampleRequest,
      response: { 200: LabelSample }
    }
  }, async ({ params, body }) => await drawSample(parts, params.judgementId, body))

  app.get('/v1/judgements/:judgementId/meta-evaluation', {
    schema: {
      tags,
      operationId: 'getMetaEvaluation',
      summary: 'The judges held against people: order of models and replies, agreement, bias, and what people reach among themselves',
      params: OfJudgement,
      querystring: Type.Object({
        epsilon: Type.Number({ minimum: 0, maximum: 1, default: 0.2, description: 'Alternative annotator test: what a rater costs more than a judge; .2 for experts, .1 for crowd workers.' }),
        against: Type.Optional(JudgementId)
      }),
      response: { 200: MetaEvaluation }
    }
  }, async ({ params, query }) => await evaluateJudges(parts, params.judgementId, query))
}
