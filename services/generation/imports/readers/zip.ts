/**
 * A folder as a zip: files of rows, one after the other in the order of their names, and images that rows
 * name. Names only serve to look files up; nothing is written to disk.
 */
import { entriesOf, type ZipFile } from '../../../../shared/archive/zip-entries.ts'
import type { Container } from '../../../../shared/contracts/bank.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import type { Bank, RawRow } from '../domain/bank.ts'
import { limits } from '../domain/limits.ts'
import { shown, type Files } from './images.ts'

export const zipOptions = { limits: limits.zip, damage: 'bank-damaged', what: 'item bank' } as const

const containers: Record<string, Container> = {
  json: 'json', jsonl: 'jsonl', ndjson: 'jsonl', csv: 'csv', tsv: 'csv', xlsx: 'xlsx', parquet: 'parquet'
}
/** What Hugging Face and others put beside the rows. */
const asides = /(?:^|\/)(?:\.|__MACOSX\/|readme|licen[cs]e|dataset_infos?\.json$|dataset_dict\.json$|state\.json$|config\.json$|package\.json$|_metadata$)/i

export type OpenInner = (bytes: Buffer, container: Container) => Promise<Bank>

export interface OpenedFolder { bank: Bank, files: Files }

/** @throws Problem not-a-bank for a folder without rows, or with rows of several kinds; bank-damaged */
export async function folderBank (zip: Buffer, open: OpenInner): Promise<OpenedFolder> {
  const entries: ZipFile[] = []
  for await (const entry of entriesOf(zip, zipOptions)) {
    const name = safeName(entry.name)
    if (name !== undefined) entries.push({ ...entry, name })
  }
  const ofRows = entries.filter(({ name }) => containerOf(name) !== undefined && !asides.test(name))
    .sort((a, b) => a.name < b.name ? -1 : 1)
  const kinds = new Set(ofRows.map(({ name }) => containerOf(name)))
  if (kinds.size !== 1) {
    const names = ofRows.slice(0, 10).map(({ name }) => `"${shown(name)}"`).join(', ')
    throw new Problem('not-a-bank', kinds.size === 0
      ? 'The zip has no file of rows (.json, .jsonl, .csv, .tsv, .xlsx or .parquet).'
      : `The zip has files of rows of several kinds (${names}); leave those of one kind in it.`)
  }
  const banks: Bank[] = []
  for (const { name, bytes } of ofRows) banks.push(await open(await bytes(), containerOf(name)!))
  return { bank: { container: 'zip', flat: banks[0]!.flat, rows: () => joined(banks) }, files: lookUp(entries) }
}

function containerOf (name: string): Container | undefined {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(containers, extension) ? containers[extension] : undefined
}

async function * joined (banks: readonly Bank[]): AsyncGenerator<RawRow> {
  let row = 0
  for (const bank of banks) {
    for await (const raw of bank.rows()) yield { ...raw, row: ++row }
  }
}

/** undefined for folders, and for names that lead out of the zip. */
function safeName (raw: string): string | undefined {
  const name = raw.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '').normalize('NFC')
  const isUnsafe = name.startsWith('/') || /^[a-z]:/i.test(name) || name.split('/').includes('..')
  return name === '' || name.endsWith('/') || isUnsafe ? undefined : name
}

/**
 * By the whole name, or by its end where one file alone ends so; among several the one in a folder named like
 * the row, as ScienceQA has "image.png" in a folder for each of its questions.
 */
function lookUp (entries: readonly ZipFile[]): Files {
  const byName = new Map(entries.map(entry => [entry.name, entry]))
  const byEnd = new Map<string, ZipFile[]>()
  for (const entry of entries) {
    const end = entry.name.split('/').at(-1)!
    byEnd.set(end, [...byEnd.get(end) ?? [], entry])
  }
  return {
    find (raw, row) {
      const name = safeName(raw)
      if (name === undefined) return { code: 'image-missing', detail: `"${shown(raw)}" is no name of a file within the zip.` }
      if (byName.has(name)) return { place: name }
      const named = (byEnd.get(name.split('/').at(-1)!) ?? []).map(entry => entry.name)
      const found = named.filter(each => each.endsWith(`/${name}`))
      const ofRow = row === null ? [] : named.filter(each => `/${each}`.endsWith(`/${row}/${name}`))
      const [place] = found.length === 1 ? found : ofRow
      if (place !== undefined && (found.length === 1 || ofRow.length === 1)) return { place }
      return found.length === 0
        ? { code: 'image-missing', detail: `The zip has no file "${shown(name)}".` }
        : { code: 'image-ambiguous', detail: `The zip has ${found.length} files that end in "${shown(name)}"; name the folder too.` }
    },
    async read (name) {
      const found = byName.get(name)!
      if (found.size > limits.imageBytes) return { code: 'image-too-large', detail: `"${shown(name)}" has ${Math.ceil(found.size / 2 ** 20)} MiB, at most ${limits.imageBytes / 2 ** 20} are taken.` }
      try {
        return await found.bytes()
      } catch (cause) {
        // The rows are whole; it is this image that is not.
        if (cause instanceof Problem) return { code: 'image-unreadable', detail: cause.message.slice(0, 300) }
        throw cause
      }
    }
  }
}
