/** A bank file with the images that lie beside it, as one upload. */
import { buffer } from 'node:stream/consumers'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { ZipFile } from 'yazl'
import type { Upload } from './api.ts'

const textFiles = new Set(['.json', '.jsonl', '.ndjson', '.csv', '.tsv'])
const imageFiles = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp'])
/** What may end a path in JSON or CSV. */
const imageNames = /[^"/\\\r\n,;|]{1,255}\.(?:png|jpe?g|gif|webp)/gi
/** Of the folder; a bank that lies among more is zipped by its owner. */
const entriesMax = 50_000
/** Zips keep a time; the same files must be the same bytes. */
const mtime = new Date(2000, 0, 1)

/**
 * @param file  a path; of a text file the images in its folder, and in those below, that its text names
 *              go along, and the upload is a zip. Other files go as they are.
 * @throws      Error where the folder holds too many entries, or of the file system
 */
export async function packBank (file: string): Promise<Upload> {
  const content = readFileSync(file)
  const name = basename(file)
  if (!textFiles.has(extname(name).toLowerCase())) return { name, bytes: new Uint8Array(content) }
  const folder = dirname(file)
  // Paths come from the folder and are only looked for in the text: the text leads nowhere.
  const named = new Set(content.toString('utf8').match(imageNames))
  const images = imagesIn(folder).filter(path => named.has(basename(path)))
  if (images.length === 0) return { name, bytes: new Uint8Array(content) }
  const zip = new ZipFile()
  const options = { mtime, mode: 0o100644 }
  zip.addBuffer(content, name, options)
  for (const path of images) zip.addBuffer(readFileSync(join(folder, path)), path, options)
  zip.end()
  return { name: `${basename(name, extname(name))}.zip`, bytes: new Uint8Array(await buffer(zip.outputStream as NodeJS.ReadableStream)) }
}

/** Paths from the folder, with slashes, in order. */
function imagesIn (folder: string): string[] {
  const found: string[] = []
  let entries = 0
  const visit = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      if (++entries > entriesMax) throw new Error(`The folder of the bank, ${folder}, holds more than ${entriesMax} entries; give a zip of the bank and its images.`)
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.')) visit(path)
      else if (entry.isFile() && imageFiles.has(extname(entry.name).toLowerCase())) found.push(path)
    }
  }
  visit('')
  return found.sort()
}
