/**
 * The front door: the suite's API at one address, while its services run elsewhere.
 *
 * Its routes are those that the services themselves register, with their handlers replaced; so the
 * API documents, the answers to unknown paths and wrong methods, and the shape of errors are the
 * suite's, and no table of paths exists. What the door cannot judge (keys of callers, bodies), it
 * leaves to the services. Where API_KEYS are set for it too, it turns strangers away by itself.
 *
 * It is ready as long as any service is, and names those that are: were it not ready without all,
 * one service away would take the others from everybody. A door that reaches none may be cut off,
 * and another one be better.
 */
import type { Logger } from 'pino'
import { createApp } from '../../shared/app/app.ts'
import { backlog } from '../../shared/app/backlog.ts'
import { createDrain } from '../../shared/app/drain.ts'
import { createLog } from '../../shared/app/log.ts'
import { addMetrics } from '../../shared/app/metrics.ts'
import { addDeadLetters, addHealth, addProblems } from '../../shared/app/operations.ts'
import { serviceNames, type App, type ServiceName } from '../../shared/app/service.ts'
import { explained, keysOf } from '../../shared/app/start.ts'
import { httpCall } from '../../shared/clients/http-call.ts'
import { HouseConfig, readConfigs, type Env } from '../../shared/config/config.ts'
import { Problem } from '../../shared/errors/problem.ts'
import { suite } from '../suite.ts'
import { DoorConfig } from './config.ts'
import { createForwarder, type Forwarder } from './forward.ts'
import { readyServices, remoteDeadLetters } from './remote-operations.ts'
import { registerRoutes } from './routes-only.ts'

const drainTimeoutMs = 20_000

export interface FrontDoor {
  url: string
  app: App
  /** Turns requests away, waits for answers under way, and ends. */
  close: () => Promise<void>
}

/** @throws Error whose message tells the user what to change */
export async function startFrontDoor (env: Env, options: { log?: Logger } = {}): Promise<FrontDoor> {
  const [house, door] = readConfigs([HouseConfig, DoorConfig], env)
  const log = options.log ?? createLog(house.LOG_LEVEL)
  const app = await createApp({ title: 'Viva', log, keys: keysOf(house), ratePerMinute: house.RATE_PER_MINUTE })
  const drain = createDrain(app, house.REQUESTS_MAX)
  const { call, replicas, close: closeCalls } = httpCall({ here: [], socketPath: () => '', urls: addressesOf(house) })
  const forwarder = createForwarder(replicas, door.DOOR_TIMEOUT_MS)
  const close = async () => {
    await app.close()
    await Promise.all([forwarder.close(), closeCalls()])
  }
  let listening = false

  addMetrics(app)
  for (const service of suite) {
    await registerRoutes(app, service, scope => { replaceHandlers(scope, service.name, forwarder) })
  }
  addHealth(app, serviceNames, async () => {
    if (!listening || drain.draining) throw new Problem('shutting-down', 'This process takes no work now.')
    const ready = await readyServices(call)
    if (ready.length === 0) throw new Problem('service-unavailable', 'No service can be reached; are they running, and are PARSING_URL and its like right?')
    return ready
  })
  addDeadLetters(app, remoteDeadLetters(app, call))
  addProblems(app)

  try {
    await app.ready()
    const url = await app.listen({ host: house.HOST, port: house.PORT ?? 8080, backlog })
    listening = true
    return {
      url,
      app,
      async close () {
        await drain.begin(drainTimeoutMs)
        await close()
      }
    }
  } catch (cause) {
    await close()
    throw explained(cause, house)
  }
}

/** Before the body is looked at: what a service is to judge must reach it as it came. */
function replaceHandlers (scope: App, service: ServiceName, { forward }: Forwarder): void {
  scope.addHook('onRoute', route => {
    route.onRequest = [
      ...[route.onRequest ?? []].flat(),
      async (request, reply) => await forward(service, request, reply)
    ]
  })
}

function addressesOf (house: HouseConfig): Record<ServiceName, string> {
  return Object.fromEntries(serviceNames.map(name =>
    [name, house[`${name.toUpperCase() as Uppercase<ServiceName>}_URL`]])) as Record<ServiceName, string>
}
