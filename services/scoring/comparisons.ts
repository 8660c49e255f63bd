/** Comparisons as they were made: each under the hash of all it says, its bytes as a blob. */
import type { Blobs } from '../../shared/blobs/blobs.ts'
import type { Comparison } from '../../shared/contracts/comparison.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { Doc, Store } from '../../shared/store/store.ts'

interface ComparisonDoc extends Doc { blobId: string }

export async function comparisonStore (store: Store, blobs: Blobs) {
  const comparisons = await store.collection<ComparisonDoc>('comparisons')
  return {
    async save (comparison: Comparison): Promise<{ created: boolean }> {
      const { id: blobId } = await blobs.put(Buffer.from(`${JSON.stringify(comparison, null, 2)}\n`))
      return { created: await comparisons.insert({ _id: comparison.id, blobId }) }
    },

    /** The bytes of comparison.json. @throws Problem comparison-not-found */
    async getJson (comparisonId: string): Promise<Buffer> {
      const doc = await comparisons.find(comparisonId)
      if (doc === undefined) {
        throw new Problem('comparison-not-found', `There is no comparison ${comparisonId}; POST /v1/comparisons with the ids of its runs makes one.`)
      }
      const bytes = await blobs.find(doc.blobId)
      if (bytes === undefined) throw new Error(`Blob ${doc.blobId} of comparison ${comparisonId} is gone`)
      return bytes
    }
  }
}

export type ComparisonStore = Awaited<ReturnType<typeof comparisonStore>>
