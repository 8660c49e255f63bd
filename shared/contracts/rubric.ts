/** Rubric: by which criteria a judge scores a reply, each on a scale of whole numbers. Data, not code. */
import { Type, type Static } from 'typebox'

const closed = { additionalProperties: false }

export const JudgeCriterion = Type.Object({
  name: Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,39}$', description: 'As scores name it; not "total" or "errors".' }),
  description: Type.String({ minLength: 1, maxLength: 2000, description: 'What is judged, and what the points of the scale mean; the judge reads it.' }),
  min: Type.Integer({ minimum: -100, maximum: 100 }),
  max: Type.Integer({ minimum: -100, maximum: 100 }),
  higherIsBetter: Type.Boolean({ description: 'false: min + max - score enters the total.' })
}, closed)
export type JudgeCriterion = Static<typeof JudgeCriterion>

export const Rubric = Type.Object({
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,59}$' }),
  criteria: Type.Array(JudgeCriterion, { minItems: 1, maxItems: 12, description: 'In the order in which the judge gives its scores.' }),
  errorsFirst: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'What the judge lists before it scores; left out, it lists nothing.' }))
}, { $id: 'Rubric', ...closed })
export type Rubric = Static<typeof Rubric>

export const shippedRubricNames = ['kmetbench', 'autopaperbench'] as const
