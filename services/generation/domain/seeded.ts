/** Choices that look random and are the same every time: a hash of the seed and what is chosen for. */
import { sha256 } from '../../../shared/contracts/hash.ts'

/** In [0, 1), from any words. */
export function fractionOf (seed: number, ...words: string[]): number {
  return Number.parseInt(sha256([seed, ...words].join('\u0000')).slice(0, 13), 16) / 2 ** 52
}

/** The same elements in an order that depends on the seed and the key of each only. */
export function shuffled<T> (elements: readonly T[], seed: number, keyOf: (element: T) => string): T[] {
  return elements.map(element => ({ element, key: keyOf(element) }))
    .map(keyed => ({ ...keyed, at: fractionOf(seed, keyed.key) }))
    .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
    .map(({ element }) => element)
}
