/** Runs of crossed conditions as the cells of a factorial table. */
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import type { Condition } from '../../../../shared/contracts/run.ts'
import { wrong, type AnalysedRun } from './analysis.ts'
import { valuedItems, type ValuedItem } from './item-means.ts'

/** Samples of a cell and no factors: runs that differ in nothing else are repeats. */
const samples: readonly string[] = ['seed', 'repeat']

interface Cell { model: string, levels: Record<string, string>, items: ValuedItem[] }

/**
 * Factors are the parts of the condition in which runs of a model differ; repeats of a cell go into one.
 *
 * @throws Problem invalid-request where no part differs
 */
export function cellsOfRuns (runs: readonly AnalysedRun[]): { cells: Cell[] } {
  const names = differingParts(runs)
  if (names.length === 0) throw wrong('/runIds', 'These runs are all of one condition; name runs of several, as POST /v1/run-matrices opens them.')
  const cells = new Map<string, Cell>()
  for (const { model, condition, rows } of runs) {
    const levels = Object.fromEntries(names.map(name => [name, levelOf(condition, name)]))
    const key = JSON.stringify([model, levels])
    const cell = cells.get(key) ?? { model, levels, items: [] }
    cell.items.push(...valuedItems(rows))
    cells.set(key, cell)
  }
  return { cells: [...cells.values()] }
}

/** Names of the parts of their conditions in which runs of the same model differ, repeats aside. */
export function differingParts (
  runs: ReadonlyArray<Pick<AnalysedRun, 'model' | 'condition'>>
): string[] {
  const names = [...new Set(runs.flatMap(({ condition }) => Object.keys(condition)))]
  const models = new Set(runs.map(({ model }) => model))
  return names.filter(name => !samples.includes(name) && [...models].some(model => {
    const own = runs.filter(run => run.model === model)
    return new Set(own.map(({ condition }) => levelOf(condition, name))).size > 1
  }))
}

/** As text; what a condition does not name is "none". */
export function levelOf (condition: Condition, name: string): string {
  const value = (condition as Readonly<Record<string, unknown>>)[name]
  return value === undefined ? 'none' : typeof value === 'string' ? value : canonicalJson(value)
}
