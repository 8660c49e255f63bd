/** Lists are paged by cursor: pass `nextCursor` back as `cursor` until it is null. */
import { Type, type TSchema } from 'typebox'

export const PageQuery = {
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'nextCursor of the page before.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 })
}

export interface PageRequest { cursor?: string, limit: number }
export interface Page<T> { items: T[], nextCursor: string | null }

export function pageOf<S extends TSchema> (schema: S) {
  return Type.Object({
    items: Type.Array(schema),
    nextCursor: Type.Union([Type.String(), Type.Null()])
  }, { additionalProperties: false })
}
