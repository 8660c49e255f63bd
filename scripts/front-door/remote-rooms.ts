/** The services behind the door, as the operations see a service of this process. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { DeadLetters } from '../../shared/app/operations.ts'
import { serviceNames, type App, type ServiceName } from '../../shared/app/service.ts'
import type { Call } from '../../shared/clients/call.ts'
import type { Page } from '../../shared/contracts/page.ts'
import type { DeadLetter } from '../../shared/tasks/tasks.ts'

/** A probe of the door must be answered before whoever probes gives up, commonly after a second. */
const healthTimeoutMs = 500

/** Dead letters are asked for with the key of the caller: the door has none, and opens nothing. */
export function remoteDeadLetters (app: App, call: Call): DeadLetters[] {
  const keyOfCaller = new AsyncLocalStorage<string | undefined>()
  app.addHook('preHandler', (request, _, done) => { keyOfCaller.run(request.headers.authorization, done) })
  const headers = () => {
    const authorization = keyOfCaller.getStore()
    return authorization === undefined ? {} : { authorization }
  }
  return serviceNames.map(name => ({
    name,
    async list ({ after, limit }) {
      const query = { limit, cursor: after === undefined ? undefined : `${name}~${after}` }
      const page = await call.json<Page<DeadLetter>>(name, '/v1/dead-letters', { query, headers: headers() })
      return page.items
    },
    async retry (id) {
      const path = `/v1/dead-letters/${encodeURIComponent(id)}/retry`
      await call.json(name, path, { method: 'POST', headers: headers() })
    }
  }))
}

/** Those that take work now, in walking order. */
export async function readyServices (call: Call): Promise<ServiceName[]> {
  const answers = await Promise.all(serviceNames.map(async name =>
    await call.json(name, '/health/ready', { timeoutMs: healthTimeoutMs }).then(() => [name], () => [])))
  return answers.flat()
}
