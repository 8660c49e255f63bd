/** Items put to a model: so many at once, each with the same form of asking. */
import { askForValue, type Asked } from '../../../../shared/clients/ask-for-value.ts'
import { usualSampling } from '../../../../shared/contracts/generation.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { atMost } from '../../thread/at-most.ts'
import type { RegionPack } from '../domain/region-pack.ts'
import type { Entry, ResolvedStep } from '../domain/steps.ts'
import type { CurationParts } from './parts.ts'

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

/** In the order of the entries; the first failure ends all, for the task is tried again as a whole. */
export async function ofEach<T> (
  { callsAtOnce }: AskParts, { signal, entries }: Pick<Asking, 'signal' | 'entries'>, ask: (entry: Entry) => Promise<T>
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
