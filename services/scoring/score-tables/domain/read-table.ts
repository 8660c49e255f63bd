/** A leaderboard file as its owner wrote it, read into rows of counts; what does not fit is said. */
import type { ScoreTable, ScoreTableRequest, ScoreTableRow } from '../../../../shared/contracts/score-table.ts'
import { canonicalJson, idOf, sha256 } from '../../../../shared/contracts/hash.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { kmetbenchSizes, type SliceSizes } from './kmetbench-facts.ts'
import { fieldsOf, type RowFields } from './row-fields.ts'
import { cellsOf, judgedOf, type Counted } from './row-counts.ts'
import { tableWarnings, warningsOf } from './row-warnings.ts'
import { sizesOf } from './subsets.ts'

export const tableSchemaVersion = 1

/**
 * Gives way after each row.
 *
 * @throws Problem invalid-request with a pointer to what cannot be read, or stands twice
 */
export function * readTable (request: ScoreTableRequest, name: string): Generator<void, ScoreTable> {
  const sizes = sizesOf(request) ?? kmetbenchSizes
  const rows: ScoreTableRow[] = []
  for (const [at, row] of request.rows.entries()) {
    rows.push(rowOf(fieldsOf(row, `/body/rows/${at}`), sizes))
    yield
  }
  const seen = new Map<string, number>()
  for (const [at, { model }] of rows.entries()) {
    const before = seen.get(model)
    if (before !== undefined) {
      const detail = `names "${model.slice(0, 100)}" as row ${before} does`
      throw new Problem('invalid-request', `Row ${at} ${detail}; a table has one row a model. Rename one of them, or send two tables.`, {
        errors: [{ pointer: `/body/rows/${at}`, detail }]
      })
    }
    seen.set(model, at)
  }
  return yield * tableOf({ name, rows }, sizes)
}

/** The same name and rows are the same table, in whatever form they were sent. Gives way after each row. */
export function * tableOf (
  { name, rows, paired }: Pick<ScoreTable, 'name' | 'rows' | 'paired'>, sizes: SliceSizes | null
): Generator<void, ScoreTable> {
  const hashes: string[] = []
  for (const row of rows) {
    hashes.push(sha256(canonicalJson(row)))
    yield
  }
  const said = { schemaVersion: tableSchemaVersion, name, ...paired !== undefined && { paired } }
  return { id: idOf('scoreTable', { ...said, rows: hashes }), ...said, rows, warnings: tableWarnings(rows, sizes) }
}

function rowOf (fields: RowFields, sizes: SliceSizes): ScoreTableRow {
  const { model, name, sizeB, proprietary, korean, vision, reasoning, version, times } = fields
  const counted: Counted = { cells: cellsOf(fields, sizes), judged: judgedOf(fields, sizes) }
  const { cells, judged } = counted
  return {
    model,
    name,
    sizeB,
    proprietary,
    korean,
    vision,
    reasoning,
    version,
    times,
    cells: cells.map(({ slice, percent, right, n }) => ({ slice, percent, right, n })),
    judged,
    warnings: warningsOf({ version, times, ...counted }, sizes)
  }
}
