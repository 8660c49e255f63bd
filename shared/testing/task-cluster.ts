/** Simulated processes that do tasks; killed, paused, stopped, they come back as new ones. */
import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'
import type { JobKind, Jobs, Worker } from '../tasks/tasks.ts'
import { createWorker, type WorkerOptions } from '../tasks/worker.ts'
import type { SharedBus } from './faulty-bus.ts'
import type { SharedStore } from './faulty-store.ts'
import type { Random } from './random.ts'
import { simulatedKind, type Duty, type JobSpec, type Journal, type Result } from './task-duties.ts'
import { createNode, type SimulatedNode, type World } from './virtual-time.ts'

/** A way to break workers on purpose, to see whether a history tells. */
export interface Sabotage {
  worker?: Partial<WorkerOptions>
  isGone?: (process: string) => boolean
  store?: (store: Store, node: SimulatedNode) => Store
  kind?: (kind: JobKind<JobSpec, Duty>) => JobKind<JobSpec, Duty>
}

export interface Trouble {
  /** Probability of dying at each of the worst moments. */
  momentKill: number
  slots: ReadonlyArray<{ host: string, rate: number, offset: number }>
  kills: number
  pauses: number
  stops: number
  untilMs: number
}

export interface ClusterOptions {
  world: World
  random: Random
  trouble: Trouble
  store: SharedStore
  bus: SharedBus
  journal: Journal
  sabotage: Sabotage
}

export interface Cluster {
  start: () => void
  /** Jobs as a process that is up offers them, if one is. */
  anyJobs: () => Jobs<JobSpec> | undefined
  tally: { kills: number, pauses: number, stops: number }
}

interface Life { node: SimulatedNode, process: string, worker?: Worker, jobs?: Jobs<JobSpec> }

const silent = { debug () {}, info () {}, warn () {}, error () {} } as unknown as Logger

export function createCluster (options: ClusterOptions): Cluster {
  const { world, random, trouble } = options
  const lives = new Map<number, Life>()
  const dead = new Set<string>()
  const tally = { kills: 0, pauses: 0, stops: 0 }
  let processes = 0
  const isQuiet = (): boolean => world.now() >= trouble.untilMs

  function kill (slot: number, { node, process }: Life): void {
    if (!node.isAlive()) return
    node.kill()
    dead.add(process)
    tally.kills += 1
    world.at(world.now() + random.whole(0, isQuiet() ? 5_000 : 20_000), () => { live(slot) })
  }

  function live (slot: number): void {
    const { host, ...clock } = trouble.slots[slot] as Trouble['slots'][number]
    processes += 1
    const life: Life = { node: createNode(world, clock), process: `${host}/${processes}` }
    lives.set(slot, life)
    const probe = (): void => {
      if (!isQuiet() && random.chance(trouble.momentKill)) kill(slot, life)
    }
    const identity = {
      process: life.process,
      incarnation: `${((processes * 7) % 16).toString(16)}-${processes}`,
      isGone: options.sabotage.isGone ??
        ((other: string) => other.startsWith(`${host}/`) && dead.has(other))
    }
    const crash = (): void => { kill(slot, life) }
    // One that cannot start is started again, as a process would be.
    bringUp(options, life, { probe, identity, crash }).catch(crash)
  }

  function disturb (times: number, act: (slot: number, life: Life) => void): void {
    for (let time = 0; time < times; time++) {
      world.at(random.whole(0, trouble.untilMs), () => {
        const slot = random.whole(0, trouble.slots.length - 1)
        const life = lives.get(slot)
        if (life?.node.isAlive() === true) act(slot, life)
      })
    }
  }

  function pause (_slot: number, { node }: Life): void {
    tally.pauses += 1
    node.pause()
    const end = Math.min(world.now() + random.whole(1_000, 20_000), trouble.untilMs)
    world.at(end, () => { node.resume() })
  }

  function stop (slot: number, life: Life): void {
    tally.stops += 1
    void life.worker?.stop().then(() => { kill(slot, life) })
  }

  return {
    tally,
    start () {
      trouble.slots.forEach((_, slot) => { live(slot) })
      disturb(trouble.kills, kill)
      disturb(trouble.pauses, pause)
      disturb(trouble.stops, stop)
    },
    anyJobs () {
      const up = [...lives.values()].filter(({ node, jobs }) =>
        jobs !== undefined && node.awakeSince() !== undefined)
      return up.length === 0 ? undefined : random.pick(up).jobs
    }
  }
}

async function bringUp (
  { store, bus, journal, sabotage }: ClusterOptions, life: Life,
  { crash, ...own }: Pick<WorkerOptions, 'probe' | 'identity'> & { crash: () => void }
): Promise<void> {
  const { node, process } = life
  const plain = store.handle(node)
  const handle = sabotage.store?.(plain, node) ?? plain
  const worker = await createWorker({
    store: handle,
    bus: bus.handle(node),
    service: 'parsing',
    workerId: process,
    log: silent,
    clock: node.clock,
    ...own,
    ...sabotage.worker
  })
  const results = await handle.collection<Result>('results')
  const kind = simulatedKind({ clock: node.clock, crash, results, journal })
  life.jobs = await worker.define(sabotage.kind?.(kind) ?? kind)
  await worker.start()
  life.worker = worker
}
