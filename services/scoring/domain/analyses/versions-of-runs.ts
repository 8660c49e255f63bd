/** Runs over versions of the same questions, by what each version is. */
import { Type, type Static } from 'typebox'
import type { ScoredChoice } from '../scored.ts'
import { Name, wrong, type AnalysedRun } from './analysis.ts'
import { differingParts } from './cells-of-runs.ts'
import { ValuedItem, valuedItems } from './item-means.ts'

const DatedItem = Type.Object({
  ...ValuedItem.properties, at: Type.Optional(Type.Number({ description: 'When it became public, for example a year.' }))
}, { additionalProperties: false })

export const VersionCell = Type.Object({
  model: Name,
  version: Type.Enum(['original', 'paraphrased', 'shuffled', 'isomorph'], { description: 'shuffled: the original with its choices in another order; isomorph: with other numbers and another answer.' }),
  items: Type.Array(DatedItem, { maxItems: 50_000, description: '`item` is the question, the same for all its versions.' })
}, { additionalProperties: false })
export type VersionCell = Static<typeof VersionCell>

/**
 * Of each run the items by their version, originals of runs with permuted choices as shuffled where other
 * runs of the model are without; under the id of their family, which is the same in all benchmarks.
 *
 * @throws Problem invalid-request where runs of a model differ in more than the order of choices
 */
export function versionsOfRuns (
  runs: readonly AnalysedRun[], { dimension }: { dimension?: string }
): { cells: VersionCell[] } {
  const others = differingParts(runs).filter(part => part !== 'permutationSeed')
  if (others.length > 0) throw wrong('/runIds', `Runs of a model may differ in benchmark, condition.permutationSeed, seed and repeat alone; these differ in ${others.join(', ')}.`)
  const written = new Set(runs.flatMap(({ model, condition: { permutationSeed } }) =>
    permutationSeed === undefined ? [model] : []))
  const cells = new Map<string, VersionCell>()
  for (const { model, condition, rows } of runs) {
    const rowOf = new Map(rows.map(row => [row.itemId, row as ScoredChoice]))
    const shuffled = condition.permutationSeed !== undefined && written.has(model)
    for (const version of ['original', 'paraphrased', 'isomorph'] as const) {
      // Two things would have changed at once.
      if (shuffled && version !== 'original') continue
      const own = valuedItems(rows, ({ lineage, kind }) => lineage.version === version && (!shuffled || kind === 'choice'))
      if (own.length === 0) continue
      const named = shuffled ? 'shuffled' as const : version
      const key = JSON.stringify([model, named])
      const cell = cells.get(key) ?? { model, version: named, items: [] }
      cell.items.push(...own.map(({ item, ...rest }) => {
        const { lineage: { family }, slices } = rowOf.get(item)!
        const at = dimension === undefined ? undefined : numberIn(slices[dimension])
        return { item: family, ...rest, ...at !== undefined && { at } }
      }))
      cells.set(key, cell)
    }
  }
  const found = [...cells.values()]
  if (dimension !== undefined && !found.some(({ items }) => items.some(({ at }) => at !== undefined))) {
    throw wrong('/dimension', `No item that counts has a number in its slice "${dimension}".`)
  }
  return { cells: found }
}

/** The year of "2019-03", "exam 2019 spring"; of other text its first number. */
export function numberIn (text: string | undefined): number | undefined {
  const digits = /(?<!\d)\d{4}(?!\d)/.exec(text ?? '')?.[0] ?? /\d{1,9}/.exec(text ?? '')?.[0]
  return digits === undefined ? undefined : Number(digits)
}
