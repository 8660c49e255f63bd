/**
 * A model server that does as it is told: the answers, the delays and the faults of a vLLM of a
 * given version, and a journal of what reached it. It shares no code with the proxy, so that
 * neither hides the other's faults. `npm run fake-vllm -- --help` starts one of its own.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { logicalClock, realClock } from './fake-vllm/clock.ts'
import { addScript, forgetScripts } from './fake-vllm/control.ts'
import { dialectOf } from './fake-vllm/dialect.ts'
import { fakeEngine } from './fake-vllm/engine.ts'
import { freshState, type Fake } from './fake-vllm/fake.ts'
import { journalOf, type Entry } from './fake-vllm/journal.ts'
import { resolveOptions, type ServerOptions } from './fake-vllm/options.ts'
import type { Behaviour } from './fake-vllm/plan.ts'
import { scriptRules, type Script } from './fake-vllm/scripts.ts'
import { serve } from './fake-vllm/server.ts'

export interface FakeOptions extends Partial<ServerOptions> {
  /** The n-th request from 0, GETs not counted; default ok. */
  behave?: (entry: Entry, nth: number) => Behaviour
  /** The text of an answer; null: words made from the request. Default: always these. */
  reply?: (body: Record<string, unknown>) => string | null
}

export interface FakeVllm {
  url: string
  /** Requests that ask for something, as they came. */
  journal: Entry[]
  /** GETs: lists of models, health, metrics. */
  probes: Entry[]
  /** Resolves when the n-th request (from 0) has ended. */
  ended: (nth: number) => Promise<Entry>
  /** Resolves when the n-th request (from 0) has arrived. */
  arrived: (nth: number) => Promise<Entry>
  /** As POST /__script. @throws Error that names the known scripts */
  script: (script: Script) => void
  forgetScripts: () => void
  /** Moves a logical clock on. @throws Error for a real one */
  tick: (ms: number) => Promise<void>
  /** Milliseconds of its clock; the journal's times. */
  now: () => number
  /** Gauges and counters, as /metrics shows them. */
  engine: Fake['engine']
  /** Resolves when it has died of the script `die`. */
  died: Promise<void>
  close: () => Promise<void>
}

export async function fakeVllm (given: FakeOptions = {}): Promise<FakeVllm> {
  const { behave = null, reply = null, ...rest } = given
  const options = resolveOptions(rest)
  const clock = options.clock === 'logical' ? logicalClock() : realClock()
  const server = createServer({
    keepAliveTimeout: options.keepAliveMs, requestTimeout: 0, headersTimeout: 0, maxHeaderSize: 65536
  })
  // Newer Nodes wait a second longer than told.
  Object.assign(server, { keepAliveTimeoutBuffer: 0 })
  let closed = false
  let died = () => {}
  const death = new Promise<void>(resolve => { died = resolve })
  const fake: Fake = {
    options,
    dialect: dialectOf(options.version),
    clock,
    engine: fakeEngine(options, clock),
    journal: journalOf(options.journalMax),
    probes: journalOf(Math.min(options.journalMax, 10_000)),
    scripts: scriptRules(),
    state: freshState(options.loras),
    reply,
    behave,
    refuse (ms) {
      const { port } = server.address() as AddressInfo
      server.close()
      server.closeIdleConnections()
      clock.after(ms, () => { if (!closed) server.listen({ port, host: options.host, backlog: 2_048 }) })
    },
    die () {
      closed = true
      server.close()
      server.closeAllConnections()
      died()
    }
  }
  server.on('connection', (socket: Socket) => {
    fake.state.sockets.add(socket)
    socket.once('close', () => { fake.state.sockets.delete(socket) })
  })
  server.on('request', (request, response) => {
    void serve(fake, request, response).catch(() => response.destroy())
  })
  // As uvicorn's.
  server.listen({ port: options.port, host: options.host, backlog: 2_048 })
  await once(server, 'listening')
  return {
    url: `http://${options.host}:${(server.address() as AddressInfo).port}`,
    journal: fake.journal.entries,
    probes: fake.probes.entries,
    ended: async nth => await fake.journal.until(nth, ({ endedBy }) => endedBy !== undefined),
    arrived: async nth => await fake.journal.until(nth, () => true),
    script (script) { addScript(fake, script) },
    forgetScripts () { forgetScripts(fake) },
    tick: clock.tick,
    now: clock.now,
    engine: fake.engine,
    died: death,
    async close () {
      closed = true
      const listening = server.listening
      server.close()
      server.closeAllConnections()
      if (listening) await once(server, 'close')
    }
  }
}
