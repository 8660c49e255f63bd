/**
 * Which tasks a reviewing has: papers, or items of a bank some at a time, for the checks alone; items and
 * pairs for the loop with a model.
 */
import { servedModel } from '../../../shared/clients/served-model.ts'
import { assertContext } from '../../../shared/clients/assert-context.ts'
import type { JobRecord, Plan, PlannedTask } from '../../../shared/tasks/tasks.ts'
import { unitsOf } from '../../../shared/text/duplicates.ts'
import type { ModelReviewRecipe } from '../../../shared/contracts/review-recipe.ts'
import type { Peers } from '../peers.ts'
import type { PaperVersion } from './get-document.ts'
import { isBankSource } from './bank-items.ts'
import { listItems } from './list-items.ts'
import { planBank, type BankInput } from './review-bank.ts'
import type { ReviewingSpec } from './review-paper.ts'
import type { Vision } from './unit-parts.ts'

export interface UnitInput extends PaperVersion { itemIds: string[], vision: Vision }
export type TaskInput = PaperVersion | UnitInput | BankInput

/** @throws Problem model-not-found, naming the models there are; invalid-request: their context is smaller */
export async function planReviewing (
  peers: Peers, { _id, spec }: JobRecord<ReviewingSpec>
): Promise<Plan<TaskInput>> {
  const { recipe, papers, source } = spec
  if (isBankSource(source)) return await planBank(peers, source)
  if (recipe.strategy === 'mechanical') return papers.map(paper => ({ key: paper.paperId, input: paper }))
  const vision = await visionOf(peers, recipe)
  if (recipe.tokensMax !== undefined) await peers.inference.limitGroup(_id, recipe.tokensMax)
  return unitTasks(peers, { papers, generationId: source.generationId, vision })
}

interface Units { papers: readonly PaperVersion[], generationId: string, vision: Vision }

async function * unitTasks (
  peers: Peers, { papers, generationId, vision }: Units
): AsyncGenerator<PlannedTask<UnitInput>> {
  for (const paper of papers) {
    for (const unit of unitsOf(await listItems(peers, { generationId, paperId: paper.paperId }))) {
      const itemIds = unit.map(({ id }) => id).sort()
      yield { key: itemIds[0]!, input: { ...paper, itemIds, vision } }
    }
  }
}

/** Written into the tasks: a model that learns to see meanwhile does not change what was begun. */
export async function visionOf (
  { inference }: Pick<Peers, 'inference'>,
  { model, confirmModel, contextTokens }: Pick<ModelReviewRecipe, 'model' | 'confirmModel' | 'contextTokens'>
): Promise<Vision> {
  const served = await inference.listModels()
  const canSee = (name: string) => {
    const found = servedModel(served, name)
    assertContext(contextTokens, found)
    return found.capabilities.includes('vision')
  }
  return { model: canSee(model), confirmModel: canSee(confirmModel) }
}
