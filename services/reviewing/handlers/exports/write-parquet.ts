/** Rows as a Parquet file, a row group at a time. */
import type { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { featuresJson, parquetSchema, type Column, type StoredImage } from '../../domain/exports/table.ts'

const rowsMax = 100
const imageBytesMax = 2 ** 20

/**
 * The same rows give the same bytes: no clock, no host. In memory: one row group, of at most 100 rows
 * or the first whose pictures pass 1 MiB. Pictures are stored
 * as they are (looking for those that repeat would hold up the event loop), text by Snappy.
 *
 * @see https://parquet.apache.org/docs/file-format/
 */
export async function * writeParquet<Row> (
  columns: ReadonlyArray<Column<Row>>, rows: AsyncIterable<Row>
): AsyncGenerator<Uint8Array> {
  // Only when it is wanted: most processes never write one.
  const parquet = await import('hyparquet-writer')
  const writer = new parquet.ByteWriter()
  const kvMetadata = [{ key: 'huggingface', value: featuresJson(columns) }]
  const file = new parquet.ParquetWriter({ writer, schema: parquetSchema(columns), createdBy: 'viva', kvMetadata })
  let group: unknown[][] = []
  let imageBytes = 0
  for await (const row of rows) {
    const cells = columns.map(({ of }) => of(row))
    group.push(cells)
    imageBytes += columns.reduce((sum, { type }, at) => type === 'images' ? sum + bytesIn(cells[at]) : sum, 0)
    if (group.length < rowsMax && imageBytes < imageBytesMax) continue
    writeGroup(file, columns, group)
    yield taken(writer)
    group = []
    imageBytes = 0
  }
  if (group.length > 0) writeGroup(file, columns, group)
  file.finish()
  yield taken(writer)
}

function writeGroup (
  file: ParquetWriter, columns: ReadonlyArray<Column<never>>, group: readonly unknown[][]
): void {
  const asItIs = { codec: 'UNCOMPRESSED', encoding: 'PLAIN', statistics: false } as const
  const columnData = columns.map(({ name, type }, at) => (
    { name, data: group.map(cells => cells[at]), ...type === 'images' && asItIs }))
  file.write({ columnData, rowGroupSize: group.length })
}

/** What was written since; offsets in the file go on counting. */
function taken (writer: ByteWriter): Uint8Array {
  const bytes = new Uint8Array(writer.getBytes())
  writer.index = 0
  return bytes
}

function bytesIn (images: unknown): number {
  return (images as StoredImage[]).reduce((sum, { bytes }) => sum + bytes.length, 0)
}
