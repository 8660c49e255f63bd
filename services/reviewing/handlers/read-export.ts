/** A benchmark in a form to publish or to run elsewhere. Exported again, it is the same bytes. */
import { Readable } from 'node:stream'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { publicCsvHeader, publicCsvRow } from '../domain/csv.ts'
import type { ContextOptions } from '../domain/exports/context.ts'
import { itemColumns } from '../domain/exports/item-table.ts'
import { publicLine, type Beside } from '../domain/exports/lines.ts'
import { batchLine } from '../domain/exports/openai-batch.ts'
import { placeTitle } from '../domain/exports/place-title.ts'
import { askedOf, huggingFaceFolder, inspectFolder, itemRows, lmEvalFolder } from './exports/folders.ts'
import { openSource, type ExportSource, type FileParts } from './exports/source.ts'
import { writeParquet } from './exports/write-parquet.ts'
import { writeZip } from './exports/write-zip.ts'

export interface ExportOptions extends ContextOptions {
  /** For openai-batch: the name the server knows the model by. */
  model?: string | undefined
}

export interface ExportFile { type: string, fileName: string, content: Readable }

interface Format {
  type: string
  ending: string
  write: (source: ExportSource, options: ExportOptions & { root: string }) => Promise<Readable>
}

const jsonLines = 'application/x-ndjson; charset=utf-8'

const formats: Record<string, Format> = {
  jsonl: {
    type: jsonLines, ending: 'jsonl', write: async source => Readable.from(publicLines(source))
  },
  csv: { type: 'text/csv; charset=utf-8', ending: 'csv', write: async source => Readable.from(csvLines(source)) },
  parquet: {
    type: 'application/vnd.apache.parquet', ending: 'parquet', write: async source => Readable.from(writeParquet(itemColumns, itemRows(source)), { objectMode: false })
  },
  huggingface: { type: 'application/zip', ending: 'zip', write: async (source, { root }) => writeZip(await huggingFaceFolder(source, root)) },
  'lm-eval': { type: 'application/zip', ending: 'zip', write: async (source, options) => writeZip(await lmEvalFolder(source, options.root, options)) },
  inspect: { type: 'application/zip', ending: 'zip', write: async (source, options) => writeZip(await inspectFolder(source, options.root, options)) },
  'openai-batch': { type: jsonLines, ending: 'jsonl', write: async (source, options) => Readable.from(batchLines(source, options), { objectMode: false }) }
}

export const exportFormats = Object.keys(formats)
const withContext = new Set(['lm-eval', 'inspect', 'openai-batch'])

/**
 * @throws Problem export-not-found, naming the formats there are
 * @throws Problem invalid-request for openai-batch without a model
 * @throws Problem not-computable for an item that the format cannot hold as it is
 */
export async function readExport (
  parts: FileParts, { benchmarkId, format }: { benchmarkId: string, format: string }, options: ExportOptions
): Promise<ExportFile> {
  const found = Object.hasOwn(formats, format) ? formats[format] : undefined
  if (found === undefined) {
    throw new Problem('export-not-found', `There is no such export format; there is ${exportFormats.join(', ')}.`)
  }
  if (format === 'openai-batch' && options.model === undefined) {
    throw new Problem('invalid-request', 'Every line of a batch names its model: add ?model=NAME, as the server that will run it calls the model.')
  }
  const source = await openSource(parts, benchmarkId)
  const { contentMode, contextTokens } = options
  // Loaders cache by path: two exports that differ never have one name.
  const root = `${benchmarkId}-${format}${withContext.has(format) ? `-${contentMode}-${contextTokens}` : ''}`
  return {
    type: found.type, fileName: `${root}.${found.ending}`, content: await found.write(source, { ...options, root })
  }
}

async function besideOf (source: ExportSource, item: BenchmarkItem): Promise<Beside> {
  return { canary: source.canary, placeTitle: placeTitle(item, await source.documentOf(item)) }
}

async function * publicLines (source: ExportSource): AsyncGenerator<string> {
  for await (const item of source.items()) yield publicLine(item, await besideOf(source, item))
}

/** A comment has no place in a table, so the canary stands in a column. */
async function * csvLines (source: ExportSource): AsyncGenerator<string> {
  yield publicCsvHeader
  for await (const item of source.items()) yield publicCsvRow(item, await besideOf(source, item))
}

async function * batchLines (source: ExportSource, options: ExportOptions): AsyncGenerator<string> {
  const { canaryGuid } = source
  for await (const item of source.items()) {
    const { asked } = await askedOf(source, item, { ...options, shown: true })
    const images: string[] = []
    for (const { blobId } of asked.pictures) {
      if (blobId === null) continue
      images.push(`data:${await source.typeOf(blobId)};base64,${(await source.bytesOf(blobId)).toString('base64')}`)
    }
    yield batchLine(asked, { model: options.model!, canaryGuid, images })
  }
}
