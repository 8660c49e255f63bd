/**
 * Prompts are filled by bytes, 4 for a token. Digits, formulas and many languages take more tokens than
 * that: where a model's server counts, a prompt that came out too long is filled again, by what it counted.
 */
import type { InferenceClient } from './inference.ts'

/** A prompt is filled so often at most; each time with less. */
export const fillingsMax = 4

interface Filled {
  model: string
  /** The prompt without its images. */
  text: string
  /** The same without what it was filled with: that is no denser for the paper's being so. */
  frame: string
  /** Of the text, at most. */
  tokensMax: number
  /** What it was filled by. */
  bytesPerToken: number
}

/**
 * Bytes of a token to fill the prompt by instead; null where it fits, or nobody can count it.
 *
 * @throws Problem of inference: that a server is away is no count
 */
export async function denserThan (
  inference: Pick<InferenceClient, 'countTokens'>, { model, text, frame, tokensMax, bytesPerToken }: Filled
): Promise<number | null> {
  const bytes = Buffer.byteLength(text)
  // No tokenizer makes more tokens than there are bytes.
  if (bytes <= tokensMax) return null
  const tokens = await inference.countTokens(model, text)
  if (tokens === null || tokens <= tokensMax) return null
  const frameTokens = await inference.countTokens(model, frame) ?? 0
  const counted = (bytes - Buffer.byteLength(frame)) / Math.max(1, tokens - frameTokens)
  // What fills it next may be denser still: less than before in any case, so that it comes to an end.
  return Math.max(0.5, Math.floor(Math.min(counted, bytesPerToken * 0.95) * 100) / 100)
}
