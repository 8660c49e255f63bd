/** Reviews of sets of items as wholes, such as how diverse they are. */
import { canonicalJson, idOf, sha256 } from '../../../../shared/contracts/hash.ts'
import type { SetReview, SetReviewRequest } from '../../../../shared/contracts/human-review.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { setsOf } from '../domain/queue.ts'
import { answerFaults } from '../domain/questionnaires.ts'
import { lastOfEach } from '../domain/agreement-tables.ts'
import { setReviewsMax } from '../store.ts'
import type { HumanParts } from './parts.ts'
import { refuse } from './post-review.ts'
import { triesMax } from './write-stand.ts'

export function setIdOf (reviewingId: string, itemIds: readonly string[]): string {
  return sha256(canonicalJson([reviewingId, ...[...itemIds].sort()]))
}

/** @throws Problem item-not-found, questionnaire-not-found, or invalid-request for answers that do not fit */
export async function postSetReview (
  { human }: HumanParts, body: SetReviewRequest
): Promise<{ review: SetReview, created: boolean }> {
  const questionnaire = await human.findQuestionnaire(body.questionnaireId)
  if (questionnaire === undefined) {
    throw new Problem('questionnaire-not-found', `There is no questionnaire ${body.questionnaireId}; GET /v1/questionnaires lists those there are.`)
  }
  if (questionnaire.scope !== 'set') refuse([{ pointer: '/body/questionnaireId', detail: 'is about items; POST /v1/items/{itemId}/reviews takes its answers' }])
  refuse(answerFaults(questionnaire, body.answers))
  for (const itemId of body.itemIds) await human.getSubject(body.reviewingId, itemId)
  const value = { setId: setIdOf(body.reviewingId, body.itemIds), ...body, itemIds: [...body.itemIds].sort() }
  for (let tries = 0; tries < triesMax; tries++) {
    const earlier = await human.listSetReviews(body.reviewingId)
    if (earlier.length >= setReviewsMax) throw new Problem('limit-exceeded', `A reviewing keeps at most ${setReviewsMax} reviews of sets.`)
    const last = lastOfEach(earlier).find(review => isOfSame(review, value))
    if (last !== undefined && isSaid(last, value)) return { review: last, created: false }
    const review = { ...value, supersedes: last?.id ?? null, id: setReviewIdOf(value, last?.id ?? null) }
    if (await human.insertSetReview(review)) return { review, created: true }
  }
  throw new Problem('conflict', 'Others write for this rater all the time; send the review again.')
}

type Said = Omit<SetReview, 'id' | 'supersedes'>

/** One place for the successor of a review: of two sent at once the slower sees and supersedes the other. */
function setReviewIdOf ({ setId, rater, questionnaireId }: Said, supersedes: string | null): string {
  return idOf('review', { setId, raterId: rater.id, questionnaireId, supersedes })
}

function isOfSame (review: SetReview, { setId, rater, questionnaireId }: Said): boolean {
  return review.setId === setId && review.rater.id === rater.id && review.questionnaireId === questionnaireId
}

function isSaid ({ id: _, supersedes: __, ...said }: SetReview, value: Said): boolean {
  return canonicalJson(said) === canonicalJson(value)
}

/** Sets of a reviewing to be judged as wholes; the same for every rater who asks alike. */
export async function listSets (
  parts: HumanParts,
  { reviewingId, ...asked }: { reviewingId: string, sets: number, size: number, seed: number }
): Promise<Array<{ setId: string, itemIds: string[] }>> {
  await parts.assertReviewing(reviewingId)
  const eligible = (await parts.candidates(reviewingId)).filter(candidate => candidate.eligible)
  return setsOf(eligible.map(({ itemId }) => itemId), asked)
    .map(itemIds => ({ setId: setIdOf(reviewingId, itemIds), itemIds }))
}
