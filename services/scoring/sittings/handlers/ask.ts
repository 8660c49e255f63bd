/** Shows a person the next question, or one again; the first time starts its clock. */
import type { SittingNext, SittingQuestion } from '../../../../shared/contracts/sitting.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { contentFor } from '../../domain/content-for.ts'
import { questionOf } from '../../domain/question.ts'
import { whyNotShown } from '../../domain/skips.ts'
import { questionImages } from '../../handlers/question-images.ts'
import { deadlineOf, isOpen, newSeat, remainingSeconds, type Seat } from '../domain/seat.ts'
import { shownQuestion, type ShownQuestion } from '../domain/shown.ts'
import type { SeatDoc, SittingDoc } from '../store.ts'
import type { SittingParts } from './parts.ts'

/**
 * The first item of the order that was not yet answered, skipped or timed out; asked again, the same one,
 * whose clock runs on.
 *
 * @throws Problem sitting-not-found, sitting-deleted; what reading the benchmark throws
 */
export async function askNext (parts: SittingParts, sittingId: string): Promise<SittingNext> {
  const sitting = await parts.sittings.get(sittingId)
  const seats = new Map<string, Seat>()
  for (const seat of await parts.sittings.listSeats(sittingId)) seats.set(seat.itemId, seat)
  const answer = (state: SittingNext['state'], question: SittingQuestion | null = null): SittingNext =>
    ({ sittingId, state, itemCount: sitting.order.length, question, seen: seenOf(seats) })
  if (sitting.state !== 'open') return answer('closed')
  if (isOver(parts, sitting)) return answer('time-up')
  const ownDeadline = ({ shownAt }: Seat) => deadlineOf(sitting.spec, { shownAt, startedAt: null })
  for (const [place, itemId] of sitting.order.entries()) {
    const known = seats.get(itemId)
    if (known !== undefined && !isOpen(known, ownDeadline(known), parts.now())) continue
    const shown = await show(parts, { sitting, itemId, place })
    if (shown === null) continue
    seats.set(itemId, shown.seat)
    if (shown.seat.sealed) return answer('closed')
    return answer('asking', shown.question)
  }
  return answer('all-seen')
}

/**
 * A question that was shown before, to read or answer again.
 *
 * @throws Problem conflict for one that was not shown yet, and once the sitting is closed
 */
export async function askAgain (
  parts: SittingParts, sittingId: string, itemId: string
): Promise<SittingQuestion> {
  const sitting = await parts.sittings.get(sittingId)
  const seat = await parts.sittings.findSeat(sittingId, itemId)
  if (sitting.state !== 'open') throw closed(sittingId)
  if (seat === undefined || seat.shownAt === null) throw notShown(sittingId, itemId)
  const shown = await show(parts, { sitting, itemId, place: seat.place })
  if (shown === null) throw notShown(sittingId, itemId)
  return shown.question
}

export function closed (sittingId: string): Problem {
  return new Problem('conflict', `Sitting ${sittingId} is closed; a sitting with another seed opens another one.`)
}

export function notShown (sittingId: string, itemId: string): Problem {
  return new Problem('conflict', `Item ${itemId} was not shown in sitting ${sittingId}; GET /v1/sittings/${sittingId}/next shows the one whose turn it is.`)
}

function isOver ({ now }: SittingParts, { spec, startedAt }: SittingDoc): boolean {
  return now() > deadlineOf(spec, { startedAt, shownAt: null })
}

function seenOf (seats: ReadonlyMap<string, Seat>): SittingNext['seen'] {
  return [...seats.values()].filter(({ shownAt }) => shownAt !== null).sort((a, b) => a.place - b.place)
    .map(({ itemId, place, ending }) => ({ itemId, position: place + 1, ending }))
}

interface Turn { sitting: SittingDoc, itemId: string, place: number }

/** Null where it cannot be shown under the condition, which is kept with the reason. */
async function show (
  parts: SittingParts, { sitting, itemId, place }: Turn
): Promise<{ seat: SeatDoc, question: SittingQuestion } | null> {
  const { _id: sittingId, spec } = sitting
  const found = await questionFor(parts, sitting, itemId)
  const seat = newSeat(itemId, place)
  if ('skipped' in found) {
    await parts.sittings.showSeat(sittingId, { ...seat, unshown: found.skipped, ending: 'not-shown' })
    return null
  }
  // The clock starts when all is read, not when it is asked for.
  const now = parts.now()
  const { startedAt } = await parts.sittings.start(sittingId, now)
  const kept = await parts.sittings.showSeat(sittingId, { ...seat, shownAt: now, ending: 'skipped' })
  const deadline = deadlineOf(spec, { startedAt, shownAt: kept.shownAt })
  return {
    seat: kept,
    question: {
      ...found,
      position: place + 1,
      answer: kept.answers.at(-1)?.answer ?? null,
      remainingSeconds: remainingSeconds(deadline, now)
    }
  }
}

/** As a model would be asked it, with the same images and the same text of the paper. */
async function questionFor (
  { benchmarks }: SittingParts, { spec: { benchmarkId, condition } }: SittingDoc, itemId: string
): Promise<ShownQuestion | { skipped: string }> {
  const item = (await benchmarks.get(benchmarkId)).itemById.get(itemId)
  if (item === undefined) throw new Error(`Item ${itemId} is not in benchmark ${benchmarkId}`)
  const document = await benchmarks.documentOf(benchmarkId, item)
  const question = questionOf(item, condition)
  const obstacle = whyNotShown({ question, document, condition, vision: true })
  if (obstacle !== undefined) return { skipped: obstacle }
  const found = await questionImages(benchmarks, { benchmarkId, item, question, document, condition })
  if ('skipped' in found) return found
  const content = contentFor({ item, question, document, condition })
  return shownQuestion({ ...found, content, document, condition })
}
