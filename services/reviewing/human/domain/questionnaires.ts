/** Questionnaires are data: what may stand in one, and whether answers fit it. */
import { canonicalJson, sha256 } from '../../../../shared/contracts/hash.ts'
import type { Answer, Answers, Question, Questionnaire, QuestionnaireRequest } from '../../../../shared/contracts/human-review.ts'
import type { FieldError } from '../../../../shared/errors/problem.ts'

/** The same questions are the same questionnaire. */
export function questionnaireOf (asked: QuestionnaireRequest): Questionnaire {
  return { id: `qnr_${sha256(canonicalJson(asked)).slice(0, 32)}`, ...asked }
}

/** What is wrong with a questionnaire beside its form; empty where nothing is. */
export function questionnaireFaults ({ questions }: QuestionnaireRequest): FieldError[] {
  return questions.flatMap((question, at) => {
    const earlier = questions.slice(0, at)
    return faultsOf(question, earlier).map(([member, detail]) => (
      { pointer: `/body/questions/${at}${member}` as FieldError['pointer'], detail }))
  })
}

function faultsOf (
  question: Question, earlier: readonly Question[]
): Array<[member: string, detail: string]> {
  const { id, type, min, max, options, when, anchors = {} } = question
  const faults: Array<[string, string]> = []
  if (earlier.some(other => other.id === id)) faults.push(['/id', `names ${id} a second time`])
  if (type === 'scale' && !(min !== undefined && max !== undefined && min < max)) {
    faults.push(['/min', 'and max are needed for a scale, min below max'])
  }
  if (type !== 'scale' && (min !== undefined || max !== undefined || question.level !== undefined)) {
    faults.push(['/min', 'max and level belong to a scale'])
  }
  if ((type === 'choice' || type === 'choices') !== (options !== undefined)) {
    faults.push(['/options', 'are needed for choice and choices, and belong to no other type'])
  }
  const values = (options ?? []).map(({ value }) => value)
  if (new Set(values).size < values.length) faults.push(['/options', 'hold a value twice'])
  const points = Object.keys(anchors).map(Number)
  if (points.some(point => type !== 'scale' || point < (min ?? 0) || point > (max ?? 0))) {
    faults.push(['/anchors', 'name a point that is not on the scale'])
  }
  if (when !== undefined && !conditionFits(when, earlier)) {
    faults.push(['/when', 'names an option of a choice that comes earlier'])
  }
  return faults
}

function conditionFits (when: { question: string, is: string }, earlier: readonly Question[]): boolean {
  const asked = earlier.find(({ id }) => id === when.question)
  return asked?.type === 'choice' && (asked.options ?? []).some(({ value }) => value === when.is)
}

/**
 * What is wrong with answers: unknown questions, answers off the scale, and required ones missing.
 * A question under a condition is neither required nor answered where the condition does not hold.
 */
export function answerFaults ({ questions }: Pick<Questionnaire, 'questions'>, answers: Answers): FieldError[] {
  const faults: FieldError[] = []
  const fault = (id: string, detail: string) => faults.push({ pointer: `/body/answers/${id}`, detail })
  for (const id of Object.keys(answers)) {
    if (!questions.some(question => question.id === id)) fault(id, 'is no question of this questionnaire')
  }
  for (const question of questions) {
    const { id, required, when } = question
    const answer = Object.hasOwn(answers, id) ? answers[id] : undefined
    const asked = when === undefined ||
      (Object.hasOwn(answers, when.question) && answers[when.question] === when.is)
    if (answer === undefined) {
      if (required && asked) fault(id, 'is missing')
    } else if (!asked) fault(id, `is asked only where ${when.question} is ${when.is}`)
    else {
      const wrong = wrongness(question, answer)
      if (wrong !== null) fault(id, wrong)
    }
  }
  return faults
}

function wrongness (
  { type, min = 0, max = 0, options = [], required }: Question, answer: Answer
): string | null {
  const values = options.map(({ value }) => value)
  if (type === 'scale') {
    const fits = typeof answer === 'number' && answer >= min && answer <= max
    return fits ? null : `must be a whole number from ${min} to ${max}`
  }
  if (type === 'text') {
    if (typeof answer !== 'string') return 'must be text'
    return required && answer.trim() === '' ? 'is empty' : null
  }
  if (type === 'choice') {
    return typeof answer === 'string' && values.includes(answer) ? null : `must be one of ${values.join(', ')}`
  }
  if (!Array.isArray(answer)) return 'must be a list of options'
  if (required && answer.length === 0) return 'needs at least one option'
  return answer.every(value => values.includes(value)) ? null : `must hold options of ${values.join(', ')} only`
}
