/** Opens a curation: the same source, steps and seed are the same work. */
import { servedModel } from '../../../../shared/clients/served-model.ts'
import type { CurationRequest, CurationSource } from '../../../../shared/contracts/curation.ts'
import { idOf } from '../../../../shared/contracts/hash.ts'
import { Problem, type FieldError } from '../../../../shared/errors/problem.ts'
import { curationVersion } from '../domain/changed-item.ts'
import { modelsOf, promptsOf, resolvedSteps, type ResolvedStep } from '../domain/steps.ts'
import type { CurationParts, CurationSpec } from './parts.ts'

/**
 * @throws Problem invalid-request that names what of the steps cannot be done; model-not-found;
 *   item-not-found, curation-not-found, not-finished or conflict for a source that cannot be curated
 */
export async function openCuration (
  parts: CurationParts, { source, steps: asked, except = [], seed }: CurationRequest
): Promise<{ id: string, created: boolean }> {
  const steps = resolvedSteps(asked)
  assertPacks(parts, steps)
  await assertModels(parts, steps)
  await assertSource(parts, source)
  await assertExcepted(parts, { source, steps, except })
  const packs = [...new Set(steps.flatMap(step => 'regionPack' in step ? [step.regionPack] : []))].sort()
  const prompts = [...new Set(steps.flatMap(promptsOf))].sort()
  const spec: CurationSpec = {
    source,
    steps,
    except: except.toSorted((a, b) => a.step - b.step || (a.itemId < b.itemId ? -1 : 1)),
    seed,
    prompts: prompts.map(name => ({ name, hash: parts.prompts.get(name)!.hash })),
    packs: packs.map(name => ({ name, hash: parts.packs.get(name)!.hash }))
  }
  const id = idOf('curation', { ...spec, curationVersion })
  const { created } = await parts.jobs.open(id, spec)
  return { id, created }
}

function assertPacks ({ packs }: CurationParts, steps: readonly ResolvedStep[]): void {
  const errors: FieldError[] = steps.flatMap((step, at) => 'regionPack' in step && !packs.has(step.regionPack)
    ? [{ pointer: `/steps/${at}/regionPack`, detail: `There is no region pack ${step.regionPack}.` }]
    : [])
  if (errors.length > 0) throw new Problem('invalid-request', `Region packs there are: ${[...packs.keys()].join(', ')}.`, { errors })
}

async function assertModels ({ inference }: CurationParts, steps: readonly ResolvedStep[]): Promise<void> {
  const wanted = [...new Set(steps.flatMap(modelsOf))]
  if (wanted.length === 0) return
  const served = await inference.listModels()
  for (const model of wanted) servedModel(served, model)
}

/**
 * Of what is still being made, or was made in part, some items would be missing from the curation for
 * good.
 */
async function assertSource (
  { jobs, importJobs, curations }: CurationParts, source: CurationSource
): Promise<void> {
  if ('curationId' in source && await jobs.find(source.curationId) === undefined) {
    throw new Problem('curation-not-found', `There is no curation ${source.curationId}; GET /v1/curations lists those there are.`)
  }
  const [name, id, work] = 'curationId' in source
    ? ['curation', source.curationId, jobs] as const
    : ['import', source.importId, importJobs] as const
  if (await work.find(id) !== undefined) {
    const { state } = await work.view(id)
    const path = `/v1/${name}s/${id}`
    if (state === 'queued' || state === 'running') throw new Problem('not-finished', `The ${name} ${id} is ${state}; GET ${path}?wait=60 waits for it.`)
    if (state !== 'succeeded') throw new Problem('conflict', `The ${name} ${id} is ${state}; POST ${path}/retry does it again.`)
  }
  await curations.assertItems(source)
}

async function assertExcepted (
  { curations }: CurationParts, { source, steps, except }: Pick<CurationSpec, 'source' | 'steps' | 'except'>
): Promise<void> {
  if (except.length === 0) return
  const known = await curations.sourceItemIds(source, [...new Set(except.map(({ itemId }) => itemId))])
  const errors: FieldError[] = except.flatMap(({ itemId, step }, at) => [
    ...known.has(itemId) ? [] : [{ pointer: `/except/${at}/itemId`, detail: `${itemId} is no item of the source.` }],
    ...step < steps.length ? [] : [{ pointer: `/except/${at}/step`, detail: `There are ${steps.length} steps, from 0.` }]
  ]).slice(0, 100)
  if (errors.length > 0) throw new Problem('invalid-request', 'What is excepted must be items of the source, by the ids they have there, and steps of this curation.', { errors })
}
