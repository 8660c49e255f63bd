/** Reviewing with real app, store, blobs, bus and worker; the services before it are told what to say. */
import Fastify, { type FastifyInstance } from 'fastify'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { createApp } from '../../../shared/app/app.ts'
import { silentLog } from '../../../shared/app/log.ts'
import { serviceNames, type App, type Running, type ServiceName } from '../../../shared/app/service.ts'
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import { folderBlobs } from '../../../shared/blobs/folder.ts'
import { memoryBus } from '../../../shared/bus/memory.ts'
import { httpCall } from '../../../shared/clients/http-call.ts'
import type { BankImport } from '../../../shared/contracts/bank.ts'
import type { Curation, CurationFlag } from '../../../shared/contracts/curation.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import type { Generation } from '../../../shared/contracts/generation.ts'
import { canonicalJson, idOf, sha256 } from '../../../shared/contracts/hash.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import { problemBody } from '../../../shared/errors/problem-body.ts'
import { Problem, problems } from '../../../shared/errors/problem.ts'
import { imageTypeOf } from '../../../shared/images/image-type.ts'
import { embeddedStore } from '../../../shared/store/embedded.ts'
import type { Store } from '../../../shared/store/store.ts'
import { createWorker } from '../../../shared/tasks/worker.ts'
import { reviewing } from '../service.ts'
import { document } from './fixtures.ts'

export const generationId = idOf('generation', 'one')
export const image = Buffer.from('89504e470d0a1a0a', 'hex')

/** What the fake services say; a test changes it as it goes. */
export interface World {
  generation: Generation
  items: Item[]
  /** Item banks, whose items are those of `items` that no paper has; images by their id. */
  bank: { imports: BankImport[], curations: Curation[], images: Map<string, Buffer>, flags?: CurationFlag[] }
  documents: Document[]
  /** Paper id → what parsing answers instead. */
  broken: Map<string, Problem>
  asked: string[]
  /** What the model replies, as text; a test that has one asked gives it. */
  reply: (body: Record<string, any>) => string
  /** Every request to a model, as inference got it. */
  calls: Array<{ body: Record<string, any>, headers: Record<string, unknown> }>
  vision: boolean
  /** Beside m, which sees if `vision`, and n, which does not. */
  models: Array<{ id: string, capabilities: string[] }>
  /** How the model's tokenizer counts; null: it does not. */
  bytesPerToken: number | null
  /** Group → tokens left; a call takes 100. */
  budgets: Map<string, number>
}

export function worldOf (items: Item[], documents: Document[] = [document]): World {
  const generation: Generation = {
    id: generationId,
    paperIds: documents.map(({ paperId }) => paperId),
    documentHashes: documents.map(({ documentHash }) => documentHash),
    recipe: {
      strategy: 'extractive', kinds: ['qa', 'binary'], pairsPerFigureMax: 3, seed: 1, review: { strategy: 'mechanical' }
    },
    itemCount: items.length,
    rejectionCount: 0,
    state: 'succeeded',
    progress: { done: 1, total: 1, failed: 0 },
    problems: []
  }
  return { generation, items, bank: { imports: [], curations: [], images: new Map() }, documents, broken: new Map(), asked: [], reply: () => '', calls: [], vision: true, models: [], bytesPerToken: null, budgets: new Map() }
}

/** The same document and items for another paper. */
export function ofPaper (name: string, items: Item[]): { items: Item[], document: Document } {
  const source = { paperId: idOf('paper', name), documentHash: idOf('document', name) }
  const own = items.map(item => ({
    ...item, id: idOf('item', [name, item.id]), source, ...item.pairId !== undefined && { pairId: `${name} ${item.pairId}` }
  }))
  return { items: own, document: { ...document, ...source, title: name } }
}

function fakeBudgets (app: FastifyInstance, { budgets }: World): void {
  app.get('/v1/budgets', async () => ({ items: [...budgets.keys()].map(group => ({ id: group, group })), nextCursor: null }))
  app.post<{ Body: { group: string, tokensMax: number } }>('/v1/budgets', async ({ body }) => { budgets.set(body.group, body.tokensMax); return {} })
  app.delete<{ Params: { id: string } }>('/v1/budgets/:id', async ({ params }, reply) => {
    budgets.delete(params.id)
    return await reply.code(204).send()
  })
}

