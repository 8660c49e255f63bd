/** Whether a prompt and its reply have room in the model's context, before the model is asked. */
import { mayRetry, Problem } from '../../../shared/errors/problem.ts'
import type { RunSpec } from '../domain/plan.ts'
import type { Models } from '../models.ts'

export interface Fitting {
  spec: Pick<RunSpec, 'model' | 'condition' | 'contextTokens'>
  /** The prompt without its images: they only add to it. */
  text: string
}

/**
 * A model server may refuse what does not fit, or cut it without a word: then the model would have been asked
 * something else than the condition says. Nothing is counted that fits in any case, nor where the context
 * is not known or nobody counts: the server decides then.
 *
 * @throws Problem prompt-too-long, which no further attempt changes
 */
export async function mustFit (models: Pick<Models, 'list' | 'countTokens'>, { spec, text }: Fitting): Promise<void> {
  const { model, condition: { sampling: { maxTokens } }, contextTokens } = spec
  // No tokenizer makes more tokens than there are bytes.
  const most = Buffer.byteLength(text) + maxTokens
  if (contextTokens == null || most <= contextTokens) return
  // A server may have been started anew with a longer one since the run was opened.
  const [context, tokens] = await Promise.all([
    orNull(async () => (await models.list()).find(({ id }) => id === model)?.contextTokens ?? null),
    orNull(async () => await models.countTokens(model, text))
  ])
  if (context === null || most <= context || (tokens ?? 0) + maxTokens <= context) return
  const prompt = tokens === null ? '' : `The prompt has ${tokens} tokens without images, and a`
  throw new Problem('prompt-too-long', `${prompt || 'A'} reply may take ${maxTokens} (sampling.maxTokens); "${model}" takes ${context} together, ${(tokens ?? 0) + maxTokens - context} fewer. A smaller contentTokensMax or sampling.maxTokens makes room, in a run of its own.`)
}

/** That nobody can say just now is no reason not to ask: the reply may be on record. */
async function orNull (ask: () => Promise<number | null>): Promise<number | null> {
  try {
    return await ask()
  } catch (cause) {
    if (mayRetry(cause) || (cause instanceof Problem && cause.kind === 'model-not-found')) return null
    throw cause
  }
}
