/** A bank file with the images that lie beside it, as one upload. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { Upload } from './api.ts'

const mediaTypes: Record<string, string> = {
  '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.gif': 'image/gif', '.webp': 'image/webp'
}
const jsonFiles = new Set(['.json', '.jsonl', '.ndjson'])
/** Of the folder; a bank that lies among more is moved by its owner. */
const entriesMax = 50_000
/** A JSON string that ends like the name of an image. */
const imageString = /"(?:[^"\\\n]|\\.){1,400}\.(?:png|jpe?g|gif|webp)"/gi

/**
 * @param file  a path; in JSON and JSONL, strings that are the path of an image from the file's folder on
 *              become data URLs, and all else stays as it is. Other files go as they are.
 * @throws      Error where the folder holds too many entries, or of the file system
 */
export function packBank (file: string): Upload {
  const content = readFileSync(file)
  const upload = { name: basename(file), bytes: new Uint8Array(content) }
  if (!jsonFiles.has(extname(upload.name).toLowerCase())) return upload
  const text = content.toString('utf8')
  if (text.match(imageString) === null) return upload
  const folder = dirname(file)
  // Paths come from the folder and are only compared with the text's: the text leads nowhere.
  const images = imagesIn(folder)
  const packed = text.replace(imageString, found => {
    const path = stringOf(found)
    return path === undefined || !images.has(path) ? found : JSON.stringify(dataUrl(join(folder, path)))
  })
  return { name: upload.name, bytes: new Uint8Array(Buffer.from(packed)) }
}

function stringOf (json: string): string | undefined {
  try { return JSON.parse(json) as string } catch { return undefined }
}

function dataUrl (file: string): string {
  return `data:${mediaTypes[extname(file).toLowerCase()]};base64,${readFileSync(file).toString('base64')}`
}

/** Paths from the folder on, with slashes. */
function imagesIn (folder: string): Set<string> {
  const found = new Set<string>()
  let entries = 0
  const visit = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      if (++entries > entriesMax) {
        throw new Error(`The folder of the bank, ${folder}, holds more than ${entriesMax} entries; put the bank and its images into one of their own.`)
      }
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.')) visit(path)
      else if (entry.isFile() && extname(entry.name).toLowerCase() in mediaTypes) found.add(path)
    }
  }
  visit('')
  return found
}
