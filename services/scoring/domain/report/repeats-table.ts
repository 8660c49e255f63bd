/** Runs of a report that repeat each other, taken together, as a table. */
import type { Report } from '../../../../shared/contracts/report.ts'
import type { RepeatedRuns } from '../../../../shared/contracts/run.ts'
import { fixed, shown, type Cell, type Table } from '../compare/table.ts'
import { kindNames, metricName, written, writtenInterval } from './numbers.ts'
import { runNames } from './run-names.ts'

export const repeatsMeaning = 'Runs that differ in the number of the repeat alone (and in the seed that goes with it), taken together over the items that count in all of them. An item\'s mean over repeats is one observation: repeats make the mean surer, and are no more items. Variance within items is what sampling alone does; the ICC is the share of the variance of one repeat that is between items.'

/** Null where no run of the report is repeated. */
export function repeatsTable ({ runs, repeats = [] }: Report): Table | null {
  if (repeats.length === 0) return null
  const firsts = repeats.map(({ runIds }) => runs.find(({ runId }) => runId === runIds[0])!)
  // Of one run a group, so that a name says of the condition what groups differ in, and no repeat.
  const names = runNames(firsts)
  return {
    title: 'Repeats taken together',
    notes: ['Mean with 95 % interval over papers; an en dash is "no data", never zero.'],
    columns: [
      'Run', 'Kind', 'Metric', 'repeats', 'n items', 'left out', 'mean', 'mean of each repeat', 'SD of the repeats',
      'variance within items', 'variance between items', 'ICC', 'items not alike in all', 'Why not'
    ].map((name, at) => ({ name, numeric: at > 2 && at < 13 })),
    rows: repeats.flatMap(({ kinds }, at) => kinds.map(row => [names[at]!, ...cellsOf(row)]))
  }
}

function cellsOf (row: RepeatedRuns['kinds'][number]): Cell[] {
  const { kind, metric, items, leftOut, repeats, mean, interval, perRepeat, withinItemVariance, betweenItemVariance, sdOfRepeats, icc, unstable, reason = '' } = row
  const whole = mean === null ? null : `${written(metric, mean)} ${writtenInterval({ metric, interval })}`.trimEnd()
  return [
    kindNames[kind], metricName(metric), repeats, items, leftOut, whole,
    perRepeat.map(each => written(metric, each)).join(', '),
    sdOfRepeats === null ? null : written(metric, sdOfRepeats),
    shown(fixed(withinItemVariance, 4)), shown(fixed(betweenItemVariance, 4)), fixed(icc, 3), unstable, reason
  ]
}
