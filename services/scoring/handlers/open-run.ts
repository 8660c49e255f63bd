/** Opens a run, or its repeats; or finds those that are the same. */
import { servedModel } from '../../../shared/clients/served-model.ts'
import type { Condition, Run, RunRequest, Variant } from '../../../shared/contracts/run.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { baselineNames, findBaseline } from '../domain/baselines/baselines.ts'
import { whyNotSource } from '../domain/faithfulness/obstacles.ts'
import { onlyPapers, promptsOf, shelvesOf, type Shelves } from '../domain/messages.ts'
import { repeatsOf, resolved, runIdOf, whyNotRunnable, type FoundOut, type RunSpec } from '../domain/plan.ts'
import { runReader } from './get-run.ts'
import { personPrefix } from '../sittings/domain/spec.ts'
import { settledRun } from './make-report.ts'
import type { Parts } from './parts.ts'

/**
 * @throws Problem model-not-found, naming the models there are; benchmark-not-found; not-computable
 *         when the benchmark cannot be run under this condition; invalid-request for repeats past 99;
 *         run-not-found and conflict for a variant of no run, of itself or of another benchmark's,
 *         and for people
 */
export async function openRun (parts: Parts, request: RunRequest): Promise<{ created: boolean, run: Run }> {
  const { benchmarkId, model, repeats, variantOf } = request
  if (model.startsWith(personPrefix)) {
    throw new Problem('conflict', `Models named ${personPrefix}… are people: POST /v1/sittings opens a sitting, and closing it makes its run.`)
  }
  const specs = await specsOf(parts, request, repeatsOf(resolved(request.condition), repeats))
  const ids = specs.map(runIdOf)
  if (variantOf !== undefined) await mustBeVariant(parts, variantOf, { ids, benchmarkId })
  const missing: Spec[] = []
  for (const [at, id] of ids.entries()) if (await parts.jobs.find(id) === undefined) missing.push(specs[at]!)
  // Runs that exist need nobody: neither the model nor the benchmark is asked for again.
  const created = missing.length > 0 && await openAll(parts, missing)
  if (variantOf !== undefined) {
    for (const id of ids) await parts.store.declareVariant(id, variantOf)
  }
  const run = await runReader(parts).get(ids[0]!)
  return { created, run: repeats === 1 ? run : { ...run, repeatIds: ids } }
}

type Spec = Omit<RunSpec, FoundOut>

/**
 * Which prompts a run uses depends on whether its items are of papers, of banks or both. Runs over
 * papers that exist need nobody to tell.
 */
async function specsOf (
  parts: Parts, request: RunRequest, conditions: readonly Condition[]
): Promise<Spec[]> {
  const specs = (shelves: Shelves) =>
    conditions.map(condition => specOf(parts, request, { condition, shelves }))
  const ofPapers = specs(onlyPapers)
  const known = await Promise.all(ofPapers.map(async spec => await parts.jobs.find(runIdOf(spec))))
  if (known.every(job => job !== undefined)) return ofPapers
  return specs(shelvesOf((await parts.benchmarks.get(request.benchmarkId)).items))
}

interface Put { condition: Condition, shelves: Shelves }

function specOf ({ prompts }: Parts, { benchmarkId, model }: RunRequest, { condition, shelves }: Put): Spec {
  const used = findBaseline(model) === undefined ? promptsOf(prompts, condition, shelves) : []
  return { benchmarkId, model, condition, prompts: used.map(({ name, hash }) => ({ name, hash })) }
}

async function openAll (parts: Parts, specs: readonly Spec[]): Promise<boolean> {
  const [{ benchmarkId, model, condition }] = specs as [RunSpec]
  const obstacle = whyNotRunnable(await parts.benchmarks.get(benchmarkId), condition)
  if (obstacle !== undefined) throw new Problem('not-computable', obstacle)
  await mustBeGiveable(parts, specs[0]!)
  const found = await foundOut(parts, model)
  let some = false
  for (const spec of specs) {
    const { created } = await parts.jobs.open(runIdOf(spec), { ...spec, ...found })
    some ||= created
  }
  return some
}

/**
 * What a baseline writes is read off no prompt, and a rationale must be one that was written to its end.
 *
 * @throws Problem not-computable, conflict, run-not-found, not-finished
 */
export async function mustBeGiveable (
  parts: Parts, { benchmarkId, model, condition }: Omit<Spec, 'prompts'>
): Promise<void> {
  const { rationale, rationaleFrom, hint } = condition
  if ((rationale ?? hint) === undefined) return
  if (findBaseline(model) !== undefined) throw new Problem('not-computable', 'A baseline reads no prompt, and condition.rationale and hint are parts of one; name a model.')
  if (rationaleFrom === undefined) return
  const { spec } = await settledRun(parts, rationaleFrom)
  const obstacle = whyNotSource(rationaleFrom, spec, { benchmarkId, model, condition })
  if (obstacle !== undefined) throw new Problem('conflict', obstacle)
}

interface Opened { ids: readonly string[], benchmarkId: string }

async function mustBeVariant (parts: Parts, { runId }: Variant, { ids, benchmarkId }: Opened): Promise<void> {
  const { spec } = await runReader(parts).job(runId)
  if (ids.includes(runId)) throw new Problem('conflict', `Run ${runId} is this very run; variantOf names another one.`)
  if (spec.benchmarkId === benchmarkId) return
  throw new Problem('conflict', `Run ${runId} is of benchmark ${spec.benchmarkId}, and a variant is held against the same items: run it on that benchmark.`)
}

async function foundOut ({ models }: Parts, model: string): Promise<Pick<RunSpec, FoundOut>> {
  if (findBaseline(model) !== undefined) return { vision: false }
  const served = model.startsWith('baseline/') ? [] : await models.list()
  const { capabilities, contextTokens } = servedModel(served, model, baselineNames)
  return { vision: capabilities.includes('vision'), contextTokens }
}
