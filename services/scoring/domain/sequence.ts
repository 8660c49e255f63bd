/** In which order the images of an item are shown. */
import { inHashOrder } from '../../../shared/contracts/hash.ts'
import { isSequence, type Item, type ItemImage } from '../../../shared/contracts/item.ts'
import type { Condition } from '../../../shared/contracts/run.ts'

type Arranging = Partial<Pick<Condition, 'sequence' | 'seed'>>

/**
 * As the item has them, unless they are a sequence and the condition changes it: times stay where they
 * stand and images change places under them, so that what is said of the order is false. A caption goes
 * with its image. Shuffled, at least two of different places have changed.
 */
export function arrangedImages (item: Pick<Item, 'id' | 'images'>, { sequence, seed = 0 }: Arranging): ItemImage[] {
  const { id, images = [] } = item
  if (sequence === undefined || sequence === 'ordered' || !isSequence(item)) return images
  if (sequence === 'last-only') return images.slice(-1)
  const places = [...images.keys()]
  const order = sequence === 'reversed' ? places.toReversed() : moved(places, `${seed}/${id}`)
  return images.map(({ time }, at) => {
    const { time: _, ...shown } = images[order[at]!]!
    return { ...shown, ...time !== undefined && { time } }
  })
}

/** A seeded order that is not the one there was. */
function moved (places: readonly number[], seed: string): number[] {
  const order = inHashOrder(places, place => `${seed}/${place}`)
  return order.every((place, at) => place === at) ? [...order.slice(1), order[0]!] : order
}
