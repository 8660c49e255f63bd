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

/** What every long work answers, whatever else it has. */
export const jobProperties = {
  state: JobState,
  progress: Progress,
  problems: Type.Array(ProblemBody, { maxItems: 100, description: 'Of dead tasks, the first 100.' })
}

export interface JobView { state: JobState, progress: Progress, problems: ProblemBody[] }

/** A resource that is long work: an id, its own properties, and the job's. */
export function jobResource<P extends TProperties> (name: string, own: P) {
  return Type.Object({ ...own, ...jobProperties }, { $id: name, additionalProperties: false })
}
