/** Takes a review back: it stays on record and no longer counts. */
import { Problem } from '../../../../shared/errors/problem.ts'
import { reasonAgainstUndo, standingOf, withStanding } from '../domain/opinions.ts'
import { shownAfter, type Shown } from '../domain/shown.ts'
import type { HumanParts } from './parts.ts'
import { markUndone } from './seats.ts'
import { refreshPartners, triesMax, writeStand } from './write-stand.ts'

/** Time to think again. */
const leaseMs = 1_800_000

export interface UndoRequest { reviewingId: string, itemId: string, reviewId: string, raterId: string }

/**
 * What was decided and edited before stands again. Taken back twice is taken back once.
 *
 * @throws Problem review-not-found, or conflict when it is not the rater's to take back
 */
export async function undoReview (parts: HumanParts, asked: UndoRequest): Promise<Shown> {
  return await parts.inTurn(`${asked.reviewingId}.${asked.itemId}`, async () => await undo(parts, asked))
}

async function undo (
  parts: HumanParts, { reviewingId, itemId, reviewId, raterId }: UndoRequest
): Promise<Shown> {
  for (let tries = 0; tries < triesMax; tries++) {
    const subject = await parts.human.getSubject(reviewingId, itemId)
    const { state } = subject
    const opinion = state.opinions.find(({ review }) => review.id === reviewId)
    if (opinion === undefined) throw new Problem('review-not-found', `Reviewing ${reviewingId} has no review ${reviewId} of this item by a person.`)
    if (opinion.review.human.rater.id !== raterId) throw new Problem('conflict', 'The review is of another rater, who alone may take it back.')
    const reason = opinion.withdrawn ? null : reasonAgainstUndo(state, opinion)
    if (reason !== null) throw new Problem('conflict', reason)
    const withdrawn = { ...opinion, withdrawn: true }
    const after = { ...state, opinions: state.opinions.map(one => one === opinion ? withdrawn : one) }
    const { itemHash, human: { blind } } = opinion.review
    const lease = { ms: leaseMs, blind, itemHash }
    // Before the write: whoever dies in between leaves a free seat before a review that stands, which
    // the queue sees, and not a seat that nobody sits on and nobody gets.
    const isLast = standingOf(after, raterId) === undefined
    if (isLast) await markUndone(parts, subject.reviewed, { raterId, lease })
    const reviewed = opinion.withdrawn ? subject.reviewed : await writeStand(parts, subject, { state: after })
    if (reviewed === undefined) continue
    await parts.human.settleReviews(itemId)
    if (opinion.edited !== null) await refreshPartners(parts, reviewed)
    return shownAfter(withStanding(after, withdrawn), { reviewed, state: after })
  }
  throw new Problem('conflict', 'Others write to this item all the time; try again.')
}
