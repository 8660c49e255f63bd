/** Scoring and inference as they are, in front of simulated models, with benchmarks of a simulated world. */
import { Type } from 'typebox'
import { silentLog } from '../../../../shared/app/log.ts'
import { defineService } from '../../../../shared/app/service.ts'
import { startServices } from '../../../../shared/app/start.ts'
import type { Benchmark, BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../../shared/contracts/document.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { fakeVllm, type FakeOptions } from '../../../../shared/testing/fake-vllm.ts'
import { inference } from '../../../../services/inference/service.ts'
import { scoring } from '../../../../services/scoring/service.ts'
import { benchmarkOf, documentOf, itemOf } from '../../../../services/scoring/test/fixtures.ts'
import { api, type Api } from '../../../exam/api.ts'
import { choicesEach, isLost, replyOf, type SimulatedItem, type SimulatedModel } from './world.ts'

export interface Frozen { benchmark: Benchmark, items: BenchmarkItem[], documents: Document[] }

/** By its seed, which its questions name: so the model server knows what it is asked. */
export interface World { seed: number, models: readonly SimulatedModel[], items: readonly SimulatedItem[] }

const letterOf = (index: number) => String.fromCharCode(65 + index)
const slots = 64

export function frozenOf ({ seed, items }: World): Frozen {
  const papers = [...new Set(items.map(({ paper }) => paper))]
  const documents = papers.map(paper => documentOf(`paper ${paper} of world ${seed}`))
  const documentOfPaper = (paper: number) => documents[papers.indexOf(paper)]!
  const made = items.map(({ number, paper, aspect, answerIndex, length }) => itemOf(documentOfPaper(paper), {
    kind: 'choice',
    question: `World ${seed}, case ${number}: which value was found? ${'More is said of it here. '.repeat(Math.ceil(length / 5))}`.trim(),
    choices: Array.from({ length: choicesEach }, (_, i) => ({ text: `value ${i} of case ${number}` })),
    answerIndex,
    slices: { aspect }
  }))
  return { benchmark: benchmarkOf(documents, made, `World ${seed}`), items: made, documents }
}

export interface House { http: Api, close: () => Promise<void> }

interface Served {
  frozen: readonly Frozen[]
  models: readonly string[]
  reply: (body: Record<string, unknown>) => string
  behave?: NonNullable<FakeOptions['behave']>
}

/** The models of these worlds, whose server never answers a share of the items. */
export function modelsOf (worlds: readonly World[], lostShare: number): Omit<Served, 'frozen'> {
  const bySeed = new Map(worlds.map(world => [world.seed, world]))
  const names = new Set(worlds.flatMap(({ models }) => models.map(({ name }) => name)))
  const askedOf = (body: Record<string, unknown>) => {
    const [, seed, number] = /World (\d+), case (\d+):/u.exec(JSON.stringify(body)) ?? []
    const world = bySeed.get(Number(seed))!
    const model = world.models.find(({ name }) => name === body['model'])!
    return { seed: world.seed, model, item: world.items[Number(number)]!, repeat: Number(body['seed'] ?? 0) }
  }
  return {
    models: [...names],
    reply: body => replyOf(askedOf(body), letterOf),
    behave: ({ body }) => isLost(askedOf(body as Record<string, unknown>), lostShare) ? { status: 400, message: 'lost' } : 'ok'
  }
}

export async function openHouse (
  dir: string, { frozen, models, reply, behave = () => 'ok' }: Served
): Promise<House> {
  const vllm = await fakeVllm({
    models: [...models], maxNumSeqs: slots, maxModelLen: 32_768, reply, behave
  })
  const suite = await startServices([reviewingOf(frozen), inference, scoring], {
    PORT: '0',
    DATA_DIR: dir,
    RATE_PER_MINUTE: '0',
    UPSTREAMS: JSON.stringify([{ name: 'fake', baseUrl: vllm.url, capabilities: ['structured-output'], slots }])
  }, { log: silentLog() })
  return {
    http: api(suite.url),
    async close () {
      await suite.close()
      await vllm.close()
    }
  }
}

/** Reviewing, as far as scoring asks it. */
function reviewingOf (frozen: readonly Frozen[]) {
  const get = (id: string) => {
    const found = frozen.find(({ benchmark }) => benchmark.id === id)
    if (found === undefined) throw new Problem('benchmark-not-found', `There is no benchmark ${id}.`)
    return found
  }
  return defineService({
    name: 'reviewing',
    config: Type.Object({}),
    summary: 'Benchmarks of simulated worlds',
    async start ({ app }) {
      app.get<{ Params: { id: string } }>('/v1/benchmarks/:id', async ({ params }) => get(params.id).benchmark)
      app.get<{ Params: { id: string }, Querystring: { cursor?: string, limit?: string } }>('/v1/benchmarks/:id/items', async ({ params, query }) => {
        const { items } = get(params.id)
        const from = Number(query.cursor ?? 0)
        const to = from + Number(query.limit ?? 200)
        return { items: items.slice(from, to), nextCursor: to < items.length ? String(to) : null }
      })
      app.get<{ Params: { id: string, hash: string } }>('/v1/benchmarks/:id/documents/:hash', async ({ params }) =>
        get(params.id).documents.find(({ documentHash }) => documentHash === params.hash))
    }
  })
}
