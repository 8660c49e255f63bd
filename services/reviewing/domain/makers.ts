/** Who wrote the items of a benchmark, and who judged them. */
import type { DataCard } from '../../../shared/contracts/benchmark.ts'
import type { ReviewedItem } from '../../../shared/contracts/review.ts'
import { familyOf } from '../../../shared/text/families.ts'

/** Reviewing id → the model that gives its verdicts; null where checks alone were made. */
export type Reviewers = ReadonlyMap<string, string | null>

/** The model that gave the verdict; null where none did, as on a text that a person edited since. */
export function reviewerOf ({ reviewingId, verdict }: ReviewedItem, reviewers: Reviewers): string | null {
  return verdict === 'unreviewed' ? null : reviewers.get(reviewingId) ?? null
}

/** Of who wrote the text that stands; human where a person edited it: it is no longer the model's. */
export function writerFamilyOf ({ item, edit }: ReviewedItem): string | null {
  return edit === undefined ? familyOf(item.provenance.model) : 'human'
}

/** By role, then by name. Items that no model wrote or judged are of nobody here. */
export function makersOf (
  taken: readonly ReviewedItem[], reviewers: Reviewers
): Required<Pick<DataCard, 'models' | 'byDecision'>> {
  const generators = taken.flatMap(({ item, edit }) => edit === undefined ? item.provenance.model ?? [] : [])
  const judges = taken.flatMap(entry => reviewerOf(entry, reviewers) ?? [])
  return {
    models: [...listed(generators, 'generator'), ...listed(judges, 'reviewer')],
    byDecision: Object.fromEntries(counted(taken.map(({ decision }) => decision ?? 'none')))
  }
}

function listed (names: readonly string[], role: 'generator' | 'reviewer') {
  return counted(names).map(([name, items]) => ({ name, family: familyOf(name)!, role, items }))
}

function counted (names: readonly string[]): Array<[string, number]> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => a < b ? -1 : 1)
}
