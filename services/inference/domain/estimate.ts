/** What calls would take, before they are made. */
import type { RequestBody } from './call.ts'
import { answersTo, completionTokensMax, promptTokens } from './request-cost.ts'

/** One request, or several alike. */
export interface Weighed {
  model: string
  requests: number
  /** Of one. */
  promptTokens: number
  countedBy: 'tokenizer' | 'bytes' | 'unanswered' | 'caller'
  /** Most that one may write, all its choices together; null where nothing bounds it. */
  completionTokensMax: number | null
}

export interface Counted {
  tokens: number | null
  contextTokens: number | null
  /** Its server failed this time: another time it may count. */
  unanswered?: boolean
}

/** @param counted  by the model's own tokenizer, where it did; else UTF-8 bytes / 4, rounded up */
export function weigh (
  body: RequestBody, { tokens, contextTokens, unanswered = false }: Counted
): Weighed {
  const prompt = tokens ?? promptTokens(body)
  const given = completionTokensMax(body)
  const room = contextTokens === null ? null : Math.max(0, contextTokens - prompt)
  const most = given === null ? room : Math.min(given, room ?? given)
  return {
    model: body.model,
    requests: 1,
    promptTokens: prompt,
    countedBy: tokens !== null ? 'tokenizer' : unanswered ? 'unanswered' : 'bytes',
    completionTokensMax: most === null ? null : most * answersTo(body)
  }
}

export interface ModelEstimate {
  model: string
  requests: number
  promptTokens: number
  /** Null as soon as one request is not bounded. */
  completionTokensMax: number | null
  countedBy: Record<Weighed['countedBy'], number>
  /** If every call wrote as much as it may, at the pace seen lately: one by one, and so many at once. */
  secondsMax: { serial: number | null, parallel: number | null, slots: number | null }
}

export interface Pace { msPerToken: number | null, slots: number | null }

/** @param paceOf  of a model: how it wrote lately, and how many calls it takes at once */
export function estimateOf (weighed: readonly Weighed[], paceOf: (model: string) => Pace): ModelEstimate[] {
  return [...new Set(weighed.map(({ model }) => model))].sort().map(model => {
    const own = weighed.filter(each => each.model === model)
    const most = own.some(each => each.completionTokensMax === null)
      ? null
      : total(own, each => each.completionTokensMax ?? 0)
    return {
      model,
      requests: total(own, () => 1),
      promptTokens: total(own, each => each.promptTokens),
      completionTokensMax: most,
      countedBy: {
        tokenizer: total(own, ({ countedBy }) => Number(countedBy === 'tokenizer')),
        bytes: total(own, ({ countedBy }) => Number(countedBy === 'bytes')),
        unanswered: total(own, ({ countedBy }) => Number(countedBy === 'unanswered')),
        caller: total(own, ({ countedBy }) => Number(countedBy === 'caller'))
      },
      secondsMax: secondsOf(most, paceOf(model))
    }
  })
}

function total (weighed: readonly Weighed[], amount: (each: Weighed) => number): number {
  return weighed.reduce((sum, each) => sum + amount(each) * each.requests, 0)
}

function secondsOf (tokens: number | null, { msPerToken, slots }: Pace): ModelEstimate['secondsMax'] {
  const serial = tokens === null || msPerToken === null ? null : tokens * msPerToken / 1000
  const parallel = serial === null || slots === null ? null : serial / slots
  return { serial: rounded(serial), parallel: rounded(parallel), slots }
}

function rounded (seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1000) / 1000
}
