/**
 * Seeded histories of a dispatcher: calls come, end in every way and leave; servers sleep, drain,
 * change their slots, go and come back; time passes. After every step it is compared with what may be.
 */
import { seededRandom, type Random } from '../../../shared/testing/random.ts'
import type { Band } from '../domain/call.ts'
import type { Replica } from '../domain/replica.ts'
import type { Ended } from '../handlers/dispatcher.ts'
import { answered, givenDispatcher, givenReplica, whereOf, type Asked } from './given-dispatcher.ts'

interface Member {
  asked: Asked
  controller: AbortController
  excluding: boolean
  deadline: number
  leftAt: number | null
  /** What became of it has been checked. */
  seen: boolean
  released: boolean
}

interface History {
  random: Random
  given: ReturnType<typeof givenDispatcher>
  members: Member[]
  /** When a server last changed; dispatchers see that within a second. */
  disturbedAt: number
}

const models = ['m', 'n']
const names = ['a', 'b', 'c']
const seenWithinMs = 1100

function freshReplica (name: string, random: Random): Replica {
  return givenReplica({
    name,
    slots: random.whole(1, 3),
    models: random.pick([models, models, ['m'], ['n']]),
    capabilities: random.chance(0.5) ? ['vision'] : [],
    weight: random.whole(1, 3)
  })
}

/** What was not as it must be; empty when all was. */
export async function violationOf (seed: number): Promise<string> {
  const random = seededRandom(seed)
  const given = givenDispatcher({
    upstreams: [], waitingMax: random.pick([3, 20, 1000]), random: random.next
  })
  given.replicas.push(...names.map(name => freshReplica(name, random)))
  const history = { random, given, members: [], disturbedAt: 0 }
  for (let step = 0; step < 120; step++) {
    await act(history)
    await given.settle()
    const wrong = check(history)
    if (wrong !== '') return `seed ${seed}, step ${step}: ${wrong}`
  }
  const left = await windUp(history)
  return left === '' ? '' : `seed ${seed}, at the end: ${left}`
}

async function act (history: History): Promise<void> {
  const { random, given, members } = history
  const dice = random.next()
  const open = members.filter(({ asked }) => asked.endedAt === null)
  const held = members.filter(({ asked, released }) => asked.lease !== null && !released)
  if (dice < 0.45) members.push(come(random, given))
  else if (dice < 0.7 && held.length > 0) {
    const member = random.pick(held)
    member.released = true
    member.asked.lease?.release(endingOf(random))
    if (random.chance(0.2)) member.asked.lease?.release({ kind: 'fault' })
  } else if (dice < 0.8 && open.length > 0) {
    const member = random.pick(open)
    member.leftAt = given.now()
    member.controller.abort(new Error('left'))
  } else if (dice < 0.92) await given.pass(random.pick([1, 90, 700, 3000]))
  else {
    disturb(random, given.replicas)
    history.disturbedAt = given.now()
  }
}

function come (random: Random, given: History['given']): Member {
  const controller = new AbortController()
  const deadlineMs = random.pick([100, 3000, 60_000])
  const excluding = random.chance(0.2)
  const asked = given.ask({
    model: random.pick(models),
    caller: `c${random.whole(0, 2)}`,
    group: `g${random.whole(0, 1)}`,
    band: random.whole(0, 2) as Band,
    tokens: random.whole(0, 5000),
    bytes: random.whole(0, 1000),
    needs: random.chance(0.2) ? ['vision'] : [],
    prefix: [0, 1, 2].map(depth => `p${random.whole(0, 3)}.${depth}`),
    signal: controller.signal
  }, { exclude: excluding ? [random.pick(names)] : [], deadlineMs })
  const deadline = given.now() + deadlineMs
  return { asked, controller, excluding, deadline, leftAt: null, seen: false, released: false }
}

function endingOf (random: Random): Ended {
  const kind = random.pick(['answered', 'answered', 'answered', 'fault', 'refused', 'cancelled', 'busy'] as const)
  if (kind === 'answered') return answered
  if (kind === 'cancelled') return { kind, form: 'stream', heardAt: -Infinity }
  return kind === 'busy' ? { kind, retryAfterMs: random.pick([null, 0, 500, 4000]) } : { kind }
}

