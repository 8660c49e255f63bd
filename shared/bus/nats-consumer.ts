/** Takes messages of one subject, one at a time in each of a fixed number of loops. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Consumer, JsMsg } from 'nats'
import type { EventOf, Subject } from '../contracts/events.ts'
import type { ConsumeOptions, DeliveryFailure } from './bus.ts'
import { decodeEvent } from './message.ts'
import type { Link } from './nats-connection.ts'
import { ensureConsumer, type Place } from './nats-streams.ts'

/** After an error other than the handler's. */
const troublePauseMs = 500
const ackTimeoutMs = 2_000

export interface ConsumerParts extends Place {
  link: Link
  /** Before a message is delivered again. */
  pauseMs: number
  /** A request for a message stands at most so long; a lost one is repeated after it. */
  expiresMs: number
  onFailure: (failure: DeliveryFailure) => void
  /** Why nothing can be taken although the server is reached; null when that is over. */
  onTrouble: (trouble: string | null) => void
}

interface Task<S extends Subject> {
  subject: S
  options: ConsumeOptions<S>
  handle: (event: EventOf<S>) => Promise<void>
}

export interface Loops {
  /** Resolves when the handlers that run have ended; no others begin. */
  stop: () => Promise<void>
}

/** @throws TypeError when the subject has a consumer of another durable name, if the server says so now */
export async function startLoops<S extends Subject> (
  parts: ConsumerParts, task: Task<S>
): Promise<Loops> {
  const { link, expiresMs } = parts
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const find = finder(parts, task)

  async function loop (): Promise<void> {
    while (!stopping.signal.aborted && await link.wait() !== undefined) {
      try {
        const message = await (await find()).next({ expires: expiresMs })
        if (message === null) continue
        // Not ours any more: at once to another.
        if (stopping.signal.aborted) message.nak()
        else await track(deliver(parts, task, message))
      } catch {
        find.forget()
        await delay(troublePauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  async function track (run: Promise<void>): Promise<void> {
    running.add(run)
    await run.finally(() => running.delete(run))
  }

  await find().catch((cause: unknown) => {
    if (cause instanceof TypeError) throw cause
  })
  for (let i = 0; i < task.options.concurrency; i++) void loop()
  return {
    async stop () {
      stopping.abort()
      await Promise.allSettled(running)
    }
  }
}

interface Finder {
  (): Promise<Consumer>
  forget: () => void
}

/** The consumer on the server, made once for each connection, and after each error. */
function finder<S extends Subject> (parts: ConsumerParts, { subject, options }: Task<S>): Finder {
  const { link, onTrouble } = parts
  const { durable } = options
  let found: { epoch: number, consumer: Promise<Consumer> } | undefined
  let trouble: string | null = null

  async function make (): Promise<Consumer> {
    const connection = link.current()
    if (connection === undefined) throw new Error('Not connected')
    try {
      const consumer = await ensureConsumer(connection, parts, { subject, durable })
      tell(null)
      return consumer
    } catch (cause) {
      // While it is away the link says so.
      if (link.current() !== undefined) tell(`${subject}: ${(cause as Error).message}`)
      throw cause
    }
  }

  function tell (now: string | null): void {
    if (now === trouble) return
    trouble = now
    onTrouble(now)
  }

  const find = async (): Promise<Consumer> => {
    if (found?.epoch !== link.epoch()) found = { epoch: link.epoch(), consumer: make() }
    return await found.consumer
  }
  return Object.assign(find, { forget: () => { found = undefined } })
}

async function deliver<S extends Subject> (
  parts: ConsumerParts, task: Task<S>, message: JsMsg
): Promise<void> {
  const { subject, options, handle } = task
  const delivery = message.info.deliveryCount
  // A long handler is no dead one.
  const beat = setInterval(() => message.working(), parts.ackWaitMs / 3)
  try {
    const event = decodeEvent(subject, message.string())
    try {
      if (delivery > options.deliveriesMax) throw new Error('Each process that handled it ended before the handler did')
      await handle(event)
      // Unacknowledged it comes again, which does no harm.
      await message.ackAck({ timeout: ackTimeoutMs }).catch(() => {})
    } catch (cause) {
      const givenUp = delivery >= options.deliveriesMax && await giveUp(options, event, cause)
      if (givenUp) message.term()
      else message.nak(parts.pauseMs)
      parts.onFailure({ subject, durable: options.durable, delivery, givenUp, cause })
    }
  } catch (cause) {
    // No event: delivering it again cannot help. A plain term, for old servers ignore one with a reason.
    message.term()
    parts.onFailure({ subject, durable: options.durable, delivery, givenUp: true, cause })
  } finally {
    clearInterval(beat)
  }
}

async function giveUp<S extends Subject> (
  { onGivenUp }: ConsumeOptions<S>, event: EventOf<S>, cause: unknown
): Promise<boolean> {
  try {
    await onGivenUp?.(event, cause)
    return true
  } catch {
    return false
  }
}
