/** What answering cost: time against that of the exam, and GPU-hours, which are two things. */
import { Type, type Static } from 'typebox'
import { analysis, assertDistinct, Name, type Found, type Row } from './analysis.ts'

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
  examMinutes: Type.Number({ exclusiveMinimum: 0, default: 150 })
}
type Options = Static<ReturnType<typeof Type.Object<typeof options>>>

export const cost = analysis({
  summary: 'Wall-clock time of an exam against its limit, and GPU-hours, with concurrency and GPUs stated',
  rows: 'One row a model: minutes for the exam\'s questions, whether that is in time, GPU-hours for them, tokens a question.',
  table: CostTable,
  options,
  example: { table: { models: [{ model: 'a', questions: 1774, wallSeconds: 3600, concurrency: 8, gpus: 2 }] } },
  compute: costOf
})

export function costOf ({ models }: CostTable, { examQuestions, examMinutes }: Options): Found {
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
      reason: seconds === null ? 'neither wallSeconds, nor latencySeconds with concurrency, is given' : ''
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
      'Mean latency is divided by the concurrency it was measured at: what waits at the server is not computed for.'
    ]
  }
}

/** Null where it cannot be told: a latency without the concurrency says nothing of throughput. */
function secondsPerQuestion ({ questions, wallSeconds, latencySeconds, concurrency }: CostTable['models'][number]): number | null {
  if (wallSeconds !== undefined) return wallSeconds / questions
  return latencySeconds === undefined || concurrency === undefined ? null : latencySeconds / concurrency
}
