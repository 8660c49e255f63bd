/** Tokens that the predictions of a run have stored, and n of those that have none. */
import { isCounted } from '../scored.ts'
import type { AnalysedRun } from './analysis.ts'
import type { Tokens } from './prices.ts'

export interface RunUsage extends Tokens {
  reasoning: number | null
  items: number
  /** A model replied, and its server did not say how many tokens it took. */
  unknown: number
  errors: number
  skipped: number
}

/** `questions`: replies whose prompt and completion tokens are known; all sums are over these. */
export function usageOf ({ rows }: Pick<AnalysedRun, 'rows'>): RunUsage {
  const replied = rows.filter(({ outcome }) => isCounted(outcome))
  const known = replied.flatMap(({ usage }) => {
    if (usage === null) return []
    const { promptTokens: prompt, completionTokens: completion, reasoningTokens: reasoning } = usage
    return prompt === null || completion === null ? [] : [{ prompt, completion, reasoning }]
  })
  const sum = (values: readonly number[]) =>
    values.length === 0 ? null : values.reduce((all, value) => all + value, 0)
  return {
    items: rows.length,
    questions: known.length,
    unknown: replied.length - known.length,
    errors: rows.filter(({ outcome }) => outcome === 'error').length,
    skipped: rows.filter(({ outcome }) => outcome === 'skipped').length,
    prompt: sum(known.map(({ prompt }) => prompt)),
    completion: sum(known.map(({ completion }) => completion)),
    reasoning: sum(known.flatMap(({ reasoning }) => reasoning ?? []))
  }
}
