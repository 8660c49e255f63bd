/** What callers say of a call, for the documents; the rules are in domain/labels.ts and domain/replay.ts. */
import { Type } from 'typebox'
import { labelCharsMax } from '../domain/labels.ts'

const Label = (description: string) => Type.Optional(Type.String({ maxLength: labelCharsMax, description }))

export const CallHeaders = Type.Object({
  'viva-caller': Label('Who asks: callers share the queue fairly; usage and budgets are by it.'),
  'viva-group': Label('What it is for, within a caller: a project, a run.'),
  'viva-purpose': Label('A further name for usage.'),
  'viva-replay': Type.Optional(Type.Enum(['off', 'record', 'replay', 'replay-or-record'], { description: 'Whether the reply is recorded, or comes from the record. Default: off.' })),
  'viva-sample-index': Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Which repeat of the same request; needed to record or replay one that samples.' })),
  'viva-timeout-ms': Type.Optional(Type.Integer({ minimum: 1, description: 'For all of the call, waiting included.' }))
})
