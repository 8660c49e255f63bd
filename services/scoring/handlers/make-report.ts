/** Makes the report of some runs and keeps it: the same replies are the same report. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import type { Example, Report, ReportRequest, RunReport } from '../../../shared/contracts/report.ts'
import type { Prediction, RepeatedRuns } from '../../../shared/contracts/run.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { inTurns } from '../../../shared/tasks/in-turns.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import { errorPrediction, predictionIdOf, type RunSpec } from '../domain/plan.ts'
import { ceilingOf, secondReferences } from '../domain/ceiling.ts'
import { floorOf, otherReferences } from '../domain/floor.ts'
import { chooseExamples, exampleOf, worthOf } from '../domain/report/examples.ts'
import { analysesOf } from '../domain/report/analyses.ts'
import { placedInBank } from '../domain/report/bank-place.ts'
import { placedIn, type Placed, type RunWorths } from '../domain/report/item-scores.ts'
import { reportJudgement, whyNotReported } from '../domain/report/judgements.ts'
import { reportOf, runReport } from '../domain/report/report.ts'
import { addColumn, gridsFor } from '../domain/report/run-differences.ts'
import { repeatedRuns, repeatIdOf } from '../domain/repeats.ts'
import { scorePrediction, type Between, type Scored } from '../domain/scored.ts'
import type { Frozen } from '../benchmarks.ts'
import type { Judged } from '../judging/handlers/judged-reader.ts'
import { runReader } from './get-run.ts'
import type { Parts, ReportsParts } from './parts.ts'

type ReportParts = Pick<Parts, 'jobs' | 'store' | 'benchmarks'>
type MakeParts = ReportParts & Pick<ReportsParts, 'judged'>
type RunJob = JobRecord<RunSpec>

/**
 * @throws Problem run-not-found, judgement-not-found; conflict when the runs are of several benchmarks, or
 *         one was cancelled; not-finished while one is at work; invalid-request for a judgement of other runs
 */
export async function makeReport (
  parts: MakeParts, { runIds, judgements }: ReportRequest
): Promise<{ created: boolean, report: Report }> {
  const jobs: RunJob[] = []
  for (const runId of runIds) jobs.push(await settledRun(parts, runId))
  const benchmarkIds = [...new Set(jobs.map(({ spec }) => spec.benchmarkId))]
  const [benchmarkId] = benchmarkIds
  if (benchmarkId === undefined || benchmarkIds.length > 1) {
    throw new Problem('conflict', `A report is about one benchmark; these runs are of ${benchmarkIds.join(', ')}.`)
  }
  const judged = await judgementsOf(parts, { runIds, judgements })
  const frozen = await parts.benchmarks.get(benchmarkId)
  const between = await betweenOf(frozen)
  const runs: RunReport[] = []
  const worths: RunWorths[] = []
  const grids = gridsFor(frozen.items)
  for (const job of jobs) {
    const { rows, skipped } = await scoreRun(parts, job, { ...frozen, between })
    const { model, condition, prompts } = job.spec
    runs.push(runReport({ runId: job._id, model, condition, prompts, items: frozen.items, rows, skipped }))
    worths.push({ model, outcomes: rows.map(({ outcome }) => outcome), worths: rows.map(worthOf) })
    for (const grid of grids) addColumn(grid, { runId: job._id, name: model, model, condition }, rows)
    await nextTurn()
  }
  const examples: Example[] = []
  for (const item of chooseExamples(frozen.items, worths.map(run => worthById(frozen.items, run)))) {
    examples.push(await readExample(parts, { item, jobs, frozen }))
  }
  const placed = await placesOf(parts, frozen)
  const analyses = await inTurns(analysesOf({ ...frozen, runs, worths, grids, placed }))
  const { items } = frozen
  const repeats = await repeatsAmong(jobs, { items, worths })
  for (const job of jobs) await mustBeAsRead(parts, job)
  const reported = { items, runs: worths.map(({ outcomes }, at) => ({ runId: jobs[at]!._id, outcomes })) }
  const report = reportOf(frozen.benchmark, runs, {
    examples,
    ...analyses,
    ...judged.length > 0 && { judgements: judged.map(each => reportJudgement(each, reported)) },
    ...repeats.length > 0 && { repeats }
  })
  return { ...await parts.store.saveReport(report), report }
}

/** Of an ended judgement the summary as it is now. */
async function judgementsOf (
  { judged }: MakeParts, { runIds, judgements }: ReportRequest
): Promise<Judged[]> {
  const found: Judged[] = []
  for (const [at, judgementId] of judgements.entries()) {
    const one = await judged.read(judgementId)
    const detail = whyNotReported(one, runIds)
    if (detail !== undefined) throw new Problem('invalid-request', detail, { errors: [{ pointer: `/judgements/${at}`, detail }] })
    found.push(one)
  }
  return found
}

interface Worthy { items: readonly BenchmarkItem[], worths: readonly RunWorths[] }

