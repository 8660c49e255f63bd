/** All agreement there is on a reviewing, for the data card of what is frozen from it. */
import { setImmediate } from 'node:timers/promises'
import type { CardAgreement } from '../../../../shared/contracts/agreement.ts'
import { agreementOn } from '../domain/agreements.ts'
import { questionnairesUsed, ratingsBy } from '../domain/agreement-tables.ts'
import { opinionedMax, type HumanStore } from '../store.ts'

/**
 * On the decision first, then by questionnaire; of questions that two raters or more answered.
 *
 * @returns undefined where people reviewed more items than agreement is computed over
 */
export async function listAgreements (
  human: HumanStore, reviewingId: string
): Promise<CardAgreement[] | undefined> {
  const states = (await human.listOpinioned(reviewingId)).map(({ state }) => state)
  if (states.length > opinionedMax) return undefined
  const said = { states, setReviews: await human.listSetReviews(reviewingId) }
  const agreements: CardAgreement[] = []
  for (const questionnaireId of [null, ...questionnairesUsed(said)]) {
    const questionnaire = questionnaireId === null
      ? undefined
      : await human.findQuestionnaire(questionnaireId)
    if (questionnaireId !== null && questionnaire === undefined) continue
    const { ratings, scales } = ratingsBy(questionnaire, said)
    const questions: CardAgreement['questions'] = []
    for (const scale of scales) {
      const { raters, ...found } = agreementOn(scale, ratings)
      if (found.units > 0) questions.push({ ...found, raters: raters.length })
      await setImmediate()
    }
    if (questions.length > 0) agreements.push({ reviewingId, questionnaireId, questions })
  }
  return agreements
}
