/** Takes messages of one subject, one at a time in each of a fixed number of loops. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Consumer, JsMsg } from 'nats'
import type { EventOf, Subject } from '../contracts/events.ts'
import { Problem } from '../errors/problem.ts'
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
  onTrouble: (subject: string, trouble: string | null) => void
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
      if (link.current() !== undefined) tell((cause as Error).message)
      throw cause
    }
  }

  function tell (now: string | null): void {
    if (now === trouble) return
    trouble = now
    onTrouble(subject, now)
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
  const { subject, options: { durable } } = task
  // A long handler is no dead one.
  const beat = setInterval(() => { prolong(message) }, parts.ackWaitMs / 3)
  // Unacknowledged it comes again, which does no harm; unconfirmed, an equal event sent next would be
  // taken for this one.
  const done = async (): Promise<unknown> =>
    await message.ackAck({ timeout: ackTimeoutMs }).catch(() => {})
  try {
    await handleOnce(task, message)
    await done()
  } catch (cause) {
    const givenUp = await isGivenUp(task, message, cause)
    if (givenUp) await done()
    else message.nak(parts.pauseMs)
    parts.onFailure({ subject, durable, delivery: message.info.deliveryCount, givenUp, cause })
  } finally {
    clearInterval(beat)
  }
}

/** Asks the server to wait on. */
function prolong (message: JsMsg): void {
  try {
    message.working()
  } catch {
    // Its connection was closed: the message goes to another, and this handler's work is done twice.
  }
}

async function handleOnce<S extends Subject> (
  { subject, options, handle }: Task<S>, message: JsMsg
): Promise<void> {
  const event = decodeEvent(subject, message.string())
  if (message.info.deliveryCount > options.deliveriesMax) throw unseen(options.deliveriesMax)
  await handle(event)
}

async function isGivenUp<S extends Subject> (
  { subject, options }: Task<S>, message: JsMsg, cause: unknown
): Promise<boolean> {
  let event: EventOf<S>
  try {
    event = decodeEvent(subject, message.string())
  } catch {
    // No event: delivering it again cannot help.
    return true
  }
  if (message.info.deliveryCount < options.deliveriesMax) return false
  try {
    await options.onGivenUp?.(event, cause)
    return true
  } catch {
    return false
  }
}

/** Nobody noted how the deliveries ended. */
function unseen (deliveries: number): Problem {
  return new Problem('internal', `It was delivered ${deliveries} times in vain. Either the process ended each time before its handler did, or why it failed could not be noted; the log of the processes says which.`)
}
