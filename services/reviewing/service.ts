/** Puts reviewing together. The only file here that knows every part. */
import { defineService } from '../../shared/app/service.ts'
import { endBudget, takingTurnsInBudgets } from '../../shared/clients/calls-in-budget.ts'
import { createShrinker } from '../../shared/images/shrinker.ts'
import { replyReader } from '../../shared/reading/reply-reader.ts'
import { startBaselines } from './baselines/start.ts'
import { benchmarkRoutes } from './benchmark-routes.ts'
import { Config } from './config.ts'
import { consumers } from './consumers.ts'
import { duplicateFinder } from './handlers/find-duplicates.ts'
import { finishReviewing } from './handlers/finish-reviewing.ts'
import { reviewingReader } from './handlers/get-reviewing.ts'
import { performTask } from './handlers/perform-task.ts'
import { planReviewing, type TaskInput } from './handlers/plan-reviewing.ts'
import { paperReader } from './handlers/read-paper.ts'
import type { ReviewingSpec } from './handlers/review-paper.ts'
import { startHumanReview } from './human/start.ts'
import { peersOf } from './peers.ts'
import { loadPrompts } from './prompts.ts'
import { routes } from './routes.ts'
import { reviewingStore } from './store.ts'

export const reviewing = defineService({
  name: 'reviewing',
  config: Config,
  summary: 'Check the items; freeze the good ones as a benchmark.',
  async start ({ app, bus, store: documents, blobs, worker, call, config, log }) {
    const store = await reviewingStore(documents)
    const peers = peersOf(call)
    const shrinker = createShrinker()
    const replies = replyReader()
    const prompts = await loadPrompts()
    const { documentOf, imageOf } = paperReader(peers, shrinker)
    const parts = {
      peers,
      store,
      prompts,
      documentOf,
      imageOf,
      duplicatesOf: duplicateFinder({ peers, store, documentOf }),
      budgets: takingTurnsInBudgets(),
      timeoutMs: config.REVIEWING_COMPLETION_TIMEOUT_MS
    }
    const perform = performTask(parts, { papersAtOnce: config.REVIEWING_PAPERS_AT_ONCE })
    const jobs = await worker.define<ReviewingSpec, TaskInput>({
      name: 'reviewing',
      concurrency: config.REVIEWING_UNITS_AT_ONCE,
      plan: async job => await planReviewing(peers, job),
      perform: async (task, job, signal) => { await perform(task, job, signal) },
      async finish (job, signal) {
        await finishReviewing(store, job, signal)
        await endBudget({ jobs, inference: peers.inference }, job)
      }
    })
    const assertReviewing = async (id: string) => { await reviewingReader({ jobs, store }).job(id) }
    const people = await startHumanReview({ app, documents, store, peers, log, assertReviewing })
    const { cite } = await startBaselines({
      app,
      documents,
      worker,
      shrinker,
      peers,
      store,
      blobs,
      replies,
      reviewings: jobs,
      reader: { documentOf, imageOf },
      concurrency: config.REVIEWING_UNITS_AT_ONCE,
      timeoutMs: config.REVIEWING_COMPLETION_TIMEOUT_MS
    })
    routes(app, { peers, jobs, store, prompts, documentOf, statesOf: people.statesOf })
    benchmarkRoutes(app, { peers, jobs, store, blobs, cite, agreementsOf: people.agreementsOf })
    return {
      async consume () {
        people.watch()
        await consumers(bus, { peers, jobs, prompts })
      },
      async close () {
        people.close()
        await shrinker.close()
        await replies.close()
      }
    }
  }
})
