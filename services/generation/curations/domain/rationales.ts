/** For which items rationales are written, and what is wrong with one that its words tell. */
import { shuffled } from '../../domain/seeded.ts'
import type { Entry, StepOf, Term } from './steps.ts'

/**
 * Items that can have one (choices and a key, none yet), spread over the values of the slices: strata take
 * turns, so that each has as many as any other while it lasts. Without a count all of them.
 */
export function chosenForRationales (
  entries: readonly Entry[], { count, stratifyBy }: Pick<StepOf<'write-rationales'>, 'count' | 'stratifyBy'>, seed: number
): Entry[] {
  const able = entries.filter(({ item: { choices, answerIndex, rationale } }) =>
    choices !== undefined && answerIndex !== undefined && rationale === undefined)
  if (count === undefined || count >= able.length) return able
  const strata = new Map<string, Entry[]>()
  for (const entry of shuffled(able, seed, ({ rootId }) => `rationale ${rootId}`)) {
    const stratum = stratumOf(entry, stratifyBy)
    strata.set(stratum, [...strata.get(stratum) ?? [], entry])
  }
  const lists = [...strata].sort(([a], [b]) => a < b ? -1 : 1).map(([, list]) => list)
  const chosen = new Set<string>()
  for (let turn = 0; chosen.size < count; turn++) {
    for (const list of lists) {
      const entry = list[turn]
      if (entry !== undefined && chosen.size < count) chosen.add(entry.rootId)
    }
  }
  return entries.filter(({ rootId }) => chosen.has(rootId))
}

/** As "part: 1, modality: text"; a slice that an item lacks is "none". */
export function stratumOf ({ item }: Entry, stratifyBy: readonly string[]): string {
  return stratifyBy.map(name => `${name}: ${item.slices[name] ?? 'none'}`).join(', ')
}

/** What the term base says of a text, a sentence for each wrong term in it. */
export function termFaults (text: string, terms: readonly Term[]): string[] {
  const plain = text.normalize('NFKC').toLowerCase()
  return terms.filter(({ wrong, right }) => {
    const folded = wrong.normalize('NFKC').toLowerCase()
    // "열용량" stands in "비열용량": what is right there is no fault.
    return plain.replaceAll(right.normalize('NFKC').toLowerCase(), kept => kept.includes(folded) ? ' ' : kept).includes(folded)
  }).map(({ wrong, right }) => `It says "${wrong}", which is "${right}" in this field.`)
}
