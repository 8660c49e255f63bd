/** A form with one file named `file`, and a field `options` with JSON where there is more to say. */
import { createHash } from 'node:crypto'
import type { Multipart } from '@fastify/multipart'
import { Problem } from '../errors/problem.ts'

export interface FileForm<Options> {
  bytes: Buffer
  /** sha256 of the bytes. */
  contentHash: string
  fileName: string
  options: Options
}

export interface FileFormRules<Options> {
  /** What the file is, for whoever left it out, for example "the item bank". */
  what: string
  bytesMax: number
  tooLong: () => Problem
  /** Of the field; `undefined`: there is none. @throws Problem */
  optionsOf: (field: unknown) => Options
}

/** @throws Problem invalid-request for another part or no file; `tooLong()`; what `optionsOf` throws */
export async function readFileForm<Options> (
  form: AsyncIterable<Multipart>, { what, optionsOf, ...rules }: FileFormRules<Options>
): Promise<FileForm<Options>> {
  let file: Omit<FileForm<Options>, 'options'> | undefined
  let field: unknown
  for await (const part of form) {
    if (part.type === 'file' && part.fieldname === 'file') file = { ...await bytesOf(part.file, rules), fileName: part.filename }
    else if (part.type === 'field' && part.fieldname === 'options') field = part.value
    else {
      if (part.type === 'file') part.file.resume()
      throw new Problem('invalid-request', 'The form has a part that is not known here; send one file in a part named "file", and JSON in a field named "options" if there is more to say.', {
        errors: [{ pointer: '/body', detail: 'must be one file named "file" and at most a field "options"' }]
      })
    }
  }
  const options = optionsOf(field)
  if (file !== undefined) return { ...file, options }
  throw new Problem('invalid-request', `The form has no file; send ${what} in a part named "file".`, {
    errors: [{ pointer: '/body/file', detail: 'is missing' }]
  })
}

/** Hashed as it comes: many MiB at once would hold the event loop. */
async function bytesOf (
  file: AsyncIterable<Buffer>, { bytesMax, tooLong }: Pick<FileFormRules<unknown>, 'bytesMax' | 'tooLong'>
): Promise<{ bytes: Buffer, contentHash: string }> {
  const parts: Buffer[] = []
  const hash = createHash('sha256')
  let size = 0
  for await (const part of file) {
    size += part.byteLength
    if (size > bytesMax) throw tooLong()
    hash.update(part)
    parts.push(part)
  }
  return { bytes: Buffer.concat(parts), contentHash: hash.digest('hex') }
}
