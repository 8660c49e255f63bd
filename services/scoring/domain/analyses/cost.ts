/** What answering cost: time against that of the exam, and GPU-hours, which are two things. */
import { Type, type Static } from 'typebox'
import { analysis, assertDistinct, Name, type AnalysedRun, type Found, type Row } from './analysis.ts'
import { priceOptions, pricing, type PriceOptions } from './prices.ts'
import { usageOf, type RunUsage } from './usage-of-runs.ts'

const CostTable = Type.Object({
  models: Type.Array(Type.Object({
    model: Name,
    questions: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
    wallSeconds: Type.Optional(Type.Number({ minimum: 0, description: 'From the first question sent to the last reply.' })),
    latencySeconds: Type.Optional(Type.Number({ minimum: 0, description: 'Mean of one question, waiting at the server included; used where wallSeconds is not known.' })),
    concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Questions in flight at once.' })),
    gpus: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    promptTokens: Type.Optional(Type.Integer({ minimum: 0 })),
    completionTokens: Type.Optional(Type.Integer({ minimum: 0 }))
  }, { additionalProperties: false }), { minItems: 1, maxItems: 1_000 })
}, { additionalProperties: false })
type CostTable = Static<typeof CostTable>

const options = {
  examQuestions: Type.Integer({ minimum: 1, maximum: 100_000, default: 100 }),
  examMinutes: Type.Number({ exclusiveMinimum: 0, default: 150 }),
  ...priceOptions
}
type Options = Pick<Static<ReturnType<typeof Type.Object<typeof options>>>, 'examQuestions' | 'examMinutes'> & Partial<PriceOptions>

export const cost = analysis({
  summary: 'Wall-clock time of an exam against its limit, GPU-hours, and tokens with their price',
  rows: 'One row a model: minutes for the exam\'s questions, whether that is in time, GPU-hours for them, tokens a question; with prices what they cost. Of runs: the tokens stored with their predictions, and n of those without.',
  table: CostTable,
  options,
  example: { table: { models: [{ model: 'a', questions: 1774, wallSeconds: 3600, concurrency: 8, gpus: 2 }] } },
  compute: costOf,
  ofRuns: costOfRuns,
  oneBenchmark: false
})

export function costOf ({ models }: CostTable, { examQuestions, examMinutes, ...given }: Options): Found {
  const priced = pricing(given, examQuestions)
  assertDistinct(models.map(({ model }) => model), '/table/models')
  const rows = models.map((model): Row => {
    const { model: name, questions, concurrency, gpus, promptTokens, completionTokens } = model
    const seconds = secondsPerQuestion(model)
    const minutes = seconds === null ? null : seconds * examQuestions / 60
    return {
      model: name,
      questions,
      concurrency: concurrency ?? null,
      gpus: gpus ?? null,
      examMinutes: minutes,
      inTime: minutes === null ? null : minutes <= examMinutes,
      gpuHours: minutes === null || gpus === undefined ? null : minutes / 60 * gpus,
      promptTokensPerQuestion: promptTokens === undefined ? null : promptTokens / questions,
      completionTokensPerQuestion: completionTokens === undefined ? null : completionTokens / questions,
      reason: seconds === null ? 'neither wallSeconds, nor latencySeconds with concurrency, is given' : '',
      ...priced.of(name, { prompt: promptTokens ?? null, completion: completionTokens ?? null, questions })
    }
  })
  return {
    rows,
    summary: {
      models: models.length,
      examQuestions,
      limitMinutes: examMinutes,
      inTime: rows.filter(({ inTime }) => inTime === true).length
    },
    notes: [
      `Minutes are wall-clock for ${examQuestions} questions at the concurrency stated; a limit of ${examMinutes} minutes is on them, and not on GPU-hours.`,
      'Mean latency is divided by the concurrency it was measured at: what waits at the server is not computed for.',
      ...priced.notes
    ]
  }
}

/** Time is not stored with predictions, whose bytes must not depend on it. */
function costOfRuns (runs: readonly AnalysedRun[], { examQuestions, ...given }: Options): Found {
  const priced = pricing(given, examQuestions)
  const used = runs.map(usageOf)
  const rows = used.map((usage, at): Row => {
    const { items, questions, unknown, errors, skipped, prompt, completion, reasoning } = usage
    const each = (sum: number | null) => sum === null ? null : sum / questions
    return {
      run: runs[at]!.name,
      items,
      questions,
      usageUnknown: unknown,
      errors,
      skipped,
      promptTokens: prompt,
      completionTokens: completion,
      reasoningTokens: reasoning,
      promptTokensPerQuestion: each(prompt),
      completionTokensPerQuestion: each(completion),
      reason: questions === 0 ? 'no prediction has its tokens stored: a baseline asks no model, and some servers do not count' : '',
      ...priced.of(runs[at]!.model, usage)
    }
  })
  const sum = (of: (usage: RunUsage) => number) => used.reduce((all, usage) => all + of(usage), 0)
  return {
    rows,
    summary: {
      runs: runs.length,
      examQuestions,
      questions: sum(({ questions }) => questions),
      usageUnknown: sum(({ unknown }) => unknown),
      errors: sum(({ errors }) => errors),
      skipped: sum(({ skipped }) => skipped)
    },
    notes: [
      'Tokens are those that the server counted for the reply that was kept, over the questions for which it did (n = questions); what failed attempts took is not in them, and GET /v1/usage of inference has it.',
      'Wall-clock time is not stored with predictions: send a table for minutes and GPU-hours.',
      ...sum(({ unknown }) => unknown) > 0 ? ['Some replies have no count of tokens (usageUnknown): sums and prices are without them.'] : [],
      ...priced.notes
    ]
  }
}

/** Null where it cannot be told: a latency without the concurrency says nothing of throughput. */
function secondsPerQuestion ({ questions, wallSeconds, latencySeconds, concurrency }: CostTable['models'][number]): number | null {
  if (wallSeconds !== undefined) return wallSeconds / questions
  return latencySeconds === undefined || concurrency === undefined ? null : latencySeconds / concurrency
}
