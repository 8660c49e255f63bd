/** Score: a number of a report, with what it rests on. */
import { Type, type Static } from 'typebox'

const closed = { additionalProperties: false }
const Maybe = <S extends ReturnType<typeof Type.Number>>(schema: S) => Type.Union([schema, Type.Null()])

export const Interval = Type.Object({
  low: Type.Number(),
  high: Type.Number(),
  level: Type.Number(),
  method: Type.String(),
  note: Type.String()
}, closed)

/** A number that may be missing, with what it rests on. Null is "no data", never zero. */
export const Score = Type.Object({
  metric: Type.String({ description: 'For example "accuracy" or "rouge1.fmeasure".' }),
  signature: Type.String({ description: 'Every choice behind the number, in one line.' }),
  value: Maybe(Type.Number()),
  n: Type.Integer({ minimum: 0, description: 'Observations behind the value.' }),
  clusters: Type.Integer({ minimum: 0, description: 'Papers behind the value.' }),
  interval: Type.Union([Interval, Type.Null()]),
  reason: Type.Optional(Type.String({ description: 'Why there is no value or no interval.' }))
}, { $id: 'Score', additionalProperties: false })
export type Score = Static<typeof Score>
