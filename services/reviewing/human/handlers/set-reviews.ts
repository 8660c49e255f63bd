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
  const setId = setIdOf(body.reviewingId, body.itemIds)
  const earlier = await human.listSetReviews(body.reviewingId)
  if (earlier.length >= setReviewsMax) throw new Problem('limit-exceeded', `A reviewing keeps at most ${setReviewsMax} reviews of sets.`)
  const last = lastOfEach(earlier).find(review => review.setId === setId &&
    review.rater.id === body.rater.id && review.questionnaireId === body.questionnaireId)
  const value = { setId, ...body, itemIds: [...body.itemIds].sort() }
  if (last !== undefined) {
    const { id: _, supersedes: __, ...said } = last
    if (canonicalJson(said) === canonicalJson(value)) return { review: last, created: false }
  }
  const supersedes = last?.id ?? null
  const review = { ...value, supersedes, id: idOf('review', { ...value, supersedes }) }
  return { review, created: await human.insertSetReview(review) }
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
