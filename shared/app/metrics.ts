/** What Prometheus may read: requests by route, work by service and kind, and the process itself. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { Type } from 'typebox'
import type { Bus } from '../bus/bus.ts'
import type { Attempted, Worker } from '../tasks/tasks.ts'
import { histogramCells } from './cells.ts'
import type { App, ServiceName } from './service.ts'

export interface Metrics {
  registry: Registry
  /** For each attempt that ends. */
  attempted: (service: ServiceName, attempt: Attempted) => void
  /** Shows what a worker's sweeper has counted; reading the metrics costs no query. */
  watch: (service: ServiceName, worker: Pick<Worker, 'census'>) => void
}

/** Labels are names from code, so there are few of them: services, kinds, states, stages, routes. */
export function addMetrics (app: App): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addRequests(app, registry)
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
  return { registry, attempted: countAttempts(registry), watch: showQueues(registry) }
}

function addRequests (app: App, registry: Registry): void {
  const secondsOf = histogramCells(registry, {
    name: 'viva_http_request_duration_seconds',
    help: 'Time from request to answer, by route as declared (never by the path asked for).',
    labelNames: ['method', 'route', 'status']
  }, [0.005, 0.02, 0.1, 0.5, 2, 10, 60])
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    secondsOf(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000)
    done()
  })
}

function countAttempts (registry: Registry): Metrics['attempted'] {
  const attempts = new Counter({
    name: 'viva_attempts_total',
    help: 'Attempts at tasks that ended in this process, planning and finishing included, and those it found lost.',
    labelNames: ['service', 'kind', 'ending'],
    registers: [registry]
  })
  const seconds = new Histogram({
    name: 'viva_task_duration_seconds',
    help: 'Time of one attempt at a task, from the claim until it is closed.',
    labelNames: ['service', 'kind', 'stage'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300],
    registers: [registry]
  })
  return (service, { kind, stage, ending, durationMs }) => {
    attempts.inc({ service, kind, ending })
    if (durationMs !== undefined) seconds.observe({ service, kind, stage }, durationMs / 1000)
  }
}

function showQueues (registry: Registry): Metrics['watch'] {
  const workers = new Map<ServiceName, Pick<Worker, 'census'>>()
  const tasks = new Gauge({
    name: 'viva_queue_tasks',
    help: 'Tasks in the store as the sweeper last counted them: the same number in every replica, so do not add them up.',
    labelNames: ['service', 'kind', 'state'],
    registers: [registry],
    collect () {
      for (const [service, worker] of workers) {
        for (const { kind, queued, running, dead } of worker.census()) {
          tasks.set({ service, kind, state: 'queued' }, queued)
          tasks.set({ service, kind, state: 'running' }, running)
          tasks.set({ service, kind, state: 'dead' }, dead)
        }
      }
    }
  })
  const age = new Gauge({
    name: 'viva_queue_age_seconds',
    help: 'For how long every count has found queued tasks, by the monotonic clock of this process; 0 when the last found none.',
    labelNames: ['service', 'kind'],
    registers: [registry],
    collect () {
      for (const [service, worker] of workers) {
        for (const { kind, queuedForMs } of worker.census()) age.set({ service, kind }, queuedForMs / 1000)
      }
    }
  })
  return (service, worker) => { workers.set(service, worker) }
}

export function addBusMetric (registry: Registry, bus: Bus): void {
  new Gauge({
    name: 'viva_bus_connected',
    help: 'Whether messages go out: 1 or 0. Work goes on without, by sweeps.',
    registers: [registry],
    collect () { this.set(Number(bus.connected())) }
  }).set(0)
}
