/** What handlers work with. */
import type { ParsingClient } from '../../../shared/clients/parsing.ts'
import type { InferenceClient } from '../../../shared/clients/inference.ts'
import type { Prompt } from '../../../shared/prompts/prompt.ts'
import type { Jobs } from '../../../shared/tasks/tasks.ts'
import type { CurationStore } from '../curations/store.ts'
import type { Place } from '../domain/plan.ts'
import type { Resolved } from '../domain/recipe.ts'
import type { GenerationStore } from '../store.ts'
import type { Thread } from '../thread/thread.ts'

export interface GenerationSpec {
  paperIds: string[]
  documentHashes: string[]
  recipe: Resolved
  /** With the strategy model: whether it sees images, and the prompts it is asked with. */
  vision?: boolean
  prompts?: Array<{ name: string, hash: string }>
}

/** One place of one paper, and with the strategy model who writes there: each has a task of its own. */
export interface PlaceInput { paperIndex: number, placeIndex: number, place: Place, writer?: string }

export interface Parts {
  jobs: Jobs<GenerationSpec>
  store: GenerationStore
  curations: CurationStore
  parsing: ParsingClient
  inference: InferenceClient
  prompts: ReadonlyMap<string, Prompt>
  /** Of the strategy model. */
  thread: Thread
}
