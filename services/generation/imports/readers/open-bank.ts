/** A file as a bank of rows, by what it is. */
import type { Container, ImportOptions } from '../../../../shared/contracts/bank.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import type { Bank } from '../domain/bank.ts'
import { delimitedBank } from './delimited.ts'
import type { Files } from './images.ts'
import { jsonBank, jsonlBank } from './json.ts'
import { textOf } from './text.ts'

export interface Opened { bank: Bank, files?: Files }

/** @throws Problem not-a-bank, bank-damaged, limit-exceeded */
export async function openBank (bytes: Buffer, container: Container, options: ImportOptions): Promise<Opened> {
  switch (container) {
    case 'json': return { bank: jsonBank(textOf(bytes, options.encoding)) }
    case 'jsonl': return { bank: jsonlBank(textOf(bytes, options.encoding)) }
    case 'csv': return { bank: delimitedBank(textOf(bytes, options.encoding), { isMmlu: options.format === 'mmlu' }) }
    default: throw new Problem('not-a-bank', `Files of ${container} are not read.`)
  }
}
