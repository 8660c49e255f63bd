/** The services behind the door, as the operations see a service of this process. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { DeadLetters } from '../../shared/app/operations.ts'
import { serviceNames, type App, type ServiceName } from '../../shared/app/service.ts'
import type { Call } from '../../shared/clients/call.ts'
import { peerProblem } from '../../shared/clients/http-call.ts'
import { Misdirected } from '../../shared/clients/peers.ts'
import type { Page } from '../../shared/contracts/page.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { DeadLetter } from '../../shared/tasks/tasks.ts'

/** A probe of the door must be answered before whoever probes gives up, commonly after a second. */
const healthTimeoutMs = 500

/** Dead letters are asked for with the key of the caller: the door has none, and opens nothing. */
export function remoteDeadLetters (app: App, call: Call): DeadLetters[] {
  const keyOfCaller = new AsyncLocalStorage<string | undefined>()
  app.addHook('preHandler', (request, _, done) => { keyOfCaller.run(request.headers.authorization, done) })
  const headers = () => ({ authorization: keyOfCaller.getStore() })
  return serviceNames.map(name => ({
    name,
    async list ({ after, limit }) {
      // Named even at the beginning: who is not that service refuses, and a suite of several begins there.
      const query = { limit, cursor: `${name}~${after ?? ''}` }
      const { items } = await call.json<Page<DeadLetter & { service: string }>>(name, '/v1/dead-letters', { query, headers: headers() })
        .catch((cause: unknown) => { throw after === undefined ? misdirected(name, cause) : cause })
      return items.filter(({ service }) => service === name)
    },
    async retry (id) {
      const path = `/v1/dead-letters/${encodeURIComponent(id)}/retry`
      await call.json(name, path, { method: 'POST', headers: headers() })
    }
  }))
}

function misdirected (name: ServiceName, cause: unknown): unknown {
  return cause instanceof Problem && cause.kind === 'invalid-cursor' ? peerProblem(new Misdirected(), name) : cause
}

/** Those that take work now, in walking order. */
export async function readyServices (call: Call): Promise<ServiceName[]> {
  const answers = await Promise.all(serviceNames.map(async name =>
    await call.json<{ services: string[] }>(name, '/health/ready', { timeoutMs: healthTimeoutMs })
      // Any process is ready; an address may lead to another one than meant.
      .then(({ services }) => services.includes(name) ? [name] : [])
      .catch(() => [])))
  return answers.flat()
}
