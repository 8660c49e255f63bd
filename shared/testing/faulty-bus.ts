/** A bus that drops, doubles, delays and so reorders messages, and never says so. */
import type { Bus } from '../bus/bus.ts'
import type { Random } from './random.ts'
import type { SimulatedNode, World } from './virtual-time.ts'

export interface BusFaults { drop: number, double: number, lateMs: number }

export interface SharedBus { handle: (node: SimulatedNode) => Bus }

interface Consumer { node: SimulatedNode, handle: (event: never) => Promise<void> }

export function createSharedBus (
  { world, random, faults }: { world: World, random: Random, faults: () => BusFaults }
): SharedBus {
  const consumers = new Map<string, Consumer[]>()

  function send (subject: string, event: object): void {
    world.at(world.now() + random.whole(0, faults().lateMs), () => {
      const alive = (consumers.get(subject) ?? []).filter(({ node }) => node.isAlive())
      if (alive.length === 0) return
      const { node, handle } = random.pick(alive)
      node.deliver(() => { handle(event as never).catch(() => {}) })
    })
  }

  return {
    handle: node => ({
      async publish (subject, event) {
        const { drop, double } = faults()
        if (!node.isAlive() || random.chance(drop)) return
        send(subject, event)
        if (random.chance(double)) send(subject, event)
      },
      async consume (subject, _options, handle) {
        consumers.set(subject, [...consumers.get(subject) ?? [], { node, handle }])
      },
      connected: () => true,
      close: async () => {}
    })
  }
}
