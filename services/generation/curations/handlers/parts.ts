/** What handlers of curations work with. */
import type { InferenceClient } from '../../../../shared/clients/inference.ts'
import type { CurationSource } from '../../../../shared/contracts/curation.ts'
import type { Prompt } from '../../../../shared/prompts/prompt.ts'
import type { Jobs } from '../../../../shared/tasks/tasks.ts'
import type { RegionPack } from '../domain/region-pack.ts'
import type { ResolvedStep } from '../domain/steps.ts'
import type { CurationStore } from '../store.ts'

export interface CurationSpec {
  source: CurationSource
  steps: ResolvedStep[]
  except: Array<{ itemId: string, step: number }>
  seed: number
  /** Prompts and region packs that the steps work with: others would make others of the items. */
  prompts: Array<{ name: string, hash: string }>
  packs: Array<{ name: string, hash: string }>
}

export interface CurationParts {
  jobs: Jobs<CurationSpec>
  importJobs: Pick<Jobs<object>, 'find' | 'view'>
  curations: CurationStore
  inference: Pick<InferenceClient, 'structured' | 'listModels'>
  prompts: ReadonlyMap<string, Prompt>
  packs: ReadonlyMap<string, { pack: RegionPack, hash: string }>
  /** Calls of a model at once, of one curation. */
  callsAtOnce: number
  timeoutMs: number
}
