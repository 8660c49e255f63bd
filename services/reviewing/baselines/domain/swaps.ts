/** Which figure stands in for another. */
import { inHashOrder } from '../../../../shared/contracts/hash.ts'
import type { Item } from '../../../../shared/contracts/item.ts'

export interface FigurePlace { paperId: string, documentHash: string, figureId: string }

/** Candidates for each figure: one may turn out to have no picture. */
const candidatesMax = 3

/**
 * For each item with figures, in its order, figures of the set to show instead: of other papers where
 * there are any, else others of its own. All figures stand in one ring in an order of the seed; an item
 * takes those that come after its own.
 *
 * @returns  item id → candidates; none for an item without figures, or where there is no other
 */
export function swapsOf (items: readonly Item[], seed: number): Map<string, FigurePlace[]> {
  const keyOf = ({ documentHash, figureId }: FigurePlace) => `${documentHash}/${figureId}`
  const places = new Map(items.flatMap(placesOf).map(place => [keyOf(place), place]))
  const ring = inHashOrder([...places.values()], place => `${seed}/${keyOf(place)}`)
  const at = new Map(ring.map((place, i) => [keyOf(place), i]))
  return new Map(items.flatMap(item => {
    const own = placesOf(item)
    const [first] = own
    if (first === undefined) return []
    const taken = new Set(own.map(keyOf))
    const others: FigurePlace[] = []
    const siblings: FigurePlace[] = []
    for (let step = 1; step < ring.length && others.length < candidatesMax; step++) {
      const place = ring[(at.get(keyOf(first))! + step) % ring.length]!
      if (taken.has(keyOf(place))) continue
      if (place.documentHash !== first.documentHash) others.push(place)
      else if (siblings.length < candidatesMax) siblings.push(place)
    }
    return [[item.id, others.length > 0 ? others : siblings]]
  }))
}

function placesOf ({ source, figureIds }: Item): FigurePlace[] {
  return 'paperId' in source ? figureIds.map(figureId => ({ ...source, figureId })) : []
}
