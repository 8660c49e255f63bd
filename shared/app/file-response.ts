/** What a route that answers with a file says of it. */
import { Type, type TSchema } from 'typebox'

/** Of one media type; text unless a schema is given. For `response` of a route. */
export function fileResponse (type: string, schema: TSchema = Type.String()): TSchema {
  return { description: 'The file', content: { [type]: { schema } } } as unknown as TSchema
}
