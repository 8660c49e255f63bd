/** Takes a log in, or finds the import that is the same. */
import type { Multipart } from '@fastify/multipart'
import { readFileForm } from '../../../shared/app/file-form.ts'
import { parseStrictJson } from '../../../shared/app/strict-json.ts'
import { compileValidator, invalidRequest } from '../../../shared/app/validators.ts'
import { sha256 } from '../../../shared/contracts/hash.ts'
import { RunImportOptions, type RunImport, type RunImportRequest } from '../../../shared/contracts/run-import.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { limits } from './domain/limits.ts'
import { importIdOf, namedByFile } from './domain/summary.ts'
import type { LogReader } from './reader.ts'
import type { ImportStore } from './store.ts'

export interface ImportParts { imports: ImportStore, logs: LogReader }

/** `fileName`: of a form, as it was uploaded. */
export interface Sent { bytes: Buffer, options: RunImportOptions, fileName?: string }

/** @throws Problem not-a-log, log-damaged, limit-exceeded, invalid-request, too-many-requests */
export async function importLog (
  { imports, logs }: ImportParts, { bytes, options, fileName = '' }: Sent
): Promise<{ created: boolean, record: RunImport }> {
  const found = await imports.find(importIdOf(sha256(bytes), options))
  if (found !== undefined) return { created: false, record: found }
  const kept = await logs.read(bytes, options)
  const record = namedByFile(kept.record, fileName)
  const { created } = await imports.save({ ...kept, record })
  return { created, record }
}

export function sentAsJson ({ content, ...options }: RunImportRequest): Sent {
  return { bytes: Buffer.from(content), options }
}

const validate = compileValidator({ schema: RunImportOptions, httpPart: 'body' })

export async function sentAsForm (form: AsyncIterable<Multipart>): Promise<Sent> {
  return await readFileForm(form, { what: 'the log', bytesMax: limits.fileBytes, tooLong, optionsOf })
}

export function tooLong (): Problem {
  return new Problem('body-too-large', `A log may have ${limits.fileBytes / 2 ** 20} MiB; split it and send the parts.`)
}

function optionsOf (value: unknown): RunImportOptions {
  if (value === undefined) return {}
  const options = parseStrictJson(typeof value === 'string' ? value : '')
  if (validate(options) !== true) throw invalidRequest(validate.errors ?? [], 'body/options')
  return options as RunImportOptions
}
