/** Agreement of the people who reviewed items of a reviewing. */
import type { Agreement } from '../../../../shared/contracts/agreement.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { agreementOn } from '../domain/agreements.ts'
import { editorsOf, ratingsBy } from '../domain/agreement-tables.ts'
import { opinionedMax } from '../store.ts'
import type { HumanParts } from './parts.ts'

/**
 * Without a questionnaire, agreement on the decision. A reviewing that is too large to be looked at
 * whole is refused rather than looked at in part.
 *
 * @throws Problem reviewing-not-found, questionnaire-not-found, limit-exceeded
 */
export async function getAgreement (
  parts: HumanParts,
  { reviewingId, questionnaireId = null }: { reviewingId: string, questionnaireId?: string | null }
): Promise<Agreement> {
  await parts.assertReviewing(reviewingId)
  const questionnaire = questionnaireId === null
    ? undefined
    : await parts.human.findQuestionnaire(questionnaireId)
  if (questionnaireId !== null && questionnaire === undefined) {
    throw new Problem('questionnaire-not-found', `There is no questionnaire ${questionnaireId}; GET /v1/questionnaires lists those there are.`)
  }
  const states = (await parts.human.listOpinioned(reviewingId)).map(({ state }) => state)
  if (states.length > opinionedMax) {
    throw new Problem('limit-exceeded', `Agreement is computed over at most ${opinionedMax} items that people reviewed.`)
  }
  const setReviews = questionnaire?.scope === 'set' ? await parts.human.listSetReviews(reviewingId) : []
  const { ratings, scales } = ratingsBy(questionnaire, { states, setReviews })
  const leftOut = editorsOf(states)
  const without = ratings.filter(({ raterId }) => !leftOut.includes(raterId))
  return {
    reviewingId,
    questionnaireId,
    questions: scales.map(scale => agreementOn(scale, ratings)),
    withoutEditors: { leftOut, questions: scales.map(scale => agreementOn(scale, without)) }
  }
}
