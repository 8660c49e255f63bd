/** Where an item stands among others of the same origin, and whether it shows something. */
import type { Item } from '../../../shared/contracts/item.ts'

export const itemVersions = ['original', 'paraphrased', 'isomorph'] as const
export type ItemVersion = (typeof itemVersions)[number]

export interface Lineage {
  /**
   * The same for all versions of a question, in whatever benchmarks they are: of a bank the row, of a
   * paper the item that it was made of.
   */
  family: string
  /** isomorph: the same question of other numbers; paraphrased: in other words than its source has it. */
  version: ItemVersion
  /** Whether question or choices come with an image. */
  pictured: boolean
}

export function lineageOf (
  { id, source, parentId, originalQuestion, slices, provenance, figureIds, images, choices }: Item
): Lineage {
  const madeOf = provenance.arguments?.['isomorphOf']
  const family = typeof madeOf === 'string' ? madeOf : parentId ?? id
  const isomorph = typeof madeOf === 'string' || Object.hasOwn(slices, 'isomorph')
  return {
    family: 'bankId' in source ? `${source.bankId} row ${source.row}` : family,
    version: isomorph ? 'isomorph' : originalQuestion === undefined ? 'original' : 'paraphrased',
    pictured: figureIds.length > 0 || images !== undefined ||
      (choices?.some(({ imageId }) => imageId !== undefined) ?? false)
  }
}
