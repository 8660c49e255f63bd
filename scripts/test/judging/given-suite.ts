/** Scoring and inference in front of a fake vLLM, with a benchmark frozen by a stand-in for reviewing. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { silentLog } from '../../../shared/app/log.ts'
import { defineService } from '../../../shared/app/service.ts'
import { startServices } from '../../../shared/app/start.ts'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import { fakeJudge, type Habits } from '../../../shared/testing/fake-judge.ts'
import { fakeVllm, type FakeOptions, type FakeVllm } from '../../../shared/testing/fake-vllm.ts'
import { inferenceWith } from '../../../services/inference/service.ts'
import { scoring } from '../../../services/scoring/service.ts'
import { benchmarkOf, documentOf, itemOf } from '../../../services/scoring/test/fixtures.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

export const documents = Array.from({ length: 6 }, (_, i) => documentOf(`paper ${i}`))
export const items: BenchmarkItem[] = documents.flatMap((document, at) => [
  itemOf(document, { kind: 'qa', question: 'What hardens the alloy?', answer: 'Heating it.' }),
  itemOf(document, { kind: 'qa', question: 'What keeps oxygen away?', answer: 'Argon.', rationale: '' }),
  itemOf(document, { kind: 'choice', question: `Which gas was used? (${at})`, choices: [{ text: 'argon' }, { text: 'neon' }], answerIndex: 0 }),
  itemOf(document, { kind: 'vqa', place: 'fig1', figureIds: ['fig1'], question: 'What does the figure show?', answer: 'Hardness.' })
])
export const benchmark = benchmarkOf(documents, items)

const reviewing = defineService({
  name: 'reviewing',
  config: Type.Object({}),
  summary: 'A stand-in.',
  async start ({ app }) {
    app.get('/v1/benchmarks/:id', async () => benchmark)
    app.get('/v1/benchmarks/:id/items', async () => ({ items, nextCursor: null }))
    app.get<{ Params: { hash: string } }>('/v1/benchmarks/:id/documents/:hash', async ({ params }) =>
      documents.find(({ documentHash }) => documentHash === params.hash))
    app.get('/v1/benchmarks/:id/figures/:imageId', async (_, reply) => await reply.type('image/png').send(png))
  }
})

export type Body = Record<string, any>

/** How models behave from now on. */
export interface Turn {
  /** What an evaluated model says. */
  says: (body: Body, prompt: string) => string
  /** Asked before judges and models; null leaves it to them. */
  first?: (body: Body) => string | null
  behave?: FakeOptions['behave']
}

export interface Given extends Turn { judges: Record<string, Habits> }

export interface Suite {
  fake: FakeVllm
  /** Runs after it are others than before, for what was said is on record. */
  turn: (turn: Turn) => void
  get: (path: string) => Promise<Body>
  post: (path: string, body?: object) => Promise<Body & { status?: number }>
  text: (path: string) => Promise<string>
  run: (model: string, condition?: object) => Promise<string>
  /** Opens and waits for the end. */
  judge: (request: object) => Promise<Body>
  close: () => Promise<void>
}

export function promptOf ({ messages }: Body): string {
  const { content } = messages.at(-1)
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n')
}

/** @param given  looked at whenever a request comes: who changes it changes what is said */
export async function openFake (given: Given): Promise<FakeVllm> {
  const judge = fakeJudge(model => given.judges[model] ?? { quality: () => 3 })
  return await fakeVllm({
    models: [...Object.keys(given.judges), 'llama-3-8b', 'qwen2.5-7b'],
    maxModelLen: 16_384,
    reply: body => given.first?.(body) ?? judge(body) ?? given.says(body, promptOf(body)),
    behave: (entry, nth) => given.behave?.(entry, nth) ?? 'ok'
  })
}

export async function startSuite (dir: string, fakeUrl: string, capabilities = ['structured-output']) {
  const upstreams = JSON.stringify([{ name: 'lab', baseUrl: fakeUrl, capabilities }])
  return await startServices([reviewing, inferenceWith({ random: () => 0 }), scoring], {
    DATA_DIR: dir, PORT: '0', UPSTREAMS: upstreams, RATE_PER_MINUTE: '0'
  }, { log: silentLog() })
}

/** For several tests, the last of which closes it: each start costs a second. The folder goes with it. */
export async function openSuite (
  asked: Given, at: { dir?: string, fake?: FakeVllm, vision?: true } = {}
): Promise<Suite> {
  const dir = at.dir ?? mkdtempSync(join(tmpdir(), 'viva-judging-'))
  const given = { ...asked }
  const fake = at.fake ?? await openFake(given)
  const suite = await startSuite(dir, fake.url, ['structured-output', ...at.vision ? ['vision'] : []])
  let seed = 1
  const ask = async (method: string, path: string, body?: object) => await fetch(`${suite.url}/v1${path}`, {
    method, ...body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  })
  const get = async (path: string) => await (await ask('GET', path)).json() as Body
  const post = async (path: string, body?: object) => await (await ask('POST', path, body)).json() as Body
  return {
    fake,
    turn ({ says, first = () => null, behave = () => 'ok' }) {
      Object.assign(given, { says, first, behave })
      seed++
    },
    get,
    post,
    text: async path => await (await ask('GET', path)).text(),
    async run (model, condition = {}) {
      const { id } = await post('/runs', { benchmarkId: benchmark.id, model, condition: { figures: 'withheld', seed, ...condition } })
      await get(`/runs/${id}?wait=30`)
      return id
    },
    async judge (request) {
      const opened = await post('/judgements', request)
      return opened.id === undefined ? opened : await get(`/judgements/${opened.id}?wait=60`)
    },
    async close () {
      await suite.close()
      await fake.close()
      rmSync(dir, { recursive: true, force: true, maxRetries: 3 })
    }
  }
}
