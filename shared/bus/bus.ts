/**
 * Wakes whoever has work to do. At least once, in no order, ids only: the truth is in the store,
 * and a lost message costs a sweep. Returning from a handler acknowledges; a throw is delivered
 * again after a pause, at most `deliveriesMax` times, and is then given up. Of equal events that
 * wait, one may stand for all.
 */
import type { EventOf, Subject } from '../contracts/events.ts'

export interface ConsumeOptions<S extends Subject = Subject> {
  /** Name of the consumer; messages of a subject are shared by all that give the same name. */
  durable: string
  /** Handlers running at once. */
  concurrency: number
  deliveriesMax: number
  /**
   * Called with what has been delivered in vain; the message is forgotten once this resolves, and
   * comes again if it rejects.
   */
  onGivenUp?: (event: EventOf<S>, cause: unknown) => Promise<void>
}

/** Of one delivery whose handler threw, or whose process ended before it did. */
export interface DeliveryFailure {
  subject: string
  durable: string
  delivery: number
  /** Whether the message will not come again. */
  givenUp: boolean
  cause: unknown
}

export interface Bus {
  /** @throws Problem bus-unavailable, within seconds; shutting-down after `close` */
  publish<S extends Subject> (subject: S, event: EventOf<S>): Promise<void>
  consume<S extends Subject> (
    subject: S, options: ConsumeOptions<S>, handle: (event: EventOf<S>) => Promise<void>
  ): Promise<void>
  /** Whether messages go out at this moment; work goes on without, by sweeps. */
  connected (): boolean
  /** Stops delivery and waits for running handlers. */
  close (): Promise<void>
}

/** @throws TypeError, RangeError for options that are none */
export function checkOptions ({ durable, concurrency, deliveriesMax }: Omit<ConsumeOptions, 'onGivenUp'>): void {
  if (!/^[\w-]+$/.test(durable)) throw new TypeError(`${JSON.stringify(durable)} is no name for a consumer: letters, digits, _ and -`)
  for (const [name, value] of Object.entries({ concurrency, deliveriesMax })) {
    if (!Number.isInteger(value) || value < 1) throw new RangeError(`${name} is a whole number from 1, not ${value}`)
  }
}
