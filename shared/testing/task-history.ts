/**
 * One history of work that survives, drawn from a seed: several workers on two hosts with wrong
 * clocks, over a store and a bus that fail, killed, paused, stopped and restarted at random and at
 * the worst moments, while a client opens, cancels, retries and deletes jobs. After a while faults
 * stop; then every acknowledged job has to settle, and the books have to balance.
 */
import { openTaskStates, type JobDoc } from '../tasks/records.ts'
import type { Task } from '../tasks/tasks.ts'
import { createSharedBus, type BusFaults } from './faulty-bus.ts'
import { createSharedStore, type SharedStore, type StoreFaults } from './faulty-store.ts'
import { seededRandom, type Random } from './random.ts'
import { createClient } from './task-client.ts'
import { createCluster, type Sabotage, type Trouble } from './task-cluster.ts'
import type { Journal } from './task-duties.ts'
import { audit } from './task-ledger.ts'
import { createWatch } from './task-watch.ts'
import { createWorld } from './virtual-time.ts'

const troubleMs = 45_000
/**
 * Poison that kills each process takes five restarts, with pauses of up to 30 s in between, and an
 * outage that does not end up to 141 s; the longest of a thousand histories took 266 s.
 */
const settleMaxMs = 360_000
const leaseMs = 6_000
/** How fast clocks run; 1 is right. */
const rates = [0.9, 1, 1.1] as const

export interface History {
  violations: string[]
  /** Virtual time from the end of the trouble until all was settled. */
  settledMs: number
  /** What happened, so that a test can see that histories are not all tame. */
  tally: Record<'kills' | 'pauses' | 'stops' | 'jobs' | 'tasks' | 'done' | 'dead' | 'lost' | 'calls', number>
}

const sound: StoreFaults = { failBefore: 0, failAfter: 0, late: 0, lateMs: 0 }

export async function runHistory (seed: number, sabotage: Sabotage = {}): Promise<History> {
  const random = seededRandom(seed)
  const trouble = drawTrouble(random)
  const storeFaults = drawStoreFaults(random)
  const busFaults = drawBusFaults(random)
  const world = createWorld()
  const journal: Journal = { calls: new Map(), throws: new Map(), finishes: [] }
  const store = createSharedStore({
    world,
    random,
    faults: () => world.now() < troubleMs ? storeFaults : sound,
    onChange: change => { watch.see(change) }
  })
  const watch = createWatch({
    now: world.now,
    documents: store.documents,
    leaseMs,
    rateMax: Math.max(...rates),
    storeIsSound: storeFaults === sound
  })
  const bus = createSharedBus({ world, random, faults: () => busFaults })
  const cluster = createCluster({ world, random, trouble, store, bus, journal, sabotage })
  cluster.start()
  const client = createClient({ world, random, anyJobs: cluster.anyJobs, untilMs: troubleMs })

  const isOver = (): boolean => watch.violations.length > 0 ||
    (world.now() >= troubleMs && client.isServed() && isSettled(store))
  const ended = await world.run(isOver, troubleMs + settleMaxMs)
  const settledMs = world.now() - troubleMs
  const views = client.askViews()
  if (ended && watch.violations.length === 0) await world.run(client.isServed, world.now() + 60_000)
  const books = { orders: client.orders, documents: store.documents, views, journal, watch }
  const violations = watch.violations.length > 0 ? watch.violations : audit(books)
  if (!ended) violations.push(`not settled ${settleMaxMs} ms after the trouble`)
  return { violations, settledMs, tally: { ...cluster.tally, ...tallyOf(store, journal) } }
}

function drawTrouble (random: Random): Trouble {
  const hosts = ['one', 'one', 'two'].slice(0, random.whole(1, 3))
  return {
    momentKill: random.pick([0, 0, 0.01, 0.03]),
    slots: hosts.map(host => ({ host, rate: random.pick(rates), offset: random.whole(0, 1e9) })),
    kills: random.whole(0, 4),
    pauses: random.whole(0, 3),
    stops: random.whole(0, 1),
    untilMs: troubleMs
  }
}

function drawStoreFaults (random: Random): StoreFaults {
  if (random.chance(0.4)) return sound
  return {
    failBefore: random.next() * 0.04,
    failAfter: random.next() * 0.04,
    late: 0.1,
    lateMs: random.pick([20, 500, 4_000])
  }
}

function drawBusFaults (random: Random): BusFaults {
  return { drop: random.next() / 2, double: 0.2, lateMs: 2_000 }
}

function isSettled ({ documents }: SharedStore): boolean {
  const jobs = [...documents.get('jobs-duty')?.values() ?? []] as JobDoc[]
  const tasks = [...documents.get('tasks')?.values() ?? []] as Task[]
  return jobs.every(({ phase }) => phase === 'settled') &&
    tasks.every(({ state }) => !openTaskStates.includes(state))
}

function tallyOf ({ documents }: SharedStore, journal: Journal) {
  const tasks = [...documents.get('tasks')?.values() ?? []] as Task[]
  const inState = (state: string): number => tasks.filter(task => task.state === state).length
  return {
    jobs: documents.get('jobs-duty')?.size ?? 0,
    tasks: tasks.length,
    done: inState('done'),
    dead: inState('dead'),
    lost: tasks.reduce((sum, { losses }) => sum + losses, 0),
    calls: [...journal.calls.values()].reduce((sum, calls) => sum + calls, 0)
  }
}
