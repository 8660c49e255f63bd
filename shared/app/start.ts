/** Runs services in this process: one is a microservice, five are the suite. */
import { mkdir } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Static, TObject } from 'typebox'
import type { Bus } from '../bus/bus.ts'
import { keepDeadEvents } from '../bus/dead-events.ts'
import { httpCall } from '../clients/http-call.ts'
import { HouseConfig, readConfigs, type Env } from '../config/config.ts'
import { sha256 } from '../contracts/hash.ts'
import { createWorker } from '../tasks/worker.ts'
import { openBlobs, openBus, openStore } from './adapters.ts'
import { createApp } from './app.ts'
import { parseApiKeys, type ApiKey } from './auth.ts'
import { backlog } from './backlog.ts'
import { createDrain } from './drain.ts'
import { createLog } from './log.ts'
import { addBusMetric, addMetrics, type Metrics } from './metrics.ts'
import { addOperations, type Room } from './operations.ts'
import { openPrivateSocket } from './private-socket.ts'
import { type App, type Parts, type Running, type Service, type ServiceName, serviceNames } from './service.ts'

const drainTimeoutMs = 20_000

export interface Suite {
  url: string
  app: App
  /** Turns requests away, hands running tasks back, waits for answers, closes the stores. */
  close: () => Promise<void>
}

interface StartOptions { log?: Logger }

/**
 * Starts services together; resolves when they listen and take work.
 *
 * @throws Error whose message tells the user what to change
 */
export async function startServices (
  services: ReadonlyArray<Service<any>>, env: Env, options: StartOptions = {}
): Promise<Suite> {
  const [house, ...configs] = readConfigs([HouseConfig, ...services.map(({ config }) => config)], env)
  const keys = keysOf(house as HouseConfig)
  const log = options.log ?? createLog((house as HouseConfig).LOG_LEVEL)
  const closers: Array<() => Promise<unknown> | void> = []
  /** In the reverse order of opening, each once, whatever the others do. */
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) {
      try { await close() } catch (err) { log.error({ err }, 'closing failed') }
    }
  }
  try {
    return await assemble({ services, house: house as HouseConfig, configs, keys, log, closers, closeAll })
  } catch (cause) {
    await closeAll()
    throw explained(cause, house as HouseConfig)
  }
}

interface Assembly {
  services: ReadonlyArray<Service<any>>
  house: HouseConfig
  configs: unknown[]
  keys: ApiKey[]
  log: Logger
  closers: Array<() => Promise<unknown> | void>
  closeAll: () => Promise<void>
}

async function assemble (assembly: Assembly): Promise<Suite> {
  const { services, house, keys, log, closers, closeAll } = assembly
  await mkdir(house.DATA_DIR, { recursive: true })
  const title = services.length === 1 ? `Viva ${services[0]?.name}` : 'Viva'
  const app = await createApp({ title, log, keys, ratePerMinute: house.RATE_PER_MINUTE })
  closers.push(async () => { await app.close() })
  const drain = createDrain(app, house.REQUESTS_MAX)
  const metrics = addMetrics(app)
  const { registry } = metrics
  const bus = await openBus(house, log)
  addBusMetric(registry, bus)
  closers.push(async () => { await bus.close() })

  let socketPath = ''
  const { call, close: closeCalls } = httpCall({
    here: services.map(({ name }) => name),
    socketPath: () => socketPath,
    urls: {
      parsing: house.PARSING_URL,
      generation: house.GENERATION_URL,
      reviewing: house.REVIEWING_URL,
      inference: house.INFERENCE_URL,
      scoring: house.SCORING_URL
    },
    ...house.SERVICE_KEY !== undefined && { serviceKey: house.SERVICE_KEY }
  })
  closers.push(closeCalls)

  const rooms: Room[] = []
  const running: Running[] = []
  for (const [at, service] of services.entries()) {
    const room = await openRoom(service, assembly, { bus, metrics })
    rooms.push(room)
    await app.register(async plugin => {
      const config = assembly.configs[at] as Static<TObject>
      const ownLog = log.child({ service: service.name })
      const parts: Parts<TObject> = {
        ...room, app: plugin as App, bus: room.deadEvents.bus, config, call, log: ownLog, metrics: registry
      }
      running.push(await service.start(parts) ?? {})
    })
  }
  if (house.NATS_URL === undefined && !eventsReach(services)) {
    log.warn(`Started without all of ${eventPartners.join(' and ')}, and without NATS_URL events do not leave this process: the end of a generation opens no reviewing. POST /v1/reviewings opens one.`)
  }
  let listening = false
  addOperations(app, rooms, () => listening && !drain.draining)

  await app.ready()
  const socket = await openPrivateSocket(app)
  closers.push(socket.close)
  socketPath = socket.path
  const url = await app.listen({ host: house.HOST, port: portOf(services, house), backlog })
  listening = true
  // Only now: whoever is woken may call any of us.
  for (const { worker } of rooms) await worker.start()
  for (const { consume } of running) await consume?.()

  return {
    url,
    app,
    async close () {
      const drained = drain.begin(drainTimeoutMs)
      await Promise.all(rooms.map(async ({ worker }) => { await worker.stop() }))
      // Before the stores, which handlers of events need.
      await bus.close()
      await drained
      for (const { close } of running) await close?.()
      await closeAll()
    }
  }
}

