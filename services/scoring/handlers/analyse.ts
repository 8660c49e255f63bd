/** One analysis, of the tables in the request or of settled runs. */
import type { Benchmark } from '../../../shared/contracts/benchmark.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Frozen } from '../benchmarks.ts'
import { analyses, type AnalysisName } from '../domain/analyses/analyses.ts'
import {
  analysisTable, assertOneSource, type AnalysedRun, type AnalysisAnswer, type AnalysisBody
} from '../domain/analyses/analysis.ts'
import { tableCsv, tableLatex, tableMarkdown } from '../domain/compare/table.ts'
import { runNames } from '../domain/report/run-names.ts'
import { mustBeAsRead, scoreRun, settledRun } from './make-report.ts'
import type { GridParts, RunJob } from './scored-grids.ts'

/** Their scored replies are all held at once. */
const predictionsMax = 200_000

/**
 * @throws Problem invalid-request for a table that contradicts itself; run-not-found, conflict,
 *         not-finished for runs; limit-exceeded
 */
export async function analyse (
  parts: GridParts, kind: AnalysisName, body: AnalysisBody
): Promise<AnalysisAnswer> {
  assertOneSource(body)
  const { runIds } = body
  if (runIds === undefined) return { kind, ...analyses[kind].compute(body, null) }
  const jobs: RunJob[] = []
  for (const runId of runIds) jobs.push(await settledRun(parts, runId))
  const runs = await analysedRuns(parts, kind, jobs)
  const answer = { kind, ...analyses[kind].compute(body, runs) }
  for (const job of jobs) await mustBeAsRead(parts, job)
  return { ...answer, notes: [...answer.notes, ...errorNotes(runs)] }
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
    const { benchmarkId } = job.spec
    const of = frozen.get(benchmarkId)!
    const { rows } = await scoreRun(parts, job, { ...of, floors: new Map() })
    runs.push(
      { ...heads[at]!, name: names[at]!, benchmarkId, generationMode: generationModeOf(of.benchmark), rows }
    )
  }
  return runs
}

/** Null where the benchmark is of several modes, or does not say. */
function generationModeOf ({ card: { method } }: Benchmark): string | null {
  const modes = [...new Set(method?.generations.map(({ recipe }) =>
    recipe.strategy === 'model' ? recipe.contentMode ?? 'sections' : recipe.strategy))]
  return modes.length === 1 ? modes[0] ?? null : null
}

function errorNotes (runs: readonly AnalysedRun[]): string[] {
  const inError = runs.filter(({ rows }) => rows.some(({ outcome }) => outcome === 'error'))
  if (inError.length === 0) return []
  return [`Items that ended in error are in no number, which may favour or harm ${inError.map(({ name }) => name).join(', ')}: retry these runs before ranking by anything here.`]
}

const written = {
  json: (answer: AnalysisAnswer) => `${JSON.stringify(answer, null, 2)}\n`,
  csv: (answer: AnalysisAnswer) => tableCsv(analysisTable(answer)),
  md: (answer: AnalysisAnswer) => tableMarkdown(analysisTable(answer)),
  tex: (answer: AnalysisAnswer) => tableLatex(analysisTable(answer))
}

export type AnalysisForm = keyof typeof written

export function writeAnalysis (answer: AnalysisAnswer, form: AnalysisForm): string {
  return written[form](answer)
}
