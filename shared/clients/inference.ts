/** Inference, as the other services see it. */
import type { StructuredCompletion } from '../contracts/structured-completion.ts'
import { Problem, problems, type ProblemKind } from '../errors/problem.ts'
import type { Call, CallOptions } from './call.ts'

/** `contextTokens`: prompt and reply together; null where its server does not say. */
export interface ServedModel { id: string, capabilities: string[], contextTokens: number | null }

/** Opaque to inference: who asks, for what, which calls belong together, and which sample it is. */
export interface Labels { caller: string, group: string, purpose: string, sampleIndex: number }

/** A chat request and the JSON Schema of the value it asks for; sampling and the rest as in OpenAI's form. */
export interface StructuredAsked {
  model: string
  messages: readonly object[]
  schema: object
  repairTurns?: 0 | 1
  [field: string]: unknown
}

/** So many calls of a model, with the tokens of one. */
export interface CallsCounted {
  model: string
  requests: number
  promptTokens: number
  completionTokensMax: number
}

interface ListedModel { id?: unknown, capabilities?: string[], max_model_len?: number | null }

type Outcome = StructuredCompletion['outcome']
/** `Value` is what the schema says; null where there is no value (`hasValue`). */
export type Structured<Value> =
  Omit<StructuredCompletion, 'value' | 'outcome'> & { outcome: Exclude<Outcome, 'error'>, value: Value | null }

interface BudgetPage { items: Array<{ id: string, group: string | null }>, nextCursor: string | null }

export function inferenceClient (call: Call) {
  async function budgetOf (group: string): Promise<string | undefined> {
    let cursor: string | undefined
    do {
      const page = await call.json<BudgetPage>('inference', '/v1/budgets', { query: { limit: 200, cursor } })
      const found = page.items.find(budget => budget.group === group)
      if (found !== undefined) return found.id
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return undefined
  }

  return {
    /**
     * One chat completion in OpenAI's form. The answer is a model server's: unknown until checked.
     * @throws Problem of the upstream (502, 503, 504): infrastructure, never an answer
     */
    chat: async (body: { model: string }, labels: Labels, options: Pick<CallOptions, 'signal' | 'timeoutMs' | 'onHeaders'>) =>
      await call.json<unknown>('inference', '/v1/chat/completions', {
        method: 'POST', body, headers: headersOf(labels), ...options
      }),

    /**
     * A value of a schema, or a counted reason why there is none.
     * @throws Problem of the upstream (429, 502, 503, 504), of the outcome `error` too: no answer, ask again;
     *   what was answered before is on record
     */
    async structured<Value> (
      asked: StructuredAsked, labels: Labels, options: Pick<CallOptions, 'signal' | 'timeoutMs'>
    ): Promise<Structured<Value>> {
      const completion = await call.json<StructuredCompletion>('inference', '/v1/structured-completions', {
        method: 'POST', body: asked, headers: headersOf(labels), ...options
      })
      const { outcome, problem } = completion
      if (outcome !== 'error') return { ...completion, outcome } as Structured<Value>
      const kind = problem !== null && Object.hasOwn(problems, problem) ? problem as ProblemKind : 'upstream-unavailable'
      throw new Problem(kind, 'The model server gave no second reply, after a first that could not be used; ask again.')
    },

    /**
     * Seconds that so many calls take at most, at the pace inference saw lately; null while it knows none.
     * @throws Problem model-not-found
     */
    async secondsMax (calls: CallsCounted): Promise<number | null> {
      interface Seconds { serial: number | null, parallel: number | null }
      const { models } = await call.json<{ models: Array<{ secondsMax: Seconds }> }>('inference', '/v1/estimates', {
        method: 'POST', body: { counts: [calls] }
      })
      const { parallel = null, serial = null } = models[0]?.secondsMax ?? {}
      return parallel ?? serial
    },

    /**
     * Tokens of a text as the model's own tokenizer counts them; null where its server does not count.
     * @throws Problem model-not-found; upstream-unavailable where it counts and failed this time
     */
    async countTokens (model: string, text: string): Promise<number | null> {
      interface Counted { promptTokens: number, countedBy: { tokenizer: number, unanswered: number } }
      const { models: [counted] } = await call.json<{ models: Counted[] }>('inference', '/v1/estimates', {
        method: 'POST', body: { requests: [{ model, messages: [{ role: 'user', content: text }] }] }
      })
      if (counted !== undefined && counted.countedBy.unanswered > 0) {
        throw new Problem('upstream-unavailable', `The model server did not say how many tokens a prompt for ${model} has; ask again.`)
      }
      return counted !== undefined && counted.countedBy.tokenizer > 0 ? counted.promptTokens : null
    },

    /**
     * The calls of a group may spend so many tokens from now on; a budget that is there stays as it is.
     * @throws Problem conflict when there are as many budgets as there may be
     */
    async limitGroup (group: string, tokensMax: number): Promise<void> {
      if (await budgetOf(group) !== undefined) return
      await call.json<unknown>('inference', '/v1/budgets', { method: 'POST', body: { group, tokensMax } })
    },

    /** Forgets the budget of a group, if there is one. */
    async freeGroup (group: string): Promise<void> {
      const id = await budgetOf(group)
      if (id !== undefined) await call.bytes('inference', `/v1/budgets/${id}`, { method: 'DELETE' })
    },

    async listModels (): Promise<ServedModel[]> {
      const { data } = await call.json<{ data?: unknown }>('inference', '/v1/models')
      if (!Array.isArray(data)) throw new Problem('service-invalid', 'The inference service answered no list of models.')
      return data.map(({ id, capabilities = [], max_model_len: contextTokens = null }: ListedModel) =>
        ({ id: String(id), capabilities, contextTokens }))
    }
  }
}

function headersOf (labels: Labels): Record<string, string> {
  return {
    'viva-caller': labels.caller,
    'viva-group': labels.group,
    'viva-purpose': labels.purpose,
    'viva-replay': 'replay-or-record',
    'viva-sample-index': String(labels.sampleIndex)
  }
}

export type InferenceClient = ReturnType<typeof inferenceClient>
