/** Steps that ask models: each item is asked until its reply will do or the attempts are used up. */
import type { Search } from '../domain/regional.ts'
import type { StepResult } from '../domain/steps.ts'
import { linesOf, ofEach, put, type Asking, type AskParts } from './asking.ts'
import { paraphrased } from './paraphrase-item.ts'
import { rationalesWritten } from './write-rationales.ts'

/** @returns what the step says of the items, or what models found, of `find-regional` */
export async function askModels (
  parts: AskParts,
  asking: Asking
): Promise<StepResult | { searches: Search[] }> {
  const { step } = asking
  switch (step.step) {
    case 'paraphrase': {
      const rewrite = { ...asking, step }
      const outcomes = await ofEach(parts, asking, async entry => await paraphrased(parts, rewrite, entry))
      return { outcomes: outcomes.filter(outcome => outcome !== null), findings: [] }
    }
    case 'find-regional': return {
      searches: await Promise.all(step.models.map(async model => await searchedBy(parts, asking, model)))
    }
    case 'write-rationales': return await rationalesWritten(parts, { ...asking, step })
    default: throw new TypeError(`The step ${step.step} asks no model`)
  }
}

const regionalSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['regional', 'because'],
  properties: { regional: { type: 'boolean' }, because: { type: 'string', maxLength: 300 } }
}

/** A reply that cannot be used is a find: people look at it. */
async function searchedBy (parts: AskParts, asking: Asking, model: string): Promise<Search> {
  const { pack } = asking
  type Found = [rootId: string, because: string] | null
  const found = await ofEach(parts, asking, async ({ rootId, item }): Promise<Found> => {
    const values = {
      question: item.question,
      choices: linesOf(item),
      region: pack!.title,
      climate: pack!.climate
    }
    const reply = await put<{ regional: boolean, because: string }>(parts, asking, { model, prompt: 'find-regional.v1', values, schema: regionalSchema, attempt: 0 })
    if (!reply.hasValue || reply.value === null) return [rootId, `no usable reply (${reply.outcome})`]
    return reply.value.regional ? [rootId, reply.value.because] : null
  })
  return { by: model, found: new Map(found.filter(entry => entry !== null)) }
}
