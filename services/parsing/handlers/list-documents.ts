import { isId } from '../../../shared/contracts/hash.ts'
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import type { DocumentVersion } from '../../../shared/contracts/paper.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { hashOf } from '../store.ts'
import { paperReader } from './get-paper.ts'
import type { Parts } from './parts.ts'

/** @throws Problem paper-not-found, paper-deleted, invalid-cursor */
export async function listDocuments (
  parts: Parts, paperId: string, { cursor, limit }: PageRequest
): Promise<Page<DocumentVersion>> {
  if (cursor !== undefined && !isId('document', cursor)) {
    throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
  }
  await paperReader(parts).job(paperId)
  const paper = await parts.papers.present(paperId)
  const { documentHash: current } = await parts.papers.shown(paper)
  const page = { limit: limit + 1, ...cursor !== undefined && { cursor } }
  const found = await parts.papers.listVersions(paper, page)
  const items = found.slice(0, limit).map(version => ({
    documentHash: hashOf(version),
    ...version.parser !== undefined && { parser: version.parser },
    pages: version.pages,
    figures: version.figures.length,
    current: hashOf(version) === current
  }))
  return { items, nextCursor: found.length > limit ? items.at(-1)?.documentHash ?? null : null }
}
