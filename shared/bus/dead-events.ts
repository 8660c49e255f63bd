/**
 * Events of services that were delivered in vain, kept in the store of the service that should
 * have handled them, until it has: an operator sees them and can have them sent again. Wake-ups of
 * tasks are not kept, for their tasks are.
 */
import { events, type EventOf, type Subject } from '../contracts/events.ts'
import { canonicalJson, sha256 } from '../contracts/hash.ts'
import { problemBody, type ProblemBody } from '../errors/problem-body.ts'
import { Problem } from '../errors/problem.ts'
import type { Doc, Store } from '../store/store.ts'
import type { DeadLetter } from '../tasks/tasks.ts'
import type { Bus, ConsumeOptions } from './bus.ts'

type ServiceEvent = keyof typeof events

interface DeadEvent extends Doc {
  subject: ServiceEvent
  event: EventOf<ServiceEvent>
  deliveries: number
  problem: ProblemBody
}

export interface DeadEvents {
  /** As the one given, and keeps what its consumers could not handle. */
  bus: Bus
  /** In ascending id. */
  list: (options: { after?: string, limit: number }) => Promise<DeadLetter[]>
  /**
   * Publishes the event again; it stays in the list until it is handled.
   * @throws Problem dead-letter-not-found, bus-unavailable
   */
  retry: (id: string) => Promise<void>
}

/** @throws Problem store-unavailable */
export async function keepDeadEvents (bus: Bus, store: Store): Promise<DeadEvents> {
  const dead = await store.collection<DeadEvent>('dead-events')

  async function keep (letter: DeadEvent): Promise<void> {
    const { _id, deliveries, problem } = letter
    if (!await dead.insert(letter)) await dead.update(_id, {}, { $set: { deliveries, problem } })
  }

  async function consume<S extends Subject> (
    subject: S, options: ConsumeOptions<S>, handle: (event: EventOf<S>) => Promise<void>
  ): Promise<void> {
    if (!isServiceEvent(subject)) return await bus.consume(subject, options, handle)
    const deliveries = options.deliveriesMax
    await bus.consume(subject, {
      ...options,
      onGivenUp: async (event, cause) => {
        const letter = { subject, event: event as EventOf<ServiceEvent>, deliveries }
        await keep({ _id: eventId(subject, event), ...letter, problem: problemBody(problemOf(cause)) })
        await options.onGivenUp?.(event, cause)
      }
    }, async event => {
      await handle(event)
      await dead.delete(eventId(subject, event))
    })
  }

  return {
    bus: { ...bus, consume },
    async list ({ after, limit }) {
      const rest = after === undefined ? {} : { _id: { $gt: after } }
      const found = await dead.findMany(rest, { sort: { _id: 1 }, limit })
      return found.map(({ _id, subject, event, deliveries, problem }) =>
        ({ id: _id, kind: subject, jobId: Object.values(event).join(' '), attempts: deliveries, problem }))
    },
    async retry (id) {
      const found = await dead.find(id)
      if (found === undefined) throw new Problem('dead-letter-not-found', `There is no dead letter ${id}.`)
      await bus.publish(found.subject, found.event)
    }
  }
}

function problemOf (cause: unknown): Problem {
  if (cause instanceof Problem) return cause
  return new Problem('internal', 'The service has a bug; its log says more at the time of its last delivery.', { cause })
}

function isServiceEvent (subject: Subject): subject is ServiceEvent {
  return Object.hasOwn(events, subject)
}

/** Below the ids of tasks (`tsk_…`), so that a list of both is one order. */
function eventId (subject: Subject, event: object): string {
  return `evt_${sha256(canonicalJson([subject, event])).slice(0, 32)}`
}
