/**
 * A service that does nothing, as often as it is told: for measuring what the house itself costs.
 * `POST /v1/noops {name, count, ms}` opens a job of `count` tasks which each wait `ms` and write one
 * result. Run as a process, it serves itself by its settings.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { serve } from '../app/serve.ts'
import { defineService, type ServiceName } from '../app/service.ts'
import { canonicalJson, sha256 } from '../contracts/hash.ts'
import { jobProperties } from '../contracts/job.ts'
import { Problem } from '../errors/problem.ts'
import type { Collection, Doc } from '../store/store.ts'
import type { Jobs, PlannedTask } from '../tasks/tasks.ts'

interface Spec { name: string, count: number, ms: number }
interface Result extends Doc { jobId: string }

const NoopId = Type.String({ pattern: '^nop_[0-9a-f]{32}$' })
const Request = Type.Object({
  name: Type.String({ maxLength: 100, default: '' }),
  count: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  ms: Type.Integer({ minimum: 0, maximum: 60_000, default: 0 })
}, { additionalProperties: false })
const Noop = Type.Object({ id: NoopId, resultCount: Type.Integer(), ...jobProperties })

const Config = Type.Object({ NOOP_AT_ONCE: Type.Integer({ minimum: 1, maximum: 256, default: 4 }) })

export const noop = defineService({
  // None of the five: it has their shape and is in no document of theirs.
  name: 'noop' as ServiceName,
  config: Config,
  summary: 'Wait, and say so.',
  async start ({ app, store, worker, config }) {
    const results = await store.collection<Result>('results', [{ keys: ['jobId'] }])
    const jobs = await worker.define<Spec, number>({
      name: 'noop',
      concurrency: config.NOOP_AT_ONCE,
      plan: async ({ spec }) => planned(spec.count),
      async perform ({ input }, { _id: jobId, spec }, signal) {
        if (spec.ms > 0) await pause(spec.ms, undefined, { signal })
        // Doing one twice would show: the second finds the first's result.
        const made = await results.insert({ _id: `${jobId}.${input}`, jobId })
        if (!made) throw new Error(`Task ${input} of ${jobId} was done twice`)
      }
    })

    app.post('/v1/noops', {
      schema: { operationId: 'openNoop', summary: 'Do nothing', body: Request, response: { 200: Noop, 202: Noop } }
    }, async ({ body }, reply) => {
      const id = `nop_${sha256(canonicalJson(body)).slice(0, 32)}`
      const { created } = await jobs.open(id, body)
      return await reply.code(created ? 202 : 200).header('location', `/v1/noops/${id}`)
        .send(await viewOf({ jobs, results }, id) as never)
    })
    app.get('/v1/noops/:noopId', {
      schema: {
        operationId: 'getNoop',
        summary: 'How far it is',
        params: Type.Object({ noopId: NoopId }),
        querystring: Type.Object({ wait: Type.Integer({ minimum: 0, maximum: 60, default: 0 }) }),
        response: { 200: Noop }
      }
    }, async ({ params: { noopId }, query }) => {
      if (await jobs.find(noopId) === undefined) throw new Problem('not-found', `There is no noop ${noopId}.`)
      if (query.wait > 0) await jobs.wait(noopId, query.wait * 1000)
      return await viewOf({ jobs, results }, noopId) as never
    })
  }
})

function * planned (count: number): Generator<PlannedTask<number>> {
  for (let index = 0; index < count; index++) yield { key: String(index), input: index }
}

interface Reading { jobs: Jobs<Spec>, results: Collection<Result> }

async function viewOf ({ jobs, results }: Reading, id: string): Promise<object> {
  const view = await jobs.view(id)
  return { id, ...view, resultCount: await results.count({ jobId: id }) }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serve(noop)
