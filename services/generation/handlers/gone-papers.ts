/** Papers deleted after a generation was opened: the others go on without them, and it is told. */
import type { Rejection } from '../../../shared/contracts/item.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import { wholePaper } from '../slot.ts'
import type { GenerationStore } from '../store.ts'
import type { GenerationSpec } from './parts.ts'

/** Behind the numbers of whatever else was rejected of the whole paper. */
export async function rejectPaper (
  store: Pick<GenerationStore, 'insertRejections'>, { _id: generationId, spec }: JobRecord<GenerationSpec>, paperIndex: number
): Promise<void> {
  const paperId = spec.paperIds[paperIndex] ?? ''
  const rejections: Rejection[] = spec.recipe.kinds.map(kind => ({
    paperId,
    place: 'paper',
    kind,
    reason: 'paper-deleted',
    detail: 'The paper was deleted after the generation was opened; upload it and POST /v1/generations again for items of it.'
  }))
  await store.insertRejections({ generationId, paperIndex, placeIndex: wholePaper }, rejections)
}

export function isGone (cause: unknown): boolean {
  return cause instanceof Problem && (cause.kind === 'paper-not-found' || cause.kind === 'paper-deleted')
}
