/** What handlers work with. */
import type { ParsingClient } from '../../../shared/clients/parsing.ts'
import type { Recipe } from '../../../shared/contracts/generation.ts'
import type { Jobs } from '../../../shared/tasks/tasks.ts'
import type { Place } from '../domain/plan.ts'
import type { GenerationStore } from '../store.ts'

export interface GenerationSpec { paperIds: string[], documentHashes: string[], recipe: Recipe }

/** One place of one paper. */
export interface PlaceInput { paperIndex: number, placeIndex: number, place: Place }

export interface Parts {
  jobs: Jobs<GenerationSpec>
  store: GenerationStore
  parsing: ParsingClient
}
