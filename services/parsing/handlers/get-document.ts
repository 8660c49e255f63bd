import type { Document } from '../../../shared/contracts/document.ts'
import { problemFromBody } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { VersionDoc } from '../store.ts'
import { paperReader } from './get-paper.ts'
import type { Parts } from './parts.ts'

/**
 * The named version of a paper's document, or the one its newest reading gave.
 *
 * @throws Problem not-finished while it is parsed; the problem of the paper when parsing failed
 */
export async function getVersion (parts: Parts, paperId: string, documentHash?: string): Promise<VersionDoc> {
  await paperReader(parts).job(paperId)
  const paper = await parts.papers.present(paperId)
  const hash = documentHash ?? (await parts.papers.shown(paper)).documentHash
  if (hash === null) throw await whyUnparsed(parts, paperId)
  const version = await parts.papers.findVersion(paper, hash)
  if (version !== undefined) return version
  throw new Problem('not-found', `Paper ${paperId} has no document ${hash}; leave documentHash out for the newest.`)
}

async function whyUnparsed (parts: Parts, paperId: string): Promise<Problem> {
  const { state, problems } = await paperReader(parts).get(paperId)
  if (state === 'failed') {
    return problemFromBody(problems[0]) ?? new Problem('internal', 'Parsing failed for a reason that was not recorded.')
  }
  if (state === 'cancelled') {
    return new Problem('conflict', `Parsing of paper ${paperId} was cancelled; POST /v1/papers/${paperId}/retry takes it up again.`)
  }
  return new Problem('not-finished', `Paper ${paperId} is still being parsed; GET /v1/papers/${paperId}?wait=60 waits for it.`, { retryAfterSeconds: 2 })
}

/** As stored: canonical JSON in UTF-8. */
export async function getDocumentJson ({ blobs }: Parts, { blobId, _id }: VersionDoc): Promise<Buffer> {
  const json = await blobs.find(blobId)
  if (json === undefined) throw new Error(`Document ${_id} is not among the blobs`)
  return json
}

export async function getDocument (parts: Parts, paperId: string, documentHash?: string): Promise<Document> {
  const json = await getDocumentJson(parts, await getVersion(parts, paperId, documentHash))
  return JSON.parse(json.toString())
}
