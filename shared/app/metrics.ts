/** What Prometheus may read: requests by route, and the process itself. */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { Type } from 'typebox'
import type { Bus } from '../bus/bus.ts'
import type { App } from './service.ts'

export function addMetrics (app: App): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'viva_http_request_duration_seconds',
    help: 'Time from request to answer, by route as declared (never by the path asked for).',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry]
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', {
    config: { role: 'reader' },
    schema: {
      operationId: 'getMetrics',
      tags: ['operations'],
      summary: 'Prometheus metrics of this process',
      response: { 200: { description: 'In the text format of Prometheus', content: { 'text/plain': { schema: Type.String() } } } }
    }
  }, async (_, reply) => {
    return await reply.type(registry.contentType).send(await registry.metrics() as never)
  })
  return registry
}

export function addBusMetric (registry: Registry, bus: Bus): void {
  new Gauge({
    name: 'viva_bus_connected',
    help: 'Whether messages go out: 1 or 0. Work goes on without, by sweeps.',
    registers: [registry],
    collect () { this.set(Number(bus.connected())) }
  }).set(0)
}
