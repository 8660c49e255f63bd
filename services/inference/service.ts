/** Puts inference together: upstreams as data, and the routes in front of them. */
import { defineService } from '../../shared/app/service.ts'
import { Config } from './config.ts'
import { parseUpstreams } from './domain/upstream.ts'
import { upstreamRequests } from './handlers/ask-upstream.ts'
import { modelDirectory } from './handlers/list-models.ts'
import { routes } from './routes.ts'

export const inference = defineService({
  name: 'inference',
  config: Config,
  summary: 'The proxy in front of model servers',
  async start ({ app, config }) {
    const requests = upstreamRequests(config, name => process.env[name])
    const models = modelDirectory(parseUpstreams(config.UPSTREAMS), requests)
    routes(app, { requests, models })
    return { close: requests.close }
  }
})
