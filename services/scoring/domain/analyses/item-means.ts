/** What one model's replies to each item are worth, repeats together. */
import { Type, type Static } from 'typebox'
import { isChoice } from '../compare/measured.ts'
import type { ItemValue } from '../metrics/interval-of-mean.ts'
import { isCounted, type Scored, type ScoredChoice } from '../scored.ts'
import { Name } from './analysis.ts'

/** As tables give it: one reply, or the mean of several. */
export const ValuedItem = Type.Object({
  item: Name,
  paper: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Items that are not independent of each other have the same; without one an item is a cluster of its own, as in a bank.' })),
  pair: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Of a minimal pair, the same for both members.' })),
  value: Type.Number({ minimum: 0, maximum: 1, description: '1 right, 0 wrong; between: the mean over repeats.' })
}, { additionalProperties: false })
export type ValuedItem = Static<typeof ValuedItem>

export const SkippedFor = Type.String({ maxLength: 2_000, description: 'Why most of the skipped were.' })

/** Of reasons as frequent as each other the first in code unit order; undefined where nothing was skipped. */
export function mostSkippedFor (rows: readonly Scored[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { skippedFor } of rows) {
    if (skippedFor !== undefined) counts.set(skippedFor, (counts.get(skippedFor) ?? 0) + 1)
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0].slice(0, 2_000)
}

/** Items by id. */
export type ItemMeans = Map<string, ItemValue>

/** An item that stands more than once is a repeat: its mean counts, and the first one's paper and pair. */
export function itemMeans (items: readonly ValuedItem[]): ItemMeans {
  const sums = new Map<string, { first: ValuedItem, sum: number, n: number }>()
  for (const each of items) {
    const own = sums.get(each.item) ?? { first: each, sum: 0, n: 0 }
    sums.set(each.item, { first: own.first, sum: own.sum + each.value, n: own.n + 1 })
  }
  return new Map([...sums].map(([item, { first: { paper, pair }, sum, n }]) => [item, {
    value: sum / n, cluster: paper ?? `item ${item}`, ...pair !== undefined && { pairId: pair }
  }]))
}

/** Differences of the items that both have, the first minus the second. */
export function differencesOf (first: ItemMeans, second: ItemMeans): ItemValue[] {
  return [...first].flatMap(([item, own]) => {
    const other = second.get(item)
    return other === undefined ? [] : [{ ...own, value: own.value - other.value }]
  })
}

/** Yes/no and multiple choice of a run that count, those that are asked for. */
export function valuedItems (
  rows: readonly Scored[], is: (row: ScoredChoice) => boolean = () => true
): ValuedItem[] {
  return rows.filter(isChoice).filter(row => isCounted(row.outcome) && is(row)).map(row => ({
    item: row.itemId,
    paper: row.cluster,
    ...row.pairId !== null && { pair: row.pairId },
    value: Number(row.correct)
  }))
}
