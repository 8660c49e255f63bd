/** Questionnaires are kept for good: answers name them. */
import type { Questionnaire, QuestionnaireRequest } from '../../../../shared/contracts/human-review.ts'
import type { Page, PageRequest } from '../../../../shared/contracts/page.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { questionnaireFaults, questionnaireOf } from '../domain/questionnaires.ts'
import type { HumanParts } from './parts.ts'
import { refuse } from './post-review.ts'

type Parts = Pick<HumanParts, 'human'>

export async function getQuestionnaire ({ human }: Parts, id: string): Promise<Questionnaire> {
  const found = await human.findQuestionnaire(id)
  if (found !== undefined) return found
  throw new Problem('questionnaire-not-found', `There is no questionnaire ${id}; GET /v1/questionnaires lists those there are.`)
}

/** @throws Problem invalid-request for questions that do not hold together */
export async function addQuestionnaire (
  { human }: Parts, asked: QuestionnaireRequest
): Promise<{ questionnaire: Questionnaire, created: boolean }> {
  refuse(questionnaireFaults(asked))
  const questionnaire = questionnaireOf(asked)
  return { questionnaire, created: await human.insertQuestionnaire(questionnaire) }
}

export async function listQuestionnaires (
  { human }: Parts, { cursor, limit }: PageRequest
): Promise<Page<Questionnaire>> {
  if (cursor !== undefined && !/^qnr_[0-9a-f]{32}$/.test(cursor)) {
    throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
  }
  const found = await human.listQuestionnaires(cursor ?? 'qnr', limit + 1)
  const items = found.slice(0, limit)
  return { items, nextCursor: found.length > limit ? items.at(-1)!.id : null }
}
