/** Copies the images that items of banks show, so that a benchmark needs nobody afterwards. */
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import { sha256 } from '../../../shared/contracts/hash.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { imageTypeOf } from '../../../shared/images/image-type.ts'
import { imageIdsOf, isOfBank } from '../domain/bank/card.ts'
import type { Peers } from '../peers.ts'

interface CopyParts { peers: Pick<Peers, 'generation'>, blobs: Blobs }

/** Each up to some megabytes. */
const atOnce = 8

/**
 * Of questions and of choices, each image once, in ascending id.
 *
 * @throws Problem service-invalid where the bytes are not those that the item names, or are no image;
 *   what generation answers where it has none
 */
export async function copyBankImages (
  { peers, blobs }: CopyParts, items: readonly BenchmarkItem[]
): Promise<Array<{ imageId: string, blobId: string }>> {
  const imageIds = [...new Set(items.filter(isOfBank).flatMap(imageIdsOf))].sort()
  const copied: Array<{ imageId: string, blobId: string }> = []
  for (let from = 0; from < imageIds.length; from += atOnce) {
    copied.push(...await Promise.all(imageIds.slice(from, from + atOnce).map(async imageId => {
      const bytes = await peers.generation.getBankImage(imageId)
      if (sha256(bytes) !== imageId || imageTypeOf(bytes) === undefined) {
        throw new Problem('service-invalid', `Generation answered other bytes than those of image ${imageId}, which an item of a bank names.`)
      }
      return { imageId, blobId: (await blobs.put(bytes)).id }
    })))
  }
  return copied
}
