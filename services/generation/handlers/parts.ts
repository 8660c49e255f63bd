/** What handlers work with. */
import type { ParsingClient } from '../../../shared/clients/parsing.ts'
import type { Jobs } from '../../../shared/tasks/tasks.ts'
import type { Place } from '../domain/plan.ts'
import type { Resolved } from '../domain/recipe.ts'
import type { GenerationStore } from '../store.ts'

export interface GenerationSpec { paperIds: string[], documentHashes: string[], recipe: Resolved }

/** One place of one paper. */
export interface PlaceInput { paperIndex: number, placeIndex: number, place: Place }

export interface Parts {
  jobs: Jobs<GenerationSpec>
  store: GenerationStore
  parsing: ParsingClient
}
