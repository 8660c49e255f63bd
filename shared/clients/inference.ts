/** Inference, as the other services see it. */
import { Problem } from '../errors/problem.ts'
import type { Call, CallOptions } from './call.ts'

export interface ServedModel { id: string, capabilities: string[] }

/** Opaque to inference: who asks, for what, which calls belong together, and which sample it is. */
export interface Labels { caller: string, group: string, purpose: string, sampleIndex: number }

export function inferenceClient (call: Call) {
  return {
    /**
     * One chat completion in OpenAI's form. The answer is a model server's: unknown until checked.
     * @throws Problem of the upstream (502, 503, 504): infrastructure, never an answer
     */
    chat: async (body: { model: string }, labels: Labels, options: Pick<CallOptions, 'signal' | 'timeoutMs'>) =>
      await call.json<unknown>('inference', '/v1/chat/completions', {
        method: 'POST',
        body,
        headers: {
          'viva-caller': labels.caller,
          'viva-group': labels.group,
          'viva-purpose': labels.purpose,
          'viva-replay': 'replay-or-record',
          'viva-sample-index': String(labels.sampleIndex)
        },
        ...options
      }),

    async listModels (): Promise<ServedModel[]> {
      const { data } = await call.json<{ data?: unknown }>('inference', '/v1/models')
      if (!Array.isArray(data)) throw new Problem('service-invalid', 'The inference service answered no list of models.')
      return data.map(({ id, capabilities = [] }: Partial<ServedModel>) => ({ id: String(id), capabilities }))
    }
  }
}
