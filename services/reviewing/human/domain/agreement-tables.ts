/** Who said what of which version: ratings as a table, for agreement. */
import type { Answer, Question, Questionnaire, SetReview } from '../../../../shared/contracts/human-review.ts'
import { decisions } from '../../../../shared/contracts/review.ts'
import { clusterOf } from '../../../../shared/stats/item-cluster.ts'
import type { Level } from '../../../../shared/stats/agreement-alpha.ts'
import { lastDecisions, lastOn, type HumanState } from './opinions.ts'

/** One answer. `unit`: the version that was rated; two versions of an item are two units. */
export interface Rating { unit: string, cluster: string, raterId: string, question: string, answer: Answer }

/** A question whose answers can be compared: all that could be said, in order. */
export interface Scale { question: string, level: Level, values: Array<number | string> }

export const decisionScale: Scale = { question: 'decision', level: 'nominal', values: [...decisions] }

/** Those that have one answer out of a list; free text and lists of options have no agreement here. */
export function scalesOf ({ questions }: Pick<Questionnaire, 'questions'>): Scale[] {
  return questions.flatMap((question: Question): Scale[] => {
    const { id, type, min = 0, max = 0, level = 'ordinal', options = [] } = question
    if (type === 'scale') return [{ question: id, level, values: Array.from({ length: max - min + 1 }, (_, i) => min + i) }]
    return type === 'choice' ? [{ question: id, level: 'nominal', values: options.map(({ value }) => value) }] : []
  })
}

export interface Said { states: readonly HumanState[], setReviews: readonly SetReview[] }

/** What people said by a questionnaire, or, without one, what they decided; and how it is compared. */
export function ratingsBy (
  questionnaire: Questionnaire | undefined, { states, setReviews }: Said
): { ratings: Rating[], scales: Scale[] } {
  if (questionnaire === undefined) {
    return { ratings: states.flatMap(state => ratingsOfItem(state, null)), scales: [decisionScale] }
  }
  const { id, scope } = questionnaire
  const ratings = scope === 'set' ? ratingsOfSets(setReviews, id) : states.flatMap(state => ratingsOfItem(state, id))
  return { ratings, scales: scalesOf(questionnaire) }
}

/** In ascending id. */
export function questionnairesUsed ({ states, setReviews }: Said): string[] {
  const used = states.flatMap(({ opinions }) => opinions
    .flatMap(({ withdrawn, review: { human } }) => withdrawn ? [] : human.questionnaireId ?? []))
  return [...new Set([...used, ...setReviews.map(({ questionnaireId }) => questionnaireId)])].sort()
}

/** Of each rater the last decision, or the last answers to the questionnaire. */
export function ratingsOfItem (state: HumanState, questionnaireId: string | null): Rating[] {
  const { item } = state.base
  const cluster = clusterOf(item)
  const opinions = questionnaireId === null
    ? lastDecisions(state)
    : lastOn(state, human => human.questionnaireId === questionnaireId)
  return opinions.flatMap(({ review: { itemHash, human } }) => {
    const about = { unit: `${item.id} ${itemHash}`, cluster, raterId: human.rater.id }
    if (questionnaireId === null) return [{ ...about, question: 'decision', answer: human.decision! }]
    return Object.entries(human.answers).map(([question, answer]) => ({ ...about, question, answer }))
  })
}

/** Of each set a cluster of its own: it may hold items of many papers. */
export function ratingsOfSets (reviews: readonly SetReview[], questionnaireId: string): Rating[] {
  return lastOfEach(reviews).filter(review => review.questionnaireId === questionnaireId)
    .flatMap(({ setId, rater, answers }) => Object.entries(answers).map(([question, answer]) => (
      { unit: setId, cluster: setId, raterId: rater.id, question, answer })))
}

/** Without those that a later one supersedes. */
export function lastOfEach (reviews: readonly SetReview[]): SetReview[] {
  const superseded = new Set(reviews.map(({ supersedes }) => supersedes))
  return reviews.filter(({ id }) => !superseded.has(id))
}

/** Raters who edited an item, whatever came of it. */
export function editorsOf (states: readonly HumanState[]): string[] {
  const editors = states.flatMap(({ opinions }) => opinions
    .filter(({ edited, withdrawn }) => edited !== null && !withdrawn)
    .map(({ review }) => review.human.rater.id))
  return [...new Set(editors)].sort()
}
