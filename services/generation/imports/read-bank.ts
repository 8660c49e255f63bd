/** A bank from bytes to rows and items, in two passes: what its numbers count from, then each row. */
import type { BankImport, ImportOptions, ImportRow } from '../../../shared/contracts/bank.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { noEvidence, type Reading } from './domain/answers.ts'
import type { Bank, RawRow } from './domain/bank.ts'
import { baseOf } from './domain/base.ts'
import { draftOf, gatherFrom } from './domain/draft.ts'
import { duplicates } from './domain/duplicates.ts'
import { finishRow, rejectedRow, type Finished, type ImportOf } from './domain/finish-row.ts'
import { readerOf, type Reader } from './domain/formats/detect.ts'
import { limits } from './domain/limits.ts'
import { tally, type Counts } from './domain/tally.ts'
import { imageReader, type Files, type ImageReader, type ImageSink } from './readers/images.ts'

export interface Batch { rows: ImportRow[], items: Item[] }

export interface Sink {
  image: ImageSink
  batch: (batch: Batch) => Promise<void>
}

export type Summary = Counts & Required<Pick<BankImport, 'format' | 'answerBase' | 'answerBaseBy'>>

export interface Read { bank: Bank, files?: Files, importId: string, options: ImportOptions }

/** Rows that tell the format. */
const firstRows = 50
const batchRows = 500

/** @throws Problem not-a-bank, bank-damaged, answer-base-unclear, invalid-request, limit-exceeded */
export async function readBank ({ bank, files, importId, options }: Read, sink: Sink): Promise<Summary> {
  const reader = readerOf(await firstValues(bank), options, bank.flat)
  const { base, by, hasTexts } = await readingOf(bank, reader, options)
  const images = imageReader(files, sink.image)
  const counted = tally()
  const of = { importId, format: reader.name, options }
  const finishing = { reader, reading: { base, hasTexts }, images, repeats: duplicates(), of }
  let batch: Batch = { rows: [], items: [] }
  for await (const raw of bank.rows()) {
    const { row, item } = await finished(raw, finishing)
    counted.add(row, item)
    batch.rows.push(row)
    if (item !== undefined) batch.items.push(item)
    if (batch.rows.length < batchRows) continue
    await sink.batch(batch)
    batch = { rows: [], items: [] }
  }
  if (batch.rows.length > 0) await sink.batch(batch)
  const counts = counted.counts(images.count())
  return { format: reader.name, answerBase: typeof base === 'number' ? base : null, answerBaseBy: by, ...counts }
}

async function firstValues (bank: Bank): Promise<unknown[]> {
  const values: unknown[] = []
  for await (const { value, fault } of bank.rows()) {
    if (fault === undefined) values.push(value)
    if (values.length >= firstRows) break
  }
  return values
}

/** @throws Problem limit-exceeded for more rows than are taken, before one is kept */
async function readingOf (bank: Bank, reader: Reader, options: ImportOptions) {
  const evidence = noEvidence()
  let rows = 0
  for await (const { value, fault } of bank.rows()) {
    if (++rows > limits.rows) throw new Problem('limit-exceeded', `The bank has more than ${limits.rows} rows; split it and import the parts.`)
    if (fault === undefined) gatherFrom(evidence, reader.fields(value))
  }
  if (rows === 0) throw new Problem('not-a-bank', 'The file has no rows.')
  const declared = options.answerBase as 0 | 1 | undefined
  return { ...baseOf(evidence, declared, reader.base), hasTexts: evidence.texts > 0 }
}

interface Finishing {
  reader: Reader
  reading: Reading
  images: ImageReader
  repeats: ReturnType<typeof duplicates>
  of: ImportOf
}

async function finished (
  raw: RawRow, { reader, reading, images, repeats, of }: Finishing
): Promise<Finished> {
  if (raw.fault !== undefined) return { row: rejectedRow(raw, raw.key ?? null, [...raw.notes, raw.fault]) }
  const draft = draftOf(reader.fields(raw.value), reading)
  const id = draft.sourceId ?? raw.key ?? null
  const found = await images.found(draft, id)
  const repeat = repeats(raw.row, id, draft)
  if (repeat !== undefined) draft.notes.push(repeat)
  return finishRow(raw, draft, { found, of })
}
