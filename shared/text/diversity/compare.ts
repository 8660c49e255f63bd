/** A selection beside others of equal count, kinds and support rate. */
import type { Rooms } from './allotment.ts'
import type { Ground } from './ground.ts'
import { measures, measuresOf, type Measures } from './measure.ts'
import { centreChoice, randomChoice } from './rivals.ts'
import type { Subject } from './subject.ts'

/** Of random selections the mean is compared with. */
export const drawsOfComparison = 100

export interface Compared { ours: Measures, random: Measures, kCentre: Measures }

export interface Comparing { chosen: readonly Subject[], rooms: Rooms, ground: Ground, seed: number, draws?: number }

/** @param pool  all that could be chosen, those chosen among them */
export function compared (
  pool: readonly Subject[], { chosen, rooms, ground, seed, draws = drawsOfComparison }: Comparing
): Compared {
  const many = Array.from({ length: draws }, (_, draw) => measuresOf(randomChoice(pool, rooms, `${seed} random ${draw}`), ground))
  return {
    ours: measuresOf(chosen, ground),
    random: meanOf(many),
    kCentre: measuresOf(centreChoice(pool, rooms, `${seed} k-centre`), ground)
  }
}

/** Null where any is. */
function meanOf (many: readonly Measures[]): Measures {
  return Object.fromEntries(measures.map(measure => {
    const values = many.map(one => one[measure].value)
    const n = many[0]?.[measure].n ?? 0
    const sum = values.reduce((all, value) => all === null || value === null ? null : all + value, 0)
    return [measure, { value: sum === null ? null : sum / many.length, n }]
  })) as Measures
}
