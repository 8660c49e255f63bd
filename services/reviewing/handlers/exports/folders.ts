/** The exports that are a folder in a zip: everything in it stands below one name, that of the export. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { endingOf } from '../../../../shared/images/image-type.ts'
import { cardBody, contextNote, datasetCard } from '../../domain/exports/cards.ts'
import { contextOf, type ContextOptions } from '../../domain/exports/context.ts'
import { inspectTask, mustHaveNoBlankChoice, sampleLine } from '../../domain/exports/inspect.ts'
import { itemColumns, type ItemRow } from '../../domain/exports/item-table.ts'
import { runScript, taskColumns, taskFiles, taskSets, type TaskRow, type TaskSet } from '../../domain/exports/lm-eval.ts'
import { paperColumns, type PaperRow } from '../../domain/exports/paper-table.ts'
import { placeTitle } from '../../domain/exports/place-title.ts'
import type { Asked } from '../../domain/exports/prompts.ts'
import type { StoredImage } from '../../domain/exports/table.ts'
import type { ExportSource } from './source.ts'
import { writeParquet } from './write-parquet.ts'
import { textEntry, type ZipEntry } from './write-zip.ts'

/** Items with their pictures, one after the other; of one kind where one is named. */
export async function * itemRows (source: ExportSource, kind?: string): AsyncGenerator<ItemRow> {
  for await (const item of source.items()) {
    if (kind !== undefined && item.kind !== kind) continue
    const pictures = source.picturesOf(item)
    yield {
      item,
      canary: source.canary,
      placeTitle: placeTitle(item, await source.documentOf(item)),
      images: await imagesOf(source, pictures.filter(({ choice }) => choice === null)),
      choiceImages: await imagesOf(source, pictures.filter(({ choice }) => choice !== null))
    }
  }
}

export async function huggingFaceFolder (source: ExportSource, root: string): Promise<ZipEntry[]> {
  const { benchmark, canary } = source
  const languages = new Set<string>()
  for await (const { language } of source.items()) languages.add(language)
  const sources = new Map(benchmark.card.sources?.map(one => [one.documentHash, one]))
  async function * papers (): AsyncGenerator<PaperRow> {
    for await (const document of source.documents()) {
      yield { document, source: sources.get(document.documentHash), canary }
    }
  }
  return [
    textEntry(`${root}/README.md`, datasetCard({ benchmark, canary, languages: [...languages].sort() })),
    ...Object.keys(benchmark.card.byKind).map((kind): ZipEntry => (
      { path: `${root}/data/${kind}/test.parquet`, content: () => writeParquet(itemColumns, itemRows(source, kind)) })),
    ...benchmark.papers.length === 0 ? [] : [{ path: `${root}/data/papers/test.parquet`, content: () => writeParquet(paperColumns, papers()) }]
  ]
}

/** Sets that no item belongs to have neither data nor task. */
export async function lmEvalFolder (
  source: ExportSource, root: string, options: ContextOptions
): Promise<ZipEntry[]> {
  const { benchmark, canary } = source
  const prefix = benchmark.id
  const sets = await countedSets(source)
  async function * rows (set: TaskSet): AsyncGenerator<TaskRow> {
    for await (const item of source.items()) {
      if (!set.holds(item, hasPicture(source, item))) continue
      const { asked, leftOut } = await askedOf(source, item, { ...options, shown: set.shown })
      yield { asked, canary, leftOut, images: set.shown ? await imagesOf(source, asked.pictures) : [] }
    }
  }
  const tasks = sets.flatMap(({ set, count }) =>
    taskFiles(set.name, prefix).map(([name, yaml]) => ({ name, yaml, count })))
  const readme = [
    cardBody(benchmark, canary), '## Tasks', contextNote(options),
    tasks.map(({ name, count }) => `- \`${name.replace('.yaml', '')}\`: ${count} items`).join('\n'),
    '`closed` tasks ask for a letter, by likelihood (`multiple_choice`) or as text (`generate`: the same questions, for chat models); `open` ones compare with the reference answer. They are text only: pictures are withheld, captions given. `figures` tasks show the pictures and need a model that sees.',
    '`./run.sh --model MODEL --model_args ARGS --tasks TASK` runs from here: data files are found from the folder that a run starts in.'
  ].join('\n\n')
  return [
    textEntry(`${root}/README.md`, `${readme}\n`),
    textEntry(`${root}/run.sh`, runScript, true),
    ...tasks.map(({ name, yaml }) => textEntry(`${root}/${name}`, yaml)),
    ...sets.map(({ set }): ZipEntry => (
      { path: `${root}/data/${set.name}.parquet`, content: () => writeParquet(taskColumns, rows(set)) }))
  ]
}

