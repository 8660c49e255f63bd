/** Which reviewed items a benchmark takes, and why the others stay out. */
import type { BenchmarkRequest } from '../../../shared/contracts/benchmark.ts'
import { inHashOrder } from '../../../shared/contracts/hash.ts'
import type { ReviewedItem } from '../../../shared/contracts/review.ts'
import { isOfBank } from './bank/card.ts'
import { askingOf, repeatsAmong } from './bank/repeats.ts'
import { allDuplicatesAmong, unitsOf } from '../../../shared/text/duplicates.ts'

/** `leftOut`: reason → items. Each item is in `taken` or counted once, under its first reason. */
export interface Selection { taken: ReviewedItem[], leftOut: Map<string, number> }

/** Reasons in the order in which they are looked for, `against` last; a pair counts whole or not at all. */
export function selectItems (
  reviewed: readonly ReviewedItem[],
  asked: Pick<BenchmarkRequest, 'verdicts' | 'kinds' | 'decisions'>,
  against: (entry: ReviewedItem) => string | null = () => null
): Selection {
  const { verdicts, kinds, decisions = ['accepted', 'edited', 'none'] } = asked
  const leftOut = new Map<string, number>()
  const count = (reason: string) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1)
  const candidates = reviewed.filter(entry => {
    const reason = reasonAgainst(entry)
    if (reason !== null) count(reason)
    return reason === null
  })
  // Opposite answers, and not merely two: members are read one after the other, and a person may have
  // edited between. Half of the yes/no items being true rests on this alone.
  const members = new Map<string, Array<number | undefined>>()
  for (const { item: { pairId, answerIndex } } of candidates) {
    if (pairId !== undefined) members.set(pairId, [...members.get(pairId) ?? [], answerIndex])
  }
  const taken = candidates.filter(({ item: { pairId } }) => {
    const whole = pairId === undefined || isPair(members.get(pairId) ?? [])
    if (!whole) count('pair-incomplete')
    return whole
  })
  return { taken, leftOut }

  function reasonAgainst (entry: ReviewedItem): string | null {
    const { item, verdict, eligible, failedChecks, decision, disputed } = entry
    const decided = decision ?? 'none'
    if (!decisions.includes(decided)) return `decision:${decided}`
    if (kinds !== undefined && !kinds.includes(item.kind)) return 'kind'
    // A model's verdict is asked where people have not settled it; on an edited text there is none.
    const settled = decision !== null && disputed === undefined
    if (!settled && !verdicts.includes(verdict)) return `verdict:${verdict}`
    // What its maker left to people, they have settled by accepting the item with that before them.
    const open = failedChecks.filter(name => !(name === 'as-made' && settled && decision === 'accepted'))
    const failed = open.find(name => name !== 'partner')
    if (failed !== undefined) return `failed-check:${failed}`
    return eligible || open.length === 0 ? against(entry) : 'pair-incomplete'
  }
}

function isPair (answers: ReadonlyArray<number | undefined>): boolean {
  return answers.length === 2 && answers.includes(0) && answers.includes(1)
}

/**
 * The selection without items that repeat one of an earlier reviewing: two generations of one
 * paper write much the same. Whole pairs go; reviewings count in ascending id. Items of banks by row.
 */
export function withoutRepeats ({ taken, leftOut }: Selection): Selection {
  const items = taken.map(({ item }) => item)
  const units = unitsOf(items.filter(item => !isOfBank(item)))
  const repeated = allDuplicatesAmong(units)
  const ofPapers = units.filter(unit => unit.some(({ id }) => repeated.has(id))).flat().map(({ id }) => id)
  // Of a bank only what asks exactly the same: whatever is merely alike, a curation has decided.
  const ofBanks = repeatsAmong(items.filter(isOfBank).map(askingOf)).map(({ itemId }) => itemId)
  const repeating = new Set([...ofPapers, ...ofBanks])
  const halved = new Set(items.flatMap(({ id, pairId }) => repeating.has(id) ? pairId ?? [] : []))
  const dropped = new Set(items.filter(({ id, pairId }) => repeating.has(id) || halved.has(pairId ?? '')).map(({ id }) => id))
  return {
    taken: taken.filter(({ item }) => !dropped.has(item.id)),
    leftOut: dropped.size === 0 ? leftOut : new Map([...leftOut, ['duplicate', dropped.size]])
  }
}

/**
 * A seeded order: by the hash of seed and id. It depends on nothing but the two, so that one item
 * more or less leaves the order of all others as it was, and members of a pair fall apart.
 */
export function inSeededOrder (taken: readonly ReviewedItem[], seed: number): ReviewedItem[] {
  return inHashOrder(taken, ({ item }) => `${seed} ${item.id}`)
}

/** The reasons as a sentence goes on: "3 by verdict, 2 by failed-check:evidence". */
export function reasonsShown (leftOut: ReadonlyMap<string, number>): string {
  return [...leftOut].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([reason, count]) => `${count} by ${reason}`).join(', ')
}
