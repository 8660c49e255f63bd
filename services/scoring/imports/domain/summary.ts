/** The record of an import. It holds no clock or host: the same bytes and options, the same record. */
import { idOf } from '../../../../shared/contracts/hash.ts'
import type { ImportedItem, LogFormat, RejectedRow, RunImport, RunImportOptions } from '../../../../shared/contracts/run-import.ts'
import { displayName } from '../../../../shared/text/file-name.ts'
import { wellFormed } from '../../../../shared/text/start-of.ts'
import { limits } from './limits.ts'
import { verdictsOf } from './verdicts.ts'

export const importSchemaVersion = 1

export interface Source { model: string | null, task: string | null }

export interface ReadLog {
  format: LogFormat
  source: Source
  items: ImportedItem[]
  rejected: RejectedRow[]
  /** What the adapter has to say: filters there are, for example. */
  notes: string[]
}

/** The same bytes and options are the same import. */
export function importIdOf (contentHash: string, options: RunImportOptions): string {
  return idOf('runImport', { schemaVersion: importSchemaVersion, contentHash, options })
}

/** What a log says of itself; undefined where it says nothing. */
function nameOf ({ model, task }: Source): string | undefined {
  return [model, task].filter(Boolean).join(' · ').slice(0, 200) || undefined
}

/** Endings that say the form. */
const ending = /\.(?:jsonl|json|eval|csv|txt)$/iu
/** What lm-eval writes around the task: samples_TASK_2025-01-31T10-20-30.123456, or the day alone. */
const written = /^samples_(.+?)(?:_\d{4}-\d\d-\d\d(?:T[\d.:-]+)?)?$/u

/**
 * The record under the name of its file, where neither the caller nor the log itself names it. The name of a
 * file is no part of what an import is: bytes that come again under another one keep the first.
 */
export function namedByFile (record: RunImport, fileName: string): RunImport {
  const { options, source } = record
  if (options.name !== undefined || nameOf(source) !== undefined) return record
  const base = displayName(fileName, '').replace(ending, '')
  const name = (written.exec(base)?.[1] ?? base).trim().slice(0, 200)
  return name === '' ? record : { ...record, name: wellFormed(name) }
}

export function summaryOf (log: ReadLog, contentHash: string, options: RunImportOptions): RunImport {
  const { format, source, items, rejected } = log
  const measure = format === 'kmetbench-judge' ? 'judge-total' as const : 'accuracy' as const
  const rejectedBy: Record<string, number> = {}
  for (const { reason } of rejected) rejectedBy[reason] = (rejectedBy[reason] ?? 0) + 1
  const verdicts = verdictsOf(items, measure)
  return {
    id: importIdOf(contentHash, options),
    schemaVersion: importSchemaVersion,
    name: options.name ?? nameOf(source) ?? `${format} ${contentHash.slice(0, 8)}`,
    format,
    contentHash,
    options,
    source,
    measure,
    rows: { total: items.length + rejected.length, accepted: items.length, rejected: rejected.length },
    rejectedBy: Object.fromEntries(Object.entries(rejectedBy).sort(([a], [b]) => a < b ? -1 : 1)),
    ...verdicts,
    notes: [...log.notes, ...notesOf(log, verdicts)]
  }
}

function notesOf (
  { format, items, rejected }: ReadLog, { outcomes, bounds }: ReturnType<typeof verdictsOf>
): string[] {
  const count = (is: (item: ImportedItem) => boolean) => items.filter(is).length
  const empty = count(({ ours }) => ours.reason === 'empty')
  const silent = count(({ theirs }) => theirs.value === null)
  const negative = count(({ theirs }) => theirs.value !== null && theirs.value < 0)
  const own = items.length > 0 && new Set(items.map(({ cluster }) => cluster)).size === items.length
  return [
    ...format === 'kmetbench-judge'
      ? ['A judge file keeps scores and not the judge\'s replies: its sums are checked, nothing is read anew.']
      : ['Ours is the lenient reading. There is no strict one: which format the prompt asked for is not in the log.'],
    ...own ? ['No column says what the items are from, so every item is taken as independent; mapping.cluster names one.'] : [],
    ...empty > 0 ? [`${empty} replies are empty: the log does not tell an outage from a model that said nothing. They count as wrong, and as undecided in the bounds.`] : [],
    ...outcomes.error > 0 ? [`${outcomes.error} rows ended in error (infrastructure): they are in no score, and undecided in the bounds.`] : [],
    ...negative > 0 ? [`${negative} totals are −1: failures of the judge, which the log's own mean includes and ours does not.`] : [],
    ...silent > 0 ? [`${silent} rows have no verdict of theirs: they are in our score and in no comparison.`] : [],
    ...bounds.undecided > 0 ? [`${bounds.undecided} of ${bounds.n} items are undecided: the score of all lies between ${bounds.low!.toFixed(3)} and ${bounds.high!.toFixed(3)}.`] : [],
    ...rejected.length > 0 ? [`${rejected.length} rows were rejected; GET …/items?show=rejected says why. At most ${limits.rows} rows are read.`] : []
  ]
}
