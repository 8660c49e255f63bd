/** The reviews of one item in the order in which they came about. */
import type { Review } from '../../../shared/contracts/review.ts'

/** How the comment begins of a review that could not be had because the budget was spent. */
export const budgetSpent = 'budget: '

/** A review as it is kept; `reviewingId` is not there where checks alone reviewed. */
export interface KeptReview { value: Review, reviewingId?: string }

/**
 * Those of checks and models first, a reviewing at a time: its checks, what could not be had and was
 * tried again, rounds from 0 (that of a short form is the last of them), the confirmatory review. Then
 * those of people, in the order in which they were said. The id decides where nothing else does:
 * the list is the same whenever it is asked for.
 *
 * @param said  ids of people's reviews, the earliest first; others of people come after them
 */
export function inOrderOfEvents<T extends KeptReview> (kept: readonly T[], said: readonly string[]): T[] {
  const place = new Map(said.map((id, at) => [id, at]))
  const keyed = kept.map(each => ({ each, key: keyOf(each, place) }))
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ each }) => each)
}

type Key = readonly [number, string, number, number, string]

function keyOf ({ value: { id, role, round, comment }, reviewingId = '' }: KeptReview, said: ReadonlyMap<string, number>): Key {
  if (role === 'human') return [1, '', said.get(id) ?? said.size, 0, id]
  const stage = role === 'checks' ? 0 : role === 'confirmatory' ? 3 : round === null ? comment.startsWith(budgetSpent) ? 4 : 1 : 2
  return [0, reviewingId, stage, round ?? 0, id]
}

function compare (a: Key, b: Key): number {
  const at = a.findIndex((part, i) => part !== b[i])
  return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1
}
