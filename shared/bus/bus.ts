/**
 * Wakes whoever has work to do. At least once, in no order, ids only: the truth is in the store,
 * and a lost message costs a sweep. Returning from a handler acknowledges; a throw is delivered
 * again after a pause, at most `deliveriesMax` times, and is then left to the sweeper.
 */
import type { EventOf, Subject } from '../contracts/events.ts'

export interface ConsumeOptions {
  /** Name of the consumer; messages of a subject are shared by all that give the same name. */
  durable: string
  /** Handlers running at once. */
  concurrency: number
  deliveriesMax: number
}

export interface Bus {
  publish<S extends Subject> (subject: S, event: EventOf<S>): Promise<void>
  consume<S extends Subject> (
    subject: S, options: ConsumeOptions, handle: (event: EventOf<S>) => Promise<void>
  ): Promise<void>
  /** Stops delivery and waits for running handlers. */
  close (): Promise<void>
}
