/**
 * Answers as votes of families. Models of a family learnt from the same texts, and a model asked again
 * is the same model: however often it was asked, a family has one vote on an item, for the choice that
 * most of its answers name.
 */
import type { Item } from '../../../../shared/contracts/item.ts'
import type { PartialAnswer, PartialCondition } from '../../../../shared/contracts/partial-input.ts'

/** What the answers of one model to one item are, `family` in place of its name. */
export interface FamilyAnswers { family: string, answers: ReadonlyArray<Pick<PartialAnswer, 'condition' | 'outcome' | 'index'>> }

/** Items that are asked about as one: alone, or the two members of a pair, the true one first. */
export type Unit = readonly [Item] | readonly [Item, Item]

/** How a family stands on a unit under one condition. */
export interface FamilyStand {
  /** 0: for the right answer; from 1 on: for one of the wrong ones; null: for none above all others. */
  vote: number | null
  /** How far towards the right answer, in [0, 1]. */
  share: number
}

/** Family → its stand; a family with nothing to count is not in it. */
export type Stands = ReadonlyMap<string, FamilyStand>

/** An error is no answer, and what cannot be shown was never asked. */
export const isCounted = ({ outcome }: Pick<PartialAnswer, 'outcome'>) => outcome !== 'error' && outcome !== 'skipped'

/** Family → what it said of one item under one condition: index → times; null for no answer. */
export function saidOf (
  all: readonly FamilyAnswers[], condition: PartialCondition
): Map<string, Map<number | null, number>> {
  const said = new Map<string, Map<number | null, number>>()
  for (const { family, answers } of all) {
    for (const answer of answers) {
      if (answer.condition !== condition || !isCounted(answer)) continue
      const own = said.get(family) ?? new Map<number | null, number>()
      said.set(family, own)
      const index = answer.outcome === 'answered' ? answer.index : null
      own.set(index, (own.get(index) ?? 0) + 1)
    }
  }
  return said
}

export const timesAsked = (said: ReadonlyMap<number | null, number>): number =>
  [...said.values()].reduce((sum, times) => sum + times, 0)

/** Family → what it said. */
export type Said = ReadonlyMap<string, ReadonlyMap<number | null, number>>

/**
 * The stands on a choice, or on a pair. Of a pair the question is which member is the true one: the
 * one to which yes is said more often. So a habit of saying yes, like a habit of taking the first
 * choice under cyclic orders, stands for nothing.
 *
 * @param said  of each member, in the order of the unit
 */
export function standsOf ([item, partner]: Unit, [said, saidOfFalse]: readonly Said[]): Stands {
  if (said === undefined) return new Map()
  if (partner === undefined) {
    return new Map([...said].map(([family, own]) => [family, ofChoice(own, item)]))
  }
  return new Map([...said].flatMap(([family, own]) => {
    const other = saidOfFalse?.get(family)
    return other === undefined ? [] : [[family, ofPair(own, other)]]
  }))
}

function ofChoice (
  said: ReadonlyMap<number | null, number>, { choices = [], answerIndex = 0 }: Item
): FamilyStand {
  const votes = choices.map((_, index) => said.get(index) ?? 0)
  const most = Math.max(...votes)
  const winners = [...votes.keys()].filter(index => votes[index] === most)
  const [winner] = winners
  const share = votes[answerIndex]! / timesAsked(said)
  if (winners.length > 1) return { vote: null, share }
  if (winner === answerIndex) return { vote: 0, share }
  return { vote: winner! < answerIndex ? winner! + 1 : winner!, share }
}

function ofPair (
  saidOfTrue: ReadonlyMap<number | null, number>, saidOfFalse: ReadonlyMap<number | null, number>
): FamilyStand {
  const leaning = (said: ReadonlyMap<number | null, number>) =>
    ((said.get(0) ?? 0) - (said.get(1) ?? 0)) / timesAsked(said)
  const difference = leaning(saidOfTrue) - leaning(saidOfFalse)
  return { vote: difference > 0 ? 0 : difference < 0 ? 1 : null, share: (difference + 2) / 4 }
}

/** Answers that can be told apart: choices, or which member of the pair is true. */
export function alternativesOf ([item, partner]: Unit): number {
  return partner === undefined ? item.choices?.length ?? 0 : 2
}
