/** The files of a zip archive, by path, in its order. */
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { fromBuffer, type Entry, type ZipFile } from 'yauzl'

export async function filesInZip (bytes: Buffer): Promise<Map<string, Buffer>> {
  const read = promisify<Buffer, { lazyEntries: boolean }, ZipFile>(fromBuffer)
  const zip = await read(bytes, { lazyEntries: true })
  const open = promisify<Entry, NodeJS.ReadableStream>((entry, done) => { zip.openReadStream(entry, done) })
  const files = new Map<string, Buffer>()
  return await new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', () => { resolve(files) })
    zip.on('entry', (entry: Entry) => {
      open(entry).then(async stream => await buffer(stream)).then(content => {
        files.set(entry.fileName, content)
        zip.readEntry()
      }).catch(reject)
    })
    zip.readEntry()
  })
}