/** Runs that are repeats of each other; those that no other run repeats have none. */
async function repeatsAmong (jobs: readonly RunJob[], { items, worths }: Worthy): Promise<RepeatedRuns[]> {
  const groups = new Map<string, number[]>()
  for (const [at, { spec }] of jobs.entries()) {
    const first = repeatIdOf(spec, 0)
    groups.set(first, [...groups.get(first) ?? [], at])
  }
  const found: RepeatedRuns[] = []
  for (const group of groups.values()) {
    if (group.length < 2) continue
    const repeats = group.sort((a, b) => jobs[a]!.spec.condition.repeat - jobs[b]!.spec.condition.repeat)
      .map(at => ({ runId: jobs[at]!._id, worths: worthById(items, worths[at]!) }))
    found.push(await inTurns(repeatedRuns(items, repeats)))
  }
  return found
}

function worthById (items: readonly BenchmarkItem[], { worths }: RunWorths): Map<string, number | null> {
  return new Map(items.map(({ id }, at) => [id, worths[at]!]))
}

/** Papers that are read for the names of their places: tens of milliseconds each at most. */
const papersReadMax = 300

async function placesOf (
  { benchmarks }: ReportParts, { benchmark, items }: Frozen
): Promise<Map<string, Placed>> {
  const placed = new Map<string, Placed>()
  const byPaper = new Map<string, BenchmarkItem[]>()
  for (const item of items) {
    if (!('documentHash' in item.source)) {
      placed.set(item.id, placedInBank(item, benchmark))
      continue
    }
    const { documentHash } = item.source
    const own = byPaper.get(documentHash)
    if (own === undefined) byPaper.set(documentHash, [item])
    else own.push(item)
  }
  for (const own of [...byPaper.values()].slice(0, papersReadMax)) {
    const document = await benchmarks.documentOf(benchmark.id, own[0]!)
    if (document !== null) for (const item of own) placed.set(item.id, placedIn(item, document))
  }
  return placed
}

export async function settledRun (
  parts: Pick<ReportParts, 'jobs' | 'store'>, runId: string
): Promise<RunJob> {
  const job = await runReader(parts).job(runId)
  const { state } = await parts.jobs.view(runId)
  if (state === 'cancelled') {
    throw new Problem('conflict', `Run ${runId} was cancelled; POST /v1/runs/${runId}/retry asks the rest of it.`)
  }
  if (state === 'queued' || state === 'running') {
    throw new Problem('not-finished', `Run ${runId} is ${state}; GET /v1/runs/${runId}?wait=60 waits for it.`)
  }
  return job
}

/** A retry while we read, at any replica, would leave us with replies from before and after it. */
export async function mustBeAsRead ({ jobs }: ReportParts, { _id: runId, round }: RunJob): Promise<void> {
  if ((await jobs.find(runId))?.round === round) return
  throw new Problem('not-finished', `Run ${runId} was taken up again while its report was made; GET /v1/runs/${runId}?wait=60 waits for it.`)
}

interface Scorable extends Frozen { between: ReadonlyMap<string, Between> }

/** So many hold the event loop for some ten milliseconds. */
const scoredAtOnce = 50

/** Once a report: floor and ceiling depend on the items alone. */
async function betweenOf ({ items }: Frozen): Promise<Map<string, Between>> {
  const between = new Map<string, Between>()
  const [elsewhere, second] = [otherReferences(items), secondReferences(items)]
  for (const { id, answer } of items) {
    const [others, alike] = [elsewhere.get(id), second.get(id)]
    if (answer === undefined || (others ?? alike) === undefined) continue
    between.set(id, {
      floor: others === undefined ? null : floorOf(answer, others),
      ceiling: alike === undefined ? null : ceilingOf(answer, alike)
    })
    if (between.size % scoredAtOnce === 0) await nextTurn()
  }
  return between
}

/** In steps, so that other requests are served in between. An item without a prediction is an error. */
export async function scoreRun (
  parts: ReportParts, { _id: runId }: RunJob, { items, itemById, between }: Scorable
) {
  const score = (prediction: Prediction, item: BenchmarkItem) =>
    scorePrediction(prediction, item, between.get(item.id))
  const found = new Map<string, Scored>()
  const skipped: Record<string, number> = {}
  for await (const some of parts.store.predictionsOf(runId)) {
    for (const prediction of some) {
      if (found.size % scoredAtOnce === 0) await nextTurn()
      found.set(prediction.itemId, score(prediction, itemById.get(prediction.itemId)!))
      if (prediction.outcome !== 'skipped') continue
      const reason = prediction.detail ?? 'no reason was stored'
      skipped[reason] = (skipped[reason] ?? 0) + 1
    }
  }
  const rows = items.map(item => found.get(item.id) ?? score(lost(runId, item), item))
  return { rows, skipped }
}

const lost = (runId: string, item: BenchmarkItem) =>
  errorPrediction(runId, item, 'It was never asked; retry the run.')

interface ExampleParts { item: BenchmarkItem, jobs: RunJob[], frozen: Frozen }

async function readExample (
  { store, benchmarks }: ReportParts, { item, jobs, frozen }: ExampleParts
): Promise<Example> {
  const { benchmark } = frozen
  const document = await benchmarks.documentOf(benchmark.id, item)
  const replies = []
  for (const { _id: runId, spec } of jobs) {
    const prediction = await store.findPrediction(predictionIdOf(runId, item.id))
    replies.push({ model: spec.model, prediction: prediction ?? lost(runId, item) })
  }
  return exampleOf(item, { benchmark, document, replies })
}
