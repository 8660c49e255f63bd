/** Puts reviewing together. The only file here that knows every part. */
import { defineService } from '../../shared/app/service.ts'
import { benchmarkRoutes } from './benchmark-routes.ts'
import { Config } from './config.ts'
import { consumers } from './consumers.ts'
import { reviewingReader } from './handlers/get-reviewing.ts'
import type { PaperVersion } from './handlers/get-document.ts'
import { reviewPaper, type ReviewingSpec } from './handlers/review-paper.ts'
import { startHumanReview } from './human/start.ts'
import { peersOf } from './peers.ts'
import { routes } from './routes.ts'
import { reviewingStore } from './store.ts'

export const reviewing = defineService({
  name: 'reviewing',
  config: Config,
  summary: 'Check the items; freeze the good ones as a benchmark.',
  async start ({ app, bus, store: documents, blobs, worker, call, config, log }) {
    const store = await reviewingStore(documents)
    const peers = peersOf(call)
    const jobs = await worker.define<ReviewingSpec, PaperVersion>({
      name: 'reviewing',
      concurrency: config.REVIEWING_PAPERS_AT_ONCE,
      plan: async ({ spec }) => spec.papers.map(paper => ({ key: paper.paperId, input: paper })),
      perform: async ({ input: paper }, { _id: reviewingId, spec }, signal) => {
        const { generationId } = spec.source
        await reviewPaper({ peers, store }, { reviewingId, generationId, paper, signal })
      }
    })
    routes(app, { peers, jobs, store })
    benchmarkRoutes(app, { peers, jobs, store, blobs })
    const assertReviewing = async (id: string) => { await reviewingReader({ jobs, store }).job(id) }
    const people = await startHumanReview({ app, documents, store, peers, log, assertReviewing })
    return {
      async consume () {
        people.watch()
        await consumers(bus, { peers, jobs })
      },
      async close () { people.close() }
    }
  }
})
