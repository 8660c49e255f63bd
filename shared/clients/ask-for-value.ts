/** A prompt with values, figures and a schema put to a model: how items are written and judged. */
import type { Sampling } from '../contracts/generation.ts'
import type { Provenance } from '../contracts/item.ts'
import { renderPrompt, type Prompt } from '../prompts/prompt.ts'
import type { InferenceClient, Labels, Structured } from './inference.ts'

export interface Asking {
  model: string
  prompt: Prompt
  /** Of the prompt's variables; data, whatever they say. */
  values: Readonly<Record<string, string>>
  /** PNG data URLs, longest side at most `imageSideMax`; they go after the text. */
  images: readonly string[]
  /** JSON Schema of the value. */
  schema: object
  sampling: Sampling
  seed: number
  labels: Labels
}

/** What came back; `value` is null unless `hasValue`. */
export interface Asked<Value> extends Pick<Structured<Value>, 'outcome' | 'value' | 'hasValue' | 'reason' | 'dropped' | 'usage'> {
  /** Lacks what only the caller knows: strategy and its version. */
  provenance: Omit<Provenance, 'strategy' | 'strategyVersion'>
}

/** Longest side in pixels; vision models scale larger images down themselves, and charge for them. */
export const imageSideMax = 1536

/**
 * The same asking is the same request, answered from the record when it was answered before;
 * another `labels.sampleIndex` is a new sample.
 *
 * @throws Problem of the upstream (429, 502, 503, 504): infrastructure, never an answer
 */
export async function askForValue<Value> (
  inference: Pick<InferenceClient, 'structured'>, asking: Asking, options: { signal: AbortSignal, timeoutMs: number }
): Promise<Asked<Value>> {
  const { model, prompt, values, images, schema, sampling, seed, labels } = asking
  const text = renderPrompt(prompt, values)
  const content = images.length === 0
    ? text
    : [{ type: 'text', text }, ...images.map(url => ({ type: 'image_url', image_url: { url } }))]
  const { outcome, value, hasValue, reason, dropped, usage, upstreamVersion, requestHash } =
    await inference.structured<Value>({
      model,
      messages: [{ role: 'user', content }],
      schema,
      seed,
      temperature: sampling.temperature,
      top_k: sampling.topK,
      top_p: sampling.topP,
      presence_penalty: sampling.presencePenalty,
      frequency_penalty: sampling.frequencyPenalty,
      max_tokens: sampling.maxTokens
    }, labels, options)
  return {
    outcome,
    value,
    hasValue,
    reason,
    dropped,
    usage,
    provenance: {
      seed,
      prompt: prompt.name,
      promptHash: prompt.hash,
      model,
      upstreamVersion,
      sampling,
      requestHash,
      sampleIndex: labels.sampleIndex
    }
  }
}
