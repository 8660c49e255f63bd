/** From a request to its handler: the key, the body, the journal, the script, the route. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { control } from './control.ts'
import { Refusal } from './dialect.ts'
import type { Exchange, Fake } from './fake.ts'
import type { Entry } from './journal.ts'
import { chat, completion } from './model-calls.ts'
import {
  detokenize, embeddings, health, isSleeping, listModels, load, loadLora, metrics, sleep, tokenize,
  unloadLora, version, wakeUp, type Handler
} from './other-routes.ts'
import { ordinary, planOf, planOfBehaviour, type Plan } from './plan.ts'
import { changeServer, instead, strikeDown } from './plan-effects.ts'
import { pydantic } from './sampling.ts'
import { sendJson, sendRefusal } from './whole-answer.ts'
import { resetUnended, wireOf } from './wire.ts'

const routes: Record<string, Handler> = {
  'POST /v1/chat/completions': chat,
  'POST /v1/completions': completion,
  'POST /v1/embeddings': embeddings,
  'GET /v1/models': listModels,
  'POST /tokenize': tokenize,
  'POST /detokenize': detokenize,
  'GET /health': health,
  'GET /ping': health,
  'POST /ping': health,
  'GET /version': version,
  'GET /metrics': metrics,
  'GET /load': load,
  'POST /sleep': sleep,
  'POST /wake_up': wakeUp,
  'GET /is_sleeping': isSleeping,
  'POST /v1/load_lora_adapter': loadLora,
  'POST /v1/unload_lora_adapter': unloadLora
}
const routeMethod = new Map(Object.keys(routes).map(route => route.split(' ').reverse() as [string, string]))
const guarded = /^\/(?:v1|v2|inference|cohere)(?:\/|$)/

interface Seat { id: number, requests: number }
const seats = new WeakMap<Socket, Seat>()
let socketsSeen = 0

export async function serve (fake: Fake, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '/'
  const path = url.split('?')[0] ?? url
  const { socket } = request
  const seat = seats.get(socket) ?? { id: socketsSeen++, requests: 0 }
  seats.set(socket, seat)
  const entry = entryOf(fake, request, { url, seat })
  if (path.startsWith('/__')) { await control(fake, request, response); return }
  const journal = request.method === 'GET' ? fake.probes : fake.journal
  entry.id = journal.count
  if (fake.state.doomed.has(socket) && entry.reused) {
    journal.add({ ...entry, scripts: ['reset_idle'], endedBy: 'server', endedAt: fake.clock.now() })
    resetUnended(socket)
    return
  }
  const bytes = await bodyOf(request)
  if (bytes === null) {
    journal.add({ ...entry, endedBy: 'client', endedAt: fake.clock.now() })
    return
  }
  entry.bodyBytes = bytes.length
  if (fake.options.journalMax > 0 && bytes.length > 0) entry.bodySha = createHash('sha256').update(bytes).digest('hex')
  const body = parsed(bytes)
  if (body.value !== null) entry.body = body.value
  const exchange: Exchange = { request, response, entry, plan: ordinary }
  fake.state.inFlight++
  response.once('close', () => {
    fake.state.inFlight--
    entry.endedBy ??= response.writableFinished ? 'server' : 'client'
    entry.endedAt = fake.clock.now()
    journal.notify()
  })
  journal.add(entry)
  if (request.method !== 'GET') {
    try { exchange.plan = planFor(fake, entry) } catch (cause) {
      sendRefusal(fake, wireOf(fake, exchange), new Refusal(400, (cause as Error).message))
      return
    }
  }
  entry.scripts = exchange.plan.names
  await answer(fake, exchange, { path, unreadable: body.unreadable })
}

interface Asking { path: string, unreadable: string | null }

async function answer (fake: Fake, exchange: Exchange, { path, unreadable }: Asking): Promise<void> {
  const { request, plan } = exchange
  const wire = wireOf(fake, exchange)
  try {
    if (!admitted(fake, request, path)) { sendJson(wire, 401, { error: 'Unauthorized' }); return }
    const handler = handlerOf(fake, String(request.method), path)
    if (handler === null) {
      const known = routeMethod.has(path) && request.method !== routeMethod.get(path)
      sendJson(wire, known ? 405 : 404, { detail: known ? 'Method Not Allowed' : 'Not Found' })
      return
    }
    changeServer(fake, plan)
    if (await instead(fake, exchange, wire)) return
    if (request.method === 'POST' && /^\/v1\/|tokenize$/.test(path)) {
      strikeDown(fake, exchange)
      checkForm(fake, request, unreadable)
    }
    await handler(fake, exchange, wire)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    sendRefusal(fake, wire, cause)
  }
}

function entryOf (fake: Fake, request: IncomingMessage, { url, seat }: { url: string, seat: Seat }): Entry {
  return {
    id: -1,
    method: String(request.method),
    path: url,
    headers: { ...request.headers },
    body: {},
    bodySha: null,
    bodyBytes: 0,
    scripts: [],
    status: null,
    receivedAt: fake.clock.now(),
    headersAt: null,
    firstAt: null,
    lastAt: null,
    endedAt: null,
    tokensSent: 0,
    tokensMade: 0,
    promptTokens: null,
    cachedTokens: null,
    bytesSent: 0,
    unackedBytesMax: 0,
    socketId: seat.id,
    reused: seat.requests++ > 0
  }
}

/** By the one-shot header, else the caller's function, else the first rule that matches. */
function planFor (fake: Fake, entry: Entry): Plan {
  const header = entry.headers['x-fake']
  if (typeof header === 'string') return planOf(header.split(';'))
  const behaviour = fake.behave?.(entry, entry.id) ?? 'ok'
  return { ...behaviour === 'ok' ? fake.scripts.take(entry) ?? ordinary : planOfBehaviour(behaviour) }
}

