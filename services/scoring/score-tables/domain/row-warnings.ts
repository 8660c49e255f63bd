/** What makes a row's numbers incomparable with those of others, said beside them. */
import type { RowWarning, ScoreTable, ScoreTableRow, TableSlice } from '../../../../shared/contracts/score-table.ts'
import { kmetbenchRepair, type SliceSizes } from './kmetbench-facts.ts'
import type { Counted, CountedCell } from './row-counts.ts'

type Row = Counted & Pick<ScoreTableRow, 'version' | 'times'>

const partSlices = ['part1', 'part2', 'part3', 'part4', 'part5'] as const

/** In the order of importance: what contradicts itself, what was asked less, when and of which version. */
export function warningsOf (row: Row, sizes: SliceSizes): RowWarning[] {
  return [...sumWarnings(row.cells), ...cellWarnings(row.cells), ...coverage(row, sizes), ...origin(row)]
}

type Cells = readonly Pick<CountedCell, 'slice' | 'right' | 'n'>[]

const cell = (cells: Cells, slice: TableSlice) => cells.find(each => each.slice === slice)!

function sumWarnings (cells: Cells): RowWarning[] {
  return [
    ...sumOf(cells, { slices: partSlices, code: 'parts-do-not-sum', what: 'The parts' }),
    ...sumOf(cells, { slices: ['text', 'multimodal'], code: 'kinds-do-not-sum', what: 'Items without and with images' })
  ]
}

interface Sum { slices: readonly TableSlice[], code: RowWarning['code'], what: string }

/** Nothing where a part is not known, or there are none. */
function sumOf (cells: Cells, { slices, code, what }: Sum): RowWarning[] {
  const parts = slices.map(slice => cell(cells, slice))
  const total = cell(cells, 'all')
  if (total.right === null || parts.every(({ n }) => n === 0)) return []
  if (parts.some(({ right, n }) => right === null && n > 0)) return []
  const right = parts.reduce((sum, part) => sum + (part.right ?? 0), 0)
  const n = parts.reduce((sum, part) => sum + part.n, 0)
  if (Math.abs(right - total.right) < 1e-9 && n === total.n) return []
  return [{ code, detail: `${what} come to ${right} of ${n}, the total is ${total.right} of ${total.n}.` }]
}

const faults = {
  'percent-differs': ({ slice, percent, right, n }: CountedCell) => `Of ${slice} it says ${percent} %, and ${right} of ${n}.`,
  'not-a-count': ({ slice, percent, n }: CountedCell) => `Of ${slice} it says ${percent} %, which is no whole number of ${n} items: it may be of others.`,
  'zero-may-be-empty': ({ slice }: CountedCell) => `Of ${slice} it says 0 %, which is how the toolkit writes that there is no data; it is taken as that.`
}

function cellWarnings (cells: readonly CountedCell[]): RowWarning[] {
  return cells.flatMap(found =>
    found.fault === undefined ? [] : [{ code: found.fault, detail: faults[found.fault](found) }])
}

function coverage ({ cells, judged }: Row, { all, judged: judgedSizes }: SliceSizes): RowWarning[] {
  const { n } = cell(cells, 'all')
  return [
    ...n >= all.all ? [] : [{ code: 'fewer-items' as const, detail: `It was asked ${n} of ${all.all} items${cell(cells, 'multimodal').n === 0 ? ', none of those with images' : ''}: its accuracy is of other items than that of models which were asked all.` }],
    ...judged?.n == null || judged.n >= judgedSizes.all
      ? []
      : [{ code: 'judged-fewer' as const, detail: `Its judged mean is over ${judged.n} of ${judgedSizes.all} rationales.` }]
  ]
}

function origin ({ version, times }: Pick<Row, 'version' | 'times'>): RowWarning[] {
  const { version: repaired, day, items } = kmetbenchRepair
  const days = times.map(({ at }) => at.slice(0, 10)).filter(at => /^\d{4}-\d\d-\d\d$/.test(at))
  const midnights = times.filter(({ at }) => /T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?$/.test(at))
  return [
    ...version === null ? [{ code: 'no-version' as const, detail: 'It does not say of which version of the items it is.' }] : [],
    ...days.some(at => at < day) ? [{ code: 'not-rescored' as const, detail: `It was run before ${day}, when ${repaired} corrected the answers of ${items} items, and not scored again.` }] : [],
    ...midnights.length > 0 ? [{ code: 'placeholder-time' as const, detail: `Its time is midnight to the second (${midnights[0]!.at}), which is a placeholder: when it was run is not known.` }] : [],
    ...times.length === 0 ? [{ code: 'no-time' as const, detail: 'It does not say when it was run.' }] : []
  ]
}

const said: Record<RowWarning['code'], string> = {
  'parts-do-not-sum': 'The parts do not come to the total.',
  'kinds-do-not-sum': 'Items without and with images do not come to the total.',
  'percent-differs': 'A percentage is not that of its count.',
  'not-a-count': 'A percentage is no whole number of the items.',
  'zero-may-be-empty': 'Zero per cent that stands for no data.',
  'fewer-items': 'Not asked all items.',
  'judged-fewer': 'The judged mean is not over all rationales.',
  'no-version': 'No version of the items is given.',
  'not-rescored': `Run before answers were corrected in ${kmetbenchRepair.version}, and not scored again.`,
  'placeholder-time': 'The time is a placeholder.',
  'no-time': 'No time is given.'
}

/** What a warning means, in few words. */
export function meaningOf (code: string): string {
  return said[code as RowWarning['code']] ?? code
}

/** Each kind of warning with its rows, and what holds of the table as a whole. */
export function tableWarnings (
  rows: readonly ScoreTableRow[], sizes: SliceSizes | null
): ScoreTable['warnings'] {
  const counts = new Map<string, number>()
  for (const code of rows.flatMap(row => [...new Set(row.warnings.map(warning => warning.code))])) {
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  const own = Object.keys(said).filter(code => counts.has(code))
    .map(code => ({ code, rows: counts.get(code)!, detail: meaningOf(code) }))
  return [...mixed(rows, 'mixed-items', 'Accuracies'), ...mixedJudged(rows, sizes), ...own]
}

function mixed (rows: readonly ScoreTableRow[], code: string, what: string): ScoreTable['warnings'] {
  const sizes = bySize(rows.map(({ cells }) => cell(cells, 'all').n))
  if (sizes.length < 2) return []
  return [{ code, rows: rows.length, detail: `${what} are over ${spoken(sizes)}: as published they rank models by other items. Rank by the items without images, or models that were asked all among themselves.` }]
}

function mixedJudged (rows: readonly ScoreTableRow[], sizes: SliceSizes | null): ScoreTable['warnings'] {
  const judged = rows.flatMap(row => row.judged?.n ?? [])
  const found = bySize(judged)
  if (found.length < 2) return []
  const whole = sizes === null ? '' : ` of ${sizes.judged.all}`
  return [{ code: 'mixed-judged', rows: judged.length, detail: `Judged means are over ${spoken(found)}${whole} rationales.` }]
}

type Size = readonly [n: number, rows: number]

function bySize (ns: readonly number[]): Size[] {
  const counts = new Map<number, number>()
  for (const n of ns) counts.set(n, (counts.get(n) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => b - a)
}

const spoken = (sizes: readonly Size[]) => sizes.map(([n, rows]) => `${n} (${rows} ${rows === 1 ? 'row' : 'rows'})`).join(', ')
