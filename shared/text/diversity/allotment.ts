/** How many of each kind a selection takes, however it then chooses among them. */
import type { Subject } from './subject.ts'

/** Name of a cell → how many units it still takes. Units of one cell can stand for each other. */
export type Rooms = ReadonlyMap<string, number>

/** Units of a stratum are alike in size; supported ones and others have cells of their own. */
export function cellOf ({ stratum, supported }: Subject): string {
  return `${stratum} ${supported ? 'supported' : 'unsupported'}`
}

/**
 * At most `itemsMax` items, over the strata in the proportions in which units were made (Sainte-Laguë's
 * highest averages: the next goes where made / (2 · given + 1) is highest); within a stratum supported
 * ones first. Selections that fill the same rooms are of equal count, kinds and support rate.
 *
 * @param kept  chosen already; they count, and may be more than their share
 * @see Balinski & Young 1982, Fair Representation (Sainte-Laguë's is Webster's method)
 */
export function roomsOf (
  subjects: readonly Subject[], itemsMax: number, kept: ReadonlySet<string> = new Set()
): Rooms {
  const strata = new Map<string, { made: number, given: number, size: number }>()
  const free = new Map<string, number>()
  let items = 0
  for (const subject of subjects) {
    const { stratum, key, unit: { length: size } } = subject
    const own = strata.get(stratum) ?? { made: 0, given: 0, size }
    strata.set(stratum, own)
    own.made++
    if (kept.has(key)) {
      own.given++
      items += size
    } else free.set(cellOf(subject), (free.get(cellOf(subject)) ?? 0) + 1)
  }
  const rooms = new Map<string, number>()
  for (;;) {
    const open = [...strata].filter(([, { made, given, size }]) => given < made && items + size <= itemsMax)
    if (open.length === 0) return rooms
    const [stratum, next] = open.reduce((best, one) => averageOf(one[1]) > averageOf(best[1]) ? one : best)
    const cell = [`${stratum} supported`, `${stratum} unsupported`].find(cell => (rooms.get(cell) ?? 0) < (free.get(cell) ?? 0))!
    rooms.set(cell, (rooms.get(cell) ?? 0) + 1)
    next.given++
    items += next.size
  }
}

function averageOf ({ made, given }: { made: number, given: number }): number {
  return made / (2 * given + 1)
}
