/** What defines a sitting, resolved: the same spec is the same sitting. */
import { idOf } from '../../../../shared/contracts/hash.ts'
import type { Condition } from '../../../../shared/contracts/run.ts'
import type { SittingRequest } from '../../../../shared/contracts/sitting.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { resolved, type RunSpec } from '../../domain/plan.ts'

/** Of the models that people are: no upstream's model may begin so. */
export const personPrefix = 'human/'

type Choices = 'itemIds' | 'kinds' | 'stratifyBy' | 'secondsMax' | 'secondsPerItem' | 'expertise' | 'consent'

export type SittingSpec = Omit<SittingRequest, Choices> & {
  [Part in Choices]: NonNullable<SittingRequest[Part]> | null
}

/** @throws Problem invalid-request for parts of a condition that are about models alone */
export function specOf (request: SittingRequest): SittingSpec {
  const { benchmarkId, raterId, seed, itemsMax, condition } = request
  mustBeForPeople(condition)
  return {
    benchmarkId,
    raterId,
    seed,
    itemsMax,
    condition: resolved({ ...condition, seed }),
    itemIds: request.itemIds?.toSorted() ?? null,
    kinds: request.kinds?.toSorted() ?? null,
    stratifyBy: request.stratifyBy ?? null,
    secondsMax: request.secondsMax ?? null,
    secondsPerItem: request.secondsPerItem ?? null,
    expertise: request.expertise ?? null,
    consent: request.consent ?? null
  }
}

function mustBeForPeople (
  { thinking, thinkingEffort, confidence, prompt, rationale, hint }: Condition
): void {
  const ofModels = {
    thinking,
    thinkingEffort: thinkingEffort !== undefined,
    confidence: confidence === 'verbal',
    prompt: prompt !== 'standard',
    rationale: rationale !== undefined,
    hint: hint !== undefined
  }
  const wrong = Object.entries(ofModels).filter(([, is]) => is).map(([part]) => part)
  if (wrong.length === 0) return
  throw new Problem('invalid-request', `A person is not told how to think, what others think, or in which form to answer: leave ${wrong.map(part => `condition.${part}`).join(', ')} out.`, {
    errors: wrong.map(part => ({ pointer: `/body/condition/${part}`, detail: 'is about models alone' }))
  })
}

export function sittingIdOf (spec: SittingSpec): string {
  return idOf('sitting', spec)
}

/** The run that a closed sitting becomes. */
export function runOf (sittingId: string, spec: SittingSpec): RunSpec {
  const { benchmarkId, raterId, condition, expertise } = spec
  const model = `${personPrefix}${raterId}`
  return { benchmarkId, model, condition, prompts: [], vision: true, sitting: { sittingId, expertise } }
}