function charge ({ budgets }: World, group: string): void {
  const left = budgets.get(group)
  if (left === undefined) return
  if (left < 100) throw new Problem('budget-exhausted', 'The budget has no room.')
  budgets.set(group, left - 100)
}

/** Inference without its ladder: a reply is JSON, or it is not. */
function fakeInference (app: FastifyInstance, world: World): void {
  fakeBudgets(app, world)
  app.get('/v1/models', async () => ({ data: [{ id: 'm', capabilities: world.vision ? ['vision'] : [] }, { id: 'n', capabilities: [] }, ...world.models] }))
  app.post<{ Body: Record<string, any> }>('/v1/chat/completions', { bodyLimit: 64 * 2 ** 20 }, async ({ body, headers }) => {
    world.calls.push({ body, headers })
    const problem = world.broken.get('inference') ?? world.broken.get(body.model)
    if (problem !== undefined) throw problem
    return { model: body.model, choices: [{ message: { content: world.reply(body) }, finish_reason: 'stop' }] }
  })
  app.post<{ Body: Record<string, any> }>('/v1/estimates', async ({ body }) => {
    if (body.counts !== undefined) return { models: [{ secondsMax: { serial: null, parallel: 12 } }] }
    const bytes = Buffer.byteLength(body.requests[0].messages[0].content)
    const { bytesPerToken } = world
    const promptTokens = Math.ceil(bytes / (bytesPerToken ?? 4))
    return { models: [{ promptTokens, countedBy: { tokenizer: bytesPerToken === null ? 0 : 1 } }] }
  })
  app.post<{ Body: Record<string, any> }>('/v1/structured-completions', { bodyLimit: 64 * 2 ** 20 }, async ({ body, headers }) => {
    charge(world, String(headers['viva-group']))
    world.calls.push({ body, headers })
    const problem = world.broken.get('inference')
    if (problem !== undefined) throw problem
    const raw = world.reply(body)
    const common = { raw, dropped: null, steps: [], usage: {}, model: body.model, upstreamVersion: '0', attempts: 1, problem: null, turns: [] }
    const requestHash = sha256(canonicalJson(body))
    try {
      return { ...common, requestHash, outcome: 'answered', value: JSON.parse(raw), hasValue: true, reason: null }
    } catch {
      const reason = { code: 'no-json', detail: 'The reply holds no JSON.', place: null, errors: [] }
      const outcome = raw.startsWith('I am sorry') ? 'refused' : 'unparsable'
      return { ...common, requestHash, outcome, value: null, hasValue: false, reason }
    }
  })
}

/** Imports, curations and images of item banks. */
export function fakeBanks (app: FastifyInstance, { bank }: Pick<World, 'bank'>): void {
  const found = <T extends { id: string }>(list: readonly T[], id: string): T => {
    const one = list.find(each => each.id === id)
    if (one === undefined) throw new Problem('not-found', 'There is no such bank.')
    return one
  }
  app.get('/v1/imports', async () => ({ items: bank.imports, nextCursor: null }))
  app.get('/v1/curations', async () => ({ items: bank.curations, nextCursor: null }))
  app.get<{ Params: { id: string } }>('/v1/imports/:id', async ({ params }) => found(bank.imports, params.id))
  app.get('/v1/curations/:id/flags', async () => ({ items: bank.flags ?? [], nextCursor: null }))
  app.get<{ Params: { id: string } }>('/v1/curations/:id', async ({ params }) => found(bank.curations, params.id))
  app.get<{ Params: { id: string } }>('/v1/bank-images/:id', async ({ params }, reply) => {
    const bytes = bank.images.get(params.id)
    if (bytes === undefined) throw new Problem('not-found', 'There is no such image.')
    return await reply.type(imageTypeOf(bytes) ?? 'application/octet-stream').send(bytes)
  })
}

interface Teardown { teardown: (close: () => Promise<void>) => void }

