/** Steps that ask models: so many items at once, each asked until its reply will do or the attempts are used up. */
import { askForValue, type Asked } from '../../../../shared/clients/ask-for-value.ts'
import { usualSampling } from '../../../../shared/contracts/generation.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { atMost } from '../../thread/at-most.ts'
import type { RegionPack } from '../domain/region-pack.ts'
import type { Search } from '../domain/regional.ts'
import type { Entry, ResolvedStep, StepOutcome, StepResult } from '../domain/steps.ts'
import { paraphrased } from './paraphrase-item.ts'
import type { CurationParts } from './parts.ts'
import { rationalesWritten } from './write-rationales.ts'

export type AskParts = Pick<CurationParts, 'inference' | 'prompts' | 'callsAtOnce' | 'timeoutMs'>

export interface Asking {
  step: ResolvedStep
  seed: number
  /** Those that are not excepted. */
  entries: readonly Entry[]
  pack?: RegionPack | undefined
  jobId: string
  signal: AbortSignal
}

/** @returns what the step says of the items, or what models found, of `find-regional` */
export async function askModels (
  parts: AskParts,
  asking: Asking
): Promise<StepResult | { searches: Search[] }> {
  const { step, entries } = asking
  switch (step.step) {
    case 'paraphrase': return {
      outcomes: (
        await ofEach(
          parts,
          asking,
          entries,
          async entry => await paraphrased(parts, { ...asking, step }, entry)
        )
      )
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

/** In the order of the entries; the first failure ends all, for the task is tried again as a whole. */
export async function ofEach<T> (
  { callsAtOnce }: AskParts, { signal }: Pick<Asking, 'signal'>, entries: readonly Entry[], ask: (entry: Entry) => Promise<T>
): Promise<T[]> {
  const inTurn = atMost(callsAtOnce)
  let failed = false
  return await Promise.all(entries.map(async entry => await inTurn(async () => {
    signal.throwIfAborted()
    if (failed) throw new Error('Another item failed')
    try { return await ask(entry) } catch (cause) {
      failed = true
      throw cause
    }
  })))
}

export interface Put {
  model: string
  prompt: string
  values: Record<string, string>
  schema: object
  /** From 0: which reply of the same asking. */
  attempt: number
}

const seedMax = 2147483648

export async function put<Value> (
  { inference, prompts, timeoutMs }: AskParts, { seed, jobId, signal }: Pick<Asking, 'seed' | 'jobId' | 'signal'>, asked: Put
): Promise<Asked<Value>> {
  const { model, prompt, values, schema, attempt } = asked
  return await askForValue<Value>(inference, {
    model,
    prompt: prompts.get(prompt)!,
    values,
    images: [],
    schema,
    sampling: usualSampling,
    seed: (seed + attempt) % seedMax,
    labels: { caller: 'generation', group: jobId, purpose: prompt.replace(/\.v\d+$/u, ''), sampleIndex: attempt }
  }, { signal, timeoutMs })
}

/** A line each; the text of a choice that is an image says so. */
export function linesOf ({ choices = [] }: Item, isNumbered = false): string {
  if (choices.length === 0) return 'It has none.'
  return choices.map(({ text }, at) => `${isNumbered ? `${at + 1}. ` : ''}${text === '' ? '(an image)' : text}`).join('\n')
}

const regionalSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['regional', 'because'],
  properties: { regional: { type: 'boolean' }, because: { type: 'string', maxLength: 300 } }
}

/** A reply that cannot be used is a find: people look at it. */
async function searchedBy (parts: AskParts, asking: Asking, model: string): Promise<Search> {
  const { pack, entries } = asking
  const found = await ofEach(parts, asking, entries, async ({ rootId, item }): Promise<[string, string] | null> => {
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
