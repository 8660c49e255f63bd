/** K-MetBench's run files and judge files: one JSON object with `results`. */
import type { Outcome } from '../../../../shared/contracts/run.ts'
import { member } from '../../../../shared/text/member.ts'
import type { Fields } from './raw-row.ts'

/** Every item has four options, numbered from 1. */
const kmetbenchChoices = 4

export function kmetbenchKind (value: unknown): 'kmetbench-run' | 'kmetbench-judge' | undefined {
  const results = member(value, 'results')
  const first = Array.isArray(results) ? results[0] : undefined
  if (member(first, 'item_id') === undefined) return undefined
  if (axes.every(axis => member(first, axis) !== undefined)) return 'kmetbench-judge'
  return member(first, 'generated_text') === undefined ? undefined : 'kmetbench-run'
}

export function kmetbenchFields (value: unknown): Fields {
  return {
    id: member(value, 'item_id'),
    reply: member(value, 'generated_text'),
    gold: member(value, 'correct_answer'),
    verdict: member(value, 'is_correct'),
    label: member(value, 'predicted_answer'),
    choiceCount: kmetbenchChoices,
    goldBase: 1
  }
}

const axes = ['factual', 'logical', 'depth', 'clarity'] as const
const [least, most] = [1, 5]
export const judgeRange = [least * axes.length, most * axes.length] as const

export interface JudgeRow {
  theirs: number | null
  ours: number | null
  outcome: Outcome
  reason?: string
}

/**
 * A judge's row: four whole scores from 1 to 5 and their sum. One that is missing (−1 there), out of
 * range or not whole makes the row no judgement: it is left out, where the toolkit averages it.
 */
export function judgeRow (value: unknown): JudgeRow {
  const scores = axes.map(axis => member(value, axis))
  const total = member(value, 'total')
  // The toolkit writes -1 for a judgement that failed; what no sum can be says nothing.
  const theirs = typeof total === 'number' && Math.abs(total) <= 1_000 ? total : null
  const fault = scores.map(faultOf).find(found => found !== undefined)
  if (fault !== undefined) return { theirs, ours: null, outcome: 'unparsable', reason: fault }
  return { theirs, ours: (scores as number[]).reduce((sum, score) => sum + score, 0), outcome: 'answered' }
}

function faultOf (score: unknown): string | undefined {
  if (typeof score !== 'number' || score === -1) return 'axis-missing'
  if (!Number.isInteger(score)) return 'axis-not-whole'
  return score < least || score > most ? 'axis-out-of-range' : undefined
}
