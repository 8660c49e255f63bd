/** Puts judgements together: their store, their work and their routes. */
import type { App } from '../../../shared/app/service.ts'
import type { Call } from '../../../shared/clients/call.ts'
import { takingTurnsInBudgets } from '../../../shared/clients/calls-in-budget.ts'
import { inferenceClient } from '../../../shared/clients/inference.ts'
import type { Store } from '../../../shared/store/store.ts'
import type { Worker } from '../../../shared/tasks/tasks.ts'
import type { Asking, JudgementSpec } from './domain/spec.ts'
import { judge } from './handlers/judge.ts'
import { judgedReader, type JudgedReader } from './handlers/judged-reader.ts'
import type { JudgementParts } from './handlers/parts.ts'
import { finishJudgement, planJudgement } from './handlers/plan-judgement.ts'
import { loadJudgePrompts } from './prompts.ts'
import { judgementRoutes } from './routes.ts'
import { kmetbenchJudgementRoutes } from '../routes-kmetbench.ts'
import { judgingStore } from './store.ts'

interface Given extends Pick<JudgementParts, 'store' | 'benchmarks' | 'runs' | 'timeoutMs'> {
  app: App
  database: Store
  worker: Worker
  call: Call
  concurrency: number
}

/** @returns what others here read of judgements */
export async function startJudging (given: Given): Promise<JudgedReader> {
  const { app, database, worker, call, concurrency, ...rest } = given
  const parts = {
    ...rest,
    judging: await judgingStore(database),
    inference: inferenceClient(call),
    budgets: takingTurnsInBudgets(),
    prompts: await loadJudgePrompts()
  }
  const jobs = await worker.define<JudgementSpec, Asking>({
    name: 'judgement',
    concurrency,
    plan: async job => await planJudgement(parts, job),
    perform: async (task, job, signal) => { await judge(parts, { task, job }, signal) },
    finish: async (job, signal) => { await finishJudgement({ ...parts, jobs }, job, signal) }
  })
  judgementRoutes(app, { ...parts, jobs })
  kmetbenchJudgementRoutes(app, { ...parts, jobs })
  return judgedReader({ ...parts, jobs })
}
