/** The bus within one process. Messages are bounded and lost with it: the sweeper finds the work. */
import { Problem } from '../errors/problem.ts'
import type { EventOf, Subject } from '../contracts/events.ts'
import { checkOptions, type Bus, type ConsumeOptions, type DeliveryFailure } from './bus.ts'
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

export interface MemoryBus extends Bus {
  /** How many messages found their queue full, since the start. */
  dropped: () => number
}

interface Message { text: string, deliveries: number }
interface Member {
  concurrency: number
  deliveriesMax: number
  running: number
  handle: (text: string) => Promise<void>
  giveUp: (text: string, cause: unknown) => Promise<void>
}
type Settings = Required<Omit<MemoryBusOptions, 'onFailure'>> & Pick<MemoryBusOptions, 'onFailure'>

/** Those that share a durable name on a subject, and what waits for them. */
interface Group {
  durable: string
  /** Says whether there was room. */
  push: (text: string) => boolean
  join: (member: Member) => void
  /** Forgets what waits; resolves when the running handlers have ended. */
  close: () => Promise<void>
}

export function memoryBus (options: MemoryBusOptions = {}): MemoryBus {
  const settings = { pauseMs: 1_000, pendingMax: 10_000, setTimer: startTimer, ...options }
  const groups = new Map<string, Group[]>()
  /** Sent before anyone consumed the subject; the first who does gets them. */
  const early = new Map<string, Set<string>>()
  let dropped = 0
  let closed = false

  function refuseIfClosed (): void {
    if (closed) throw new Problem('shutting-down', 'The bus of this process has been closed.')
  }

  function keepEarly (subject: string, text: string): boolean {
    const texts = early.get(subject) ?? new Set()
    early.set(subject, texts)
    // What is told again and again until someone listens waits once.
    if (texts.size < settings.pendingMax) texts.add(text)
    return texts.has(text)
  }

  function groupFor (subject: string, durable: string): Group {
    const known = groups.get(subject) ?? []
    groups.set(subject, known)
    const found = known.find(group => group.durable === durable)
    if (found !== undefined) return found
    const made = groupOf({ subject, durable }, settings)
    known.push(made)
    for (const text of early.get(subject) ?? []) made.push(text)
    early.delete(subject)
    return made
  }

  return {
    async publish (subject, event) {
      refuseIfClosed()
      const text = encodeEvent(subject, event)
      const consumers = groups.get(subject)
      if (consumers === undefined) dropped += keepEarly(subject, text) ? 0 : 1
      for (const group of consumers ?? []) dropped += group.push(text) ? 0 : 1
    },
    async consume<S extends Subject> (
      subject: S, options: ConsumeOptions<S>, handle: (event: EventOf<S>) => Promise<void>
    ) {
      refuseIfClosed()
      schemaOf(subject)
      checkOptions(options)
      const { durable, concurrency, deliveriesMax, onGivenUp } = options
      groupFor(subject, durable).join({
        concurrency,
        deliveriesMax,
        running: 0,
        // Never in the publisher's turn: publishing must not wait for, or fail with, a handler.
        handle: async text => {
          await Promise.resolve()
          await handle(decodeEvent(subject, text))
        },
        giveUp: async (text, cause) => { await onGivenUp?.(decodeEvent(subject, text), cause) }
      })
    },
    async close () {
      closed = true
      await Promise.all([...groups.values()].flat().map(async group => await group.close()))
    },
    connected: () => !closed,
    dropped: () => dropped
  }
}

function groupOf ({ subject, durable }: { subject: string, durable: string }, settings: Settings): Group {
  const { pauseMs, pendingMax, setTimer, onFailure } = settings
  const queue: Message[] = []
  /** In their pause before the next delivery, with what calls it off. */
  const paused = new Map<Message, () => void>()
  const members: Member[] = []
  const running = new Set<Promise<void>>()
  let closed = false

  function deliver (): void {
    while (queue.length > 0) {
      const member = freeMember(members)
      if (member === undefined) return
      const run = handleOnce(member, queue.shift() as Message)
      running.add(run)
      void run.finally(() => {
        running.delete(run)
        deliver()
      })
    }
  }

  async function handleOnce (member: Member, message: Message): Promise<void> {
    member.running++
    message.deliveries++
    try {
      await member.handle(message.text)
    } catch (cause) {
      const givenUp = message.deliveries >= member.deliveriesMax && await giveUp(member, message, cause)
      if (!givenUp && !closed) deliverLater(message)
      onFailure?.({ subject, durable, delivery: message.deliveries, givenUp, cause })
    } finally {
      member.running--
    }
  }

  function deliverLater (message: Message): void {
    paused.set(message, setTimer(() => {
      paused.delete(message)
      queue.push(message)
      deliver()
    }, pauseMs))
  }

  return {
    durable,
    push (text) {
      if (queue.length + paused.size >= pendingMax) return false
      queue.push({ text, deliveries: 0 })
      deliver()
      return true
    },
    join (member) {
      members.push(member)
      deliver()
    },
    async close () {
      closed = true
      for (const callOff of paused.values()) callOff()
      paused.clear()
      queue.length = 0
      await Promise.all(running)
    }
  }
}

async function giveUp (member: Member, { text }: Message, cause: unknown): Promise<boolean> {
  return await member.giveUp(text, cause).then(() => true, () => false)
}

/** The member with a free place that has least to do. */
function freeMember (members: readonly Member[]): Member | undefined {
  let best: Member | undefined
  for (const member of members) {
    const free = member.running < member.concurrency
    if (free && (best === undefined || member.running < best.running)) best = member
  }
  return best
}

function startTimer (callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}