/** Who tells of the end of a generation, and who listens. */
const eventPartners: readonly ServiceName[] = ['generation', 'reviewing']

/** Whether those of the two that run here run here together. */
function eventsReach (services: ReadonlyArray<Service<any>>): boolean {
  const here = eventPartners.filter(partner => services.some(({ name }) => name === partner))
  return here.length !== 1
}

async function openRoom (
  service: Service<any>, { house, log, closers }: Assembly, { bus, metrics }: { bus: Bus, metrics: Metrics }
) {
  const { name } = service
  const store = await openStore(house, name, log)
  closers.push(async () => { await store.close() })
  const blobs = await openBlobs(house, name)
  const worker = await createWorker({
    store,
    bus,
    service: name,
    workerId: `${name}-${process.pid}`,
    log: log.child({ service: name }),
    queueMax: house.QUEUE_MAX,
    onAttempt: attempt => { metrics.attempted(name, attempt) }
  })
  metrics.watch(name, worker)
  closers.push(async () => { await worker.stop() })
  return { name, store, blobs, worker, deadEvents: await keepDeadEvents(bus, store) }
}

function portOf (services: ReadonlyArray<Service<any>>, { PORT }: HouseConfig): number {
  if (PORT !== undefined) return PORT
  const [only] = services
  return services.length === 1 && only !== undefined ? 4101 + serviceNames.indexOf(only.name) : 8080
}

/** @throws Error when the process would be open to strangers */
export function keysOf (house: HouseConfig): ApiKey[] {
  const keys = parseApiKeys(house.API_KEYS)
  const loopback = ['127.0.0.1', '::1', 'localhost'].includes(house.HOST)
  if (!loopback && keys.length === 0 && house.ALLOW_OPEN !== '1') {
    throw new Error(`Cannot start: HOST is ${house.HOST}, which others can reach, and there are no API_KEYS. Set API_KEYS (see README), listen on 127.0.0.1, or set ALLOW_OPEN=1 if everyone may use this service.`)
  }
  if (house.SERVICE_KEY === undefined) return keys
  return [...keys, { name: 'service', role: 'admin', hash: Buffer.from(sha256(house.SERVICE_KEY), 'hex') }]
}

/** Why a start failed, in words of the settings. */
export function explained (cause: unknown, { HOST, PORT, DATA_DIR }: HouseConfig): Error {
  const { code, message, port = PORT } = cause as { code?: string, message?: string, port?: number }
  if (code === 'EADDRINUSE') return new Error(`Cannot start: port ${port} on ${HOST} is busy; another program listens there. Set PORT to another one, or PORT=0 for any free port.`, { cause })
  if (code === 'EACCES' && message?.includes('listen') === true) return new Error(`Cannot start: this user may not listen on port ${port}. Set PORT to one above 1023.`, { cause })
  if (/^E(ACCES|EXIST|ISDIR|NOENT|NOSPC|NOTDIR|PERM|ROFS)$/.test(code ?? '')) return new Error(`Cannot start: cannot write to DATA_DIR ${DATA_DIR} (${code}).`, { cause })
  return cause instanceof Error ? cause : new Error(String(cause))
}
