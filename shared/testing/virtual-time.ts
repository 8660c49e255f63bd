/**
 * A world in one process in which time passes only when nothing else can happen. Nodes live in
 * it: each has a clock of its own, wrong in its own way, and can be killed, paused and resumed at
 * any moment between two events, as a process can.
 */
import type { Clock } from '../tasks/clock.ts'

interface Event { at: number, order: number, call: () => void }

export interface World {
  /** True time, in milliseconds; no node knows it. */
  now: () => number
  at: (ms: number, call: () => void) => void
  /** Lets time pass until `done`, or until `untilMs`; says whether it was done. */
  run: (done: () => boolean, untilMs: number) => Promise<boolean>
}

export function createWorld (): World {
  const events: Event[] = []
  let now = 0
  let order = 0

  return {
    now: () => now,
    at (ms, call) {
      order += 1
      push(events, { at: Math.max(ms, now), order, call })
    },
    async run (done, untilMs) {
      for (;;) {
        // All promises that can go on do so before time does.
        await new Promise(resolve => setImmediate(resolve))
        if (done()) return true
        const event = pop(events)
        if (event === undefined || event.at > untilMs) return false
        now = event.at
        event.call()
      }
    }
  }
}

export interface SimulatedNode {
  clock: Clock
  isAlive: () => boolean
  /** Since when it has worked without interruption, in true time; undefined while it cannot. */
  awakeSince: () => number | undefined
  /** Calls back in the node: never when it is dead, later when it is paused. */
  deliver: (call: () => void) => void
  kill: () => void
  pause: () => void
  resume: () => void
}

/** @param rate how fast its clock runs, 1 being right; @param offset its reading at time 0 */
export function createNode (
  world: World, { rate, offset }: { rate: number, offset: number }
): SimulatedNode {
  let alive = true
  let awakeSince: number | undefined = world.now()
  let missed: Array<() => void> = []

  function deliver (call: () => void): void {
    if (!alive) return
    if (awakeSince === undefined) missed.push(call)
    else call()
  }

  return {
    clock: {
      now: () => offset + world.now() * rate,
      after (ms, call) {
        let cancelled = false
        world.at(world.now() + ms / rate, () => {
          deliver(() => { if (!cancelled) call() })
        })
        return () => { cancelled = true }
      }
    },
    isAlive: () => alive,
    awakeSince: () => awakeSince,
    deliver,
    kill () {
      alive = false
      awakeSince = undefined
      missed = []
    },
    pause () { awakeSince = undefined },
    resume () {
      if (!alive || awakeSince !== undefined) return
      awakeSince = world.now()
      for (const call of missed.splice(0)) world.at(world.now(), () => { deliver(call) })
    }
  }
}

function isBefore (a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}

/** A binary heap, the earliest event first. */
function push (heap: Event[], event: Event): void {
  heap.push(event)
  for (let child = heap.length - 1; child > 0;) {
    const parent = (child - 1) >> 1
    if (!isBefore(heap[child] as Event, heap[parent] as Event)) return
    swap(heap, child, parent)
    child = parent
  }
}

function pop (heap: Event[]): Event | undefined {
  const first = heap[0]
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return first
  heap[0] = last
  for (let parent = 0; ;) {
    let least = parent
    for (const child of [2 * parent + 1, 2 * parent + 2]) {
      if (child < heap.length && isBefore(heap[child] as Event, heap[least] as Event)) least = child
    }
    if (least === parent) return first
    swap(heap, parent, least)
    parent = least
  }
}

function swap (heap: Event[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] as Event, heap[a] as Event]
}
