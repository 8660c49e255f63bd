/**
 * The bus between processes, on NATS JetStream. The server may be away at the start, vanish, or
 * lose all it kept: publishing then fails within seconds, nothing piles up here, and consumers go
 * on by themselves once it is back.
 */
import type { JetStreamClient, NatsConnection } from 'nats'
import type { EventOf, Subject } from '../contracts/events.ts'
import { Problem } from '../errors/problem.ts'
import { checkOptions, type Bus, type ConsumeOptions, type DeliveryFailure } from './bus.ts'
import { encodeEvent, schemaOf } from './message.ts'
import { openLink, type NatsAddress } from './nats-connection.ts'
import { startLoops, type Loops } from './nats-consumer.ts'
import { createHealth, type BusState } from './nats-health.ts'
import { anotherDurable, ensureStream, isKept, isNowhere, subjectOf } from './nats-streams.ts'

const publishTimeoutMs = 2_000
/** Sent and not yet acknowledged; further ones are refused, so that a server that hangs costs no memory. */
const unacknowledgedMax = 1_000

interface NatsBusOptions extends NatsAddress {
  /** Of stream and subjects; default `viva`. Letters, digits, `_` and `-`. */
  prefix?: string
  /** Told of every handler that threw, and whether its message was thereby given up. */
  onFailure?: (failure: DeliveryFailure) => void
  /** Told of each change. */
  onState?: (state: BusState) => void
  /** Before a message is delivered again; default 1,000. */
  pauseMs?: number
  /** A message whose process vanished comes again after so long; default 6,000, as leases of tasks. */
  ackWaitMs?: number
  /** From 1,000, at which a lost request for messages is repeated; default 5,000. */
  expiresMs?: number
}

/** @throws Error whose message tells the user what to change, for a malformed URL or wrong credentials */
export async function natsBus (options: NatsBusOptions): Promise<Bus> {
  const { prefix = 'viva', pauseMs = 1_000, ackWaitMs = 6_000, expiresMs = 5_000 } = options
  const { onFailure = () => {}, onState = () => {} } = options
  const health = createHealth(onState)
  const link = await openLink(options, health.linked)
  const parts = { link, prefix, ackWaitMs, pauseMs, expiresMs, onFailure, onTrouble: health.consuming }
  const durables = new Map<string, string>()
  const started: Loops[] = []
  let unacknowledged = 0
  let closed: Promise<void> | undefined

  function refuseIfClosed (): void {
    if (closed !== undefined) throw new Problem('shutting-down', 'The bus of this process has been closed.')
  }

  async function close (): Promise<void> {
    await Promise.all(started.map(async loops => await loops.stop()))
    await link.close()
  }

  return {
    async publish (subject, event) {
      refuseIfClosed()
      const text = encodeEvent(subject, event)
      const connection = link.current()
      if (connection === undefined) throw unavailable('The NATS server cannot be reached at the moment.')
      if (unacknowledged >= unacknowledgedMax) throw unavailable('The NATS server is slower than what is sent to it.')
      unacknowledged++
      const epoch = link.epoch()
      try {
        await send(connection, prefix, { subject: subjectOf(prefix, subject, text), text })
        health.taken()
      } catch (cause) {
        if (link.current() !== undefined && link.epoch() === epoch) health.refused(cause)
        throw unavailable('The NATS server did not take the message.', cause)
      } finally {
        unacknowledged--
      }
    },
    async consume<S extends Subject> (
      subject: S, options: ConsumeOptions<S>, handle: (event: EventOf<S>) => Promise<void>
    ) {
      refuseIfClosed()
      schemaOf(subject)
      checkOptions(options)
      const { durable } = options
      if ((durables.get(subject) ?? durable) !== durable) throw anotherDurable(subject, durable)
      durables.set(subject, durable)
      started.push(await startLoops(parts, { subject, options, handle }))
    },
    connected: health.working,
    async close () {
      closed ??= close()
      await closed
    }
  }
}

async function send (
  connection: NatsConnection, prefix: string, { subject, text }: { subject: string, text: string }
): Promise<void> {
  const client: JetStreamClient = connection.jetstream()
  const publish = async (): Promise<void> => {
    await client.publish(subject, text, { timeout: publishTimeoutMs })
  }
  try {
    await publish().catch(async cause => {
      if (!isNowhere(cause)) throw cause
      await ensureStream(connection, prefix)
      await publish()
    })
  } catch (cause) {
    if (!isKept(cause)) throw cause
  }
}

function unavailable (detail: string, cause?: unknown): Problem {
  return new Problem('bus-unavailable', `${detail} Work goes on without, more slowly; try again shortly.`, { cause, retryAfterSeconds: 2 })
}
