/** A rating as a row of K-MetBench's judge file. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { Rating } from '../../../../shared/contracts/judgement.ts'
import type { Rubric } from '../../../../shared/contracts/rubric.ts'
import type { Prediction } from '../../../../shared/contracts/run.ts'
import { marksOfItem } from './item-marks.ts'
import type { Means } from './metrics.ts'
import { runRow, whyNoRow, type Asked } from './run-row.ts'

/** Our criteria by their axes. */
const axisOf = { factual: 'factualAccuracy', logical: 'logicalSoundness', depth: 'depth', clarity: 'clarity' } as const
const axes = Object.keys(axisOf) as Array<keyof typeof axisOf>

/** Whether totals of the rubric are K-MetBench's: its four criteria, each from 1 to 5, more being better. */
export function isKmetbenchRubric ({ criteria }: Rubric): boolean {
  const isTheirs = (axis: keyof typeof axisOf) => criteria.some(({ name, min, max, higherIsBetter }) =>
    name === axisOf[axis] && min === 1 && max === 5 && higherIsBetter)
  return criteria.length === axes.length && axes.every(isTheirs)
}

export interface Judged { rating: Rating, prediction: Prediction, item: BenchmarkItem }

export type JudgeRow = Record<string, unknown>

/** A judgement that failed has null for axes and total, where the toolkit writes -1 and averages it. */
export function judgeRow ({ rating, prediction, item }: Judged, asked: Asked): JudgeRow {
  const { scores, total, judge, reasons, errors } = rating
  const answer = whyNoRow(prediction) === undefined
    ? runRow(prediction, item, asked)
    : { item_id: item.id, question_text: item.question, model_key: asked.model, generated_text: prediction.reply, ...marksOfItem(item), rationale: item.rationale ?? '' }
  return {
    ...answer,
    evaluator: judge,
    ...Object.fromEntries(axes.map(axis => [axis, scores?.[axisOf[axis]] ?? null])),
    total,
    comment: Object.entries(reasons).map(([name, reason]) => `${name}: ${reason}`).join('\n'),
    factual_error: errors
  }
}

/** Adds a row to the means: of each axis, and of those whose answer was right. */
export function addJudged (means: Means, row: JudgeRow): void {
  const isRight = row['is_correct'] === true
  for (const axis of [...axes, 'total'] as const) {
    const score = row[axis]
    if (typeof score !== 'number') continue
    means.add(axis, score)
    if (isRight) means.add(`${axis}_correct`, score)
  }
}

/** `reasoning_total` is the sum of axis means, 4 to 20. Nothing judged is null. */
export function judgeMetrics (means: Means): Record<string, number | null> {
  const all = ['', '_correct'].flatMap(end => [
    ...axes.map(axis => [`${axis}${end}`, means.mean(`${axis}${end}`)] as const),
    [`reasoning_total${end}`, means.mean(`total${end}`)] as const
  ])
  return { ...Object.fromEntries(all), judged: means.sumOf('total').n }
}
