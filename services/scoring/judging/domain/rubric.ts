/** What follows from a rubric: its faults, the form of a reply, totals, and a reply as scores. */
import type { JudgeCriterion, Rubric } from '../../../../shared/contracts/rubric.ts'

const pointsMax = 101
const reserved = ['total', 'errors', 'constructor', 'toString', 'valueOf']

export interface RubricFault { pointer: string, detail: string }

/** What a schema cannot say. @returns none for a rubric that can be used */
export function faultsOfRubric ({ criteria }: Rubric): RubricFault[] {
  return criteria.flatMap(({ name, min, max }, i) => [
    ...reserved.includes(name) ? [{ pointer: `/${i}/name`, detail: `"${name}" is taken; choose another name.` }] : [],
    ...criteria.findIndex(other => other.name === name) < i ? [{ pointer: `/${i}/name`, detail: `"${name}" is there already.` }] : [],
    ...min >= max ? [{ pointer: `/${i}/max`, detail: 'Must be more than min.' }] : [],
    ...max - min >= pointsMax ? [{ pointer: `/${i}/max`, detail: `A scale has at most ${pointsMax} points.` }] : []
  ])
}

/** All scores by criterion; of totals the range goes with the rubric. */
export type Scores = Record<string, number>

/** Higher is better in what this gives, within the same scale. */
export function oriented ({ min, max, higherIsBetter }: JudgeCriterion, score: number): number {
  return higherIsBetter ? score : min + max - score
}

/** Sum over the criteria, those reversed of which less is better; kept raw (K-MetBench's: 4 to 20). */
export function totalOf ({ criteria }: Rubric, scores: Readonly<Scores>): number {
  return criteria.reduce((sum, criterion) => sum + oriented(criterion, scores[criterion.name]!), 0)
}

export interface ScoreRange { min: number, max: number }

export function totalRange ({ criteria }: Rubric): ScoreRange {
  return {
    min: criteria.reduce((sum, { min }) => sum + min, 0),
    max: criteria.reduce((sum, { max }) => sum + max, 0)
  }
}

/**
 * The two that are in use, which must not be mixed: a total of 18.014 is .876 by the first (the paper of
 * K-MetBench) and .901 by the second (its site).
 */
export const normalisations = {
  /** (x - min) / (max - min), in [0, 1]. */
  minMax: (x: number, { min, max }: ScoreRange): number => (x - min) / (max - min),
  /** x / max, in [min / max, 1]; null for scales that go below 0. */
  shareOfMax: (x: number, { min, max }: ScoreRange): number | null => min < 0 || max <= 0 ? null : x / max
}

const errorsMax = 20
const errorCharsMax = 400
/** Of English; that a reply is cut after all is counted. */
const charsPerToken = 3
const frameChars = 60
const reasonCharsLeast = 100

/** Errors first, where they are asked for; then of each criterion the reason, and the score it leads to. */
export function scoresSchema ({ criteria, errorsFirst }: Rubric, replyTokensMax: number): object {
  const listed = errorsFirst === undefined ? 0 : errorCharsMax * 4
  const share = Math.floor((replyTokensMax * charsPerToken - listed) / criteria.length) - frameChars
  const reason = { type: 'string', minLength: 1, maxLength: Math.max(reasonCharsLeast, Math.min(4000, share)) }
  const judged = criteria.map(({ name, min, max }) => [name, {
    type: 'object',
    properties: { reason, score: { type: 'integer', minimum: min, maximum: max } },
    required: ['reason', 'score'],
    additionalProperties: false
  }] as const)
  const errors = { type: 'array', maxItems: errorsMax, items: { type: 'string', minLength: 1, maxLength: errorCharsMax } }
  const properties = { ...errorsFirst !== undefined && { errors }, ...Object.fromEntries(judged) }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

export const preferences = ['A', 'B', 'tie'] as const
export type Preference = typeof preferences[number]

export function preferenceSchema (replyTokensMax: number): object {
  const reason = { type: 'string', minLength: 1, maxLength: Math.max(reasonCharsLeast, Math.min(4000, replyTokensMax * charsPerToken - frameChars)) }
  return {
    type: 'object',
    properties: { reason, preference: { type: 'string', enum: [...preferences] } },
    required: ['reason', 'preference'],
    additionalProperties: false
  }
}

/** A reply that may be counted, or what is wrong with it. */
export type ReadScores =
  | { scores: Scores, reasons: Record<string, string>, errors: string[], faults?: never }
  | { faults: readonly string[] }

/** Nothing is rounded, clamped or filled in: a score out of its range is a fault of the reply. */
export function readScores (value: unknown, { criteria, errorsFirst }: Rubric): ReadScores {
  if (!isObject(value)) return { faults: ['The reply is no object.'] }
  const names = [...errorsFirst === undefined ? [] : ['errors'], ...criteria.map(({ name }) => name)]
  const faults = Object.keys(value).filter(name => !names.includes(name)).map(name => `${name.slice(0, 40)} was not asked for.`)
  const scores: Scores = {}
  const reasons: Record<string, string> = {}
  for (const criterion of criteria) {
    const { name, min, max } = criterion
    const { score, reason } = (Object.hasOwn(value, name) && isObject(value[name]) ? value[name] : {})
    if (isScore(score, criterion)) scores[name] = score
    else faults.push(`The score of ${name} must be a whole number from ${min} to ${max}.`)
    if (typeof reason === 'string' && reason.trim() !== '') reasons[name] = reason.trim()
    else faults.push(`The reason for ${name} is missing.`)
  }
  const errors = errorsFirst === undefined ? [] : value.errors
  const isList = Array.isArray(errors) && errors.every(each => typeof each === 'string')
  if (!isList) faults.push('The list of errors is missing.')
  return faults.length > 0 || !isList ? { faults } : { scores, reasons, errors: errors as string[] }
}

export function isScore (score: unknown, { min, max }: ScoreRange): score is number {
  return typeof score === 'number' && Number.isInteger(score) && score >= min && score <= max
}

export type ReadPreference =
  | { preference: Preference, reason: string, faults?: never }
  | { faults: readonly string[] }

export function readPreference (value: unknown): ReadPreference {
  const { preference, reason } = isObject(value) ? value : {}
  const found = preferences.find(each => each === preference)
  if (found === undefined) return { faults: [`The preference must be one of ${preferences.join(', ')}.`] }
  return { preference: found, reason: typeof reason === 'string' ? reason.trim() : '' }
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
