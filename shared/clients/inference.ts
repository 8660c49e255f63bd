/** Inference, as the other services see it. */
import type { Call, CallOptions } from './call.ts'

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string | Array<{ type: 'text', text: string } | { type: 'image_url', image_url: { url: string } }>
}

export interface ChatRequest {
  model: string
  messages: ChatMessage[]
  temperature?: number
  top_p?: number
  max_tokens?: number
  seed?: number
}

export interface ChatReply {
  model?: string
  choices?: Array<{
    message?: { content?: string | null, reasoning?: string | null }
    finish_reason?: string | null
  }>
  usage?: { prompt_tokens?: number, completion_tokens?: number }
}

export interface OfferedModel { id: string, capabilities: string[] }

/** Opaque to inference: who asks, for what, and which calls belong together. */
export interface Labels { caller: string, group: string, purpose: string }

export function inferenceClient (call: Call) {
  return {
    async chat (body: ChatRequest, labels: Labels, options: Pick<CallOptions, 'signal' | 'timeoutMs'> = {}) {
      const headers = {
        'viva-caller': labels.caller, 'viva-group': labels.group, 'viva-purpose': labels.purpose
      }
      return await call.json<ChatReply>('inference', '/v1/chat/completions', { body, headers, ...options })
    },
    async listModels (): Promise<OfferedModel[]> {
      return (await call.json<{ data: OfferedModel[] }>('inference', '/v1/models')).data
    }
  }
}

export type InferenceClient = ReturnType<typeof inferenceClient>
