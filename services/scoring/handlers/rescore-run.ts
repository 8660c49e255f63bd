/** Scores the replies of a run again, without asking a model: a run of its own, beside the first. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { verdictChangesMax, type RescoreRequest, type Run, type VerdictChange, type VerdictChanges } from '../../../shared/contracts/run.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import { predictionIdOf, runIdOf, type RunSpec } from '../domain/plan.ts'
import { readerVersion } from '../domain/read-reply.ts'
import { matchItems, verdictChange } from '../domain/rescore.ts'
import { runReader } from './get-run.ts'
import { settledRun } from './make-report.ts'
import type { Parts } from './parts.ts'

/**
 * The same run, benchmark and reading rules are the same run scored again.
 *
 * @throws Problem run-not-found, benchmark-not-found; not-finished, conflict for a run that is at work or
 *         was cancelled; not-computable when an item of the benchmark was not asked in it as it stands there
 */
export async function rescoreRun (
  parts: Parts, runId: string, { benchmarkId }: RescoreRequest
): Promise<{ created: boolean, run: Run }> {
  const named = await settledRun(parts, runId)
  const { rescoredFrom } = named.spec
  // What was scored again has the replies of the first; scoring them once more begins there.
  const { _id, spec } = rescoredFrom === undefined ? named : await settledRun(parts, rescoredFrom.runId)
  const to = { ...spec, benchmarkId: benchmarkId ?? named.spec.benchmarkId }
  const from = { runId: _id, benchmarkId: spec.benchmarkId, reader: readerVersion }
  const again: RunSpec = { ...to, rescoredFrom: from }
  const id = runIdOf(again)
  if (await parts.jobs.find(id) === undefined) await mustHaveAsked(parts, again)
  const { created } = await parts.jobs.open(id, again)
  return { created, run: await runReader(parts).get(id) }
}

async function mustHaveAsked (parts: Parts, spec: RunSpec): Promise<void> {
  const [source, target] = await Promise.all([
    parts.benchmarks.get(spec.rescoredFrom!.benchmarkId), parts.benchmarks.get(spec.benchmarkId)
  ])
  const { unasked } = matchItems({ source: source.items, target: target.items }, spec.condition)
  if (unasked.length === 0) return
  throw new Problem('not-computable', `${unasked.length} of ${target.items.length} items of benchmark ${spec.benchmarkId} were not asked in run ${spec.rescoredFrom!.runId} as they stand there, first ${unasked[0]!.id}. POST /v1/runs with the same model and condition asks them; what inference has on record costs no tokens.`)
}

/** @throws Problem run-not-found; not-finished, conflict; not-computable for a run that asked by itself */
export async function listVerdictChanges (parts: Parts, runId: string): Promise<VerdictChanges> {
  const job = await settledRun(parts, runId)
  const { rescoredFrom } = job.spec
  if (rescoredFrom === undefined) {
    throw new Problem('not-computable', `Run ${runId} is no run scored again; POST /v1/runs/${runId}/rescore makes one, and its verdicts are held against this one's.`)
  }
  const changes: VerdictChange[] = []
  const counts = { compared: 0, changed: 0, better: 0, worse: 0 }
  const { pairs, leftOut } = await sideBySide(parts, job)
  for await (const { before, after } of pairs) {
    counts.compared++
    const change = verdictChange(before, after)
    if (change === null) continue
    counts.changed++
    const [old, now] = [change.before.worth, change.after.worth]
    if (old !== null && now !== null && now > old) counts.better++
    if (old !== null && now !== null && now < old) counts.worse++
    if (changes.length < verdictChangesMax) changes.push(change)
  }
  return { runId, rescoredFrom, ...counts, leftOut, changes }
}

/** So many hold the event loop for some ten milliseconds. */
const comparedAtOnce = 50

async function sideBySide ({ store, benchmarks }: Parts, { _id: runId, spec }: JobRecord<RunSpec>) {
  const { runId: sourceId, benchmarkId: sourceBenchmark } = spec.rescoredFrom!
  const [source, target] = await Promise.all([
    benchmarks.get(sourceBenchmark), benchmarks.get(spec.benchmarkId)
  ])
  const { sourceOf } = matchItems({ source: source.items, target: target.items }, spec.condition)
  async function * pairs () {
    let read = 0
    for await (const some of store.predictionsOf(runId)) {
      for (const prediction of some) {
        if (++read % comparedAtOnce === 0) await nextTurn()
        const item = source.itemById.get(sourceOf.get(prediction.itemId)!)!
        const before = await store.findPrediction(predictionIdOf(sourceId, item.id))
        if (before === undefined || prediction.outcome === 'error') continue
        yield {
          before: { prediction: before, item },
          after: { prediction, item: target.itemById.get(prediction.itemId)! }
        }
      }
    }
  }
  const used = new Set(sourceOf.values())
  return { pairs: pairs(), leftOut: source.items.filter(({ id }) => !used.has(id)).length }
}
