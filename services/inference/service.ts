/** Puts inference together: upstreams as data, and the routes in front of them. */
import { defineService } from '../../shared/app/service.ts'
import type { App } from '../../shared/app/service.ts'
import { Config } from './config.ts'
import { parseUpstreams } from './domain/upstream.ts'
import { upstreamRequests } from './handlers/ask-upstream.ts'
import { openLedger } from './handlers/ledger.ts'
import { modelDirectory } from './handlers/list-models.ts'
import { routes } from './routes.ts'
import { budgetRoutes } from './routes/budget-routes.ts'
import { usageRoutes } from './routes/usage-routes.ts'

export const inference = defineService({
  name: 'inference',
  config: Config,
  summary: 'The proxy in front of model servers',
  async start ({ app, config, store, blobs, log }) {
    const requests = upstreamRequests(config, name => process.env[name])
    const models = modelDirectory(parseUpstreams(config.UPSTREAMS), requests)
    const ledger = await openLedger({
      store,
      blobs,
      cacheBytesMax: config.INFERENCE_REPLAY_CACHE_MB * 1024 * 1024,
      onFault: err => { log.warn({ err }, 'usage or budgets could not be written or read; it is tried again') }
    })
    // Before the routes of OpenAI's form, whose shape of error is theirs alone.
    await app.register(async plugin => {
      usageRoutes(plugin as App, ledger)
      budgetRoutes(plugin as App, ledger)
    })
    routes(app, { requests, models })
    return {
      async close () {
        await requests.close()
        await ledger.close()
      }
    }
  }
})
