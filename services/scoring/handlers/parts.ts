/** What scoring's handlers work with. */
import type { Jobs } from '../../../shared/tasks/tasks.ts'
import type { Benchmarks } from '../benchmarks.ts'
import type { Prompts } from '../domain/messages.ts'
import type { RunSpec } from '../domain/plan.ts'
import type { JudgedReader } from '../judging/handlers/judged-reader.ts'
import type { Models } from '../models.ts'
import type { SittingStore } from '../sittings/store.ts'
import type { ScoringStore } from '../store.ts'
import type { Threads } from '../thread/threads.ts'

/** What a task of a run needs; a task does not open jobs. */
export interface TaskParts {
  store: ScoringStore
  sittings: SittingStore
  benchmarks: Benchmarks
  models: Models
  prompts: Prompts
  threads: Threads
}

export interface Parts extends TaskParts { jobs: Jobs<RunSpec> }

/** What reports, and analyses of judged runs, need. */
export interface ReportsParts extends Parts { judged: JudgedReader }
