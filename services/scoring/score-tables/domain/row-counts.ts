/** Counts of a row: as it has them, or made of its percentages and the number of items. */
import { tableSlices, type ScoreTableRow, type TableCell } from '../../../../shared/contracts/score-table.ts'
import { percentNear, type SliceSizes } from './kmetbench-facts.ts'
import type { RowFields } from './row-fields.ts'

/** `fault` is why a cell has no count, or a count that its percentage is not of. */
export interface CountedCell extends TableCell { fault?: 'percent-differs' | 'not-a-count' | 'zero-may-be-empty' }

export interface Counted { cells: CountedCell[], judged: ScoreTableRow['judged'] }

type CellFields = Pick<RowFields, 'percents' | 'counts'>

/** One a slice, in the order of the slices. */
export function cellsOf (fields: CellFields, sizes: SliceSizes): CountedCell[] {
  return tableSlices.map(slice => cellOf(slice, fields, sizesFor(fields, sizes)[slice]))
}

function sizesFor ({ percents, counts }: CellFields, { all, textOnly }: SliceSizes): SliceSizes['all'] {
  const sawImages = counts.has('multimodal') ? counts.get('multimodal')!.n > 0 : percents.multimodal !== null
  return sawImages ? all : textOnly
}

function cellOf (slice: TableCell['slice'], { percents, counts }: CellFields, size: number): CountedCell {
  const percent = percents[slice]
  const known = counts.get(slice)
  if (known !== undefined) {
    const { right, n } = known
    const isOf = percent === null || (right !== null && Math.abs(percent - 100 * right / n) <= percentNear)
    return { slice, percent, right, n, ...isOf ? {} : { fault: 'percent-differs' as const } }
  }
  if (percent === null || size === 0) {
    // The toolkit writes 0.0 for a slice without items, which is no score.
    const isZero = percent !== null
    return { slice, percent, right: null, n: 0, ...isZero && { fault: 'zero-may-be-empty' as const } }
  }
  // With four options nobody has none right of so many; the toolkit writes 0.0 where nothing was asked.
  if (percent === 0 && size >= zeroFrom) return { slice, percent, right: null, n: 0, fault: 'zero-may-be-empty' }
  const right = Math.round(percent * size / 100)
  return Math.abs(100 * right / size - percent) <= percentNear
    ? { slice, percent, right, n: size }
    : { slice, percent, right: null, n: size, fault: 'not-a-count' }
}

/** .75 to this power is one in a million. */
const zeroFrom = 48

/** A mean of whole totals over few hundred replies gives away of how many, if it is written in full. */
export function judgedOf (
  { judgedMean: mean, judgedN }: Pick<RowFields, 'judgedMean' | 'judgedN'>, { judged: { all } }: SliceSizes
): ScoreTableRow['judged'] {
  if (mean === null) return null
  const n = judgedN ?? onlyOf(mean, all)
  const isWhole = n !== null && near(mean * n)
  return { mean, sum: isWhole ? Math.round(mean * n) : null, n }
}

function onlyOf (mean: number, most: number): number | null {
  const from = Math.floor(most / 2) + 1
  const fitting = Array.from({ length: Math.min(judgedMax, most - from + 1) }, (_, at) => from + at)
    .filter(n => near(mean * n))
  return fitting.length === 1 ? fitting[0]! : null
}

/** Beyond so many every mean fits several. */
const judgedMax = 10_000

const near = (sum: number) => Math.abs(sum - Math.round(sum)) < 1e-6
