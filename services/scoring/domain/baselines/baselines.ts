/** The baselines by the names under which they are run. */
import { alwaysYes } from './always-yes.ts'
import type { Baseline } from './baseline.ts'
import { extractive } from './extractive.ts'
import { lead } from './lead.ts'
import { random } from './random.ts'

export const baselinePrefix = 'baseline/'

const baselines = new Map<string, Baseline>([
  ['baseline/always-yes', alwaysYes],
  ['baseline/random', random],
  ['baseline/lead', lead],
  ['baseline/extractive', extractive]
])

export const baselineNames: readonly string[] = [...baselines.keys()]

export function findBaseline (model: string): Baseline | undefined {
  return baselines.get(model)
}
