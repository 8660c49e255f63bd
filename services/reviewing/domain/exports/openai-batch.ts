/**
 * A request for each item, for OpenAI's batches and `vllm run-batch`.
 *
 * @see https://platform.openai.com/docs/guides/batch
 */
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import { chatText, type Asked } from './prompts.ts'

export interface BatchRequest {
  model: string
  canaryGuid: string
  /** Data URLs, in the order in which the prompt names them. */
  images: readonly string[]
}

const completionTokensMax = 1024

/** The id of the item joins replies to it; `user` is the one member that both take and no model reads. */
export function batchLine (asked: Asked, { model, canaryGuid, images }: BatchRequest): string {
  const text = chatText(asked)
  const content = images.length === 0
    ? text
    : [{ type: 'text', text }, ...images.map(url => ({ type: 'image_url', image_url: { url } }))]
  return `${canonicalJson({
    custom_id: asked.item.id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: {
      model, messages: [{ role: 'user', content }], max_completion_tokens: completionTokensMax, temperature: 0, seed: 1, user: `canary-${canaryGuid}`
    }
  })}\n`
}
