/** Estimates what calls would take, without making them. */
import type { Labels, RequestBody } from '../domain/call.ts'
import { estimateOf, weigh, type Counted, type ModelEstimate, type Weighed } from '../domain/estimate.ts'
import type { Budgets, BudgetState } from './budgets.ts'
import type { Rates } from './observe-rates.ts'

/** Further ones are counted by bytes: an estimate must not be a load. */
const tokenizedMax = 200
const atOnce = 8

export interface EstimateParts {
  /** @throws Problem model-not-found, upstream-unavailable */
  count: (body: RequestBody) => Promise<Counted>
  /** How many calls of the model run at once; null where nobody knows. */
  slots: (model: string) => Promise<number | null>
  rates: Rates
  budgets: Budgets
}

export interface Counts {
  model: string
  requests: number
  promptTokens: number
  completionTokensMax?: number | undefined
}

export interface Estimate {
  models: ModelEstimate[]
  /** Those that hold the labels. */
  budgets: Array<BudgetState & { isEnough: boolean | null }>
}

interface Asked { requests: readonly RequestBody[], counts: readonly Counts[], labels: Labels }

export async function estimateCalls (
  parts: EstimateParts, { requests, counts, labels }: Asked
): Promise<Estimate> {
  const weighed: Weighed[] = counts.map(({ completionTokensMax = null, ...count }) =>
    ({ ...count, completionTokensMax, countedBy: 'caller' }))
  const context = new Map<string, number | null>()
  for (let at = 0; at < requests.length; at += atOnce) {
    weighed.push(...await Promise.all(requests.slice(at, at + atOnce).map(async (body, offset) => {
      const counted = at + offset < tokenizedMax
        ? await parts.count(body)
        : { tokens: null, contextTokens: context.get(body.model) ?? null }
      context.set(body.model, counted.contextTokens)
      return weigh(body, counted)
    })))
  }
  const { rates, slots, budgets } = parts
  const places = new Map<string, number | null>()
  for (const { model } of weighed) if (!places.has(model)) places.set(model, await slots(model))
  const models = estimateOf(weighed, model =>
    ({ msPerToken: rates.msPerToken(model), slots: places.get(model) ?? null }))
  // As all processes have left them by now.
  await budgets.list()
  const holding = budgets.of(labels)
  return { models, budgets: holding.map(budget => ({ ...budget, isEnough: isEnough(budget, models) })) }
}

/** Null where a request is not bounded and the budget is one of tokens. */
function isEnough ({ remaining }: BudgetState, models: readonly ModelEstimate[]): boolean | null {
  const total = (amount: (each: ModelEstimate) => number): number =>
    models.reduce((sum, each) => sum + amount(each), 0)
  const { tokens, requests } = remaining
  if (requests !== null && total(each => each.requests) > requests) return false
  if (tokens === null) return true
  const prompts = total(each => each.promptTokens)
  if (prompts > tokens) return false
  if (models.some(each => each.completionTokensMax === null)) return null
  return prompts + total(each => each.completionTokensMax ?? 0) <= tokens
}
