/** Puts partial-input baselines together: their store, their work and their routes. */
import type { App } from '../../../shared/app/service.ts'
import { recently } from '../../../shared/clients/recently.ts'
import type { Shrinker } from '../../../shared/images/shrinker.ts'
import type { Store } from '../../../shared/store/store.ts'
import type { Worker } from '../../../shared/tasks/tasks.ts'
import type { FreezeParts } from '../handlers/freeze-benchmark.ts'
import { paperReader } from '../handlers/read-paper.ts'
import { citeBaselines } from './handlers/cite-baselines.ts'
import { finishBaseline } from './handlers/finish-baseline.ts'
import { frozenPapers } from './handlers/frozen-papers.ts'
import type { BaselineParts, BaselineSpec, BaselineTask, PaperReader } from './handlers/parts.ts'
import { performTask } from './handlers/perform-task.ts'
import { loadBaselinePrompts } from './prompts.ts'
import { baselineRoutes } from './routes.ts'
import { baselineStore } from './store.ts'

const benchmarksKept = 4

interface Given extends Pick<BaselineParts, 'peers' | 'store' | 'reviewings' | 'blobs' | 'replies' | 'timeoutMs'> {
  app: App
  documents: Store
  worker: Worker
  shrinker: Shrinker
  /** Of papers as parsing has them. */
  reader: PaperReader
  concurrency: number
}

/** @returns what a benchmark cites */
export async function startBaselines (given: Given): Promise<Pick<FreezeParts, 'cite'>> {
  const { app, documents, worker, shrinker, reader, concurrency, ...rest } = given
  const baselines = await baselineStore(documents)
  const frozen = recently(benchmarksKept, async benchmarkId =>
    paperReader({ ...rest.peers, parsing: await frozenPapers(rest, benchmarkId) }, shrinker))
  const parts = {
    ...rest,
    baselines,
    prompts: await loadBaselinePrompts(),
    readerFor: async (source: BaselineSpec['source']) => 'benchmarkId' in source ? await frozen(source.benchmarkId) : reader
  }
  const jobs = await worker.define<BaselineSpec, BaselineTask>({
    name: 'partial-input',
    concurrency,
    plan: async ({ _id, spec }) => plan(baselines.askedItems(_id), spec),
    perform: async (task, job, signal) => { await performTask(parts, { task, job }, signal) },
    finish: async (job, signal) => { await finishBaseline(baselines, job, signal) }
  })
  baselineRoutes(app, { ...parts, jobs })
  return { cite: async request => await citeBaselines({ baselines, jobs }, request) }
}

async function * plan (items: AsyncIterable<{ item: { id: string } }>, { models }: BaselineSpec) {
  for await (const { item: { id: itemId } } of items) {
    for (const model of models.keys()) yield { key: `${itemId}.${model}`, input: { itemId, model } }
  }
}
