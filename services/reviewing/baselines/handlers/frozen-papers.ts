/** Papers as a benchmark froze them, where parsing is asked otherwise. */
import { Problem } from '../../../../shared/errors/problem.ts'
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Peers } from '../../peers.ts'
import type { BaselineParts } from './parts.ts'

export async function frozenPapers (
  { store, blobs }: Pick<BaselineParts, 'store' | 'blobs'>, benchmarkId: string
): Promise<Peers['parsing']> {
  const { documents, figures } = await store.getBenchmark(benchmarkId)
  const read = async (blobId: string | undefined, what: string) => {
    if (blobId === undefined) throw new Problem('paper-not-found', `Benchmark ${benchmarkId} has no ${what}.`)
    const found = await blobs.find(blobId)
    if (found === undefined) throw new Error(`Blob ${blobId} of a frozen benchmark is gone`)
    return found
  }
  const getDocument = async (_: string, documentHash?: string) => {
    const bytes = await read(documents.find(each => each.documentHash === documentHash)?.blobId, `document ${documentHash}`)
    return JSON.parse(bytes.toString()) as Document
  }
  return {
    getDocument,
    async getFigureImage (paperId, figureId, documentHash) {
      const { figures: all } = await getDocument(paperId, documentHash)
      const imageId = all.find(({ id }) => id === figureId)?.imageId
      return await read(figures.find(each => each.imageId === imageId)?.blobId, `image of figure ${figureId}`)
    }
  }
}
