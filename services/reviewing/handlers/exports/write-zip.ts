/** Files as a zip archive, one at a time. */
import { Readable, type PassThrough } from 'node:stream'
import { ZipFile } from 'yazl'

export interface ZipEntry { path: string, content: () => AsyncIterable<Uint8Array | string>, runs?: boolean }

/**
 * The same files give the same bytes on any machine: no clock (every date is the first that the
 * format knows), names in order, stored rather than deflated, since one compressor's bytes are not
 * another's. In memory: what the entry at hand yields at a time.
 */
export function writeZip (entries: readonly ZipEntry[]): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  let open: Readable | undefined
  zip.on('error', (cause: Error) => { output.destroy(cause) })
  // Whoever leaves early leaves no entry open.
  output.on('close', () => { open?.destroy() })
  const mtime = new Date(1980, 0, 1)
  for (const { path, content, runs = false } of [...entries].sort((a, b) => a.path < b.path ? -1 : 1)) {
    const options = { mtime, forceDosTimestamp: true, mode: runs ? 0o100755 : 0o100644, compress: false }
    zip.addReadStreamLazy(path, options, give => {
      open = Readable.from(content(), { objectMode: false })
      open.on('error', cause => { output.destroy(cause) })
      give(null, open)
    })
  }
  zip.end()
  return output
}

/** An entry of text that is there already. */
export function textEntry (path: string, text: string, runs = false): ZipEntry {
  return { path, runs, async * content () { yield text } }
}
