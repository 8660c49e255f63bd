/** What tokens cost by the prices that a request gives. */
import { Type, type Static } from 'typebox'
import { assertDistinct, Name, type Row } from './analysis.ts'

const PerMillion = Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Of a million tokens.' })

export const priceOptions = {
  prices: Type.Optional(Type.Array(Type.Object({
    model: Name, prompt: PerMillion, completion: PerMillion
  }, { additionalProperties: false }), { minItems: 1, maxItems: 1_000, description: 'By model, of prompt and of completion tokens, thinking included; without it no price is given.' })),
  currency: Type.String({ minLength: 1, maxLength: 20, default: 'USD', description: 'Of the prices; it is only written down.' })
}
export type PriceOptions = Static<ReturnType<typeof Type.Object<typeof priceOptions>>>

/** Of so many questions; a count that is not known is null. */
export interface Tokens { prompt: number | null, completion: number | null, questions: number }

/** Nothing where the request has no prices. @throws Problem invalid-request for a model with two */
export function pricing ({ prices, currency = 'USD' }: Partial<PriceOptions>, examQuestions: number) {
  if (prices === undefined) return { notes: [], of: (): Row => ({}) }
  assertDistinct(prices.map(({ model }) => model), '/prices')
  const byModel = new Map(prices.map(price => [price.model, price]))
  return {
    notes: [`Prices are in ${currency}, those of the request, for prompt and completion tokens alone: what caching takes off, and what GPUs of one's own cost, is not in them.`],
    of (model: string, { prompt, completion, questions }: Tokens): Row {
      const price = byModel.get(model)
      const none = { price: null, pricePerQuestion: null, examPrice: null, currency }
      if (price === undefined) return { ...none, priceReason: 'the request has no price of this model' }
      if (prompt === null || completion === null || questions === 0) return { ...none, priceReason: 'the tokens are not known' }
      const whole = (prompt * price.prompt + completion * price.completion) / 1_000_000
      return { price: whole, pricePerQuestion: whole / questions, examPrice: whole / questions * examQuestions, currency, priceReason: '' }
    }
  }
}
