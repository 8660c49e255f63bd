/** The end of a partial-input baseline: what the answers come to, over all items together. */
import type { JobRecord } from '../../../../shared/tasks/tasks.ts'
import { inTurns } from '../../../../shared/tasks/in-turns.ts'
import { settle, summaryOf, type Summary } from '../domain/report.ts'
import type { BaselineStore } from '../store.ts'
import type { BaselineSpec } from './parts.ts'
import { errorAnswer, waysOf } from './perform-task.ts'

/** Again after a retry: from all answers there are then. */
export async function finishBaseline (
  baselines: BaselineStore, { _id: baselineId, spec, cancelled }: JobRecord<BaselineSpec>, signal: AbortSignal
): Promise<void> {
  const { source, conditions, fdr, models } = spec
  const familyOf = new Map(models.map(({ name, family }) => [name, family]))
  const summaries: Summary[] = []
  for await (const { item, itemHash } of baselines.askedItems(baselineId)) {
    signal.throwIfAborted()
    const found = await baselines.answersTo(baselineId, item.id)
    // A task may die without a word. What it was to ask must not be missing from the counts.
    const silent = cancelled ? [] : models.filter(({ name }) => !found.some(({ model }) => model === name))
    const lost = silent.map(({ name }) => (
      { model: name, answers: waysOf(item, spec).map(way => errorAnswer(way, 'No attempt lived to its end; retry.')) }))
    const answers = [...found, ...lost].map(({ model, answers }) => (
      { family: familyOf.get(model)!, answers }))
    summaries.push(summaryOf({ item, itemHash, answers }, conditions))
  }
  const families = [...new Set(models.map(({ family }) => family))].sort()
  const steps = settle(summaries, { conditions, families, fdr })
  const reviewingId = 'reviewingId' in source ? source.reviewingId : null
  await baselines.saveReport(baselineId, { ...await inTurns(steps), reviewingId })
}
