/** Many streams at once: CPU of a forwarded chunk, and memory of a stream. */
import { chatBody } from './bodies.ts'
import { callerOf, rest, type Asked } from './calls.ts'
import { median, type Figure, type Settings } from './figure.ts'
import { needPrograms, type Server } from './process.ts'
import { startBareProxy, startFastFake, startNginx, startProxy } from './servers.ts'

/** 12 tokens a second in each stream: with fewer at once they would not come one by one. */
const chunkMs = 80
const endless = chatBody({
  stream: true, maxTokens: 1_000_000, extra: { stream_options: { include_usage: true } }
})
const settleMs = 1_500

interface Streams {
  /** Events that have come, of all. */
  events: () => number
  end: () => Promise<void>
}

/** Opens `count` streams that go on; resolves when each has begun. */
async function openStreams (url: string, count: number): Promise<Streams> {
  const caller = callerOf(url)
  const seen = { begun: 0, ended: 0, bytes: 0 }
  const asked: Asked[] = []
  const data = (chunk: Buffer): void => { seen.bytes += chunk.length }
  for (let nth = 0; nth < count; nth++) {
    const one = caller.ask(endless, { first: () => { seen.begun++ }, data })
    one.done.finally(() => { seen.ended++ }).catch(() => {})
    asked.push(one)
    // A listen queue holds only so many.
    if (nth % 64 === 63) await rest(20)
  }
  for (let waited = 0; seen.begun < count; waited++) {
    if (seen.ended > 0 || waited > 600) throw new Error(`Of ${count} streams ${seen.begun} began, ${seen.ended} ended`)
    await rest(50)
  }
  const firstBytes = seen.bytes
  return {
    events: () => Math.round((seen.bytes - firstBytes) / eventBytes),
    async end () {
      if (seen.ended > 0) throw new Error(`${seen.ended} of ${count} streams broke`)
      for (const { leave } of asked) leave()
      await caller.close()
      await rest(300)
    }
  }
}

/** Of the fake's chunks with a word. */
const eventBytes = 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"fake-model","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}]}\n\n'.length

export async function chunks (settings: Settings): Promise<Figure[]> {
  needPrograms(['nginx'])
  const fake = await startFastFake(chunkMs)
  const sides: Array<[string, Server]> = [
    ['nginx', await startNginx([fake.url])],
    ['bare node', await startBareProxy(fake.url)],
    ['proxy', await startProxy({ urls: [fake.url], slots: 2048 })]
  ]
  const figures: Figure[] = []
  try {
    for (const [, { url }] of sides) await (await openStreams(url, 256)).end()
    for (const count of [256, 512]) {
      const micros = new Map<string, number[]>(sides.map(([name]) => [name, []]))
      for (let round = 0; round < settings.rounds; round++) {
        for (const [name, server] of sides) {
          micros.get(name)!.push(await microsOfChunk(server, count, settings))
        }
      }
      const of = (name: string) => median(micros.get(name) ?? [])
      figures.push({
        what: `${count} streams: CPU of the proxy a chunk (bare node / nginx)`,
        bar: '≤ 30 µs',
        met: of('proxy') <= 30,
        measured: `${of('proxy').toFixed(1)} µs (${of('bare node').toFixed(1)} / ${of('nginx').toFixed(1)} µs)`,
        n: `${settings.rounds} rounds of ${settings.seconds} s, ${(count * 1000 / chunkMs).toFixed(0)} chunks/s`,
        values: { streams: count, proxyMicros: of('proxy'), bareMicros: of('bare node'), nginxMicros: of('nginx') }
      })
    }
  } finally {
    for (const [, server] of sides) await server.stop()
    await fake.stop()
  }
  return figures
}

async function microsOfChunk (server: Server, count: number, { seconds }: Settings): Promise<number> {
  const streams = await openStreams(server.url, count)
  await rest(settleMs)
  const [eventsBefore, cpuBefore] = [streams.events(), server.cpuMicros()]
  await rest(seconds * 1_000)
  const [events, micros] = [streams.events() - eventsBefore, server.cpuMicros() - cpuBefore]
  await streams.end()
  return micros / events
}

const streamsAtOnce = 1024
const streamKbMax = 200

/** In a process of its own each time, for memory once taken is hardly given back. */
export async function memory ({ rounds }: Settings): Promise<Figure[]> {
  const fake = await startFastFake(chunkMs)
  const kilobytes: Record<'proxy' | 'bare', number[]> = { proxy: [], bare: [] }
  try {
    for (let round = 0; round < Math.min(3, rounds); round++) {
      kilobytes.bare.push(await kilobytesOfStream(await startBareProxy(fake.url)))
      kilobytes.proxy.push(await kilobytesOfStream(await startProxy({ urls: [fake.url], slots: 2048 })))
    }
  } finally { await fake.stop() }
  const [proxy, bare] = [median(kilobytes.proxy), median(kilobytes.bare)]
  return [{
    what: `${streamsAtOnce} streams at once: memory of one (bare node)`,
    bar: `≤ ${streamKbMax} kB`,
    met: proxy <= streamKbMax,
    measured: `${proxy.toFixed(0)} kB (${bare.toFixed(0)} kB)`,
    n: `${kilobytes.proxy.length} fresh processes, resident after 6 s less resident idle`,
    values: { proxyKb: proxy, bareKb: bare }
  }]
}

async function kilobytesOfStream (server: Server): Promise<number> {
  try {
    await (await openStreams(server.url, 32)).end()
    const idle = server.residentKb()
    const streams = await openStreams(server.url, streamsAtOnce)
    await rest(6_000)
    const busy = server.residentKb()
    await streams.end()
    return (busy - idle) / streamsAtOnce
  } finally { await server.stop() }
}
