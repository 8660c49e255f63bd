/** Puts scoring together. The only file here that knows every part. */
import { defineService, type App } from '../../shared/app/service.ts'
import { reviewingClient } from '../../shared/clients/reviewing.ts'
import { benchmarkReader } from './benchmarks.ts'
import { comparisonStore } from './comparisons.ts'
import { Config } from './config.ts'
import type { PredictionTask, RunSpec } from './domain/plan.ts'
import { finishRun, planRun } from './handlers/plan-run.ts'
import { predict } from './handlers/predict.ts'
import { createShrinker } from '../../shared/images/shrinker.ts'
import { startJudging } from './judging/start.ts'
import { loadPrompts } from './load-prompts.ts'
import { modelsOf } from './models.ts'
import { analysisRoutes } from './routes-analyses.ts'
import { logReader } from './imports/reader.ts'
import { importStore } from './imports/store.ts'
import { importRoutes } from './routes-imports.ts'
import { compareRoutes } from './routes-compare.ts'
import { protocolRoutes } from './routes-protocol.ts'
import { plotRoutes } from './routes-plots.ts'
import { leaderboardRoutes } from './routes-leaderboard.ts'
import { kmetbenchRunRoutes } from './routes-kmetbench.ts'
import { scoreTableRoutes } from './routes-score-tables.ts'
import { scoreTableStore } from './score-tables/store.ts'
import { statelessRoutes } from './routes-stateless.ts'
import { routes } from './routes.ts'
import { startSittings } from './sittings/start.ts'
import { sittingStore } from './sittings/store.ts'
import { scoringStore } from './store.ts'
import { createThreads } from './thread/threads.ts'

/** @param now  milliseconds since 1970: the clock of people's sittings */
export const scoringAt = (now: () => number) => defineService({
  name: 'scoring',
  config: Config,
  summary: 'Run benchmarks on models and baselines; get scores and reports.',
  async start ({ app, config, store: database, blobs, worker, call }) {
    const store = await scoringStore(database, blobs)
    const shrinker = createShrinker()
    const benchmarks = benchmarkReader(reviewingClient(call), shrinker)
    const models = modelsOf(call, config.SCORING_COMPLETION_TIMEOUT_MS)
    const threads = createThreads()
    const sittings = await sittingStore(database)
    const parts = { store, sittings, benchmarks, models, threads, prompts: await loadPrompts() }

    const jobs = await worker.define<RunSpec, PredictionTask>({
      name: 'run',
      listedBy: ['spec.benchmarkId', 'spec.model'],
      concurrency: config.SCORING_PREDICTIONS_AT_ONCE,
      plan: async job => await planRun(parts, job),
      perform: async (task, job, signal) => await predict(parts, { task, job }, signal),
      finish: async job => await finishRun(parts, job)
    })
    const { SCORING_PREDICTIONS_AT_ONCE: concurrency, SCORING_COMPLETION_TIMEOUT_MS: timeoutMs } = config
    const given = { app, database, worker, call, store, benchmarks, runs: jobs, concurrency, timeoutMs }
    const judged = await startJudging(given)
    routes(app, { ...parts, jobs, judged })
    await startSittings(app, { ...parts, jobs, now })
    protocolRoutes(app, { ...parts, jobs })
    plotRoutes(app, { ...parts, jobs })
    const logs = logReader()
    importRoutes(app, { imports: await importStore(database, blobs), logs, threads })
    compareRoutes(app, { ...parts, jobs, comparisons: await comparisonStore(database, blobs) })
    leaderboardRoutes(app, { ...parts, jobs })
    kmetbenchRunRoutes(app, { ...parts, jobs })
    scoreTableRoutes(app, { ...parts, jobs, tables: await scoreTableStore(database, blobs) })
    analysisRoutes(app, { ...parts, jobs, judged })
    await app.register(async scope => { statelessRoutes(scope as App, threads) }, { prefix: '/v1' })
    return {
      async close () {
        await shrinker.close()
        await logs.close()
        await threads.close()
      }
    }
  }
})

export const scoring = scoringAt(Date.now)
