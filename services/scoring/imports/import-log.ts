/** Takes a log in, or finds the import that is the same. */
import type { Multipart } from '@fastify/multipart'
import { parseStrictJson } from '../../../shared/app/strict-json.ts'
import { compileValidator, invalidRequest } from '../../../shared/app/validators.ts'
import { sha256 } from '../../../shared/contracts/hash.ts'
import { RunImportOptions, type RunImport, type RunImportRequest } from '../../../shared/contracts/run-import.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { limits } from './domain/limits.ts'
import { importIdOf } from './domain/summary.ts'
import type { LogReader } from './reader.ts'
import type { ImportStore } from './store.ts'

export interface ImportParts { imports: ImportStore, logs: LogReader }

export interface Sent { bytes: Buffer, options: RunImportOptions }

/** @throws Problem not-a-log, log-damaged, limit-exceeded, invalid-request, too-many-requests */
export async function importLog (
  { imports, logs }: ImportParts, { bytes, options }: Sent
): Promise<{ created: boolean, record: RunImport }> {
  const found = await imports.find(importIdOf(sha256(bytes), options))
  if (found !== undefined) return { created: false, record: found }
  const kept = await logs.read(bytes, options)
  const { created } = await imports.save(kept)
  return { created, record: kept.record }
}

export function sentAsJson ({ content, ...options }: RunImportRequest): Sent {
  return { bytes: Buffer.from(content), options }
}

const validate = compileValidator({ schema: RunImportOptions, httpPart: 'body' })

/** One file named `file`, and a field `options` with JSON where there is more to say. */
export async function sentAsForm (form: AsyncIterable<Multipart>): Promise<Sent> {
  let bytes: Buffer | undefined
  let options: RunImportOptions = {}
  for await (const part of form) {
    if (part.type === 'file' && part.fieldname === 'file') bytes = await bytesOf(part.file)
    else if (part.type === 'field' && part.fieldname === 'options') options = optionsOf(part.value)
    else {
      if (part.type === 'file') part.file.resume()
      throw new Problem('invalid-request', 'The form has a part that is not known here; send one file in a part named "file", and JSON in a field named "options" if there is more to say.', {
        errors: [{ pointer: '/body', detail: 'must be one file named "file" and at most a field "options"' }]
      })
    }
  }
  if (bytes === undefined) {
    throw new Problem('invalid-request', 'The form has no file; send the log in a part named "file".', {
      errors: [{ pointer: '/body/file', detail: 'is missing' }]
    })
  }
  return { bytes, options }
}

async function bytesOf (file: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of file) {
    size += part.byteLength
    if (size > limits.fileBytes) throw tooLong()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

export function tooLong (): Problem {
  return new Problem('body-too-large', `A log may have ${limits.fileBytes / 2 ** 20} MiB; split it and send the parts.`)
}

function optionsOf (value: unknown): RunImportOptions {
  const options = parseStrictJson(typeof value === 'string' ? value : '')
  if (validate(options) !== true) throw invalidRequest(validate.errors ?? [], 'body/options')
  return options as RunImportOptions
}
