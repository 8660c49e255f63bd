/** Selections to compare with: at random, and by k-centre. They fill the same rooms. */
import { inHashOrder } from '../../contracts/hash.ts'
import { cellOf, type Rooms } from './allotment.ts'
import { likenessOf, type Subject } from './subject.ts'

/** The same for the same `seed` and keys. @param seed  any words */
export function randomChoice (subjects: readonly Subject[], rooms: Rooms, seed: string): Subject[] {
  const left = new Map(rooms)
  return inHashOrder(subjects, ({ key }) => `${seed} ${key}`).filter(subject => {
    const room = left.get(cellOf(subject)) ?? 0
    if (room > 0) left.set(cellOf(subject), room - 1)
    return room > 0
  })
}

/**
 * Greedy k-centre: each next one is the farthest from all before, by 1 - cosine of tf-idf; the first is
 * that of the seed. At most twice the smallest radius, were there a single cell.
 *
 * @see Gonzalez 1985, doi:10.1016/0304-3975(85)90224-5
 */
export function centreChoice (subjects: readonly Subject[], rooms: Rooms, seed: string): Subject[] {
  const left = new Map(rooms)
  const open = inHashOrder(subjects, ({ key }) => `${seed} ${key}`).map(subject => ({ subject, nearest: 2 }))
  const chosen: Subject[] = []
  for (;;) {
    const fit = open.filter(({ subject, nearest }) => nearest >= 0 && (left.get(cellOf(subject)) ?? 0) > 0)
    const [first, ...others] = fit
    if (first === undefined) return chosen
    const next = others.reduce((farthest, one) => one.nearest > farthest.nearest ? one : farthest, first)
    left.set(cellOf(next.subject), left.get(cellOf(next.subject))! - 1)
    chosen.push(next.subject)
    for (const one of open) one.nearest = Math.min(one.nearest, 1 - likenessOf(one.subject, next.subject))
    next.nearest = -1
  }
}
