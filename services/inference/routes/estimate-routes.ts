/** What calls would take: tokens, time and budget. */
import { Type } from 'typebox'
import type { App } from '../../../shared/app/service.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { RequestBody } from '../domain/call.ts'
import { labelsOf } from '../domain/labels.ts'
import { estimateCalls, type EstimateParts } from '../handlers/estimate-calls.ts'
import { BudgetState } from './budget-routes.ts'

const bodyLimit = 32 * 1024 * 1024
const requestsMax = 1_000
const amountMax = 1_000_000_000

const count = Type.Integer({ minimum: 0 })
const Seconds = Type.Union([Type.Number(), Type.Null()])
const model = Type.String({ minLength: 1, maxLength: 300 })
const Amount = Type.Integer({ minimum: 0, maximum: amountMax })

const EstimateRequest = Type.Object({
  requests: Type.Array(Type.Object({ model }, { additionalProperties: true }), { maxItems: requestsMax, default: [], description: 'Bodies as they would be sent to /v1/chat/completions or /v1/completions.' }),
  counts: Type.Array(Type.Object({
    model,
    requests: Type.Integer({ minimum: 1, maximum: amountMax, default: 1, description: 'How many there are of them.' }),
    promptTokens: Amount,
    completionTokensMax: Type.Optional(Amount)
  }, { additionalProperties: false }), { maxItems: requestsMax, default: [], description: 'Of requests that are counted already: tokens of one.' })
}, { $id: 'EstimateRequest', additionalProperties: false, examples: [{ counts: [{ model: 'my-model', requests: 2000, promptTokens: 6000, completionTokensMax: 512 }] }] })

const Estimate = Type.Object({
  models: Type.Array(Type.Object({
    model: Type.String(),
    requests: count,
    promptTokens: count,
    completionTokensMax: Type.Union([count, Type.Null()], { description: 'Null when a request has no max_tokens and the context length of the model is not known.' }),
    countedBy: Type.Object({ tokenizer: count, bytes: count, unanswered: count, caller: count }, { description: 'Requests counted by the tokenizer of the model (the first 200 without media), by UTF-8 bytes / 4, likewise because its server failed this time, and by the caller.' }),
    secondsMax: Type.Object({ serial: Seconds, parallel: Seconds, slots: Type.Union([Type.Integer(), Type.Null()]) }, { description: 'If each call wrote as much as it may, at the pace this process has seen lately; null before five calls of the model.' })
  })),
  budgets: Type.Array(Type.Object({ ...BudgetState.properties, isEnough: Type.Union([Type.Boolean(), Type.Null()]) }), { description: 'Budgets that hold calls with the labels of this request. isEnough: null where nothing bounds the calls.' })
}, { $id: 'Estimate' })

export function estimateRoutes (app: App, parts: EstimateParts): void {
  app.post('/v1/estimates', {
    bodyLimit,
    // Changes nothing.
    config: { role: 'reader' },
    schema: {
      operationId: 'estimateCalls',
      tags: ['inference'],
      summary: 'What requests would take, before they are sent',
      description: 'Prompt tokens, the most that may be written, time at the pace seen lately, and whether the budgets of these viva-… labels are enough. An upper bound, no promise.',
      body: EstimateRequest,
      response: { 200: Estimate }
    }
  }, async ({ body, headers }) => {
    const { requests, counts } = body
    if (requests.length + counts.length === 0) {
      throw new Problem('invalid-request', 'Send requests, counts, or both.')
    }
    const labels = labelsOf(headers)
    return await estimateCalls(parts, { requests: requests as RequestBody[], counts, labels })
  })
}
