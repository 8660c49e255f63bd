/** What befalls a cluster. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Host } from '../../../shared/testing/hosts.ts'
import { seededRandom } from '../../../shared/testing/random.ts'
import type { Strike, World } from './under-load.ts'

/** Longer than the lease of 6 s, by more than a heartbeat and a sweep. */
const pausedMs = 11_000
const apartMs = 8_000
const restMaxMs = 1_000
const progressMaxMs = 60_000

/**
 * One after another, each when the cluster works again after the one before.
 *
 * @param onOver  told how long, in ms, each service with work stood still after that strike
 */
export function inTurn (
  strikes: Record<string, Strike>, onOver: (name: string, stalls: Record<string, number>) => void
): Strike {
  return async world => {
    let faults = 0
    world.stalls.read()
    for (const [name, strike] of Object.entries(strikes)) {
      faults += await strike(world)
      world.stalls.forgive()
      world.stalls.read()
      await progress(world)
      onOver(name, world.stalls.read())
    }
    return faults
  }
}

/**
 * Processes die at random moments and come back at once; NATS is one of them. Each dies once before
 * any dies again, in an order of chance.
 */
export function randomKills (count: number, seed: number, onKill: (name: string) => void = () => {}): Strike {
  const random = seededRandom(seed)
  return async ({ cluster, nats, stalls }) => {
    let left: string[] = []
    for (let kill = 0; kill < count; kill++) {
      if (left.length === 0) left = [...cluster.names, 'nats']
      const name = random.pick(left)
      left = left.filter(other => other !== name)
      await pause(random.next() * restMaxMs)
      onKill(name)
      if (name === 'nats') {
        await nats.kill()
        await nats.start()
      } else await cluster.restart(name)
      stalls.forgive()
    }
    return count
  }
}

export const wipeNats: Strike = async ({ nats }) => {
  await nats.kill()
  await nats.wipe()
  await nats.start()
  return 1
}

/** They stand still for longer than their lease, others take their work, and then they wake. */
export function pauseReplicas (names: readonly string[]): Strike {
  return async ({ cluster }) => {
    for (const name of names) cluster.pause(name)
    await pause(pausedMs)
    for (const name of names) cluster.resume(name)
    return names.length
  }
}

/** Neither side hears of the other, and both go on as far as they can alone. */
export function cutOff (host: Host): Strike {
  return async () => {
    await host.cut()
    await pause(apartMs)
    await host.join()
    return 1
  }
}

/** Until a further walk has ended: the cluster works again, whatever was before. */
async function progress ({ walked }: World): Promise<void> {
  const before = walked()
  const until = performance.now() + progressMaxMs
  while (walked() === before) {
    if (performance.now() > until) throw new Error(`No walk has ended within ${progressMaxMs} ms of a fault`)
    await pause(50)
  }
}
