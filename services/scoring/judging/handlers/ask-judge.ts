/** One asking of a judge: prompt, images, and the reply as a rating. */
import { askForValue, imageSideMax } from '../../../../shared/clients/ask-for-value.ts'
import { denserThan, fillingsMax } from '../../../../shared/clients/denser-text.ts'
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import type { Prediction } from '../../../../shared/contracts/run.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { renderPrompt } from '../../../../shared/prompts/prompt.ts'
import { usualBytesPerToken } from '../../../../shared/text/content-budget.ts'
import { fitReplies, replyTokensLeast, type FittedReplies } from '../domain/fit-replies.ts'
import {
  commonValues, errorsAsked, judgedImages, judgedText, scoresForm, shownQuestion, whySkipped
} from '../domain/prompt-values.ts'
import { readRating, type Came } from '../domain/read-rating.ts'
import { roomFor } from '../domain/room.ts'
import { preferenceSchema, scoresSchema } from '../domain/rubric.ts'
import { seedOf, type Asking, type JudgementSpec, type Unit } from '../domain/spec.ts'
import type { JudgeParts } from './parts.ts'

export interface JudgeAsked {
  judgementId: string
  spec: JudgementSpec
  unit: Unit
  asking: Asking
  signal: AbortSignal
}

/** @throws Problem of the upstream: infrastructure, never a rating; budget-exhausted: ask no more */
export async function askJudge (parts: JudgeParts, asked: JudgeAsked): Promise<Came> {
  const { judgementId, spec, unit, asking, signal } = asked
  const judge = spec.judges[asking.judge]!
  const item = (await parts.benchmarks.get(spec.benchmarkId)).itemById.get(unit.itemId)
  if (item === undefined) throw new Error(`Item ${unit.itemId} is not in benchmark ${spec.benchmarkId}`)
  const document = await parts.benchmarks.documentOf(spec.benchmarkId, item)
  const obstacle = whySkipped(item, document, { spec, vision: judge.vision })
  if (obstacle !== undefined) return { outcome: 'skipped', detail: obstacle }
  const predictions = await answeredOf(parts, unit)
  const [question, other = question] = predictions.map(({ choiceOrder }, i) => shownQuestion(
    item, { ...spec.runs[unit.runs[i]!]!, ...choiceOrder !== undefined && { choiceOrder } }))
  if (canonicalJson(question) !== canonicalJson(other)) return { outcome: 'skipped', detail: shownOtherwise }
  const images = await imagesFor(parts, spec, judgedImages(item, document, question!))
  const replies = predictions.map(judgedText)
  const shown = asking.swapped ? replies.reverse() : replies
  const common = commonValues(item, document, { asked: spec, shown: question! })
  const fitted = await fittedPrompt(parts, asked, { common, shown, images: images.length })
  if (fitted === null) return { outcome: 'skipped', detail: 'Question and reference leave no room for the reply; raise contextTokens.' }
  signal.throwIfAborted()
  const prompt = parts.prompts[spec.form]
  const { temperature, topP, maxTokens } = spec.sampling
  const { unit: _, ...way } = asking
  const call = async () => await askForValue<unknown>(parts.inference, {
    model: judge.name,
    prompt,
    values: fitted.values,
    images,
    schema: spec.form === 'scores' ? scoresSchema(spec.rubric, maxTokens) : preferenceSchema(maxTokens),
    sampling: { temperature, topP, topK: -1, presencePenalty: 0, frequencyPenalty: 0, maxTokens },
    seed: seedOf(spec.seed, unit, way),
    labels: { caller: 'scoring', group: judgementId, purpose: 'judgement', sampleIndex: asking.repeat }
  }, { signal, timeoutMs: parts.timeoutMs })
  const answer = spec.tokensMax === undefined
    ? await call()
    : await parts.budgets.under(judgementId, signal, call)
  if (answer === undefined) throw new Problem('budget-exhausted', `tokensMax (${spec.tokensMax}) is spent.`)
  return readRating(answer, { spec, swapped: asking.swapped, leftOut: fitted.leftOut })
}

const shownOtherwise = 'The two runs saw the question in other words or its choices in another order: a letter of one reply means something else in the other.'

async function answeredOf ({ store }: JudgeParts, { predictionIds }: Unit): Promise<Prediction[]> {
  return await Promise.all(predictionIds.map(async id => {
    const prediction = await store.findPrediction(id)
    if (prediction?.outcome !== 'answered') throw new Error(`Prediction ${id} was answered, and is not`)
    return prediction
  }))
}

async function imagesFor (
  { benchmarks }: JudgeParts, spec: JudgementSpec, imageIds: readonly string[]
): Promise<string[]> {
  if (spec.images === 'withheld') return []
  return await Promise.all(imageIds.map(async imageId =>
    await benchmarks.figureUrl(spec.benchmarkId, imageId, imageSideMax)))
}

interface Filling { common: Record<string, string>, shown: readonly string[], images: number }

/** With less of the replies while the prompt has more tokens than it may, as the model counts them. */
async function fittedPrompt (
  { prompts, inference }: JudgeParts, { spec, asking }: JudgeAsked, { common, shown, images }: Filling
): Promise<{ values: Record<string, string>, leftOut: string[] } | null> {
  const prompt = prompts[spec.form]
  const judge = spec.judges[asking.judge]!
  const valuesOf = ([first = '', second = '']: readonly string[]): Record<string, string> => spec.form === 'scores'
    ? { ...common, reply: first, errorsAsked: errorsAsked(spec.rubric), form: scoresForm(spec.rubric) }
    : { ...common, first, second }
  const frame = renderPrompt(prompt, valuesOf([]))
  let bytesPerToken: number | undefined
  for (let filling = 1; ; filling++) {
    const room = roomFor(spec, { frame, images, contextTokens: judge.contextTokens })
    if (room.tokens < replyTokensLeast * shown.length) return null
    const fitted: FittedReplies = fitReplies(shown, { ...room, bytesPerToken })
    const values = valuesOf(fitted.texts)
    const denser = filling === fillingsMax
      ? null
      : await denserThan(inference, {
        model: judge.name,
        text: renderPrompt(prompt, values),
        frame,
        tokensMax: room.promptTokensMax,
        bytesPerToken: bytesPerToken ?? usualBytesPerToken
      })
    if (denser === null) return { values, leftOut: fitted.leftOut }
    bytesPerToken = denser
  }
}
