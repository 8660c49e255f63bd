/** Of runs: whether there is anything for an analysis of yes/no and multiple-choice items by a dimension. */
import { Problem } from '../../../../shared/errors/problem.ts'
import { isChoice } from '../compare/measured.ts'
import { isCounted } from '../scored.ts'
import { wrong, type AnalysedRun } from './analysis.ts'

export const noClosedItem = (dimension: string): string =>
  `no yes/no or multiple-choice item with the dimension ${dimension}`

/**
 * One run with such items is enough: the others have a row that says they have none.
 *
 * @throws Problem not-computable where no run has a yes/no or multiple-choice item; invalid-request, naming
 *         the dimensions there are, where none of these has the one asked for
 */
export function assertClosedItems (runs: readonly AnalysedRun[], dimension: string): void {
  const closed = runs.flatMap(({ rows }) => rows.filter(isChoice))
  if (closed.length === 0) {
    throw new Problem('not-computable', 'None of these runs has a yes/no or multiple-choice item, and this analysis is of those; name runs of a benchmark that has some.')
  }
  if (closed.some(({ slices }) => slices[dimension] !== undefined)) return
  const known = new Set(closed.flatMap(({ slices }) => Object.keys(slices)))
  throw wrong('/dimension', `No yes/no or multiple-choice item of these runs has the dimension "${dimension}". There is ${[...known].sort().join(', ') || 'none'}.`)
}

const shownMax = 20

/** What an analysis by a dimension does not count: items without a value of it, errors and skipped. */
export function leftOutNotes (runs: readonly AnalysedRun[], dimension: string): string[] {
  const found = runs.flatMap(({ name, rows }) => {
    const closed = rows.filter(isChoice)
    const within = closed.filter(({ slices }) => slices[dimension] !== undefined)
    const without = closed.length - within.length
    const unscored = within.filter(({ outcome }) => !isCounted(outcome)).length
    return without + unscored === 0 || within.length === 0
      ? []
      : [`${name}: ${without} without a value of ${dimension}, ${unscored} that ended in an error or were skipped, of ${closed.length}`]
  })
  if (found.length === 0) return []
  const more = found.length > shownMax ? `; and ${found.length - shownMax} more runs` : ''
  return [`Yes/no and multiple-choice items that are in no number here: ${found.slice(0, shownMax).join('; ')}${more}.`]
}
