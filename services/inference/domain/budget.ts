/** How much the calls of a caller, of a group, or of both together may spend. */
import type { CallRecord, Labels } from './call.ts'

export interface BudgetScope {
  /** Null: whoever calls. At least one of the two is a label. */
  caller: string | null
  group: string | null
}

export interface Budget extends BudgetScope {
  id: string
  /** Of prompts and completions together; null: not limited. At least one of the two is a number. */
  tokensMax: number | null
  /** Calls that reached an upstream, each once, however often it was tried. */
  requestsMax: number | null
}

export interface Spending { tokens: number, requests: number }

export const noSpending: Spending = Object.freeze({ tokens: 0, requests: 0 })

export function addSpending (a: Spending, b: Spending): Spending {
  return { tokens: a.tokens + b.tokens, requests: a.requests + b.requests }
}

/** Equal for equal scopes; a label is never taken for none. */
export function scopeText ({ caller, group }: BudgetScope): string {
  return JSON.stringify([caller, group])
}

/** The scopes that hold calls with these labels: at most three, so that budgets are found, not searched. */
export function scopesOf ({ caller, group }: Labels): string[] {
  return [
    ...caller === '' ? [] : [scopeText({ caller, group: null })],
    ...group === '' ? [] : [scopeText({ caller: null, group })],
    ...caller === '' || group === '' ? [] : [scopeText({ caller, group })]
  ]
}

/**
 * What an ended call is charged. Replayed and coalesced calls are free, as is what never reached an
 * upstream. Where the upstream did not say what it spent, a call that was answered, or left by its caller
 * while it ran, is charged its estimate: never nothing. One that failed or was refused is charged none.
 *
 * @param estimate  tokens that were reserved for it
 */
export function chargeOf ({ source, attempts, usage, outcome }: CallRecord, estimate: number): Spending {
  if (source !== 'upstream' || attempts === 0) return { tokens: 0, requests: 0 }
  const { promptTokens, completionTokens } = usage
  if (promptTokens !== null || completionTokens !== null) {
    return { tokens: (promptTokens ?? 0) + (completionTokens ?? 0), requests: 1 }
  }
  return { tokens: outcome === 'answered' || outcome === 'cancelled' ? estimate : 0, requests: 1 }
}

/**
 * Why a budget does not allow a call, or null when it does.
 *
 * @param taken   spent and reserved so far
 * @param tokens  estimate of the call
 */
export function whyExhausted (budget: Budget, taken: Spending, tokens: number): string | null {
  const { tokensMax, requestsMax } = budget
  if (requestsMax !== null && taken.requests + 1 > requestsMax) {
    return `all of its ${requestsMax} requests are spent or under way`
  }
  if (tokensMax !== null && taken.tokens + tokens > tokensMax) {
    return `${Math.max(0, tokensMax - taken.tokens)} of its ${tokensMax} tokens are left, and this call may take ${tokens}`
  }
  return null
}
