/** One analysis, of the table in the request or of settled runs; computed on a thread. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Benchmark } from '../../../shared/contracts/benchmark.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Frozen } from '../benchmarks.ts'
import { analyses, type AnalysisName } from '../domain/analyses/analyses.ts'
import { namedBy, type AnalysedRun, type AnalysisBody, type Named } from '../domain/analyses/analysis.ts'
import type { AnalysisForm } from '../domain/analyses/written.ts'
import { runNames } from '../domain/report/run-names.ts'
import type { RunPart } from '../thread/duties.ts'
import type { Threads } from '../thread/threads.ts'
import type { JudgedReader } from '../judging/handlers/judged-reader.ts'
import { withJudgements } from './judged-runs.ts'
import { mustBeAsRead, scoreRun, settledRun } from './make-report.ts'
import type { GridParts, RunJob } from './scored-grids.ts'

export interface AnalysisParts extends GridParts { threads: Threads, judged: JudgedReader }

/** Their scored replies are all held at once. */
const predictionsMax = 200_000

export interface AnalysisRequest {
  kind: AnalysisName
  form: AnalysisForm
  /** The raw bytes of a long one. */
  body: AnalysisBody | Buffer
  signal: AbortSignal
}

/**
 * The written answer.
 *
 * @throws Problem invalid-request for a table that contradicts itself; run-not-found, conflict,
 *         not-finished for runs; limit-exceeded; too-many-requests, not-computable where it takes too long
 */
export async function analyse (
  parts: AnalysisParts, { kind, form, body, signal }: AnalysisRequest
): Promise<Buffer> {
  const { threads } = parts
  const { runIds, judgementIds, judge } = await named(threads, { kind, body, signal })
  if (runIds === null) return await threads.run({ do: 'analyse', kind, form, body, heads: null }, { signal })
  const jobs: RunJob[] = []
  for (const runId of runIds) jobs.push(await settledRun(parts, runId))
  const scored = await analysedRuns(parts, kind, jobs)
  const runs = judgementIds.length === 0
    ? scored
    : await withJudgements(parts, scored, { judgementIds, judge })
  const heads = runs.map(({ rows: _, ...head }) => head)
  const answer = await threads.run({ do: 'analyse', kind, form, body, heads }, { signal, parts: rowsOf(runs) })
  for (const job of jobs) await mustBeAsRead(parts, job)
  return answer
}

async function named (
  threads: Threads, { kind, body, signal }: Omit<AnalysisRequest, 'form'>
): Promise<Named> {
  if (!Buffer.isBuffer(body)) return namedBy(body, analyses[kind])
  // A copy, for what is sent to a thread is gone here.
  const answer = await threads.run({ do: 'name-runs', kind, bytes: Uint8Array.from(body) }, { signal })
  return JSON.parse(answer.toString()) as Named
}

/** So many hold the event loop for a few milliseconds while they are copied. */
const rowsAtOnce = 500

async function * rowsOf (runs: readonly AnalysedRun[]): AsyncGenerator<RunPart> {
  for (const [run, { rows }] of runs.entries()) {
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      yield { run, rows: rows.slice(from, from + rowsAtOnce) }
      await nextTurn()
    }
  }
}

async function analysedRuns (
  parts: GridParts, kind: AnalysisName, jobs: readonly RunJob[]
): Promise<AnalysedRun[]> {
  const benchmarkIds = [...new Set(jobs.map(({ spec }) => spec.benchmarkId))]
  if (analyses[kind].oneBenchmark && benchmarkIds.length > 1) {
    throw new Problem('conflict', `Kind ${kind} is about one benchmark; these runs are of ${benchmarkIds.join(', ')}.`)
  }
  const frozen = new Map<string, Frozen>()
  for (const id of benchmarkIds) frozen.set(id, await parts.benchmarks.get(id))
  const predictions = jobs.reduce((sum, { spec }) => sum + frozen.get(spec.benchmarkId)!.items.length, 0)
  if (predictions > predictionsMax) {
    throw new Problem('limit-exceeded', `These runs have ${predictions} predictions; at most ${predictionsMax} are analysed at once. Name fewer runs.`)
  }
  const heads = jobs.map(({ _id: runId, spec: { model, condition } }) => ({ runId, model, condition }))
  const names = runNames(heads)
  const runs: AnalysedRun[] = []
  for (const [at, job] of jobs.entries()) {
    const { benchmarkId, sitting } = job.spec
    const of = frozen.get(benchmarkId)!
    const { rows } = await scoreRun(parts, job, { ...of, between: new Map() })
    runs.push({
      ...heads[at]!,
      name: names[at]!,
      benchmarkId,
      generationMode: generationModeOf(of.benchmark),
      ...sitting !== undefined && { sitting },
      rows
    })
  }
  return runs
}

/** Null where the benchmark is of several modes, or does not say. */
function generationModeOf ({ card: { method } }: Benchmark): string | null {
  const modes = [...new Set(method?.generations.map(({ recipe }) =>
    recipe.strategy === 'model' ? recipe.contentMode ?? 'sections' : recipe.strategy))]
  return modes.length === 1 ? modes[0] ?? null : null
}
