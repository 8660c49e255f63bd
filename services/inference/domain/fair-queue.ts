/**
 * What waits for one model: bands of priority, in each the callers, of each its groups, and in a
 * group first come, first served. Callers share by tokens, and so do the groups of one caller.
 * Which band is next is decided by each upstream's turns, for one upstream may serve several queues.
 */
import type { Band } from './call.ts'
import { fairShare, type FairShare, type Flow } from './fair-share.ts'
import { hasRoom, type Holding, type QueueRoom } from './queue-room.ts'

const bands = [0, 1, 2] as const satisfies readonly Band[]

/** So many places may one be overtaken, within its group, by those an upstream would rather have. */
const overtakenMax = 256

export interface Offer {
  caller: string
  group: string
  band: Band
  /** Estimate; at least 1 is counted. */
  tokens: number
  bytes: number
}

/** A place in the queue, to leave it by. */
export interface Ticket<T extends Offer> {
  readonly offer: T
  /** Its rank in its group, by arrival. */
  number: number
  /** Null once it has left. */
  group: Group<T> | null
  before: Ticket<T> | null
  after: Ticket<T> | null
}

interface Group<T extends Offer> extends Flow {
  readonly caller: Caller<T>
  first: Ticket<T> | null
  last: Ticket<T> | null
  /** How many have come to it. */
  count: number
}

interface Caller<T extends Offer> extends Flow {
  readonly groups: FairShare<Group<T>>
}

export interface FairQueue<T extends Offer> {
  /** How many wait, by band. */
  readonly waiting: readonly [number, number, number]
  readonly size: number
  /** Null when there is no room, for anybody or for this caller. */
  offer: (offer: T) => Ticket<T> | null
  /** The next of a band, unless `take` finds one of its group that is preferred. */
  peek: (band: Band) => T | undefined
  /** @param prefers whether one should pass the first of its group, by a bounded number of places */
  take: (band: Band, prefers?: (offer: T) => boolean) => T | undefined
  /** Takes it out, charging nobody; false when it had left already. */
  remove: (ticket: Ticket<T>) => boolean
}

/** @param room shared by all queues of the process; their memory is one */
export function fairQueue<T extends Offer> (room: QueueRoom): FairQueue<T> {
  const callers = bands.map(() => fairShare<Caller<T>>())
  const waiting: [number, number, number] = [0, 0, 0]
  const holdings = new Map<string, Holding>()

  const callersOf = (band: Band) => callers[band] as FairShare<Caller<T>>

  function groupFor ({ band, caller: callerKey, group: groupKey }: T): Group<T> {
    const known = callersOf(band).find(callerKey)
    const caller = known ?? { key: callerKey, place: -1, start: 0, turn: 0, groups: fairShare<Group<T>>(100) }
    if (known === undefined) callersOf(band).wake(caller)
    const group = caller.groups.find(groupKey)
    if (group !== undefined) return group
    const fresh = { key: groupKey, place: -1, start: 0, turn: 0, caller, first: null, last: null, count: 0 }
    caller.groups.wake(fresh)
    return fresh
  }

  function hold ({ caller, bytes }: T): void {
    const holding = holdings.get(caller)
    if (holding === undefined) holdings.set(caller, { count: 1, bytes })
    else { holding.count += 1; holding.bytes += bytes }
    room.count += 1
    room.bytes += bytes
  }

  function release ({ caller, bytes }: T): void {
    const holding = holdings.get(caller) as Holding
    holding.count -= 1
    holding.bytes -= bytes
    if (holding.count === 0) holdings.delete(caller)
    room.count -= 1
    room.bytes -= bytes
  }

  function leave (ticket: Ticket<T>, group: Group<T>): void {
    unlink(ticket, group)
    waiting[ticket.offer.band] -= 1
    release(ticket.offer)
    if (group.first !== null) return
    group.caller.groups.sleep(group)
    if (group.caller.groups.size === 0) callersOf(ticket.offer.band).sleep(group.caller)
  }

  const nextGroup = (band: Band) => callersOf(band).first()?.groups.first()

  return {
    waiting,
    get size () { return waiting[0] + waiting[1] + waiting[2] },
    offer (offer) {
      if (!hasRoom(room, holdings.get(offer.caller) ?? { count: 0, bytes: 0 }, offer.bytes)) return null
      const ticket = append({ offer, number: 0, group: null, before: null, after: null }, groupFor(offer))
      waiting[offer.band] += 1
      hold(offer)
      return ticket
    },
    peek: band => nextGroup(band)?.first?.offer,
    take (band, prefers) {
      const group = nextGroup(band)
      if (group === undefined) return undefined
      const ticket = choose(group.first as Ticket<T>, prefers)
      const tokens = Math.max(1, ticket.offer.tokens)
      group.caller.groups.served(group, tokens)
      callersOf(band).served(group.caller, tokens)
      leave(ticket, group)
      return ticket.offer
    },
    remove (ticket) {
      if (ticket.group === null) return false
      leave(ticket, ticket.group)
      return true
    }
  }
}

/** The first that is preferred among those that may pass the group's first; else that. */
function choose<T extends Offer> (first: Ticket<T>, prefers?: (offer: T) => boolean): Ticket<T> {
  if (prefers === undefined) return first
  for (let ticket: Ticket<T> | null = first; ticket !== null; ticket = ticket.after) {
    if (ticket.number - first.number > overtakenMax) break
    if (prefers(ticket.offer)) return ticket
  }
  return first
}

function append<T extends Offer> (ticket: Ticket<T>, group: Group<T>): Ticket<T> {
  ticket.group = group
  ticket.number = group.count++
  ticket.before = group.last
  if (group.last === null) group.first = ticket
  else group.last.after = ticket
  group.last = ticket
  return ticket
}

function unlink<T extends Offer> (ticket: Ticket<T>, group: Group<T>): void {
  if (ticket.before === null) group.first = ticket.after
  else ticket.before.after = ticket.after
  if (ticket.after === null) group.last = ticket.before
  else ticket.after.before = ticket.before
  ticket.group = null
  ticket.before = null
  ticket.after = null
}
