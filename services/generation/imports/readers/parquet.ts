/** Parquet, a row group at a time; what is inflated is bounded by us, for the reader believes the file. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { decompress as unzstd } from 'fzstd'
import { parquetMetadata, parquetReadObjects, parquetSchema, snappyUncompress } from 'hyparquet'
import { Problem } from '../../../../shared/errors/problem.ts'
import type { Bank, RawRow } from '../domain/bank.ts'
import { limits } from '../domain/limits.ts'

const pageBytesMax = 64 * 2 ** 20

type Inflate = (input: Uint8Array, outputLength: number) => Uint8Array

function atMost (bytes: number) {
  return { maxOutputLength: Math.max(1, bytes) }
}

function bounded (inflate: Inflate): Inflate {
  return (input, outputLength) => {
    if (outputLength > pageBytesMax) throw tooLarge(`a page of more than ${pageBytesMax / 2 ** 20} MiB`)
    return inflate(input, outputLength)
  }
}

const compressors = {
  SNAPPY: bounded((input, outputLength) => {
    const output = new Uint8Array(outputLength)
    snappyUncompress(input, output)
    return output
  }),
  GZIP: bounded((input, outputLength) => gunzipSync(input, atMost(outputLength))),
  BROTLI: bounded((input, outputLength) => brotliDecompressSync(input, atMost(outputLength))),
  ZSTD: bounded((input, outputLength) => unzstd(input, new Uint8Array(outputLength)))
}

/** @throws Problem bank-damaged, limit-exceeded */
export function parquetBank (bytes: Buffer): Bank {
  const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const slice = (start: number, end?: number) => whole.slice(start, end)
  const file = { byteLength: whole.byteLength, slice }
  const metadata = readable(() => parquetMetadata(whole))
  const columns = readable(() => parquetSchema(metadata).children.map(({ element }) => element.name))
  if (columns.some(name => ['__proto__', 'constructor', 'prototype'].includes(name))) throw damaged('a column has a name that no column has')
  const inflated = metadata.row_groups.reduce((sum, group) => sum + Number(group.total_byte_size), 0)
  if (inflated > limits.zip.inflatedBytes) throw tooLarge(`more than ${limits.zip.inflatedBytes / 2 ** 20} MiB`)
  if (Number(metadata.num_rows) > limits.rows) throw new Problem('limit-exceeded', `The bank has more than ${limits.rows} rows; split it and import the parts.`)

  async function * rows (): AsyncGenerator<RawRow> {
    let row = 0
    for (const group of metadata.row_groups) {
      const rowStart = row
      const rowEnd = row + Number(group.num_rows)
      const wanted = { file, metadata, rowStart, rowEnd, compressors, utf8: false }
      const values = await parquetReadObjects(wanted).catch(unreadable)
      for (const value of values) yield { row: ++row, value: plain(value), notes: [] }
    }
  }
  return { container: 'parquet', flat: false, rows }
}

/** Large integers and dates as JSON would have them. */
function plain (value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Uint8Array || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(plain)
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number | bigint>, plain)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
}

function readable<T> (read: () => T): T {
  try { return read() } catch (cause) { return unreadable(cause) }
}

function unreadable (cause: unknown): never {
  if (cause instanceof Problem) throw cause
  throw damaged(cause instanceof Error ? cause.message.replace(/\p{Cc}/gu, ' ').slice(0, 200) : '', cause)
}

function damaged (why: string, cause?: unknown): Problem {
  return new Problem('bank-damaged', `The Parquet file cannot be read (${why}); write it anew and send it whole.`, { cause })
}

function tooLarge (measure: string): Problem {
  return new Problem('limit-exceeded', `The Parquet file inflates to ${measure}; split it and import the parts.`)
}
