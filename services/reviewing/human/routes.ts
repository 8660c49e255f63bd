/** What people's reviews are sent to and read from. A route is a schema and one call. */
import { Type } from 'typebox'
import type { App } from '../../../shared/app/service.ts'
import { Agreement } from '../../../shared/contracts/agreement.ts'
import {
  HumanReview, HumanReviewAnswer, HumanReviewRequest, QuestionnaireId, RaterId, ReviewQueue
} from '../../../shared/contracts/human-review.ts'
import { ItemId, ReviewId, ReviewingId } from '../../../shared/contracts/ids.ts'
import { ItemKind } from '../../../shared/contracts/item.ts'
import { pageOf, PageQuery } from '../../../shared/contracts/page.ts'
import { Review, ReviewedItem, Verdict } from '../../../shared/contracts/review.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { stateEtag } from './domain/etags.ts'
import { getAgreement } from './handlers/get-agreement.ts'
import { listItemReviews } from './handlers/list-reviews.ts'
import type { HumanParts } from './handlers/parts.ts'
import { postReview } from './handlers/post-review.ts'
import { takeItems } from './handlers/take-items.ts'
import { undoReview } from './handlers/undo-review.ts'

const tags = ['reviewing']

export function humanRoutes (app: App, parts: HumanParts): void {
  queueRoute(app, parts)
  reviewRoutes(app, parts)
  undoRoute(app, parts)
  app.get('/v1/agreements', {
    schema: {
      tags,
      operationId: 'getAgreement',
      summary: 'How far people who rated the same items agree',
      description: 'Over the reviews that stand, of each rater the last. Versions of an item are compared each for itself. With a questionnaire, for each of its scales and choices; without one, for the decisions.',
      querystring: Type.Object({ reviewingId: ReviewingId, questionnaireId: Type.Optional(QuestionnaireId) }),
      response: { 200: Agreement }
    }
  }, async ({ query }) => await getAgreement(parts, query))
}

const QueueQuery = Type.Object({
  reviewingId: ReviewingId,
  raterId: RaterId,
  limit: Type.Integer({ minimum: 1, maximum: 20, default: 1 }),
  seed: Type.Integer({ minimum: 0, maximum: 2147483647, default: 1, description: 'Of the order; the same for all raters.' }),
  leaseSeconds: Type.Integer({ minimum: 1, maximum: 86_400, default: 1800, description: 'How long an item is the rater\'s alone, unless it is asked for again.' }),
  doubleShare: Type.Number({ minimum: 0, maximum: 1, default: 0, description: 'Share of the items that two raters are to review; the same for all raters.' }),
  raters: Type.Optional(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}(,[A-Za-z][A-Za-z0-9_-]{0,63}){0,49}$', description: 'All raters, separated by commas: each item is then one rater\'s, or two\'s, by the seed. Without it who comes first takes it.' })),
  blind: Type.Optional(Type.Boolean({ description: 'Hides verdict, decision, provenance and all reviews; true unless disputed.' })),
  disputed: Type.Boolean({ default: false, description: 'Only items on whose rejection raters disagree, for a third to settle.' }),
  kind: Type.Optional(ItemKind),
  verdict: Type.Optional(Verdict),
  eligible: Type.Optional(Type.Boolean())
})

