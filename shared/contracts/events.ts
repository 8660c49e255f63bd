/** Everything the bus carries. A message holds ids; whoever needs more reads it from its owner. */
import { Type, type Static, type TObject } from 'typebox'
import { GenerationId } from './ids.ts'

export const events = {
  'generation.finished': Type.Object({ generationId: GenerationId }, { additionalProperties: false })
} satisfies Record<string, TObject>

/** Wake-ups of tasks: `task.<service>.<kind>`. Losing one costs a sweep, never the work. */
export const TaskWake = Type.Object({ taskId: Type.String() }, { additionalProperties: false })

export type Subject = keyof typeof events | `task.${string}.${string}`
export type EventOf<S extends Subject> =
  S extends keyof typeof events ? Static<(typeof events)[S]> : Static<typeof TaskWake>
