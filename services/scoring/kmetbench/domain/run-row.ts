/** A prediction as a row of K-MetBench's run file. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { Condition, Prediction } from '../../../../shared/contracts/run.ts'
import { withoutConfidence } from '../../domain/confidence.ts'
import { questionOf } from '../../domain/question.ts'
import { isCounted } from '../../domain/scored.ts'
import { marksOfItem } from './item-marks.ts'

export interface Asked { model: string, condition: Condition }

export interface RunRow { [field: string]: unknown, is_correct: boolean }

/** Why a prediction has no row there; undefined where it has one. */
export function whyNoRow ({ kind, outcome, reply }: Prediction): string | undefined {
  if (kind !== 'choice' && kind !== 'binary') return 'open questions have no number for an answer'
  if (!isCounted(outcome) || reply === null) return `outcome ${outcome}, which the toolkit would count as wrong`
  return undefined
}

/**
 * Numbers count from 1 in the order in which the choices were shown, as the reply does. `options`,
 * `finish_reason`, `paper_id` and `outcome` are ours: with them the row is read back as it was.
 */
export function runRow (prediction: Prediction, item: BenchmarkItem, { model, condition }: Asked): RunRow {
  const question = questionOf(item, condition)
  const { outcome, lenient, provenance, paperId } = prediction
  const index = outcome === 'answered' ? lenient?.index ?? null : null
  const reply = prediction.reply!
  const { part, multimodal, korean, reasoning } = marksOfItem(item)
  return {
    item_id: item.id,
    question_text: question.text,
    model_key: model,
    generated_text: condition.confidence === 'verbal' ? withoutConfidence(reply) : reply,
    predicted_answer: index === null ? -1 : question.order.indexOf(index) + 1,
    correct_answer: question.order.indexOf(item.answerIndex!) + 1,
    is_correct: index !== null && index === item.answerIndex,
    inference_time: null,
    part,
    multimodal,
    reasoning,
    rationale: item.rationale ?? '',
    korean,
    options: question.choices,
    finish_reason: provenance?.refusal === true ? 'content_filter' : provenance?.finishReason ?? (outcome === 'truncated' ? 'length' : null),
    paper_id: paperId,
    outcome
  }
}
