/** One task of a partial-input baseline: one model, one item. */
import { Problem } from '../../../../shared/errors/problem.ts'
import { asProblem } from '../../../../shared/errors/problem-body.ts'
import { isLastAttempt } from '../../../../shared/tasks/decisions.ts'
import type { JobRecord, Task } from '../../../../shared/tasks/tasks.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { PartialAnswer } from '../../../../shared/contracts/partial-input.ts'
import { conditionsFor } from '../domain/conditions.ts'
import { ordersOf } from '../domain/orders.ts'
import { promptHashes } from '../prompts.ts'
import { askOnce, blankAnswer, type Asking, type Way } from './ask-item.ts'
import type { BaselineParts, BaselineSpec, BaselineTask } from './parts.ts'

/** After so many in a row the model is held to be away: each may take its whole timeout. */
const errorsInRowMax = 2

type PerformParts = Omit<BaselineParts, 'jobs'>

/**
 * What was answered is never asked again. On the last attempt, what cannot be asked is an `error` with
 * its reason beside the answers there are, and the task still dies: a retry asks it anew.
 */
export async function performTask (
  parts: PerformParts,
  { task, job }: { task: Task<BaselineTask>, job: JobRecord<BaselineSpec> },
  signal: AbortSignal
): Promise<void> {
  const { _id: baselineId, spec } = job
  const { itemId, model: at } = task.input
  const before = await parts.baselines.findAnswers(baselineId, itemId, at)
  if (before !== undefined && before.unfinished !== true) return
  mustBeSamePrompts(parts, job)
  const asked = await parts.baselines.getAsked(baselineId, itemId)
  if (asked === undefined) throw new Error(`Item ${itemId} of baseline ${baselineId} is gone`)
  const model = spec.models[at]!
  const isLast = (cause: unknown) => !signal.aborted && isLastAttempt(task, cause)
  const { answers, cause } = await askAll(parts, { baselineId, spec, model, asked, signal }, isLast)
  const value = { itemId, model: model.name, answers }
  await parts.baselines.saveAnswers(baselineId, at, { value, ...cause !== null && { unfinished: true } })
  if (cause !== null) throw cause
}

type Asked = Omit<Asking, 'document' | 'reader'>

async function askAll (
  parts: PerformParts, asked: Asked, isLast: (cause: unknown) => boolean
): Promise<{ answers: PartialAnswer[], cause: unknown }> {
  const answers: PartialAnswer[] = []
  const { spec, asked: { item }, signal } = asked
  let asking: Asking | undefined
  let cause: unknown = null
  let inRow = 0
  for (const way of waysOf(item, spec)) {
    signal.throwIfAborted()
    try {
      if (inRow >= errorsInRowMax) throw cause
      asking ??= await withPaper(parts, asked)
      answers.push(await askOnce(parts, asking, way))
      inRow = 0
    } catch (failed) {
      if (!isLast(failed)) throw failed
      cause = failed
      inRow++
      answers.push(errorAnswer(way, asProblem(failed).message))
    }
  }
  return { answers, cause }
}

async function withPaper ({ readerFor }: PerformParts, asked: Asked): Promise<Asking> {
  const { source } = asked.asked.item
  const reader = await readerFor(asked.spec.source)
  return { ...asked, reader, document: 'paperId' in source ? await reader.documentOf(source) : null }
}

export function waysOf (item: Item, { conditions, orders, seed }: BaselineSpec): Way[] {
  const firsts = ordersOf(item, { max: orders, seed })
  return conditionsFor(item, conditions).flatMap(condition => firsts.map(first => ({ condition, first })))
}

export function errorAnswer (way: Way, detail: string): PartialAnswer {
  return { ...blankAnswer(way), outcome: 'error', detail }
}

/** Half of the answers under one wording and half under another would be no baseline. */
function mustBeSamePrompts ({ prompts }: PerformParts, { _id, spec }: JobRecord<BaselineSpec>): void {
  const now = promptHashes(prompts)
  const changed = now.find(({ name, hash }) =>
    !spec.prompts.some(each => each.name === name && each.hash === hash))
  if (changed === undefined) return
  throw new Problem('conflict', `Baseline ${_id} was begun with another version of prompt ${changed.name}; POST /v1/partial-input-baselines again starts one with this version.`)
}
