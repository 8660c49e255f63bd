/** Has one judge rate one unit once: the task of a judgement. */
import { Problem } from '../../../../shared/errors/problem.ts'
import { asProblem } from '../../../../shared/errors/problem-body.ts'
import { isLastAttempt } from '../../../../shared/tasks/decisions.ts'
import type { JobRecord, Task } from '../../../../shared/tasks/tasks.ts'
import { blankRating, errorRating } from '../domain/read-rating.ts'
import type { Asking, JudgementSpec } from '../domain/spec.ts'
import { askJudge } from './ask-judge.ts'
import type { JudgeParts } from './parts.ts'

/**
 * Writes the rating before it returns. What was rated is never asked again. On the last attempt, what
 * cannot be asked is an `error` with its reason, and the task still dies: a retry asks it anew.
 */
export async function judge (
  parts: JudgeParts, { task, job }: { task: Task<Asking>, job: JobRecord<JudgementSpec> }, signal: AbortSignal
): Promise<void> {
  const { _id: judgementId, spec } = job
  const asking = task.input
  const before = await parts.judging.findRating(judgementId, asking)
  if (before !== undefined && before.outcome !== 'error') return
  const unit = await parts.judging.findUnit(judgementId, asking.unit)
  if (unit === undefined) throw new Error(`Unit ${asking.unit} of judgement ${judgementId} is gone`)
  mustBeSamePrompt(parts, job)
  const blank = blankRating(judgementId, { spec, unit, asking })
  try {
    const came = await askJudge(parts, { judgementId, spec, unit, asking, signal })
    await parts.judging.saveRating(asking, { ...blank, ...came })
  } catch (cause) {
    if (!signal.aborted && isLastAttempt(task, cause)) {
      await parts.judging.saveRating(asking, errorRating(blank, asProblem(cause).message))
    }
    throw cause
  }
}

/** Half of the ratings under one wording and half under another would be no judgement. */
function mustBeSamePrompt ({ prompts }: JudgeParts, { _id, spec }: JobRecord<JudgementSpec>): void {
  const { name, hash } = prompts[spec.form]
  if (spec.prompts.some(each => each.hash === hash)) return
  throw new Problem('conflict', `Judgement ${_id} was begun with another version of prompt ${name}; POST /v1/judgements again starts one with this version.`)
}
