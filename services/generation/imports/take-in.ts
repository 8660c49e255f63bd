/** How a bank comes in: as a file in a form, as text in JSON, or as an exam that parsing has. */
import { createHash } from 'node:crypto'
import type { Multipart } from '@fastify/multipart'
import { parseStrictJson } from '../../../shared/app/strict-json.ts'
import { compileValidator, invalidRequest } from '../../../shared/app/validators.ts'
import { ImportOptions, ImportRequest } from '../../../shared/contracts/bank.ts'
import { sha256 } from '../../../shared/contracts/hash.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { limits } from './domain/limits.ts'

export interface SentFile { bytes: Buffer, contentHash: string, fileName: string, options: ImportOptions }
export interface SentPaper { paperId: string, options: ImportOptions }

const checkRequest = compileValidator({ schema: ImportRequest, httpPart: 'body' })
const checkOptions = compileValidator({ schema: ImportOptions, httpPart: 'body' })

export function sentAsJson (body: unknown): SentFile | SentPaper {
  if (checkRequest(body) !== true) throw invalidRequest(checkRequest.errors ?? [], 'body')
  const { options = {}, ...sent } = body as ImportRequest
  if ('paperId' in sent) return { paperId: sent.paperId, options }
  const bytes = Buffer.from(sent.content)
  return { bytes, contentHash: sha256(bytes), fileName: sent.fileName ?? '', options }
}

/** One file named `file`, and a field `options` with JSON where there is more to say. */
export async function sentAsForm (form: AsyncIterable<Multipart>): Promise<SentFile> {
  let file: Omit<SentFile, 'options'> | undefined
  let options: ImportOptions = {}
  for await (const part of form) {
    if (part.type === 'file' && part.fieldname === 'file') file = { ...await bytesOf(part.file), fileName: part.filename }
    else if (part.type === 'field' && part.fieldname === 'options') options = optionsOf(part.value)
    else {
      if (part.type === 'file') part.file.resume()
      throw new Problem('invalid-request', 'The form has a part that is not known here; send one file in a part named "file", and JSON in a field named "options" if there is more to say.', {
        errors: [{ pointer: '/body', detail: 'must be one file named "file" and at most a field "options"' }]
      })
    }
  }
  if (file === undefined) {
    throw new Problem('invalid-request', 'The form has no file; send the item bank in a part named "file".', {
      errors: [{ pointer: '/body/file', detail: 'is missing' }]
    })
  }
  return { ...file, options }
}

/** Hashed as it comes: of 64 MiB at once that would hold the event loop. */
async function bytesOf (file: AsyncIterable<Buffer>): Promise<{ bytes: Buffer, contentHash: string }> {
  const parts: Buffer[] = []
  const hash = createHash('sha256')
  let size = 0
  for await (const part of file) {
    size += part.byteLength
    if (size > limits.fileBytes) throw tooLong()
    hash.update(part)
    parts.push(part)
  }
  return { bytes: Buffer.concat(parts), contentHash: hash.digest('hex') }
}

export function tooLong (): Problem {
  return new Problem('body-too-large', `An item bank may have ${limits.fileBytes / 2 ** 20} MiB; split it and import the parts.`)
}

function optionsOf (value: unknown): ImportOptions {
  const options = parseStrictJson(typeof value === 'string' ? value : '')
  if (checkOptions(options) !== true) throw invalidRequest(checkOptions.errors ?? [], 'body/options')
  return options as ImportOptions
}
