/** A log from bytes to what is kept of it. */
import type { ImportedItem, RejectedRow, RunImport, RunImportOptions } from '../../../shared/contracts/run-import.ts'
import { sha256 } from '../../../shared/contracts/hash.ts'
import { limits } from './domain/limits.ts'
import { mapped } from './domain/raw-row.ts'
import { readRow } from './domain/read-row.ts'
import { summaryOf } from './domain/summary.ts'
import { logOf, type LogRow, type Log } from './rows.ts'

export interface Imported { record: RunImport, items: ImportedItem[], rejected: RejectedRow[] }

/** @throws Problem not-a-log, log-damaged, limit-exceeded, invalid-request */
export async function readLog (bytes: Buffer, options: RunImportOptions): Promise<Imported> {
  const log = await logOf(bytes, options)
  const items: ImportedItem[] = []
  const rejected: RejectedRow[] = []
  const seen = new Set<string>()
  for await (const row of log.rows) {
    const read = readOne(row, log, options)
    if ('reason' in read) rejected.push(read)
    else if (seen.has(read.id)) rejected.push(refused(read, duplicate))
    else if (items.length >= limits.rows) rejected.push(refused(read, tooMany))
    else {
      seen.add(read.id)
      items.push(read)
    }
  }
  const { format, source, notes } = log
  const record = summaryOf({ format, source, items, rejected, notes }, sha256(bytes), options)
  return { record, items, rejected }
}

const duplicate = { reason: 'duplicate-id', detail: 'A row before it has the same id.' }
const tooMany = { reason: 'too-many-rows', detail: `At most ${limits.rows} rows are taken; split the file.` }

function refused ({ row, id }: ImportedItem, why: Pick<RejectedRow, 'reason' | 'detail'>): RejectedRow {
  return { row, id, ...why }
}

function readOne (
  row: LogRow, { format, flat }: Log, { mapping, choiceCount, goldBase }: RunImportOptions
): ImportedItem | RejectedRow {
  if ('reason' in row) return row
  const fields = mapped(row.fields, row.value, { mapping, flat })
  return readRow(row, fields, { format, choiceCount, goldBase })
}