function disturb (random: Random, replicas: Replica[]): void {
  const at = random.whole(0, replicas.length - 1)
  const replica = replicas[at] as Replica
  const { upstream, probe } = replica
  const kind = random.whole(0, 4)
  if (kind === 0) replica.upstream = { ...upstream, draining: upstream.draining !== true }
  else if (kind === 1) replica.probe = { ...probe, state: random.pick(['up', 'sleeping', 'down']) }
  else if (kind === 2) replica.upstream = { ...upstream, slots: random.whole(1, 4) }
  else if (kind === 3) {
    replica.load = { running: random.whole(0, 9), waiting: random.whole(0, 9), kvUsage: null, at: 0 }
  } else replicas[at] = { ...freshReplica(upstream.name, random), inFlight: replica.inFlight }
}

function check (history: History): string {
  const { given, members } = history
  const { waiting, upstreams } = given.observe()
  const inFlight = new Map<string, number>()
  for (const member of members) {
    const where = whereOf(member.asked)
    if (where !== undefined && !member.released) inFlight.set(where, (inFlight.get(where) ?? 0) + 1)
    const wrong = checkOne(history, member)
    if (wrong !== '') return `${member.asked.call.id} ${wrong}`
  }
  const open = members.filter(({ asked }) => asked.endedAt === null)
  if (open.length !== waiting) return `${open.length} wait, ${waiting} are counted`
  for (const { name, inFlight: counted } of upstreams) {
    const held = inFlight.get(name) ?? 0
    if (counted !== held) return `${name} has ${held} under way, ${counted} are counted`
  }
  return idleSlot(history, open)
}

function checkOne ({ given, disturbedAt }: History, member: Member): string {
  const { asked: { lease, error, endedAt, call }, leftAt, deadline, seen } = member
  if (lease !== null && error !== null) return 'got both a lease and an error'
  if (endedAt === null) {
    if (leftAt !== null) return 'has left and waits still'
    return given.now() > deadline + 1 ? 'waits beyond its deadline' : ''
  }
  if (seen) return ''
  member.seen = true
  const kind = (error as { kind?: string } | null)?.kind
  if (kind === 'upstream-timeout' && endedAt < deadline) return 'ran out of time too soon'
  if (lease === null) return ''
  if (leftAt !== null && leftAt < endedAt) return 'got a lease though it had left'
  if (endedAt > deadline) return 'got a lease after its deadline'
  const { replica: { upstream, probe, inFlight }, served } = lease.target
  if (served !== `${call.body.model}@${upstream.name}`) return `is served as ${served}`
  if (endedAt - disturbedAt < seenWithinMs) return ''
  if (upstream.draining === true || probe.state !== 'up') return `was sent to ${upstream.name}, which is away`
  if (inFlight > (upstream.slots ?? 0)) return `was sent to ${upstream.name}, which was full`
  return ''
}

/** A slot nobody uses though somebody waits who could. */
function idleSlot ({ given, disturbedAt }: History, open: Member[]): string {
  if (given.now() - disturbedAt < seenWithinMs) return ''
  for (const { name, inFlight, slots, breaker, suspected, pausedMs } of given.observe().upstreams) {
    // One that may hang has one call at a time.
    if (suspected && inFlight > 0) continue
    const replica = given.replicas.find(({ upstream }) => upstream.name === name)
    if (replica === undefined || breaker !== 'closed' || pausedMs > 0 || inFlight >= slots) continue
    const { upstream: { models: offered = [], capabilities, draining }, probe } = replica
    if (draining === true || probe.state !== 'up') continue
    const waiter = open.find(({ asked: { call }, excluding }) => !excluding &&
      offered.includes(call.body.model) && call.needs.every(need => capabilities.includes(need)))
    if (waiter !== undefined) return `${name} has ${slots - inFlight} free slots, and ${waiter.asked.call.id} waits`
  }
  return ''
}

async function windUp ({ given, members }: History): Promise<string> {
  const isOpen = ({ released, asked }: Member) => !released && asked.error === null
  for (let round = 0; round < 200 && members.some(isOpen); round++) {
    for (const member of members) {
      if (member.asked.lease === null || member.released) continue
      member.released = true
      member.asked.lease.release(answered)
    }
    await given.pass(500)
  }
  const { waiting, waitingBytes, upstreams, queues } = given.observe()
  const clean = waiting === 0 && waitingBytes === 0 && queues.length === 0 &&
    upstreams.every(({ inFlight }) => inFlight === 0)
  return clean ? '' : JSON.stringify(given.observe())
}