/** Listens on any free port. */
export async function fakePeers (t: Teardown, world: World): Promise<string> {
  const app = Fastify({ forceCloseConnections: true })
  app.setErrorHandler(async (error, _, reply) => {
    const problem = error instanceof Problem ? error : new Problem('internal', String(error))
    return await reply.code(problems[problem.kind].status)
      .type('application/problem+json').send(problemBody(problem))
  })
  app.addHook('onRequest', async ({ url }) => { world.asked.push(url) })
  app.get<{ Params: { id: string } }>('/v1/generations/:id', async ({ params }) => {
    if (params.id === world.generation.id) return world.generation
    throw new Problem('generation-not-found', 'There is no such generation.')
  })
  app.get<{ Querystring: { cursor?: string } }>('/v1/generations/:id/rejections', async ({ query }) => ({
    items: [{ reason: query.cursor === undefined ? 'no-checkable-fact' : 'short' }], nextCursor: query.cursor === undefined ? '1' : null
  }))
  app.get('/v1/generations/:id/diversity', async () => ({ selection: null }))
  app.post('/v1/generations/:id/acknowledge', async (_, reply) => await reply.code(204).send())
  fakeBanks(app, world)
  interface OfItems { Querystring: { generationId?: string, paperId: string, cursor?: string } }
  app.get<{ Params: { id: string } }>('/v1/items/:id', async ({ params }) => {
    const item = world.items.find(({ id }) => id === params.id)
    if (item === undefined) throw new Problem('item-not-found', 'There is no such item.')
    return item
  })
  app.get<OfItems>('/v1/items', async ({ query }) => {
    // Small pages, so that following them is tested.
    const start = Number(query.cursor ?? 0)
    const items = world.items.filter(({ source }) => query.generationId === undefined ? 'bankId' in source : 'paperId' in source && source.paperId === query.paperId)
    const end = start + 3
    return { items: items.slice(start, end), nextCursor: end < items.length ? String(end) : null }
  })
  const found = (id: string, hash: string) => {
    const problem = world.broken.get(id)
    if (problem !== undefined) throw problem
    const document = world.documents.find(one => one.paperId === id && one.documentHash === hash)
    if (document === undefined) throw new Problem('paper-not-found', 'There is no such paper.')
    return document
  }
  interface OfPaper { Params: { id: string }, Querystring: { documentHash: string } }
  app.get<OfPaper>('/v1/papers/:id/document', async ({ params, query }) =>
    found(params.id, query.documentHash))
  app.get<OfPaper>('/v1/papers/:id/figures/:figureId/image', async ({ params, query }, reply) => {
    found(params.id, query.documentHash)
    return await reply.type('image/png').send(image)
  })
  fakeInference(app, world)
  t.teardown(async () => { await app.close() })
  return await app.listen({ port: 0, host: '127.0.0.1' })
}

export async function folder (t: Teardown): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'viva-reviewing-'))
  t.teardown(async () => { await rm(dir, { recursive: true, force: true }) })
  return dir
}

interface HouseOptions {
  dir: string
  peersUrl: string
  /** For faults: what stands between the service and its store and blobs. */
  wrap?: (parts: { store: Store, blobs: Blobs }) => { store: Store, blobs: Blobs }
}

export async function openHouse ({ dir, peersUrl, wrap = parts => parts }: HouseOptions) {
  const opened = await embeddedStore(join(dir, 'reviewing.db'))
  const bus = memoryBus({ pauseMs: 5 })
  const log = silentLog()
  const own = { store: opened, bus, service: 'reviewing', workerId: 'test', log }
  const worker = await createWorker(own)
  const urls = Object.fromEntries(serviceNames.map(name => [name, peersUrl])) as Record<ServiceName, string>
  const { call, close: closeCalls } = httpCall({ here: [], socketPath: () => '', urls })
  const app = await createApp()
  let running: Running | undefined
  const kept = { store: opened, blobs: await folderBlobs(join(dir, 'blobs')) }
  const { store, blobs } = wrap(kept)
  await app.register(async plugin => {
    const config = {
      REVIEWING_PAPERS_AT_ONCE: 2, REVIEWING_UNITS_AT_ONCE: 8, REVIEWING_COMPLETION_TIMEOUT_MS: 10_000
    }
    const metrics = new Registry()
    const parts = { app: plugin as App, config, store, blobs, bus, worker, call, log, metrics }
    running = await reviewing.start(parts) ?? {}
  })
  await app.ready()
  await worker.start()
  await running?.consume?.()
  return {
    app,
    bus,
    get: async (url: string) => await app.inject({ url: `/v1${url}` }),
    post: async (url: string, body?: object) =>
      await app.inject({ method: 'POST', url: `/v1${url}`, ...body !== undefined && { payload: body } }),
    async close () {
      await worker.stop()
      await app.close()
      await bus.close()
      await closeCalls()
      await opened.close()
    }
  }
}

export type House = Awaited<ReturnType<typeof openHouse>>
