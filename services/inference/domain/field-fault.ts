/** A fault of a request, said with the place it is at. */
import { Problem, type ProblemKind } from '../../../shared/errors/problem.ts'

/**
 * @param pointer  JSON pointer (RFC 6901) into the request
 * @param detail   reads on from the pointer: what is wrong, and what to do
 */
export function fault (pointer: string, detail: string, kind: ProblemKind = 'invalid-request'): Problem {
  return new Problem(kind, `${pointer === '' ? 'The body' : pointer} ${detail}`, { errors: [{ pointer, detail }] })
}

/** Something larger than a limit that has a name. */
export function tooLarge (pointer: string, detail: string): Problem {
  return fault(pointer, detail, 'limit-exceeded')
}

/**
 * @param name    of a header of ours
 * @param detail  reads on from the name
 */
export function headerFault (name: string, detail: string): Problem {
  const errors = [{ pointer: `/headers/${name}`, detail }]
  return new Problem('invalid-request', `The header ${name} ${detail}.`, { errors })
}

/** At most 60 characters of a value, for a message. */
export function shown (value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : typeof value === 'object' && value !== null ? (Array.isArray(value) ? 'a list' : 'an object') : String(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
