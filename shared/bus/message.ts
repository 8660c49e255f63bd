/** Events as text, checked against their schema on the way out and on the way in. */
import type { TObject } from 'typebox'
import { events, TaskWake, type EventOf, type Subject } from '../contracts/events.ts'
import { faultsOf } from '../contracts/validate.ts'

/** A message holds ids; whoever sends more has misunderstood the bus. */
const bytesMax = 4_096

/** @throws TypeError for a subject or an event that the contract does not know */
export function encodeEvent<S extends Subject> (subject: S, event: EventOf<S>): string {
  mustMatch(subject, event)
  const text = JSON.stringify(event)
  if (Buffer.byteLength(text) > bytesMax) {
    throw new RangeError(`The event of ${subject} is over ${bytesMax} bytes; send an id instead`)
  }
  return text
}

/** @throws TypeError for text that is not an event of the subject; delivering it again cannot help */
export function decodeEvent<S extends Subject> (subject: S, text: string): EventOf<S> {
  let event: unknown
  try {
    event = JSON.parse(text)
  } catch (cause) {
    throw new TypeError(`A message of ${subject} is not JSON`, { cause })
  }
  mustMatch(subject, event)
  return event as EventOf<S>
}

/** @throws TypeError for a subject that is none; wildcards are none */
export function schemaOf (subject: string): TObject {
  if (Object.hasOwn(events, subject)) return events[subject as keyof typeof events]
  if (/^task\.[\w-]+\.[\w-]+$/.test(subject)) return TaskWake
  throw new TypeError(`The bus has no subject ${JSON.stringify(subject)}`)
}

function mustMatch (subject: string, event: unknown): void {
  const schema = schemaOf(subject)
  if (event === null || typeof event !== 'object') throw new TypeError(`Not an event of ${subject}: no object`)
  const [first] = faultsOf(schema, event)
  if (first !== undefined) throw new TypeError(`Not an event of ${subject}: ${first.path || '/'} ${first.message}`)
}
