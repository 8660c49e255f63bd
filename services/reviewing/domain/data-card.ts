/** What stands on a benchmark's card: counts, and what a reader must know before quoting a score. */
import type { BenchmarkItem, DataCard } from '../../../shared/contracts/benchmark.ts'

export interface CardFacts {
  items: readonly BenchmarkItem[]
  leftOut: ReadonlyMap<string, number>
  /** Items that were generated and that no finished review covers. */
  notReviewed: number
}

export function dataCard ({ items, leftOut, notReviewed }: CardFacts): DataCard {
  const papers = new Set(items.map(({ source }) => 'paperId' in source ? source.paperId : source.bankId))
  const pairs = new Set(items.flatMap(({ pairId }) => pairId ?? []))
  const dimensions = inOrder(new Set(items.flatMap(({ slices }) => Object.keys(slices))))
  return {
    itemCount: items.length,
    pairCount: pairs.size,
    paperCount: papers.size,
    byKind: counts(items.map(({ kind }) => kind)),
    byVerdict: counts(items.map(({ verdict }) => verdict)),
    bySlice: Object.fromEntries(dimensions.map(dimension =>
      [dimension, counts(items.flatMap(({ slices }) => slices[dimension] ?? []))])),
    leftOut: Object.fromEntries(inOrder(leftOut.keys()).map(reason => [reason, leftOut.get(reason)!])),
    notes: notesOn(items, { pairCount: pairs.size, notReviewed })
  }
}

function notesOn (
  items: readonly BenchmarkItem[], { pairCount, notReviewed }: { pairCount: number, notReviewed: number }
): string[] {
  const of = `of the ${items.length} items`
  const unreviewed = items.filter(({ verdict }) => verdict === 'unreviewed').length
  const weak = items.filter(({ verdict }) => verdict !== 'unreviewed' && verdict !== 'good').length
  const extractive = items.filter(({ provenance }) => provenance.strategy === 'extractive').length
  const notes: Array<[boolean, string]> = [
    [unreviewed > 0, `${unreviewed} ${of} passed mechanical checks only: no model and no person has judged them (verdict unreviewed).`],
    [weak > 0, `${weak} ${of} have a verdict below good.`],
    [pairCount > 0, `The yes/no items are ${pairCount} minimal pairs: exactly half of them are true.`],
    [extractive > 0, `${extractive} ${of} were made by the strategy extractive: their answers are sentences of the paper, so that a method that copies sentences, baseline/extractive above all, does better on them than it understands.`],
    [notReviewed > 0, `${notReviewed} generated items are missing because their reviewing did not complete.`]
  ]
  return notes.filter(([holds]) => holds).map(([, note]) => note)
}

function counts (values: readonly string[]): Record<string, number> {
  const found = new Map<string, number>()
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1)
  return Object.fromEntries(inOrder(found.keys()).map(value => [value, found.get(value)!]))
}

function inOrder (names: Iterable<string>): string[] {
  return [...names].sort((a, b) => a < b ? -1 : 1)
}
