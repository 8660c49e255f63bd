/**
 * Papers of a failed generation whose drafts are not chosen among yet, for some of their tasks are dead:
 * what these would still write may be chosen instead.
 */
import type { JobRecord, Jobs } from '../../../shared/tasks/tasks.ts'
import { isChosenAtEnd } from '../domain/select-items.ts'
import type { GenerationSpec, PlaceInput } from './parts.ts'

export function holdsBack ({ spec, cancelled }: JobRecord<GenerationSpec>): boolean {
  return !cancelled && isChosenAtEnd(spec.recipe)
}

/** @returns their numbers in the generation's paperIds */
export async function heldBackPapers (
  jobs: Pick<Jobs<GenerationSpec>, 'deadInputs'>, job: JobRecord<GenerationSpec>
): Promise<ReadonlySet<number>> {
  if (!holdsBack(job)) return new Set()
  const dead = await jobs.deadInputs(job._id) as PlaceInput[]
  return new Set(dead.map(({ paperIndex }) => paperIndex))
}
