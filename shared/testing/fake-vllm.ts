/**
 * A model server that does as it is told: the answers, the delays and the faults of a vLLM, and a
 * journal of what reached it. It shares no code with the proxy, so that neither hides the other's faults.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What to do with one request. */
export type Behaviour =
  | 'ok'
  | { slowMs: number }
  /** Takes the request and says nothing. */
  | 'never'
  | { status: number, message?: string }
  /** Stops in the middle of the answer: resets the connection. */
  | 'cut'
  /** Takes the request and closes the connection: killed, or a tunnel without its other end. */
  | 'hang-up'
  /** Ends a stream in good order, but without [DONE]. */
  | 'no-done'
  /** 200 and a page, as a login wall does. */
  | 'html'

export interface Entry {
  path: string
  headers: Record<string, unknown>
  body: Record<string, unknown>
  /** Who ended it; undefined while it runs. */
  endedBy?: 'server' | 'client'
}

export interface FakeOptions {
  models?: string[]
  /** The n-th request from 0; default ok. */
  behave?: (entry: Entry, nth: number) => Behaviour
  /** The text of an answer; default: the last line asked for, "Answer: Yes". */
  reply?: (body: Record<string, unknown>) => string
  port?: number
  /** Its address; default loopback. */
  host?: string
}

export interface FakeVllm {
  url: string
  journal: Entry[]
  /** Resolves when the n-th request (from 0) has ended. */
  ended: (nth: number) => Promise<Entry>
  /** Resolves when the n-th request (from 0) has arrived. */
  arrived: (nth: number) => Promise<Entry>
  close: () => Promise<void>
}

export async function fakeVllm (options: FakeOptions = {}): Promise<FakeVllm> {
  const { host = '127.0.0.1', models = ['fake-model'], behave = () => 'ok', reply = () => 'Answer: Yes' } = options
  const journal: Entry[] = []
  let changed: Array<() => void> = []
  const notify = () => { const waiting = changed; changed = []; waiting.forEach(wake => { wake() }) }

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer (request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/v1/models') { sendJson(response, 200, modelList(models)); return }
    if (request.url === '/version') { sendJson(response, 200, { version: '0.29.0' }); return }
    if (request.method === 'GET') { sendJson(response, request.url === '/health' ? 200 : 404, {}); return }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, unknown>
    const entry: Entry = { path: String(request.url), headers: { ...request.headers }, body }
    const nth = journal.push(entry) - 1
    response.once('close', () => {
      entry.endedBy = response.writableFinished ? 'server' : 'client'
      notify()
    })
    notify()
    await perform(behave(entry, nth), { response, body, text: reply(body) })
  }

  server.listen(options.port ?? 0, host)
  await once(server, 'listening')
  const until = async (nth: number, holds: (entry: Entry) => boolean): Promise<Entry> => {
    for (;;) {
      const entry = journal[nth]
      if (entry !== undefined && holds(entry)) return entry
      await new Promise<void>(resolve => { changed.push(resolve) })
    }
  }
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    journal,
    ended: async nth => await until(nth, ({ endedBy }) => endedBy !== undefined),
    arrived: async nth => await until(nth, () => true),
    async close () {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }
}

interface Work { response: ServerResponse, body: Record<string, unknown>, text: string }

async function perform (behaviour: Behaviour, work: Work): Promise<void> {
  const { response, body } = work
  if (behaviour === 'never') return
  if (behaviour === 'hang-up') { response.destroy(); return }
  if (behaviour === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Please log in</body></html>')
    return
  }
  if (typeof behaviour === 'object' && 'status' in behaviour) {
    const { status, message = 'as told' } = behaviour
    sendJson(response, status, { error: { message, type: 'BadRequestError', param: null, code: status } })
    return
  }
  if (typeof behaviour === 'object') {
    await new Promise(resolve => { setTimeout(resolve, behaviour.slowMs).unref() })
  }
  if (body.stream === true) { stream(behaviour, work); return }
  if (behaviour === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
    response.write('{"id":"half')
    setImmediate(() => response.destroy())
    return
  }
  sendJson(response, 200, completion(work))
}

function stream (behaviour: Behaviour, { response, body, text }: Work): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const frame = (delta: object, finish: string | null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    response.write(`data: ${JSON.stringify({ id: 'fake', object: 'chat.completion.chunk', model: body.model, choices })}\n\n`)
  }
  frame({ role: 'assistant' }, null)
  const words = text.split(/(?<= )/)
  for (const [at, content] of words.entries()) {
    if (behaviour === 'cut' && at === Math.ceil(words.length / 2)) {
      setImmediate(() => response.destroy())
      return
    }
    frame({ content }, null)
  }
  frame({}, 'stop')
  if (behaviour !== 'no-done') response.write('data: [DONE]\n\n')
  response.end()
}

function completion ({ body, text }: Work): object {
  const tokens = (value: unknown) => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4)
  const max = typeof body.max_tokens === 'number' ? body.max_tokens : Infinity
  const cut = tokens(text) > max
  const content = cut ? text.slice(0, max * 4) : text
  return {
    id: 'fake',
    object: 'chat.completion',
    model: body.model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: cut ? 'length' : 'stop' }],
    usage: { prompt_tokens: tokens(body.messages ?? body.prompt ?? ''), completion_tokens: tokens(content) }
  }
}

function modelList (models: string[]): object {
  return { object: 'list', data: models.map(id => ({ id, object: 'model', owned_by: 'vllm', max_model_len: 8192 })) }
}

function sendJson (response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
