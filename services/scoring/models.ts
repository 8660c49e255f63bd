/** Evaluated models, as inference gives them: which there are, and what they reply. */
import type { Call } from '../../shared/clients/call.ts'
import { rawReply, type RawReply } from '../../shared/clients/chat-reply.ts'
import { inferenceClient, type ServedModel } from '../../shared/clients/inference.ts'
import type { ChatRequest } from './domain/messages.ts'

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
  const inference = inferenceClient(call)
  return {
    list: inference.listModels,
    async complete (request, { runId, sampleIndex, signal }) {
      const labels = { caller: 'scoring', group: runId, purpose: 'prediction', sampleIndex }
      return rawReply(await inference.chat(request, labels, { signal, timeoutMs }), request.model)
    }
  }
}