/** @throws Problem not-computable for a choice that inspect would drop */
export async function inspectFolder (
  source: ExportSource, root: string, options: ContextOptions
): Promise<ZipEntry[]> {
  const { benchmark, canary } = source
  const paths = new Map<string, string>()
  const counts = { closed: 0, open: 0 }
  const fileOf = ({ answerIndex }: BenchmarkItem) => answerIndex === undefined ? 'open' : 'closed'
  for await (const item of source.items()) {
    mustHaveNoBlankChoice(item)
    counts[fileOf(item)]++
    for (const { blobId } of source.picturesOf(item)) {
      if (blobId !== null && !paths.has(blobId)) paths.set(blobId, `images/${await fileNameOf(source, blobId)}`)
    }
  }
  async function * samples (file: 'closed' | 'open'): AsyncGenerator<string> {
    for await (const item of source.items()) {
      if (fileOf(item) !== file) continue
      const { asked, leftOut } = await askedOf(source, item, { ...options, shown: true })
      const images = asked.pictures.flatMap(({ blobId }) => paths.get(blobId ?? '') ?? [])
      yield sampleLine(asked, { canary, leftOut, images })
    }
  }
  const files = (['closed', 'open'] as const).filter(file => counts[file] > 0)
  const readme = [
    cardBody(benchmark, canary), '## Running', contextNote(options),
    `${files.map(file => `\`${file}.jsonl\` has ${counts[file]} samples`).join(', ')}. \`inspect eval task.py@${files[0]} --model MODEL\` runs ${files.length === 2 ? 'the first; the other is `open_ended`' : 'them'}.`,
    ...files.includes('closed') ? ['White space within a choice is one space here: the solver sets each choice on a line of its own, and a line break in one would look like a further choice. `items.jsonl` and the other exports have the texts as they are.'] : []
  ].join('\n\n')
  return [
    textEntry(`${root}/README.md`, `${readme}\n`),
    textEntry(`${root}/task.py`, inspectTask),
    ...files.map((file): ZipEntry => ({ path: `${root}/${file}.jsonl`, content: () => samples(file) })),
    ...[...paths].map(([blobId, path]): ZipEntry => (
      { path: `${root}/${path}`, async * content () { yield await source.bytesOf(blobId) } }))
  ]
}

/** The question with the text of its paper; names no answer. */
export async function askedOf (
  source: ExportSource, item: BenchmarkItem, { shown, ...options }: ContextOptions & { shown: boolean }
): Promise<{ asked: Asked, leftOut: string[] }> {
  const { text, leftOut } = contextOf(item, await source.documentOf(item), options)
  return { asked: { item, context: text, pictures: source.picturesOf(item), shown }, leftOut }
}

/** Those that hold an item, with how many. */
async function countedSets (source: ExportSource): Promise<Array<{ set: TaskSet, count: number }>> {
  const counts = new Map(taskSets.map(set => [set, 0]))
  for await (const item of source.items()) {
    const pictured = hasPicture(source, item)
    for (const [set, count] of counts) if (set.holds(item, pictured)) counts.set(set, count + 1)
  }
  return [...counts].map(([set, count]) => ({ set, count })).filter(({ count }) => count > 0)
}

function hasPicture (source: ExportSource, item: BenchmarkItem): boolean {
  return source.picturesOf(item).some(({ blobId }) => blobId !== null)
}

/** Names are content hashes, whatever a paper or a bank calls its pictures. */
async function fileNameOf (source: ExportSource, blobId: string): Promise<string> {
  return `${blobId}${endingOf(await source.typeOf(blobId))}`
}

async function imagesOf (
  source: ExportSource, pictures: ReadonlyArray<{ blobId: string | null }>
): Promise<StoredImage[]> {
  const images: StoredImage[] = []
  for (const { blobId } of pictures) {
    if (blobId === null) continue
    images.push({ bytes: await source.bytesOf(blobId), path: await fileNameOf(source, blobId) })
  }
  return images
}
