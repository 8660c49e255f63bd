/** What one JSON call costs: CPU of the proxy, and calls a second beside nginx and beside no proxy. */
import { chatBody } from './bodies.ts'
import { median, type Figure, type Settings } from './figure.ts'
import { needPrograms, type Server } from './process.ts'
import { startBareProxy, startFastFake, startNginx, startProxy } from './servers.ts'
import { numberPlace, wrk } from './wrk.ts'

const connections = 64
const ask = `Item ${numberPlace}. `
const warmCalls = 20_000
const warmMsMax = 30_000

interface Side { name: string, server: Server, perSecond: number[], micros: number[] }

export async function jsonRequests (settings: Settings): Promise<Figure[]> {
  return await measure(settings, { what: 'JSON, 2 kB', body: chatBody({ ask }), barMicros: 120, barShare: 0.35 })
}

/** Streams of 50 tokens that come at once: what is left is the cost of the stream itself. */
export async function streamRequests (settings: Settings): Promise<Figure[]> {
  return await measure(settings, { what: '50-token stream', body: chatBody({ ask, stream: true }) })
}

/** Until the code is compiled, which takes calls and not seconds. */
async function warm (server: Server, body: string): Promise<void> {
  const began = performance.now()
  for (let calls = 0; calls < warmCalls && performance.now() - began < warmMsMax;) {
    calls += (await wrk(server.url, body, { connections, seconds: 2 })).requests
  }
}

interface Case { what: string, body: string, barMicros?: number, barShare?: number }

async function measure (settings: Settings, given: Case): Promise<Figure[]> {
  needPrograms(['nginx', 'wrk'])
  const fake = await startFastFake()
  const proxies = [
    { name: 'direct', server: fake },
    { name: 'nginx', server: await startNginx([fake.url]) },
    { name: 'bare node', server: await startBareProxy(fake.url) },
    { name: 'proxy', server: await startProxy({ urls: [fake.url], slots: 1024 }) }
  ]
  const sides: Side[] = proxies.map(side => ({ ...side, perSecond: [], micros: [] }))
  try {
    for (const { server } of sides) await warm(server, given.body)
    for (let round = 0; round < settings.rounds; round++) {
      for (const side of sides) {
        const before = side.server.cpuMicros()
        const load = await wrk(side.server.url, given.body, { connections, seconds: settings.seconds })
        if (load.errors > 0) throw new Error(`${side.name}: ${load.errors} of ${load.requests} requests failed`)
        side.perSecond.push(load.perSecond)
        side.micros.push((side.server.cpuMicros() - before) / load.requests)
      }
    }
  } finally { for (const { server } of sides.reverse()) await server.stop() }
  return figuresOf(sides, settings, given)
}

function figuresOf (sides: readonly Side[], settings: Settings, given: Case): Figure[] {
  const { what, barMicros, barShare } = given
  const n = `${settings.rounds} rounds of ${settings.seconds} s, ${connections} connections`
  const of = (name: string) => sides.find(side => side.name === name)!
  const micros = (name: string) => median(of(name).micros)
  const rate = (name: string) => median(of(name).perSecond)
  // Of the same round: the machine may have had less to give in another.
  const share = median(of('proxy').perSecond.map((each, round) => each / (of('nginx').perSecond[round] ?? NaN)))
  return [{
    what: `${what}: CPU of the proxy a request (bare node / nginx)`,
    ...barMicros !== undefined && { bar: `≤ ${barMicros} µs`, met: micros('proxy') <= barMicros },
    measured: `${micros('proxy').toFixed(0)} µs (${micros('bare node').toFixed(0)} / ${micros('nginx').toFixed(0)} µs)`,
    n,
    values: { proxyMicros: micros('proxy'), bareMicros: micros('bare node'), nginxMicros: micros('nginx') }
  }, {
    what: `${what}: requests a second, of nginx's (bare node; direct)`,
    ...barShare !== undefined && { bar: `≥ ${barShare}`, met: share >= barShare },
    measured: `${rate('proxy').toFixed(0)} / ${rate('nginx').toFixed(0)} = ${share.toFixed(2)} (${rate('bare node').toFixed(0)}; ${rate('direct').toFixed(0)})`,
    n,
    values: { proxy: rate('proxy'), nginx: rate('nginx'), bare: rate('bare node'), direct: rate('direct'), share }
  }]
}
