/** The tasks of a judgement, and what is left to do when all have ended. */
import { endBudget } from '../../../../shared/clients/calls-in-budget.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import type { JobRecord, Jobs, PlannedTask } from '../../../../shared/tasks/tasks.ts'
import { blankRating, errorRating } from '../domain/read-rating.ts'
import { askingKey, askingsOf, isJudged, type Asking, type JudgementSpec } from '../domain/spec.ts'
import type { JudgeParts } from './parts.ts'
import { summarise } from './summarise.ts'

type JudgementJob = JobRecord<JudgementSpec>

export async function planJudgement (
  { judging, inference }: Pick<JudgeParts, 'judging' | 'inference'>, { _id, spec }: JudgementJob
): Promise<AsyncIterable<PlannedTask<Asking>>> {
  if (spec.tokensMax !== undefined) await inference.limitGroup(_id, spec.tokensMax)
  return tasksOf(judging, { _id, spec })
}

async function * tasksOf (
  judging: JudgeParts['judging'], { _id, spec }: Pick<JudgementJob, '_id' | 'spec'>
): AsyncGenerator<PlannedTask<Asking>> {
  let place = 0
  for await (const some of judging.unitsOf(_id)) {
    for (const { value } of some) {
      if (isJudged(value)) for (const input of askingsOf(place, spec)) yield { key: askingKey(input), input }
      place++
    }
  }
  if (place !== spec.unitCount) throw new Problem('internal', `Judgement ${_id} has ${place} of ${spec.unitCount} units.`)
}

/**
 * A task may die without a word (its process vanished too often). Its rating must not be missing from
 * the counts: it gets one that says `error`. A cancelled judgement is left as it is.
 */
export async function finishJudgement (
  parts: JudgeParts & { jobs: Pick<Jobs<JudgementSpec>, 'view'> }, job: JudgementJob, signal: AbortSignal
): Promise<void> {
  const { _id, spec, cancelled } = job
  const counts = await parts.judging.countOutcomes(_id)
  const written = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (!cancelled && written < spec.ratingCount) await fillSilent(parts, job, signal)
  await summarise(parts, { judgementId: _id, spec }, signal)
  await endBudget({ jobs: parts.jobs as never, inference: parts.inference }, {
    _id, cancelled, spec: { recipe: spec.tokensMax === undefined ? {} : { tokensMax: spec.tokensMax } }
  })
}

async function fillSilent (
  { judging }: JudgeParts, { _id, spec }: JudgementJob, signal: AbortSignal
): Promise<void> {
  let place = 0
  for await (const some of judging.unitsOf(_id)) {
    for (const { value: unit } of some) {
      signal.throwIfAborted()
      const missing = isJudged(unit) ? askingsOf(place, spec) : []
      place++
      for (const asking of missing) {
        if (await judging.findRating(_id, asking) !== undefined) continue
        const blank = blankRating(_id, { spec, unit, asking })
        await judging.saveRating(asking, errorRating(blank, 'No attempt lived to its end; retry the judgement.'))
      }
    }
  }
}
