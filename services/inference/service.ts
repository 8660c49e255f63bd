/** Puts inference together: upstreams as data, and the routes in front of them. */
import { defineService, type App } from '../../shared/app/service.ts'
import { Config } from './config.ts'
import { parseUpstreams } from './domain/upstream.ts'
import { engineRequests } from './handlers/ask-engine.ts'
import { upstreamRequests } from './handlers/ask-upstream.ts'
import { openDirectory } from './handlers/directory.ts'
import { routes } from './routes.ts'
import { upstreamRoutes } from './upstream-routes.ts'
import { upstreamStore } from './upstream-store.ts'

export const inference = defineService({
  name: 'inference',
  config: Config,
  summary: 'The proxy in front of model servers',
  async start ({ app, config, store, log }) {
    const secret = (name: string) => process.env[name]
    const environment = parseUpstreams(config.UPSTREAMS)
    const upstreams = await upstreamStore(store)
    const probes = engineRequests(secret, config.INFERENCE_CONNECT_TIMEOUT_MS)
    const directory = openDirectory({ environment, upstreams, requests: probes, settings: watchSettings(config), log })
    const requests = upstreamRequests(config, secret)
    // A scope of its own, before the routes whose errors have OpenAI's shape.
    await app.register(async scope => {
      upstreamRoutes(scope as App, { directory, upstreams, secret, live: () => null })
    })
    routes(app, { requests, directory })
    return {
      consume: directory.begin,
      async close () {
        await directory.close()
        await Promise.all([probes.close(), requests.close()])
      }
    }
  }
})

function watchSettings (config: Config) {
  return {
    probeIntervalMs: config.INFERENCE_PROBE_INTERVAL_MS,
    probeTimeoutMs: config.INFERENCE_PROBE_TIMEOUT_MS,
    scrapeIntervalMs: config.INFERENCE_SCRAPE_INTERVAL_MS,
    refreshIntervalMs: config.INFERENCE_UPSTREAMS_REFRESH_MS
  }
}
