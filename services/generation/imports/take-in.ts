/** How a bank comes in: as a file in a form, as text in JSON, or as an exam that parsing has. */
import type { Multipart } from '@fastify/multipart'
import { readFileForm, type FileForm } from '../../../shared/app/file-form.ts'
import { parseStrictJson } from '../../../shared/app/strict-json.ts'
import { compileValidator, invalidRequest } from '../../../shared/app/validators.ts'
import { ImportOptions, ImportRequest } from '../../../shared/contracts/bank.ts'
import { sha256 } from '../../../shared/contracts/hash.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { limits } from './domain/limits.ts'

export type SentFile = FileForm<ImportOptions>
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

export async function sentAsForm (form: AsyncIterable<Multipart>): Promise<SentFile> {
  return await readFileForm(form, { what: 'the item bank', bytesMax: limits.fileBytes, tooLong, optionsOf })
}

export function tooLong (): Problem {
  return new Problem('body-too-large', `An item bank may have ${limits.fileBytes / 2 ** 20} MiB; split it and import the parts.`)
}

function optionsOf (value: unknown): ImportOptions {
  if (value === undefined) return {}
  const options = parseStrictJson(typeof value === 'string' ? value : '')
  if (checkOptions(options) !== true) throw invalidRequest(checkOptions.errors ?? [], 'body/options')
  return options as ImportOptions
}
