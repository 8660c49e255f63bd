/** Opens a run, or finds the one that is the same. */
import type { Run, RunRequest } from '../../../shared/contracts/run.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { baselineNames, findBaseline } from '../domain/baselines/baselines.ts'
import { runIdOf, whyNotRunnable, type RunSpec } from '../domain/plan.ts'
import { runReader } from './get-run.ts'
import type { Parts } from './parts.ts'

/**
 * @throws Problem model-not-found, naming the models there are; benchmark-not-found; not-computable
 *         when the benchmark cannot be run under this condition
 */
export async function openRun (parts: Parts, request: RunRequest): Promise<{ created: boolean, run: Run }> {
  const prompts = promptsOf(parts, request.model)
  const id = runIdOf({ ...request, prompts })
  // A run that exists needs nobody: neither the model nor the benchmark is asked for again.
  if (await parts.jobs.find(id) !== undefined) return { created: false, run: await runReader(parts).get(id) }
  const { benchmark } = await parts.benchmarks.get(request.benchmarkId)
  const obstacle = whyNotRunnable(benchmark, request.condition)
  if (obstacle !== undefined) throw new Problem('not-computable', obstacle)
  const vision = await canSee(parts, request.model)
  const { created } = await parts.jobs.open(id, { ...request, prompts, vision })
  return { created, run: await runReader(parts).get(id) }
}

function promptsOf ({ prompts }: Parts, model: string): RunSpec['prompts'] {
  if (findBaseline(model) !== undefined) return []
  return Object.values(prompts).map(({ name, hash }) => ({ name, hash }))
    .sort((a, b) => a.name < b.name ? -1 : 1)
}

async function canSee ({ models }: Parts, model: string): Promise<boolean> {
  if (findBaseline(model) !== undefined) return false
  const served = model.startsWith('baseline/') ? [] : await models.list()
  const found = served.find(({ id }) => id === model)
  if (found !== undefined) return found.capabilities.includes('vision')
  const known = [...baselineNames, ...served.map(({ id }) => id)].slice(0, 50)
  throw new Problem('model-not-found', `There is no model "${model}". There is ${known.join(', ')}; a model server is added at start (UPSTREAMS=name=http://host:8000) or by POST /v1/upstreams.`)
}
