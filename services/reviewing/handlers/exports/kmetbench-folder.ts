/** The export that K-MetBench's toolkit reads: its data file, and the images beside it. */
import { Problem } from '../../../../shared/errors/problem.ts'
import { cardBody } from '../../domain/exports/cards.ts'
import { kmetbenchNotes, kmetbenchRow, pathOf, type Told } from '../../domain/exports/kmetbench.ts'
import type { ExportSource } from './source.ts'
import { textEntry, type ZipEntry } from './write-zip.ts'

/** @throws Problem not-computable for a benchmark without multiple-choice items */
export async function kmetbenchFolder (source: ExportSource, root: string): Promise<ZipEntry[]> {
  const { benchmark, canary } = source
  const told: Told = { rows: 0, left: 0, otherThanFour: 0, fromPapers: 0 }
  const blobs = new Map<string, string>()
  for await (const item of source.items()) {
    if (item.kind !== 'choice') {
      told.left++
      continue
    }
    told.rows++
    if (item.choices?.length !== 4) told.otherThanFour++
    if ('paperId' in item.source) told.fromPapers++
    for (const picture of source.picturesOf(item)) {
      const path = pathOf(picture)
      if (path !== null) blobs.set(path, picture.blobId!)
    }
  }
  if (told.rows === 0) {
    throw new Problem('not-computable', 'The benchmark has no multiple-choice item, and K-MetBench\'s data file holds no others; take the export jsonl.')
  }
  async function * rows (): AsyncGenerator<string> {
    let id = 0
    for await (const item of source.items()) {
      if (item.kind !== 'choice') continue
      id++
      const row = kmetbenchRow(item, { id, canary, pictures: source.picturesOf(item) })
      yield `${id === 1 ? '[' : ','}\n${JSON.stringify(row)}`
    }
    yield '\n]\n'
  }
  return [
    textEntry(`${root}/README.md`, `${cardBody(benchmark, canary)}\n${kmetbenchNotes(told)}\n`),
    { path: `${root}/kmetbench.json`, content: rows },
    ...[...blobs].map(([path, blobId]): ZipEntry => (
      { path: `${root}/${path}`, async * content () { yield await source.bytesOf(blobId) } }))
  ]
}
