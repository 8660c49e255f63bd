/** Steps that ask models, each by its own handler. */
import type { Search } from '../domain/regional.ts'
import type { StepOutcome, StepResult } from '../domain/steps.ts'
import { linesOf, ofEach, put, type Asking, type AskParts } from './ask-model.ts'
import { paraphrased } from './paraphrase-item.ts'
import { rationalesWritten } from './write-rationales.ts'

/** @returns what the step says of the items, or what models found, of `find-regional` */
export async function askModels (
  parts: AskParts, asking: Asking
): Promise<StepResult | { searches: Search[] }> {
  const { step } = asking
  switch (step.step) {
    case 'paraphrase': return {
      outcomes: (await ofEach(parts, asking, async entry =>
        await paraphrased(parts, { ...asking, step }, entry)))
        .filter((outcome): outcome is StepOutcome => outcome !== null),
      findings: []
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
  const { title, climate } = asking.pack!
  const found = await ofEach(parts, asking, async ({ rootId, item }): Promise<[string, string] | null> => {
    const values = { question: item.question, choices: linesOf(item), region: title, climate }
    const reply = await put<{ regional: boolean, because: string }>(parts, asking, { model, prompt: 'find-regional.v1', values, schema: regionalSchema, attempt: 0 })
    if (!reply.hasValue || reply.value === null) return [rootId, `no usable reply (${reply.outcome})`]
    return reply.value.regional ? [rootId, reply.value.because] : null
  })
  return { by: model, found: new Map(found.filter(entry => entry !== null)) }
}
