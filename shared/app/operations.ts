/** What an operator asks of a process: is it alive, is it ready, what failed for good. */
import { Type, type Static } from 'typebox'
import type { DeadEvents } from '../bus/dead-events.ts'
import { PageQuery, pageOf } from '../contracts/page.ts'
import { ProblemBody } from '../errors/problem-body.ts'
import { Problem, problems, type ProblemKind } from '../errors/problem.ts'
import type { Store } from '../store/store.ts'
import type { Worker } from '../tasks/tasks.ts'
import type { App, ServiceName } from './service.ts'

export interface Room { name: ServiceName, store: Store, worker: Worker, deadEvents: DeadEvents }
/** Dead letters of one service, in ascending id; several of one service stand in that order too. */
export interface DeadLetters {
  name: ServiceName
  list: Worker['deadLetters']
  retry: Worker['retryDeadLetter']
}

const tags = ['operations']

const DeadLetter = Type.Object({
  id: Type.String(),
  service: Type.String(),
  kind: Type.String({ description: 'Of the task, or the subject of the event.' }),
  jobId: Type.String({ description: 'The job of the task, or what the event tells of.' }),
  attempts: Type.Integer(),
  problem: ProblemBody
}, { $id: 'DeadLetter', additionalProperties: false })

const ProblemKindBody = Type.Object({
  kind: Type.String(), status: Type.Integer(), title: Type.String(), retry: Type.Boolean()
}, { $id: 'ProblemKind', additionalProperties: false })

/** @param ready whether the process listens and is not shutting down */
export function addOperations (app: App, rooms: readonly Room[], ready: () => boolean): void {
  const services = rooms.map(({ name }) => name)
  addHealth(app, services, async () => {
    if (!ready()) throw new Problem('shutting-down', 'This process takes no work now.')
    for (const { store } of rooms) await store.ping()
    return services
  })
  // Events first, for so their ids are ordered.
  addDeadLetters(app, rooms.flatMap(({ name, deadEvents, worker }) => [
    { name, list: deadEvents.list, retry: deadEvents.retry },
    { name, list: worker.deadLetters, retry: worker.retryDeadLetter }
  ]))
  addProblems(app)
}

export function addProblems (app: App): void {
  app.get('/problems/:kind', {
    config: { role: 'open' },
    schema: {
      operationId: 'getProblem',
      tags,
      summary: 'What a kind of problem means; the `type` of every problem leads here',
      params: Type.Object({ kind: Type.String({ maxLength: 60, examples: ['paper-encrypted'] }) }),
      response: { 200: ProblemKindBody }
    }
  }, async ({ params: { kind } }) => {
    if (!Object.hasOwn(problems, kind)) throw new Problem('not-found', 'There is no such kind of problem.')
    return { kind, ...problems[kind as ProblemKind] }
  })
}

/** @param whoIsReady the services that take work; throws the Problem when the process takes none */
export function addHealth (
  app: App, services: readonly ServiceName[], whoIsReady: () => Promise<readonly ServiceName[]>
): void {
  const Health = Type.Object({ status: Type.String(), services: Type.Array(Type.String()) })
  app.get('/health/live', {
    config: { role: 'open' },
    schema: { operationId: 'getLive', tags, summary: 'Whether the process runs', response: { 200: Health } }
  }, async () => ({ status: 'live', services: [...services] }))
  app.get('/health/ready', {
    config: { role: 'open' },
    schema: { operationId: 'getReady', tags, summary: 'Whether it takes work: listening, stores answer, not shutting down', response: { 200: Health } }
  }, async () => ({ status: 'ready', services: [...await whoIsReady()] }))
}

export function addDeadLetters (app: App, sources: readonly DeadLetters[]): void {
  app.get('/v1/dead-letters', {
    schema: {
      operationId: 'listDeadLetters',
      tags,
      summary: 'Tasks that failed for good and events that could not be handled, with the reason, by service',
      querystring: Type.Object(PageQuery),
      response: { 200: pageOf(DeadLetter) }
    }
  }, async ({ query: { cursor, limit } }) => {
    // The cursor is `<service>~<id>`: services one after the other, letters by id.
    const [fromService = '', after = ''] = (cursor ?? '').split('~')
    const start = Math.max(0, sources.findIndex(({ name }) => name === fromService))
    if (cursor !== undefined && sources[start]?.name !== fromService) {
      throw new Problem('invalid-cursor', 'Use the nextCursor of the page before.')
    }
    const items: Array<Static<typeof DeadLetter>> = []
    for (const { name, list } of sources.slice(start)) {
      const left = limit - items.length
      if (left === 0) break
      const options = { limit: left, ...name === fromService && { after } }
      for (const letter of await list(options)) items.push({ service: name, ...letter })
    }
    const last = items.at(-1)
    return { items, nextCursor: items.length === limit && last ? `${last.service}~${last.id}` : null }
  })
  app.post('/v1/dead-letters/:id/retry', {
    config: { role: 'admin' },
    schema: {
      operationId: 'retryDeadLetter',
      tags,
      summary: 'Try one of them again',
      params: Type.Object({ id: Type.String({ maxLength: 200 }) }),
      response: { 202: Type.Object({ id: Type.String() }) }
    }
  }, async ({ params: { id } }, reply) => {
    const failures: unknown[] = []
    for (const { retry } of sources) {
      try {
        await retry(id)
        return await reply.code(202).send({ id })
      } catch (cause) {
        if (!(cause instanceof Problem) || cause.kind !== 'dead-letter-not-found') failures.push(cause)
      }
    }
    // Whoever could not be asked may have it.
    if (failures.length > 0) throw failures[0]
    throw new Problem('dead-letter-not-found', `There is no dead letter ${id}.`)
  })
}
