/** What others may ask of sittings. A route is a schema and one call. */
import { Type } from 'typebox'
import type { App } from '../../../shared/app/service.ts'
import { ItemId, SittingId } from '../../../shared/contracts/ids.ts'
import { pageOf, PageQuery } from '../../../shared/contracts/page.ts'
import {
  AnswerKept, Sitting, SittingAnswer, SittingDeleted, SittingNext, SittingQuestion, SittingRequest
} from '../../../shared/contracts/sitting.ts'
import { askAgain, askNext } from './handlers/ask.ts'
import { closeSitting } from './handlers/close-sitting.ts'
import { deleteSitting } from './handlers/delete-sitting.ts'
import { keepAnswer } from './handlers/keep-answer.ts'
import { openSitting } from './handlers/open-sitting.ts'
import type { SittingParts } from './handlers/parts.ts'
import { getSitting, listSittings } from './handlers/view-sitting.ts'

const tags = ['scoring']
const OfSitting = Type.Object({ sittingId: SittingId })
const OfItem = Type.Object({ sittingId: SittingId, itemId: ItemId })
/** It starts a clock: who only reads starts none. */
const starting = { role: 'writer' } as const

export function sittingRoutes (app: App, parts: SittingParts): void {
  openRoutes(app, parts)
  askRoutes(app, parts)
  answerRoute(app, parts)
  endRoutes(app, parts)
}

function openRoutes (app: App, parts: SittingParts): void {
  app.post('/v1/sittings', {
    schema: {
      tags,
      operationId: 'openSitting',
      summary: 'Have a person answer items of a benchmark, blind and on the server\'s clock',
      description: 'Draws the items by the seed and puts them in an order; nothing is shown yet. The person answers on the page /sitting?id=… or by these routes. No answer of the benchmark, of others or of a model is in any of them. The same request is the same sitting: 201 the first time, 200 after that.',
      body: SittingRequest,
      response: { 200: Sitting, 201: Sitting }
    }
  }, async ({ body }, reply) => {
    const { created, sitting } = await openSitting(parts, body)
    return await reply.code(created ? 201 : 200).header('location', `/v1/sittings/${sitting.id}`).send(sitting)
  })

  app.get('/v1/sittings', {
    schema: { tags, operationId: 'listSittings', summary: 'All sittings, a page at a time', querystring: Type.Object(PageQuery), response: { 200: pageOf(Sitting) } }
  }, async ({ query }) => await listSittings(parts, query))

  app.get('/v1/sittings/:sittingId', {
    schema: { tags, operationId: 'getSitting', summary: 'One sitting: how its items stand, and its run once it is closed', params: OfSitting, response: { 200: Sitting } }
  }, async ({ params }, reply) => {
    void reply.header('cache-control', 'no-store')
    return await getSitting(parts, params.sittingId)
  })
}

function askRoutes (app: App, parts: SittingParts): void {
  app.get('/v1/sittings/:sittingId/next', {
    config: starting,
    schema: {
      tags,
      operationId: 'askNextOfSitting',
      summary: 'The question whose turn it is',
      description: 'The first time starts the clock of the sitting and of the item; asked again before it is answered or skipped it is the same question, whose clock runs on, also in another tab.',
      params: OfSitting,
      response: { 200: SittingNext }
    }
  }, async ({ params }, reply) => {
    void reply.header('cache-control', 'no-store')
    return await askNext(parts, params.sittingId)
  })

  app.get('/v1/sittings/:sittingId/questions/:itemId', {
    schema: {
      tags,
      operationId: 'askAgainOfSitting',
      summary: 'A question that was shown before, with the answer that was given last',
      params: OfItem,
      response: { 200: SittingQuestion }
    }
  }, async ({ params }, reply) => {
    void reply.header('cache-control', 'no-store')
    return await askAgain(parts, params.sittingId, params.itemId)
  })
}

function answerRoute (app: App, parts: SittingParts): void {
  app.put('/v1/sittings/:sittingId/answers/:itemId', {
    schema: {
      tags,
      operationId: 'keepSittingAnswer',
      summary: 'Answer a question that was shown',
      description: 'Sent again the same is the same. Another answer is kept beside those before, and the last one in time stands; one after the time is kept, marked late, and stands for none. 409 for an item that was not shown, and once the sitting is closed.',
      params: OfItem,
      body: SittingAnswer,
      response: { 200: AnswerKept }
    }
  }, async ({ params, body }) => await keepAnswer(parts, params, body))
}

function endRoutes (app: App, parts: SittingParts): void {
  app.post('/v1/sittings/:sittingId/close', {
    schema: {
      tags,
      operationId: 'closeSitting',
      summary: 'End a sitting; its answers become a run of model human/<raterId>',
      description: 'Answers are read and scored as a model\'s replies. What was declined or skipped counts as refused, what came late or was not reached as truncated: wrong in the headline, and shown apart. Closing again changes nothing.',
      params: OfSitting,
      response: { 200: Sitting }
    }
  }, async ({ params }) => await closeSitting(parts, params.sittingId))

  app.delete('/v1/sittings/:sittingId', {
    schema: {
      tags,
      operationId: 'deleteSitting',
      summary: 'Take away all that a person answered, and the runs made of it',
      description: 'It answers 410 from then on, and the same request opens no other. Reports and comparisons made before stay as they are.',
      params: OfSitting,
      response: { 200: SittingDeleted }
    }
  }, async ({ params }) => await deleteSitting(parts, params.sittingId))
}
