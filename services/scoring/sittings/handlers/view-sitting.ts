/** Sittings as they stand, counted from their seats. */
import type { Page, PageRequest } from '../../../../shared/contracts/page.ts'
import type { Sitting } from '../../../../shared/contracts/sitting.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { deadlineOf, remainingSeconds } from '../domain/seat.ts'
import type { SittingDoc } from '../store.ts'
import type { SittingParts } from './parts.ts'

type ViewParts = Pick<SittingParts, 'sittings' | 'now'>

/** @throws Problem sitting-not-found, sitting-deleted */
export async function getSitting (parts: ViewParts, sittingId: string): Promise<Sitting> {
  return await viewOf(parts, await parts.sittings.get(sittingId))
}

/** @throws Problem invalid-cursor */
export async function listSittings (parts: ViewParts, asked: PageRequest): Promise<Page<Sitting>> {
  if (asked.cursor !== undefined && !/^sit_[0-9a-f]{32}$/.test(asked.cursor)) {
    throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
  }
  const { items, nextCursor } = await parts.sittings.list(asked)
  const views: Sitting[] = []
  for (const doc of items) views.push(await viewOf(parts, doc))
  return { items: views, nextCursor: nextCursor === null ? null : items.at(-1)!._id }
}

export async function viewOf ({ sittings, now }: ViewParts, doc: SittingDoc): Promise<Sitting> {
  const { _id, spec, order, startedAt, runId, state } = doc
  const left = remainingSeconds(deadlineOf(spec, { startedAt, shownAt: null }), now())
  const open = startedAt === null ? 'ready' : left === 0 ? 'time-up' : 'running'
  return {
    id: _id,
    ...spec,
    state: state === 'open' ? open : state,
    itemCount: order.length,
    endings: await sittings.countEndings(_id, order.length),
    remainingSeconds: state !== 'open' ? null : startedAt === null ? spec.secondsMax : left,
    runId
  }
}
