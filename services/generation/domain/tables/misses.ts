/** Which near misses become wrong choices. */
import { fractionOf } from '../seeded.ts'
import { compare, decimalOf } from './decimal.ts'
import { choicesWanted, type Operation, type Question } from './operations.ts'

/** Answered by a name: of three names there are but two others. */
const byName = new Set<Operation>(['argmax', 'argmin', 'second', 'argmax-where'])

export function enoughMisses ({ misses, operation }: Question): boolean {
  return misses.length >= (byName.has(operation) ? choicesWanted - 2 : choicesWanted - 1)
}

/**
 * Of numbers so many below and above the answer that its place in size tells nothing.
 */
export function chosenMisses ({ misses, answer, operation }: Question, seed: number): string[] {
  const wanted = choicesWanted - 1
  if (byName.has(operation) || operation === 'trend') return misses.slice(0, wanted)
  const found = decimalOf(answer)
  const below = misses.filter(miss => compare(decimalOf(miss), found) < 0)
  const above = misses.filter(miss => compare(decimalOf(miss), found) > 0)
  const place = Math.floor(fractionOf(seed, 'place', answer, ...misses) * choicesWanted)
  const down = Math.max(Math.min(place, below.length), wanted - above.length)
  return [...below.slice(0, down), ...above.slice(0, wanted - Math.min(down, below.length))]
}
