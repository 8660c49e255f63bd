/** What is kept of an import: its record, and its rows in files of one JSON object a line. */
import type { RunImport } from '../../../shared/contracts/run-import.ts'
import type { Imported } from './read-log.ts'

/** Views of the rows, in the log's order. */
export const views = ['accepted', 'changed', 'undecided', 'rejected'] as const
export type View = (typeof views)[number]

export interface Kept { record: RunImport, files: Record<View, Uint8Array> }

export function keptOf ({ record, items, rejected }: Imported): Kept {
  return {
    record,
    files: {
      accepted: linesOf(items),
      changed: linesOf(items.filter(({ changed }) => changed)),
      undecided: linesOf(items.filter(({ undecided }) => undecided)),
      rejected: linesOf(rejected)
    }
  }
}

/** In parts, for the text of all rows may be longer than a string can be. */
function linesOf (rows: readonly object[]): Uint8Array {
  const step = 1000
  const parts: Buffer[] = []
  for (let at = 0; at < rows.length; at += step) {
    parts.push(Buffer.from(rows.slice(at, at + step).map(row => `${JSON.stringify(row)}\n`).join('')))
  }
  return new Uint8Array(Buffer.concat(parts))
}
