/** How much later the first byte of a stream comes for going through the proxy. */
import { chatBody } from './bodies.ts'
import { callerOf, inTurns, type Caller } from './calls.ts'
import { milliseconds, quantile, type Figure, type Settings } from './figure.ts'
import { needPrograms } from './process.ts'
import { startFastFake, startNginx, startProxy } from './servers.ts'

const body = chatBody({ stream: true, maxTokens: 4 })
const callsARound = 400

export async function firstByte ({ rounds }: Settings): Promise<Figure[]> {
  needPrograms(['nginx'])
  const fake = await startFastFake()
  const servers = [await startNginx([fake.url]), await startProxy({ urls: [fake.url], slots: 1024 })]
  const sides = [fake, ...servers].map(({ url }) => ({ caller: callerOf(url), ms: [] as number[] }))
  const figures: Figure[] = []
  try {
    for (const width of [1, 16]) {
      for (const side of sides) {
        await inTurns({ count: 500, width }, async () => { await once(side.caller) })
        side.ms.length = 0
      }
      for (let round = 0; round < rounds; round++) {
        for (const { caller, ms } of sides) {
          await inTurns({ count: callsARound, width }, async () => { ms.push(await once(caller)) })
        }
      }
      figures.push(figureOf(width, rounds, sides.map(({ ms }) => ms)))
    }
  } finally {
    for (const { caller } of sides) await caller.close()
    for (const server of [...servers, fake]) await server.stop()
  }
  return figures
}

async function once (caller: Caller): Promise<number> {
  const began = performance.now()
  let first = NaN
  await caller.ask(body, { first: at => { first = at } }).done
  return first - began
}

function figureOf (width: number, rounds: number, [direct = [], nginx = [], proxy = []]: number[][]): Figure {
  const added = (ms: number[], share: number) => quantile(ms, share) - quantile(direct, share)
  const both = (ms: number[]) => `${milliseconds(added(ms, 0.5))}, ${milliseconds(added(ms, 0.99))}`
  return {
    what: `first byte later by, ${width === 1 ? 'one call at a time' : `${width} at once`}: p50, p99 (nginx)`,
    measured: `${both(proxy)} (${both(nginx)})`,
    n: `${rounds} rounds of ${callsARound} on each side; direct ${milliseconds(quantile(direct, 0.5))}, ${milliseconds(quantile(direct, 0.99))}`,
    values: {
      width,
      p50Ms: added(proxy, 0.5),
      p99Ms: added(proxy, 0.99),
      nginxP50Ms: added(nginx, 0.5),
      nginxP99Ms: added(nginx, 0.99)
    }
  }
}
