/** Choices that look random and are the same every time: a hash of the seed and what is chosen for. */
import { inHashOrder, sha256 } from '../../../shared/contracts/hash.ts'

/** In [0, 1), from any words. */
export function fractionOf (seed: number, ...words: string[]): number {
  return Number.parseInt(sha256(wordsOf(seed, ...words)).slice(0, 13), 16) / 2 ** 52
}

function wordsOf (seed: number, ...words: string[]): string {
  return [seed, ...words].join('\u0000')
}

/** The same elements in an order that depends on the seed and the key of each only. */
export function shuffled<T> (elements: readonly T[], seed: number, keyOf: (element: T) => string): T[] {
  return inHashOrder(elements, element => wordsOf(seed, keyOf(element)))
}
