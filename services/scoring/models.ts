/** Evaluated models, as inference gives them: which there are, and what they reply. */
import type { Call } from '../../shared/clients/call.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { ChatRequest } from './domain/messages.ts'

export interface ServedModel { id: string, capabilities: string[] }

/** A reply as it came; `refusal` is what some servers say instead of content. */
export interface RawReply { content: string, finishReason: string | null, refusal: boolean }

export interface CompletionOptions {
  runId: string
  /** Asking again under another index is a new sample. */
  sampleIndex: number
  signal: AbortSignal
}

export interface Models {
  list: () => Promise<ServedModel[]>
  /** @throws Problem of the upstream (502, 503, 504): infrastructure, never an answer */
  complete: (request: ChatRequest, options: CompletionOptions) => Promise<RawReply>
}

export function modelsOf (call: Call, timeoutMs: number): Models {
  return {
    async list () {
      const { data } = await call.json<{ data?: unknown }>('inference', '/v1/models')
      if (!Array.isArray(data)) throw new Problem('service-invalid', 'The inference service answered no list of models.')
      return data.map(({ id, capabilities = [] }: Partial<ServedModel>) => ({ id: String(id), capabilities }))
    },
    async complete (request, { runId, sampleIndex, signal }) {
      const answer = await call.json('inference', '/v1/chat/completions', {
        method: 'POST',
        body: request,
        headers: {
          'viva-caller': 'scoring',
          'viva-group': runId,
          'viva-purpose': 'prediction',
          'viva-replay': 'replay-or-record',
          'viva-sample-index': String(sampleIndex)
        },
        signal,
        timeoutMs
      })
      return rawReply(answer, request.model)
    }
  }
}

interface Completion {
  model?: unknown
  choices?: Array<{
    message?: { content?: unknown, refusal?: unknown } | null, finish_reason?: unknown
  }>
}

/**
 * @param model  the one that was asked
 * @throws       Problem upstream-invalid: neither something that is no chat completion nor another
 *               model's reply must become an answer of this one
 */
export function rawReply (answer: unknown, model: string): RawReply {
  const { choices, model: replied } = answer as Completion | null ?? {}
  if (typeof replied === 'string' && !isSameModel(model, replied)) {
    throw new Problem('upstream-invalid', `"${model}" was asked and "${replied.slice(0, 200)}" replied; is another model loaded under its name, or does a router choose?`)
  }
  const choice = choices?.[0]
  const { content, refusal } = choice?.message ?? {}
  const refused = typeof refusal === 'string' && refusal !== ''
  const text = content ?? (refused ? refusal : '')
  if (choice?.message === undefined || choice.message === null || typeof text !== 'string') {
    throw new Problem('upstream-invalid', 'The model server answered something that is no chat completion; its log may say why.')
  }
  const { finish_reason: finishReason } = choice
  return { content: text, finishReason: typeof finishReason === 'string' ? finishReason : null, refusal: refused }
}

/**
 * Servers name the model they were asked for, some with its date or folder: `gpt-4o` replies as
 * `gpt-4o-2024-08-06`, `org/m` as `m`. Anything else is another model.
 */
function isSameModel (asked: string, replied: string): boolean {
  const [a, b] = [asked.toLowerCase(), replied.toLowerCase()]
  return a.includes(b) || b.includes(a)
}
