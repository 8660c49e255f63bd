/** One task of a reviewing with a model: reads, has the loop run, writes. */
import type { Item } from '../../../shared/contracts/item.ts'
import { asProblem } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { isLastAttempt } from '../../../shared/tasks/decisions.ts'
import type { JobRecord, Task } from '../../../shared/tasks/tasks.ts'
import { allPassed, checkUnit, settleUnit } from '../domain/check-unit.ts'
import type { ModelReviewRecipe } from '../../../shared/contracts/review-recipe.ts'
import type { SavedUnit } from '../unit-store.ts'
import { generationOf } from './open-reviewing.ts'
import type { UnitInput } from './plan-reviewing.ts'
import { promptHashes } from './prompt-hashes.ts'
import type { ReviewingSpec } from './review-paper.ts'
import { reviewThatIsNone, reviewUnit } from './review-unit.ts'
import type { Prompts, UnitParts, UnitWork } from './unit-parts.ts'

interface UnitTask { task: Task<UnitInput>, job: JobRecord<ReviewingSpec> }

/**
 * A unit that has ended is never asked about again. When the last attempt fails, its items stand
 * `unreviewed` with the reason and the task still dies: the reviewing ends `failed` with its results
 * readable, and a retry reviews those items anew.
 */
export async function performUnit (
  parts: UnitParts, { task, job }: UnitTask, signal: AbortSignal
): Promise<void> {
  const { itemIds, vision, paperId, documentHash } = task.input
  const reviewingId = job._id
  const { recipe, prompts } = job.spec
  if (await parts.store.isFinished(reviewingId, itemIds)) return
  mustBeSamePrompts(parts.prompts, reviewingId, prompts)
  const paper = { paperId, documentHash }
  const items = await Promise.all(itemIds.map(async itemId => await parts.peers.generation.getItem(itemId)))
  const document = await parts.documentOf(paper)
  const work = { reviewingId, recipe: recipe as ModelReviewRecipe, paper, document, vision, signal }
  try {
    await parts.store.saveUnit(await reviewUnit(parts, work, { items, generationId: generationOf(job.spec) }))
  } catch (cause) {
    if (!signal.aborted && isLastAttempt(task, cause)) {
      await parts.store.saveUnit(unreviewed(work, items, asProblem(cause)))
    }
    throw cause
  }
}

/** Half of the items under one wording and half under another would be no reviewing. */
function mustBeSamePrompts (prompts: Prompts, reviewingId: string, begun: ReviewingSpec['prompts'] = []): void {
  const changed = promptHashes(prompts).find(({ name, hash }) =>
    !begun.some(each => each.name === name && each.hash === hash))
  if (changed === undefined) return
  throw new Problem('conflict', `Reviewing ${reviewingId} was begun with another version of prompt ${changed.name}; POST /v1/reviewings again starts one with this version.`)
}

function unreviewed (work: UnitWork, items: readonly Item[], problem: Problem): SavedUnit {
  const { reviewingId, document } = work
  const checks = settleUnit(items, checkUnit(items, document), null)
  const comment = `No review could be had: ${problem.message}`
  return {
    rounds: 0,
    unfinished: true,
    unreviewedFor: problem.kind,
    revisions: [],
    reviews: items.map((item, i) => reviewThatIsNone(work, { item, checks: checks[i]!, comment })),
    reviewed: items.map((item, i) => ({
      item,
      reviewingId,
      verdict: 'unreviewed',
      eligible: allPassed(checks[i]!),
      failedChecks: checks[i]!.filter(check => !check.passed).map(({ name }) => name),
      revision: 0,
      decision: null
    }))
  }
}
