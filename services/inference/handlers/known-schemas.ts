/** Schemas that were compiled lately: a run asks thousands of times with the same one. */
import { replySchema, type ReplySchema } from '../domain/reply-schema.ts'

const keptMax = 64

/** The function that makes them ready; those longest unused are forgotten first. */
export function knownSchemas (): (schema: object) => ReplySchema {
  const kept = new Map<string, ReplySchema>()
  return schema => {
    const key = JSON.stringify(schema)
    const known = kept.get(key)
    const ready = known ?? replySchema(schema)
    kept.delete(key)
    kept.set(key, ready)
    if (kept.size > keptMax) kept.delete(kept.keys().next().value!)
    return ready
  }
}
