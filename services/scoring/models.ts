/** Evaluated models, as inference gives them: which there are, and what they reply. */
import type { AnswerHeaders, Call } from '../../shared/clients/call.ts'
import { rawReply, type RawReply } from '../../shared/clients/chat-reply.ts'
import { inferenceClient, type ServedModel } from '../../shared/clients/inference.ts'
import type { ChatRequest } from './domain/messages.ts'

export interface CompletionOptions {
  runId: string
  /** Asking again under another index is a new sample. */
  sampleIndex: number
  signal: AbortSignal
}

/** What inference says about a reply beside it; null where it does not. */
export interface Answered extends RawReply { upstreamVersion: string | null, completionId: string | null }

export interface Models {
  list: () => Promise<ServedModel[]>
  /** Of a text as the model's own tokenizer counts it; null where its server does not. */
  countTokens: (model: string, text: string) => Promise<number | null>
  /** @throws Problem of the upstream (502, 503, 504): infrastructure, never an answer */
  complete: (request: ChatRequest, options: CompletionOptions) => Promise<Answered>
}

export function modelsOf (call: Call, timeoutMs: number): Models {
  const inference = inferenceClient(call)
  return {
    list: inference.listModels,
    countTokens: inference.countTokens,
    async complete (request, { runId, sampleIndex, signal }) {
      const labels = { caller: 'scoring', group: runId, purpose: 'prediction', sampleIndex }
      let headers: AnswerHeaders = {}
      const onHeaders = (given: AnswerHeaders) => { headers = given }
      const answer = await inference.chat(request, labels, { signal, timeoutMs, onHeaders })
      return {
        ...rawReply(answer, request.model),
        upstreamVersion: textOf(headers['viva-upstream-version']),
        completionId: textOf(headers['viva-replayed'] ?? headers['viva-completion'])
      }
    }
  }
}

function textOf (header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null
}
