/** What a reader must know before believing a number. */
import type { Benchmark, BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { RunReport } from '../../../../shared/contracts/report.ts'
import type { Condition, Outcome } from '../../../../shared/contracts/run.ts'
import { baselinePrefix } from '../baselines/baselines.ts'

interface RunFacts {
  model: string
  condition: Condition
  outcomes: Record<Outcome, number>
  items: readonly BenchmarkItem[]
  /** Why items were skipped, and how many for each reason. */
  skipped: Readonly<Record<string, number>>
}

const papersForInference = 5

/** Items made by the sentence ranker that baseline/extractive answers with. */
export function itemsOfOwnMethod (model: string, items: readonly BenchmarkItem[]): number {
  if (model !== `${baselinePrefix}extractive`) return 0
  return items.filter(({ provenance }) => provenance.strategy === 'extractive').length
}

export function runNotes ({ model, condition, outcomes, items, skipped }: RunFacts): string[] {
  const notes: string[] = []
  const figureItems = items.filter(({ figureIds }) => figureIds.length > 0).length
  const own = itemsOfOwnMethod(model, items)
  if (outcomes.error > 0) {
    notes.push(`${outcomes.error} of ${items.length} items ended in error (infrastructure) and are in no score. Retry the run; until then accuracy, pair accuracy and ROUGE-L of all items are only known to lie between their lowest and highest value (metrics .lowest, .highest).`)
  }
  for (const [reason, count] of Object.entries(skipped).sort(([a], [b]) => a < b ? -1 : 1)) {
    notes.push(`${count} of ${items.length} items were skipped and are in no score: ${reason}`)
  }
  if (condition.figures === 'withheld' && figureItems > 0) {
    notes.push(`Figures were withheld: ${figureItems} items about figures were asked without their image.`)
  }
  if (condition.contentMode === 'oracle') notes.push('Content mode oracle: the model was shown the evidence of each item, and nothing else of the paper.')
  if (condition.contentMode === 'none') notes.push('Content mode none: the model was shown no text of the paper.')
  if (own > 0) {
    notes.push(`${model} picks sentences by the method that wrote ${own} of ${items.length} items; its scores on them are flattered by that.`)
  }
  if (model.startsWith(baselinePrefix)) {
    notes.push('A baseline reads the place asked about in the paper itself, whatever the content mode; with mode none it is given no text.')
  }
  return notes
}

export function reportNotes (benchmark: Benchmark, runs: readonly RunReport[]): string[] {
  const { card } = benchmark
  const notes = [runs.length > 1
    ? 'Runs stand in the order they were asked for. That order, and overlapping or separate intervals, are no ranking.'
    : 'One run; nothing here compares it with another.']
  const inError = runs.filter(({ slices }) => slices.some(({ outcomes }) => (outcomes.error ?? 0) > 0))
  if (inError.length > 0) {
    notes.push(`No ranking and no comparison may be drawn while items end in error: ${inError.map(({ model }) => model).join(', ')}.`)
  }
  const papers = card.paperCount === 1 ? 'this one paper' : `these ${card.paperCount} papers`
  if (card.paperCount < papersForInference) {
    notes.push(`All numbers are conditional on ${papers}; they say little about others.`)
  }
  const unreviewed = card.byVerdict.unreviewed ?? 0
  if (unreviewed > 0) {
    notes.push(`${unreviewed} of ${card.itemCount} items are unreviewed: mechanical checks passed, but neither a model nor a person has judged them.`)
  }
  const conditions = new Set(runs.map(({ condition }) => JSON.stringify(condition)))
  if (conditions.size > 1) notes.push('The runs were made under different conditions; see each run.')
  return notes
}
