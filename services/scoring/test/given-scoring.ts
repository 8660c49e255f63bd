/** Scoring as it is, between stand-ins for reviewing and inference; for tests. */
import type { Test } from 'tap'
import { Type } from 'typebox'
import { defineService } from '../../../shared/app/service.ts'
import { silentLog } from '../../../shared/app/log.ts'
import { startServices } from '../../../shared/app/start.ts'
import type { Benchmark, BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { scoringAt } from '../service.ts'

export interface Given {
  documents: readonly Document[]
  /** The first is the one that `run` runs. */
  frozen: ReadonlyArray<{ benchmark: Benchmark, items: BenchmarkItem[] }>
  /** By image id; without it, any image is one pixel. */
  images?: ReadonlyMap<string, Buffer>
  /** That inference lists without vision, beside "blind" and "seeing". */
  models?: readonly string[]
  /** While a document is read. */
  beforeDocument?: () => Promise<void>
}

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

const nothing = async (): Promise<void> => {}

/** Reviewing, as far as scoring asks it. */
export const reviewing = ({ documents, frozen, images, beforeDocument = nothing }: Given) => defineService({
  name: 'reviewing',
  config: Type.Object({}),
  summary: 'A stand-in.',
  async start ({ app }) {
    const get = (id: string) => {
      const found = frozen.find(({ benchmark }) => benchmark.id === id)
      if (found === undefined) throw new Problem('benchmark-not-found', `There is no benchmark ${id}.`)
      return found
    }
    app.get<{ Params: { id: string } }>('/v1/benchmarks/:id', async ({ params }) => get(params.id).benchmark)
    app.get<{ Params: { id: string }, Querystring: { cursor?: string } }>('/v1/benchmarks/:id/items', async ({ params, query }) => {
      const start = Number(query.cursor ?? 0)
      const all = get(params.id).items
      const next = start + 3
      return { items: all.slice(start, next), nextCursor: next < all.length ? String(next) : null }
    })
    app.get<{ Params: { hash: string } }>('/v1/benchmarks/:id/documents/:hash', async ({ params }) => {
      await beforeDocument()
      return documents.find(({ documentHash }) => documentHash === params.hash)
    })
    app.get<{ Params: { imageId: string } }>('/v1/benchmarks/:id/figures/:imageId', async ({ params: { imageId } }, reply) => {
      const bytes = images === undefined ? png : images.get(imageId)
      if (bytes === undefined) throw new Problem('figure-not-found', `There is no image ${imageId}.`)
      return await reply.type('image/png').send(bytes)
    })
  }
})

export interface Asked { headers: Record<string, unknown>, body: any }

/** Inference, with a journal; `answer` may throw. */
const inference = (journal: Asked[], answer: Answer, models: readonly string[]) => defineService({
  name: 'inference',
  config: Type.Object({}),
  summary: 'A stand-in.',
  async start ({ app }) {
    app.get('/v1/models', async () => ({
      object: 'list', data: [...['blind', ...models].map(id => ({ id, capabilities: [] })), { id: 'seeing', capabilities: ['vision'] }, { id: 'short', capabilities: [], max_model_len: 2000 }]
    }))
    // A token for every three bytes.
    interface Estimates { Body: { requests: Array<{ messages: Array<{ content: string }> }> } }
    app.post<Estimates>('/v1/estimates', async ({ body: { requests } }) => ({
      models: requests.map(({ messages: [message] }) => ({
        promptTokens: Math.ceil(Buffer.byteLength(message!.content) / 3),
        countedBy: { tokenizer: 1, unanswered: 0 }
      }))
    }))
    app.post('/v1/chat/completions', async ({ headers, body }, reply) => {
      journal.push({ headers, body })
      void reply.header('viva-upstream-version', '0.11.0')
      return answer({ headers, body }, journal.length - 1)
    })
  }
})

export const says = (content: string, finishReason = 'stop') => ({ choices: [{ message: { role: 'assistant', content }, finish_reason: finishReason }] })
export const promptOf = ({ body: { messages: [{ content }] } }: Asked): string => typeof content === 'string' ? content : content[0].text

/** `now`: the clock of people's sittings. */
interface Options { answer?: Answer | undefined, dir?: string | undefined, now?: () => number }

type Answer = (asked: Asked, nth: number) => unknown

export async function startScoring (
  t: Test, given: Given, { answer = () => says('Answer: Yes'), dir = temporaryFolder(t), now = Date.now }: Options = {}
) {
  const journal: Asked[] = []
  const suite = await startServices([
    reviewing(given), inference(journal, answer, given.models ?? []), scoringAt(now)
  ], { DATA_DIR: dir, PORT: '0' }, { log: silentLog() })
  t.teardown(async () => { await suite.close() })
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) => {
    const response = await suite.app.inject({ method, url: `/v1${path}`, ...payload !== undefined && { payload } })
    const isJson = /json/.test(String(response.headers['content-type'])) && !path.endsWith('.jsonl')
    const { statusCode: status, headers, body: text } = response
    return { status, headers, text, body: isJson ? response.json() : undefined }
  }
  const run = async (model: string, condition?: object) => {
    const { body } = await ask('POST', '/runs', { benchmarkId: given.frozen[0]!.benchmark.id, model, ...condition !== undefined && { condition } })
    return (await ask('GET', `/runs/${body.id}?wait=30`)).body
  }
  return { ask, run, journal, app: suite.app, close: suite.close, url: suite.url }
}