function queueRoute (app: App, parts: HumanParts): void {
  app.get('/v1/review-queue', {
    // It hands out leases: who only reads is not given any.
    config: { role: 'writer' },
    schema: {
      tags,
      operationId: 'takeFromReviewQueue',
      summary: 'The next items for a rater to review, leased for a while',
      description: 'First those the rater holds already, then free ones in the order of the seed. At least once: what is not reviewed within the lease comes again, to the same rater or another. Blind raters of one item read the same version, also when the first has edited it.',
      querystring: QueueQuery,
      response: { 200: ReviewQueue }
    }
  }, async ({ query }, reply) => {
    const { raters = '', blind, ...asked } = query
    if (blind === true && asked.disputed) {
      throw new Problem('invalid-request', 'Who settles a dispute must see it: leave out blind, or disputed.', { errors: [{ pointer: '/querystring/blind', detail: 'does not go with disputed' }] })
    }
    const isBlind = blind ?? !asked.disputed
    if (isBlind && asked.verdict !== undefined) {
      throw new Problem('invalid-request', 'Who reviews blind must not know the verdict: leave out verdict, or ask with blind=false.', { errors: [{ pointer: '/querystring/verdict', detail: 'does not go with blind' }] })
    }
    const list = raters === '' ? [] : raters.split(',')
    void reply.header('cache-control', 'no-store')
    return await takeItems(parts, { ...asked, raters: list, blind: isBlind })
  })
}

function reviewRoutes (app: App, parts: HumanParts): void {
  app.get('/v1/reviewings/:reviewingId/items/:itemId', {
    schema: {
      tags,
      operationId: 'getReviewedItem',
      summary: 'One reviewed item as it stands, with an ETag for If-Match',
      params: Type.Object({ reviewingId: ReviewingId, itemId: ItemId }),
      response: { 200: ReviewedItem }
    }
  }, async ({ params }, reply) => {
    const { reviewed } = await parts.human.getSubject(params.reviewingId, params.itemId)
    void reply.header('etag', stateEtag(reviewed)).header('cache-control', 'no-cache')
    return reviewed
  })

  app.get('/v1/items/:itemId/reviews', {
    schema: {
      tags,
      operationId: 'listReviews',
      summary: 'Every review of an item, with each check in words',
      description: 'In the order of events: a reviewing at a time its checks, the rounds from 0 (a short form is reviewed in the last of them) and the confirmatory review; then those of people, the earliest first.',
      params: Type.Object({ itemId: ItemId }),
      querystring: Type.Object(PageQuery),
      response: { 200: pageOf(Type.Union([HumanReview, Review])) }
    }
  }, async ({ params, query }) => await listItemReviews(parts, params.itemId, query))

  app.post('/v1/items/:itemId/reviews', {
    schema: {
      tags,
      operationId: 'postReview',
      summary: 'A person\'s review: accept, edit or reject, and answers to a questionnaire',
      description: 'If-Match names what was read (etag of the queue, ETag of the item): 412 when it has changed since, 428 without. An edit becomes a revision and is checked as a new item is; its verdict is unreviewed. Sent again the same is the same review (200); a changed mind supersedes the rater\'s last one, and both are kept.',
      params: Type.Object({ itemId: ItemId }),
      headers: Type.Object({ 'if-match': Type.Optional(Type.String({ maxLength: 2000 })) }),
      body: HumanReviewRequest,
      response: { 200: HumanReviewAnswer, 201: HumanReviewAnswer }
    }
  }, async ({ params, headers, body }, reply) => {
    const { created, answer, etag } = await postReview(parts, { itemId: params.itemId, ifMatch: headers['if-match'], body })
    return await reply.code(created ? 201 : 200).header('etag', etag).send(answer)
  })
}

function undoRoute (app: App, parts: HumanParts): void {
  app.post('/v1/items/:itemId/reviews/:reviewId/undo', {
    schema: {
      tags,
      operationId: 'undoReview',
      summary: 'Take one\'s last review of an item back; it stays on record',
      description: 'What was decided and edited before stands again. 409 when another rater has decided since.',
      params: Type.Object({ itemId: ItemId, reviewId: ReviewId }),
      body: Type.Object({ reviewingId: ReviewingId, raterId: RaterId }, { additionalProperties: false }),
      response: { 200: HumanReviewAnswer }
    }
  }, async ({ params, body }, reply) => {
    const { answer, etag } = await undoReview(parts, { ...params, ...body })
    void reply.header('etag', etag)
    return answer
  })
}
