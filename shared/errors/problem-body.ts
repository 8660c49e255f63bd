/** RFC 9457 problem details as they go over the wire, and back. */
import { Type, type Static } from 'typebox'
import { Problem, problems, type ProblemKind } from './problem.ts'

/** Relative to the service's address, which serves the explanation under that path. */
const typePrefix = '/problems/'

export const ProblemBody = Type.Object({
  type: Type.String({ description: 'URI that ends in the kind of problem; stable.' }),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Type.String({ description: 'What happened, where, and what to do.' }),
  instance: Type.Optional(Type.String({ description: 'Id of the request, as in the log.' })),
  errors: Type.Optional(Type.Array(Type.Object({
    pointer: Type.String({ description: 'JSON pointer into the request.' }), detail: Type.String()
  }, { additionalProperties: false })))
}, { $id: 'Problem', additionalProperties: false })
export type ProblemBody = Static<typeof ProblemBody>

export function problemBody (problem: Problem, instance?: string): ProblemBody {
  const { status, title } = problems[problem.kind]
  return {
    type: typePrefix + problem.kind,
    title,
    status,
    detail: problem.message,
    ...instance !== undefined && { instance },
    ...problem.errors.length > 0 && { errors: problem.errors }
  }
}

/**
 * The Problem a body describes, in problem+json or OpenAI's shape with our type; undefined when it
 * describes none of ours.
 */
export function problemFromBody (body: unknown): Problem | undefined {
  if (body === null || typeof body !== 'object') return undefined
  const { type, detail, errors, error } = body as Partial<ProblemBody> & { error?: OpenAiError }
  const kind = error?.type ?? String(type).replace(typePrefix, '')
  if (!Object.hasOwn(problems, kind)) return undefined
  const message = String(error?.message ?? detail)
  const blamed = typeof error?.param === 'string' ? [{ pointer: error.param, detail: message }] : []
  return new Problem(kind as ProblemKind, message, { errors: errors ?? blamed })
}

/** The shape the OpenAI-form routes answer in: `type` is our kind of problem, `param` a JSON pointer. */
export interface OpenAiError { message: string, type: string, param: string | null, code: number }

export function openAiErrorBody (problem: Problem): { error: OpenAiError } {
  const { kind, message, errors } = problem
  return { error: { message, type: kind, param: errors[0]?.pointer ?? null, code: problems[kind].status } }
}

/** Any thrown value as a Problem; a bug becomes `internal`, its details stay in `cause`. */
export function asProblem (cause: unknown): Problem {
  if (cause instanceof Problem) return cause
  return new Problem('internal', 'The service has a bug; its log says more under this request id.', { cause })
}
