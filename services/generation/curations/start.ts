/** Puts curations together: their store, their work and their routes. */
import type { App } from '../../../shared/app/service.ts'
import { loadPrompt } from '../../../shared/prompts/prompt.ts'
import type { Store } from '../../../shared/store/store.ts'
import type { Worker } from '../../../shared/tasks/tasks.ts'
import type { CurationParts, CurationSpec } from './handlers/parts.ts'
import { runCuration } from './handlers/run-curation.ts'
import { loadRegionPacks } from './packs.ts'
import { curationRoutes } from './routes.ts'
import { curationStore, type CurationStore } from './store.ts'

interface Given extends Pick<CurationParts, 'importJobs' | 'inference' | 'callsAtOnce' | 'timeoutMs'> {
  app: App
  documents: Store
  worker: Worker
}

const prompts = ['paraphrase-stem.v1', 'find-regional.v1', 'write-rationale.v1', 'criticise-rationale.v1']
/** Each holds the items of its source. */
const atOnce = 2

export async function startCurations ({ app, documents, worker, ...given }: Given): Promise<CurationStore> {
  const curations = await curationStore(documents)
  const parts = {
    ...given,
    curations,
    packs: await loadRegionPacks(),
    prompts: new Map(await Promise.all(prompts.map(async name =>
      [name, await loadPrompt(new URL(`../prompts/${name}.md`, import.meta.url))] as const)))
  }
  const jobs = await worker.define<CurationSpec, null>({
    name: 'curation',
    concurrency: atOnce,
    plan: async () => [{ key: 'steps', input: null }],
    perform: async (_, job, signal) => { await runCuration(parts, job, signal) }
  })
  curationRoutes(app, { ...parts, jobs })
  return curations
}
