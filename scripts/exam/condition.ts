/** Under which condition the exam's models are asked, from the command line. Baselines keep the default. */
import type { Static } from 'typebox'
import { Condition, usualContentTokens } from '../../shared/contracts/run.ts'

export const conditionHelp = `
How the models are asked (the baselines stay as they are):
  --formulation NAME   implicit, or explicit: only items that have a wording with names; default implicit
  --prompt NAME        standard, advanced or reasoning; default standard
  --content-mode NAME  full, sections, semantic, retrieved, oracle or none; default semantic
  --repeats N          every item so many times, 1 to 46; means and their variance are in repeats.json
  --temperature T      0 to 2; default 0, with --repeats 0.7
  --max-tokens N       of a reply; default 1024; with --thinking or --prompt reasoning what
                       the model's context leaves, at most 8192
  --thinking           let the model think first
  --confidence         have it say how sure it is
  --permute N          show the choices of each item in an order of this seed
`

export const conditionOptions = {
  formulation: { type: 'string' },
  prompt: { type: 'string' },
  'content-mode': { type: 'string' },
  repeats: { type: 'string' },
  temperature: { type: 'string' },
  'max-tokens': { type: 'string' },
  thinking: { type: 'boolean' },
  confidence: { type: 'boolean' },
  permute: { type: 'string' }
} as const

type Values = Partial<Record<keyof typeof conditionOptions, string | boolean>>

/** What a request's condition is given; all else is resolved by the service. */
export interface AskedCondition extends Partial<Pick<Static<typeof Condition>,
  'formulation' | 'prompt' | 'contentMode' | 'thinking' | 'confidence' | 'permutationSeed'>> {
  sampling?: { temperature?: number, maxTokens?: number }
}

export interface AskedHow { condition: AskedCondition, repeats: number }

/** @throws Error that says which argument is wrong */
export function parseCondition (values: Values): AskedHow {
  const { thinking, confidence } = values
  const prompt = oneOf('prompt', values.prompt, Condition.properties.prompt.enum)
  const formulation = oneOf('formulation', values.formulation, Condition.properties.formulation.enum)
  const contentMode = oneOf('content-mode', values['content-mode'], Condition.properties.contentMode.enum)
  const repeats = number('repeats', values.repeats, { least: 1, most: 46, whole: true }) ?? 1
  const temperature = number('temperature', values.temperature, { least: 0, most: 2 }) ??
    (repeats > 1 ? 0.7 : undefined)
  const maxTokens = number('max-tokens', values['max-tokens'], { least: 1, most: 32768, whole: true })
  const permutationSeed = number('permute', values.permute, { least: 0, most: 2147483647, whole: true })
  const sampling = {
    ...temperature !== undefined && { temperature }, ...maxTokens !== undefined && { maxTokens }
  }
  return {
    repeats,
    condition: {
      ...formulation !== undefined && { formulation },
      ...prompt !== undefined && { prompt },
      ...contentMode !== undefined && { contentMode },
      ...thinking === true && { thinking },
      ...confidence === true && { confidence: 'verbal' as const },
      ...permutationSeed !== undefined && { permutationSeed },
      ...Object.keys(sampling).length > 0 && { sampling }
    }
  }
}

/** Of a paper's text the budget by default, and for what a prompt has beside it. */
const promptTokens = usualContentTokens + 1_200

/**
 * The condition with room for a reply that thinks: as much as the model's context leaves, 8,192 at most.
 * What a model has no room for its server refuses.
 *
 * @param contextTokens  prompt and reply together; null where it is not known
 */
export function withRoom (condition: AskedCondition, contextTokens: number | null): AskedCondition {
  const { thinking, prompt, sampling } = condition
  const long = thinking === true || prompt === 'reasoning'
  if (!long || sampling?.maxTokens !== undefined) return condition
  const room = (contextTokens ?? Infinity) - promptTokens
  return { ...condition, sampling: { ...sampling, maxTokens: Math.min(8_192, Math.max(1_024, room)) } }
}

type Given = string | boolean | undefined

function oneOf<T extends string> (name: string, given: Given, known: readonly T[]): T | undefined {
  if (given === undefined) return undefined
  const found = known.find(each => each === given)
  if (found === undefined) throw new Error(`--${name} takes ${known.join(', ')}, not "${given}".`)
  return found
}

interface Range { least: number, most: number, whole?: boolean }

function number (name: string, value: Given, range: Range): number | undefined {
  const { least, most, whole = false } = range
  if (value === undefined) return undefined
  const given = value === '' ? NaN : Number(value)
  if (given >= least && given <= most && (!whole || Number.isInteger(given))) return given
  throw new Error(`--${name} takes a ${whole ? 'whole ' : ''}number from ${least} to ${most}, not "${value}".`)
}
