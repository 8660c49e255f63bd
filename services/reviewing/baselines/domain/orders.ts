/** In which orders the choices of an item are shown. */
import { sha256 } from '../../../../shared/contracts/hash.ts'
import type { Item } from '../../../../shared/contracts/item.ts'

/**
 * Cyclic orders, each by the choice that comes first, evenly apart from a start that the seed draws:
 * who answers by position picks another choice in each of them. Descriptive items have one, 0.
 *
 * @param max  at most so many; all of them if there are no more choices
 */
export function ordersOf (item: Item, { max, seed }: { max: number, seed: number }): number[] {
  const { kind, choices } = item
  if ((kind !== 'binary' && kind !== 'choice') || choices === undefined) return [0]
  const all = choices.length
  const count = Math.min(max, all)
  const start = Number.parseInt(sha256(`${seed}/${item.id}`).slice(0, 8), 16) % all
  return Array.from({ length: count }, (_, i) => (start + Math.floor(i * all / count)) % all)
}

/** Indices of the choices as shown, `first` before all. */
export function cyclic (count: number, first: number): number[] {
  return Array.from({ length: count }, (_, i) => (first + i) % count)
}
