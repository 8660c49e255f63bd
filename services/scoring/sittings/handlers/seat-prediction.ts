/** The task of a person's run: takes what was answered, and reads it as any reply is read. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { Prediction } from '../../../../shared/contracts/run.ts'
import type { JobRecord } from '../../../../shared/tasks/tasks.ts'
import { blankPrediction, type RunSpec } from '../../domain/plan.ts'
import { questionOf, type Question } from '../../domain/question.ts'
import type { TaskParts } from '../../handlers/parts.ts'
import { readOne } from '../../handlers/read-long.ts'
import { choiceReply } from '../domain/reply-of.ts'
import { markOf, standing, type Seat } from '../domain/seat.ts'
import { deleted } from '../store.ts'

interface Due { job: JobRecord<RunSpec>, item: BenchmarkItem, signal: AbortSignal }

/**
 * What was not answered in time counts as what a model did not answer: declined and skipped as refused,
 * late and not reached as truncated; all are wrong. What was not drawn, or cannot be shown, is skipped.
 */
export async function seatPrediction (
  parts: Pick<TaskParts, 'sittings' | 'threads'>, { job, item, signal }: Due
): Promise<Prediction> {
  const blank = { ...blankPrediction(job._id, item), provenance: null }
  const seat = await parts.sittings.findSeat(job.spec.sitting!.sittingId, item.id)
  if (seat === undefined) return { ...blank, outcome: 'skipped', detail: 'It was not drawn for the sitting.' }
  const known = { ...blank, sitting: markOf(seat) }
  switch (seat.ending) {
    case 'not-shown': return { ...known, outcome: 'skipped', detail: seat.unshown }
    case 'not-reached': return { ...known, outcome: 'truncated', detail: 'The sitting ended before it was shown.' }
    case 'skipped': return { ...known, outcome: 'refused', detail: 'It was shown and left without an answer.' }
    case 'declined': return { ...known, outcome: 'refused', detail: 'The answer is that the person does not know.' }
    default: {
      const question = questionOf(item, job.spec.condition)
      return { ...known, ...await reading(parts, { seat, question, signal }) }
    }
  }
}

interface Read { seat: Seat, question: Question, signal: AbortSignal }

async function reading ({ threads }: Pick<TaskParts, 'threads'>, { seat, question, signal }: Read) {
  const { answer: { choice, text }, late } = standing(seat.answers)!
  const { order } = question
  const shown = order.every((place, at) => place === at) ? {} : { choiceOrder: order }
  const content = choice === undefined ? text! : choiceReply(question, choice)
  const reply = { content, finishReason: late ? 'length' : 'stop', refusal: false }
  const read = await readOne(threads, { question, reply, signal })
  const detail = late ? 'It was answered after the time.' : null
  return { ...read, ...shown, detail }
}

/** Whoever deleted the sitting may have looked for what to remove before this was written. */
export async function mustNotOutlive (
  { sittings, store }: Pick<TaskParts, 'sittings' | 'store'>, { _id: runId, spec }: JobRecord<RunSpec>
): Promise<void> {
  const { sittingId } = spec.sitting!
  if (!await sittings.isDeleted(sittingId)) return
  await store.deleteOfRun(runId)
  throw deleted(sittingId)
}
