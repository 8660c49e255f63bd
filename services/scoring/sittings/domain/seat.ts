/** Seat: what became of one item of a sitting. Times are milliseconds on the server's clock. */
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import type { SittingEnding, SittingMark } from '../../../../shared/contracts/run.ts'
import type { SittingAnswer } from '../../../../shared/contracts/sitting.ts'
import type { SittingSpec } from './spec.ts'

export interface Given { answer: SittingAnswer, at: number, late: boolean }

export interface Seat {
  itemId: string
  /** Place in the order of the sitting, from 0. */
  place: number
  /** When it was first shown; null for one that was not. */
  shownAt: number | null
  /** Why it cannot be shown under the condition. */
  unshown: string | null
  /** All that were given, in their order. */
  answers: Given[]
  ending: SittingEnding
}

type Limits = Pick<SittingSpec, 'secondsMax' | 'secondsPerItem'>

export function newSeat (itemId: string, place: number): Seat {
  return { itemId, place, shownAt: null, unshown: null, answers: [], ending: 'not-reached' }
}

interface Begun { startedAt: number | null, shownAt: number | null }

/** Until when an answer is in time; Infinity without a limit. */
export function deadlineOf ({ secondsMax, secondsPerItem }: Limits, { startedAt, shownAt }: Begun): number {
  const whole = secondsMax === null || startedAt === null ? Infinity : startedAt + 1000 * secondsMax
  const own = secondsPerItem === null || shownAt === null ? Infinity : shownAt + 1000 * secondsPerItem
  return Math.min(whole, own)
}

export function remainingSeconds (deadline: number, now: number): number | null {
  return Number.isFinite(deadline) ? Math.max(0, deadline - now) / 1000 : null
}

export function isLastAnswer ({ answers }: Seat, answer: SittingAnswer): boolean {
  const last = answers.at(-1)
  return last !== undefined && canonicalJson(last.answer) === canonicalJson(answer)
}

export function withAnswer (seat: Seat, given: Given): Seat {
  const answers = [...seat.answers, given]
  return { ...seat, answers, ending: endingOf(answers) }
}

/** The last one in time; without one, the last that came late. */
export function standing (answers: readonly Given[]): Given | undefined {
  return answers.findLast(({ late }) => !late) ?? answers.findLast(({ answer }) => says(answer))
}

const says = ({ choice, text }: SittingAnswer): boolean => choice !== undefined || text !== undefined

/** Of an item that was shown. */
export function endingOf (answers: readonly Given[]): SittingEnding {
  const given = standing(answers)
  if (given === undefined) return 'skipped'
  if (given.late) return 'late'
  if (given.answer.dontKnow === true) return 'declined'
  return says(given.answer) ? 'answered' : 'skipped'
}

/** Whether it is still to be answered: shown, nothing said of it, and its time not over. */
export function isOpen (seat: Seat, deadline: number, now: number): boolean {
  return seat.shownAt !== null && seat.answers.length === 0 && now <= deadline
}

export function markOf ({ shownAt, answers, ending }: Seat): SittingMark {
  const first = answers.find(({ answer }) => answer.skip !== true)
  const seconds = first === undefined || shownAt === null ? null : Math.max(0, first.at - shownAt) / 1000
  return { ending, seconds, answers: answers.length }
}
