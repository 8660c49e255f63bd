/** Which format the rows of a bank have: as declared, or as their keys say. */
import type { BankFormat, ImportOptions } from '../../../../../shared/contracts/bank.ts'
import { Problem } from '../../../../../shared/errors/problem.ts'
import { member, valueAt } from '../../../../../shared/text/member.ts'
import type { Fields } from '../bank.ts'
import { keysOf, type Format } from './format.ts'
import { exam } from './exam.ts'
import { kmetbench } from './kmetbench.ts'
import { gpqa, kmmlu, mmlu, scienceqa, vqaRad } from './published.ts'
import { columnsOf, mapped, table } from './table.ts'

/** In the order in which they are tried: those with the most telling keys first. */
const all: readonly Format[] = [gpqa, kmetbench, scienceqa, kmmlu, mmlu, vqaRad, table, exam]

export interface Reader {
  name: BankFormat
  /** Of the format, where it was declared: keys alone do not say what numbers count from. */
  base: 0 | 1 | undefined
  fields: (value: unknown) => Fields
}

/**
 * @param values of the first rows that are rows at all
 * @throws Problem not-a-bank, invalid-request for a mapping that names columns which no row has
 */
export function readerOf (
  values: readonly unknown[], { format, mapping }: ImportOptions, flat: boolean
): Reader {
  const declared = all.find(({ name }) => name === format)
  const isMapped = mapping?.question !== undefined && mapping.answer !== undefined
  const found = declared ?? (isMapped ? table : told(values))
  if (found === undefined) throw unknown(values)
  if (mapping !== undefined) checkColumns(values, columnsOf(mapping), flat)
  return {
    name: found.name,
    base: declared?.base,
    fields (value) {
      const fields = found.fields(value)
      return mapping === undefined ? fields : mapped(fields, value, { mapping, flat })
    }
  }
}

function told (values: readonly unknown[]): Format | undefined {
  return all.find(({ matches }) => values.some(value => matches(keysOf(value), value)))
}

function unknown (values: readonly unknown[]): Problem {
  return new Problem('not-a-bank', `Nothing tells which column has the question and which the answer; name them in options.mapping, or the format in options.format. The first row has ${shown(values)}.`)
}

function checkColumns (values: readonly unknown[], columns: readonly string[], flat: boolean): void {
  const isThere = (column: string) => values.some(value =>
    member(value, column) !== undefined || (!flat && valueAt(value, column) !== undefined))
  const missing = values.length === 0 ? [] : columns.filter(column => !isThere(column))
  if (missing.length === 0) return
  throw new Problem('invalid-request', `The first ${values.length} rows have no ${missing.slice(0, 10).map(name => `"${name}"`).join(', ')}; the first has ${shown(values)}.`, {
    errors: [{ pointer: '/options/mapping', detail: 'must name columns of the file' }]
  })
}

function shown (values: readonly unknown[]): string {
  const keys = [...keysOf(values[0])].slice(0, 30).map(name => `"${name.slice(0, 50).replace(/\p{Cc}/gu, ' ')}"`)
  return keys.length === 0 ? 'no columns' : keys.join(', ')
}
