/** Scoring and inference in front of a fake vLLM, with a benchmark frozen by a stand-in for reviewing. */
import type { Test } from 'tap'
import { Type } from 'typebox'
import { silentLog } from '../../../../shared/app/log.ts'
import { defineService } from '../../../../shared/app/service.ts'
import { startServices } from '../../../../shared/app/start.ts'
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { fakeJudge, type Habits } from '../../../../shared/testing/fake-judge.ts'
import { fakeVllm, type FakeOptions, type FakeVllm } from '../../../../shared/testing/fake-vllm.ts'
import { temporaryFolder } from '../../../../shared/testing/temporary-folder.ts'
import { inferenceWith } from '../../../inference/service.ts'
import { scoring } from '../../service.ts'
import { benchmarkOf, documentOf, itemOf } from '../../test/fixtures.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

export const documents = Array.from({ length: 6 }, (_, i) => documentOf(`paper ${i}`))
export const items: BenchmarkItem[] = documents.flatMap(document => [
  itemOf(document, { kind: 'qa', question: 'What hardens the alloy?', answer: 'Heating it.' }),
  itemOf(document, { kind: 'qa', question: 'What keeps oxygen away?', answer: 'Argon.', rationale: '' }),
  itemOf(document, { kind: 'choice', question: 'Which gas was used?', choices: [{ text: 'argon' }, { text: 'neon' }], answerIndex: 0 }),
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

export interface Given {
  /** What an evaluated model says; models answer in the benchmark's words where null. */
  says: (body: Body, prompt: string) => string
  judges: Record<string, Habits>
  /** Before either: null leaves it to them. */
  first?: (body: Body) => string | null
  models?: string[]
  behave?: FakeOptions['behave']
  fake?: Partial<FakeOptions>
}

export interface Suite {
  url: string
  fake: FakeVllm
  dir: string
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

export async function givenFake (t: Test, given: Given): Promise<FakeVllm> {
  const judge = fakeJudge(model => given.judges[model] ?? { quality: () => 3 })
  const fake = await fakeVllm({
    models: [...Object.keys(given.judges), ...given.models ?? ['llama-3-8b', 'qwen2.5-7b']],
    maxModelLen: 16_384,
    reply: body => given.first?.(body) ?? judge(body) ?? given.says(body, promptOf(body)),
    ...given.behave !== undefined && { behave: given.behave },
    ...given.fake
  })
  t.teardown(fake.close)
  return fake
}

export async function startSuite (dir: string, fakeUrl: string) {
  const upstreams = JSON.stringify([{ name: 'lab', baseUrl: fakeUrl, capabilities: ['structured-output'] }])
  return await startServices([reviewing, inferenceWith({ random: () => 0 }), scoring], {
    DATA_DIR: dir, PORT: '0', UPSTREAMS: upstreams, RATE_PER_MINUTE: '0'
  }, { log: silentLog() })
}

export async function givenSuite (
  t: Test, given: Given, at: { dir?: string, fake?: FakeVllm } = {}
): Promise<Suite> {
  const fake = at.fake ?? await givenFake(t, given)
  const dir = at.dir ?? temporaryFolder(t)
  const suite = await startSuite(dir, fake.url)
  let closed = false
  const close = async () => {
    if (!closed) await suite.close()
    closed = true
  }
  t.teardown(close)
  const ask = async (method: string, path: string, body?: object) => await fetch(`${suite.url}/v1${path}`, {
    method, ...body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  })
  const get = async (path: string) => await (await ask('GET', path)).json() as Body
  const post = async (path: string, body?: object) => await (await ask('POST', path, body)).json() as Body
  return {
    url: suite.url,
    fake,
    dir,
    get,
    post,
    text: async path => await (await ask('GET', path)).text(),
    async run (model, condition = {}) {
      const { id } = await post('/runs', { benchmarkId: benchmark.id, model, condition: { figures: 'withheld', ...condition } })
      await get(`/runs/${id}?wait=30`)
      return id
    },
    async judge (request) {
      const opened = await post('/judgements', request)
      return opened.id === undefined ? opened : await get(`/judgements/${opened.id}?wait=60`)
    },
    close
  }
}
