/** The bus within one process. Messages are bounded and lost with it: the sweeper finds the work. */
import { Problem } from '../errors/problem.ts'
import type { EventOf, Subject } from '../contracts/events.ts'
import type { Bus, ConsumeOptions } from './bus.ts'
import { decodeEvent, encodeEvent, schemaOf } from './message.ts'

interface MemoryBusOptions {
  /** Before a message is delivered again; default 1,000. */
  pauseMs?: number
  /** Messages that wait for one consumer; further ones are dropped, and counted. Default 10,000. */
  pendingMax?: number
  /** Calls back after `ms`; what it returns calls that off. For tests. */
  setTimer?: (callback: () => void, ms: number) => () => void
  /** Told of every handler that threw, and whether its message was thereby given up. */
  onFailure?: (failure: DeliveryFailure) => void
}

export interface DeliveryFailure {
  subject: string
  durable: string
  delivery: number
  givenUp: boolean
  cause: unknown
}

export interface MemoryBus extends Bus {
  /** How many messages found their queue full, since the start. */
  dropped: () => number
}

interface Message { text: string, deliveries: number }
type Handle = (text: string) => Promise<void>
interface Member { options: ConsumeOptions, running: number, handle: Handle }
/** Those that share a durable name on a subject, and what waits for them. */
interface Group {
  subject: string
  durable: string
  queue: Message[]
  /** In their pause before the next delivery, with what calls it off. */
  paused: Map<Message, () => void>
  members: Member[]
}

export function memoryBus (options: MemoryBusOptions = {}): MemoryBus {
  const { pauseMs = 1_000, pendingMax = 10_000, setTimer = startTimer, onFailure } = options
  const groups = new Map<string, Group[]>()
  /** Sent before anyone consumed the subject; the first who does gets them. */
  const early = new Map<string, Message[]>()
  const running = new Set<Promise<void>>()
  let dropped = 0
  let closed = false

  function refuseIfClosed (): void {
    if (closed) throw new Problem('shutting-down', 'The bus of this process has been closed.')
  }

  function deliver (group: Group): void {
    while (group.queue.length > 0) {
      const member = freeMember(group.members)
      if (member === undefined) return
      const message = group.queue.shift() as Message
      const run = handleOnce(group, member, message)
      running.add(run)
      void run.finally(() => {
        running.delete(run)
        deliver(group)
      })
    }
  }

  async function handleOnce (group: Group, member: Member, message: Message): Promise<void> {
    member.running++
    message.deliveries++
    try {
      await member.handle(message.text)
    } catch (cause) {
      const givenUp = message.deliveries >= member.options.deliveriesMax
      const { subject, durable } = group
      onFailure?.({ subject, durable, delivery: message.deliveries, givenUp, cause })
      if (!givenUp && !closed) deliverLater(group, message)
    } finally {
      member.running--
    }
  }

  function deliverLater (group: Group, message: Message): void {
    group.paused.set(message, setTimer(() => {
      group.paused.delete(message)
      group.queue.push(message)
      deliver(group)
    }, pauseMs))
  }

  function enqueue (queue: Message[], waiting: number, text: string): void {
    if (waiting >= pendingMax) dropped++
    else queue.push({ text, deliveries: 0 })
  }

  return {
    async publish (subject, event) {
      refuseIfClosed()
      const text = encodeEvent(subject, event)
      const consumers = groups.get(subject)
      if (consumers === undefined) {
        const queue = early.get(subject) ?? []
        early.set(subject, queue)
        enqueue(queue, queue.length, text)
      }
      for (const group of consumers ?? []) {
        enqueue(group.queue, group.queue.length + group.paused.size, text)
        deliver(group)
      }
    },
    async consume<S extends Subject> (
      subject: S, options: ConsumeOptions, handle: (event: EventOf<S>) => Promise<void>
    ) {
      refuseIfClosed()
      schemaOf(subject)
      checkOptions(options)
      const known = groups.get(subject) ?? []
      groups.set(subject, known)
      let group = known.find(({ durable }) => durable === options.durable)
      if (group === undefined) {
        const queue = early.get(subject) ?? []
        early.delete(subject)
        group = { subject, durable: options.durable, queue, paused: new Map(), members: [] }
        known.push(group)
      }
      group.members.push({
        options,
        running: 0,
        // Never in the publisher's turn: publishing must not wait for, or fail with, a handler.
        handle: async text => {
          await Promise.resolve()
          await handle(decodeEvent(subject, text))
        }
      })
      deliver(group)
    },
    async close () {
      closed = true
      for (const { paused, queue } of [...groups.values()].flat()) {
        for (const callOff of paused.values()) callOff()
        paused.clear()
        queue.length = 0
      }
      await Promise.all(running)
    },
    dropped: () => dropped
  }
}

/** The member with a free place that has least to do. */
function freeMember (members: readonly Member[]): Member | undefined {
  let best: Member | undefined
  for (const member of members) {
    const free = member.running < member.options.concurrency
    if (free && (best === undefined || member.running < best.running)) best = member
  }
  return best
}

function checkOptions ({ durable, concurrency, deliveriesMax }: ConsumeOptions): void {
  if (!/^[\w-]+$/.test(durable)) throw new TypeError(`${JSON.stringify(durable)} is no name for a consumer: letters, digits, _ and -`)
  for (const [name, value] of Object.entries({ concurrency, deliveriesMax })) {
    if (!Number.isInteger(value) || value < 1) throw new RangeError(`${name} is a whole number from 1, not ${value}`)
  }
}

function startTimer (callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}
