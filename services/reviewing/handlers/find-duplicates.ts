/** Which items of a paper repeat an earlier one: asked by every unit of it, found out once. */
import { recently } from '../../../shared/clients/recently.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import { checkPaper } from '../domain/review-items.ts'
import type { Peers } from '../peers.ts'
import type { ReviewingStore } from '../store.ts'
import type { PaperVersion } from './get-document.ts'
import { inTurns } from '../../../shared/tasks/in-turns.ts'
import { listItems } from './list-items.ts'

interface Asked { reviewingId: string, generationId: string, paper: PaperVersion }
export type DuplicateFinder = (asked: Asked) => Promise<ReadonlyMap<string, string>>

interface FinderParts {
  peers: Peers
  store: ReviewingStore
  documentOf: (paper: PaperVersion) => Promise<Document>
}

/** Papers whose duplicates are at hand; others are in the store. */
const papersKept = 64

/**
 * Of the items as they were made, so that what one unit ends as never depends on how far others are.
 * Several processes may find out at once: they find the same.
 */
export function duplicateFinder ({ peers, store, documentOf }: FinderParts): DuplicateFinder {
  const find = recently(papersKept, async key => {
    const { reviewingId, generationId, paper } = JSON.parse(key) as Asked
    const known = await store.findDuplicates(reviewingId, paper.paperId)
    if (known !== undefined) return known
    const items = await listItems(peers, { generationId, paperId: paper.paperId })
    const { duplicateOf } = await inTurns(checkPaper({ document: await documentOf(paper), items }))
    await store.saveDuplicates(reviewingId, paper.paperId, duplicateOf)
    return duplicateOf
  })
  return async asked => await find(canonicalJson(asked))
}
