/** What judgements work with. */
import type { Budgets } from '../../../../shared/clients/calls-in-budget.ts'
import type { InferenceClient } from '../../../../shared/clients/inference.ts'
import type { Jobs } from '../../../../shared/tasks/tasks.ts'
import type { Benchmarks } from '../../benchmarks.ts'
import type { RunSpec } from '../../domain/plan.ts'
import type { ScoringStore } from '../../store.ts'
import type { JudgementSpec } from '../domain/spec.ts'
import type { JudgePrompts } from '../prompts.ts'
import type { JudgingStore } from '../store.ts'

/** What a task needs; a task does not open jobs. */
export interface JudgeParts {
  store: ScoringStore
  judging: JudgingStore
  benchmarks: Benchmarks
  inference: InferenceClient
  budgets: Budgets
  prompts: JudgePrompts
  timeoutMs: number
}

export interface JudgementParts extends JudgeParts {
  runs: Jobs<RunSpec>
  jobs: Jobs<JudgementSpec>
}