function handlerOf ({ dialect, options }: Fake, method: string, path: string): Handler | null {
  const sleeps = ['/sleep', '/wake_up', '/is_sleeping'].includes(path)
  if (sleeps && !(dialect.sleepRoutes && options.sleepMode)) return null
  if (path === '/v1/embeddings' && options.task === 'generate') return null
  if ((path === '/v1/chat/completions' || path === '/v1/completions') && options.task === 'embed') return null
  const route = `${method} ${path}`
  return Object.hasOwn(routes, route) ? routes[route] ?? null : null
}

/** The key guards only what vLLM guards with it. */
function admitted ({ options: { apiKey } }: Fake, request: IncomingMessage, path: string): boolean {
  return apiKey === null || !guarded.test(path) || request.headers.authorization === `Bearer ${apiKey}`
}

function checkForm ({ dialect }: Fake, request: IncomingMessage, unreadable: string | null): void {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    if (dialect.mediaTypeStatus === 500) throw new Refusal(500, 'Internal Server Error')
    throw new Refusal(400, "1 validation error:\n  Unsupported Media Type: Only 'application/json' is allowed", { type: dialect.validationType })
  }
  if (unreadable === null) return
  throw pydantic(dialect, ['body'], { type: 'json_invalid', msg: unreadable, input: {} })
}

/** @returns null when the client left before it was whole */
async function bodyOf (request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  return await new Promise(resolve => {
    request.on('data', (chunk: Buffer) => { chunks.push(chunk) })
    request.on('end', () => { resolve(chunks.length === 1 ? chunks[0] as Buffer : Buffer.concat(chunks)) })
    request.on('close', () => { resolve(null) })
    request.on('error', () => { resolve(null) })
  })
}

function parsed (bytes: Buffer): { value: Record<string, unknown> | null, unreadable: string | null } {
  if (bytes.length === 0) return { value: null, unreadable: 'Field required' }
  let value: unknown
  try { value = JSON.parse(bytes.toString()) } catch { return { value: null, unreadable: 'JSON decode error' } }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return { value: null, unreadable: 'Input should be a valid dictionary' }
  }
  return { value: value as Record<string, unknown>, unreadable: null }
}
