/** Questionnaires, and reviews of sets of items. */
import { Type } from 'typebox'
import type { App } from '../../../shared/app/service.ts'
import {
  ItemSet, Questionnaire, QuestionnaireId, QuestionnaireRequest, SetReview, SetReviewRequest
} from '../../../shared/contracts/human-review.ts'
import { ReviewingId } from '../../../shared/contracts/ids.ts'
import { pageOf, PageQuery } from '../../../shared/contracts/page.ts'
import { addQuestionnaire, getQuestionnaire, listQuestionnaires } from './handlers/questionnaires.ts'
import type { HumanParts } from './handlers/parts.ts'
import { listSets, postSetReview } from './handlers/set-reviews.ts'
import { lastOfEach } from './domain/agreement-tables.ts'

const tags = ['reviewing']

export function questionnaireRoutes (app: App, parts: HumanParts): void {
  app.get('/v1/questionnaires', {
    schema: {
      tags,
      operationId: 'listQuestionnaires',
      summary: 'Questionnaires that raters may answer; some come with the service',
      querystring: Type.Object(PageQuery),
      response: { 200: pageOf(Questionnaire) }
    }
  }, async ({ query }) => await listQuestionnaires(parts, query))

  app.get('/v1/questionnaires/:questionnaireId', {
    schema: {
      tags,
      operationId: 'getQuestionnaire',
      summary: 'One questionnaire',
      params: Type.Object({ questionnaireId: QuestionnaireId }),
      response: { 200: Questionnaire }
    }
  }, async ({ params }) => await getQuestionnaire(parts, params.questionnaireId))

  app.post('/v1/questionnaires', {
    schema: {
      tags,
      operationId: 'addQuestionnaire',
      summary: 'Add a questionnaire of one\'s own',
      description: 'It never changes: other questions, or another version, are another questionnaire. The same is the same: 201 the first time, 200 after that.',
      body: QuestionnaireRequest,
      response: { 200: Questionnaire, 201: Questionnaire }
    }
  }, async ({ body }, reply) => {
    const { questionnaire, created } = await addQuestionnaire(parts, body)
    return await reply.code(created ? 201 : 200)
      .header('location', `/v1/questionnaires/${questionnaire.id}`).send(questionnaire)
  })
  setRoutes(app, parts)
}

function setRoutes (app: App, parts: HumanParts): void {
  app.get('/v1/review-sets', {
    schema: {
      tags,
      operationId: 'listReviewSets',
      summary: 'Sets of eligible items to be judged as wholes; the same for all who ask alike',
      querystring: Type.Object({
        reviewingId: ReviewingId,
        sets: Type.Integer({ minimum: 1, maximum: 100, default: 5 }),
        size: Type.Integer({ minimum: 2, maximum: 500, default: 20, description: 'Items of one set, at most.' }),
        seed: Type.Integer({ minimum: 0, maximum: 2147483647, default: 1 })
      }),
      response: { 200: Type.Object({ items: Type.Array(ItemSet) }, { additionalProperties: false }) }
    }
  }, async ({ query }) => ({ items: await listSets(parts, query) }))

  app.post('/v1/set-reviews', {
    schema: {
      tags,
      operationId: 'postSetReview',
      summary: 'A person\'s answers about a set of items as a whole',
      body: SetReviewRequest,
      response: { 200: SetReview, 201: SetReview }
    }
  }, async ({ body }, reply) => {
    const { review, created } = await postSetReview(parts, body)
    return await reply.code(created ? 201 : 200).send(review)
  })

  app.get('/v1/set-reviews', {
    schema: {
      tags,
      operationId: 'listSetReviews',
      summary: 'What people said of sets of a reviewing; at most 2,000, those superseded only when asked',
      querystring: Type.Object({ reviewingId: ReviewingId, superseded: Type.Boolean({ default: false }) }),
      response: { 200: Type.Object({ items: Type.Array(SetReview) }, { additionalProperties: false }) }
    }
  }, async ({ query: { reviewingId, superseded } }) => {
    const all = await parts.human.listSetReviews(reviewingId)
    return { items: superseded ? all : lastOfEach(all) }
  })
}
