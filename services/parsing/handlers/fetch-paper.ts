import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { faultsOf } from '../../../shared/contracts/validate.ts'
import type { Paper } from '../../../shared/contracts/paper.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { urlCharsMax } from '../../../shared/net/check-url.ts'
import { fetchFile } from '../../../shared/net/fetch-file.ts'
import type { PaperFile } from '../store.ts'
import type { Parts } from './parts.ts'
import { openPaper, storeFile, type Wish } from './upload-paper.ts'

export const PaperAddress = Type.Object({
  url: Type.String({ minLength: 1, maxLength: urlCharsMax, description: 'Of the file itself, not of a page about it; http or https.', examples: ['https://arxiv.org/pdf/1706.03762'] }),
  fileName: Type.Optional(Type.String({ maxLength: 1_000, description: 'What to call it; else the last part of the address.' }))
}, { additionalProperties: false })

/** Each has a connection, a socket and up to 64 KiB in hand. */
const fetchesMax = 32
let fetches = 0

/**
 * Fetches the file at an address somebody chose and treats it as one that was uploaded: the same bytes
 * are the same paper.
 *
 * @param body of the request, unchecked
 * @throws Problem as `fetchFile` and `uploadPaper`; too-many-requests
 */
export async function fetchPaper (
  parts: Parts, body: unknown, wish: Wish = {}
): Promise<{ created: boolean, paper: Paper }> {
  const { url, fileName } = addressIn(body)
  if (fetches >= fetchesMax) {
    throw new Problem('too-many-requests', `${fetchesMax} papers are being fetched already; try again in a while.`, { retryAfterSeconds: 10 })
  }
  fetches++
  let file: PaperFile
  try {
    const rules = { ...parts.fetching, bytesMax: parts.uploadBytesMax }
    file = await fetchFile(url, rules, async fetched => {
      const content = Readable.from(fetched.content, { objectMode: false })
      const name = fileName ?? lastPartOf(fetched.url)
      return await storeFile(parts, content, { name, declared: wish.format })
    })
  } catch (cause) {
    throw hinted(cause)
  } finally {
    fetches--
  }
  return await openPaper(parts, file, wish)
}

function addressIn (body: unknown): { url: string, fileName?: string } {
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body)
  const faults = isObject ? faultsOf(PaperAddress, body) : [{ path: '', message: 'must be an object' }]
  if (faults.length === 0) return body as { url: string, fileName?: string }
  const errors = faults.map(({ path, message }) => ({ pointer: `/body${path}`, detail: message }))
  throw new Problem('invalid-request', `${errors[0]!.pointer} ${errors[0]!.detail}; send {"url": "https://…"}, or the file as multipart/form-data.`, { errors })
}

function lastPartOf ({ pathname }: URL): string {
  const part = pathname.split('/').at(-1) ?? ''
  try { return decodeURIComponent(part) } catch { return part }
}

/** Most addresses that people have at hand are of a page about the paper. */
function hinted (cause: unknown): unknown {
  if (!(cause instanceof Problem) || cause.kind !== 'not-a-paper') return cause
  return new Problem('not-a-paper', `What the address gives is no paper. ${cause.message} If it is a page about the paper, give the address of the PDF that the page links to (on arXiv /pdf/ instead of /abs/).`, { cause })
}
