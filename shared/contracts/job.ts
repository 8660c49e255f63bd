/**
 * Long work has one shape: 202 with a Location, then this. `progress` counts tasks by state and
 * `state` follows from it: `succeeded` = no dead task, else `failed` with its results readable.
 */
import { Type, type Static, type TProperties } from 'typebox'
import { ProblemBody } from '../errors/problem-body.ts'

export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export const JobState = Type.Enum([...jobStates])
export type JobState = Static<typeof JobState>

export const Progress = Type.Object({
  done: Type.Integer({ minimum: 0 }),
  total: Type.Integer({ minimum: 0 }),
  failed: Type.Integer({ minimum: 0 })
}, { additionalProperties: false })
export type Progress = Static<typeof Progress>

/** A problem of tasks of one job: those with the same words are one, with their number. */
export const JobProblem = Type.Object({
  ...ProblemBody.properties,
  count: Type.Optional(Type.Integer({ minimum: 2, description: 'Tasks that it is of, where it is of more than one.' })),
  waiting: Type.Optional(Type.Literal(true, { description: 'Of tasks that will be tried again by themselves; it goes when they go on. Without it: of tasks that ended for it.' }))
}, { additionalProperties: false })
export type JobProblem = Static<typeof JobProblem>

/** What every long work answers, whatever else it has. */
export const jobProperties = {
  state: JobState,
  progress: Progress,
  problems: Type.Array(JobProblem, { maxItems: 100, description: 'Of dead tasks, and of those that wait to be tried again (`waiting`): of the first 100 of either, equal ones as one with their `count`.' })
}

export interface JobView { state: JobState, progress: Progress, problems: JobProblem[] }

/** A resource that is long work: an id, its own properties, and the job's. */
export function jobResource<P extends TProperties> (name: string, own: P) {
  return Type.Object({ ...own, ...jobProperties }, { $id: name, additionalProperties: false })
}
