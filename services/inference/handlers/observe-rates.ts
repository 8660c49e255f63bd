/** How fast each model has written lately, as this process saw it. */
import type { CallRecord } from '../domain/call.ts'
import { msPerToken, observe, type ObservedRate } from '../domain/observed-rate.ts'

/** More are not watched: names of models come from callers. */
const modelsMax = 1_000

export interface Rates {
  note: (record: CallRecord) => void
  /** Milliseconds for each token written; null before five calls. */
  msPerToken: (model: string) => number | null
}

export function observeRates (): Rates {
  const rates = new Map<string, ObservedRate>()
  return {
    note (record) {
      const { model, servedModel } = record
      if (servedModel === null) return
      let rate = rates.get(model)
      if (rate === undefined) {
        if (rates.size >= modelsMax) return
        rates.set(model, rate = { calls: 0, busyMs: 0, completionTokens: 0 })
      }
      observe(rate, record)
    },
    msPerToken (model) {
      const rate = rates.get(model)
      return rate === undefined ? null : msPerToken(rate)
    }
  }
}
