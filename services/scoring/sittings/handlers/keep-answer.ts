/** Keeps an answer with the time it came at. Once this resolves, it is in the store and will be scored. */
import type { AnswerKept, SittingAnswer } from '../../../../shared/contracts/sitting.ts'
import { answersMax } from '../../../../shared/contracts/sitting.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { questionOf } from '../../domain/question.ts'
import { deadlineOf, isLastAnswer, withAnswer, type Seat } from '../domain/seat.ts'
import type { SittingDoc } from '../store.ts'
import { closed, notShown } from './ask.ts'
import type { SittingParts } from './parts.ts'

/** As often as others may write to the same item while it is kept. */
const triesMax = 20

interface Place { sittingId: string, itemId: string }

/**
 * The same answer again is the same answer, also after the end; another one is kept beside those before.
 *
 * @throws Problem sitting-not-found, sitting-deleted; conflict for an item that was not shown, and once the
 *         sitting is closed; invalid-request for an answer that is not of the item's kind; limit-exceeded
 */
export async function keepAnswer (
  parts: SittingParts, { sittingId, itemId }: Place, answer: SittingAnswer
): Promise<AnswerKept> {
  // When it came, and not when the store had time for it.
  const at = parts.now()
  for (let tries = 0; tries < triesMax; tries++) {
    const sitting = await parts.sittings.get(sittingId)
    const seat = await parts.sittings.findSeat(sittingId, itemId)
    if (seat === undefined || seat.shownAt === null) throw notShown(sittingId, itemId)
    if (isLastAnswer(seat, answer)) return keptOf(seat)
    if (seat.sealed || sitting.state !== 'open') throw closed(sittingId)
    if (seat.answers.length >= answersMax) throw new Problem('limit-exceeded', `${answersMax} answers to item ${itemId} are kept; the last one in time stands.`)
    if (tries === 0) await mustFit(parts, sitting, { itemId, answer })
    const late = at > deadlineOf(sitting.spec, { startedAt: sitting.startedAt, shownAt: seat.shownAt })
    const next = withAnswer(seat, { answer, at, late })
    if (await parts.sittings.saveAnswers(seat, next)) return keptOf(next)
  }
  throw new Problem('conflict', 'Others write to this item at the same time; send the answer again.')
}

function keptOf ({ itemId, ending, answers }: Seat): AnswerKept {
  return { itemId, ending, late: answers.at(-1)!.late, answers: answers.length }
}

interface Answering { itemId: string, answer: SittingAnswer }

async function mustFit (
  { benchmarks }: SittingParts, { spec }: SittingDoc, { itemId, answer }: Answering
): Promise<void> {
  const item = (await benchmarks.get(spec.benchmarkId)).itemById.get(itemId)!
  const { choices } = questionOf(item, spec.condition)
  const { choice, text } = answer
  if (choice !== undefined && choice >= choices.length) {
    throw wrong('choice', choices.length === 0 ? 'The item has no choices: answer with text.' : `The item has choices 0 to ${choices.length - 1}.`)
  }
  if (text === undefined) return
  if (choices.length > 0) throw wrong('text', 'The item has choices: answer with choice.')
  if (text.trim() === '') throw wrong('text', 'The text is empty: send dontKnow or skip instead.')
}

function wrong (part: string, detail: string): Problem {
  return new Problem('invalid-request', detail, { errors: [{ pointer: `/body/${part}`, detail }] })
}
