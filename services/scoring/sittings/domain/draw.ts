/** Which items a person is asked, and in which order: by the seed alone. */
import { inHashOrder, sha256 } from '../../../../shared/contracts/hash.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { whyNotAsked } from '../../domain/skips.ts'
import { groupedBy } from '../../judging/domain/summary/numbers.ts'
import type { SittingSpec } from './spec.ts'

type Drawing = Pick<SittingSpec, 'seed' | 'itemsMax' | 'itemIds' | 'kinds' | 'stratifyBy' | 'condition'>

/** A minimal pair, or an item that is alone; by id, so that the order they come in says nothing. */
type Unit = Item[]

/**
 * Draws whole units, of each stratum as many as it has a share of the items, and puts the two members of
 * a pair half of the sitting apart: who has just seen one knows the other's answer.
 *
 * Gives way now and then: a benchmark may have 50,000 items.
 *
 * @returns ids in the order in which they are asked; none where no item fits
 */
export function * drawItems (items: readonly Item[], drawing: Drawing): Generator<void, string[]> {
  const { seed, itemsMax, itemIds, kinds, condition } = drawing
  const named = itemIds === null ? null : new Set(itemIds)
  const eligible = items.filter(item => (named === null || named.has(item.id)) &&
    (kinds === null || kinds.includes(item.kind)) && whyNotAsked(item, condition) === undefined)
  yield
  const units = unitsOf(eligible)
  yield
  const drawn: Unit[] = []
  let room = itemsMax
  for (const unit of yield * byShare(units, drawing)) {
    if (unit.length > room) continue
    drawn.push(unit)
    room -= unit.length
  }
  return inSittingOrder(drawn, seed)
}

function unitsOf (items: readonly Item[]): Unit[] {
  const units = groupedBy(items, ({ id, pairId }) => pairId === undefined ? `item ${id}` : `pair ${pairId}`)
  return [...units.values()].map(unit => unit.sort((a, b) => a.id < b.id ? -1 : 1))
}

const nameOf = ([first]: Unit) => first!.id

/** So many are hashed in some milliseconds. */
const hashedAtOnce = 1_000

/** So that the first ones of the list are of each stratum its share. */
function * byShare (units: readonly Unit[], { seed, stratifyBy }: Drawing): Generator<void, Unit[]> {
  const strata = groupedBy(units, ([first]) => {
    const { slices } = first!
    return stratifyBy !== null && Object.hasOwn(slices, stratifyBy) ? slices[stratifyBy]! : ''
  })
  const placed: Array<{ unit: Unit, at: number, rank: number }> = []
  for (const [value, own] of strata) {
    const ranked: Array<{ unit: Unit, rank: number }> = []
    for (const unit of own) {
      if (ranked.push({ unit, rank: fraction(`${seed}/draw/${nameOf(unit)}`) }) % hashedAtOnce === 0) yield
    }
    ranked.sort(byRank)
    yield
    const total = own.reduce((sum, unit) => sum + unit.length, 0)
    // A start of its own for each, else all small strata would come at the same place.
    const start = fraction(`${seed}/stratum/${value}`)
    let before = 0
    for (const { unit, rank } of ranked) {
      placed.push({ unit, rank, at: (before + start * unit.length) / total })
      before += unit.length
    }
  }
  yield
  return placed.sort((a, b) => a.at - b.at || byRank(a, b)).map(({ unit }) => unit)
}

const byRank = (a: { rank: number }, b: { rank: number }) => a.rank - b.rank

function inSittingOrder (units: readonly Unit[], seed: number): string[] {
  const shuffled = inHashOrder(units, unit => `${seed}/order/${nameOf(unit)}`)
  const alone = shuffled.filter(unit => unit.length === 1)
  const early = new Set(alone.slice(0, Math.ceil(alone.length / 2)))
  const first = shuffled.filter(unit => unit.length > 1 || early.has(unit))
  const asked = first.map((unit, at) => {
    const [item, ...partners] = inHashOrder(unit, ({ id }) => `${seed}/member/${id}`)
    return { id: item!.id, at, partners: partners.map(({ id }) => ({ id, at: at + first.length })) }
  })
  const late = alone.filter(unit => !early.has(unit)).map(unit =>
    ({ id: nameOf(unit), at: first.length * (1 + fraction(`${seed}/late/${nameOf(unit)}`)) }))
  return [...asked, ...asked.flatMap(({ partners }) => partners), ...late]
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id)
}

/** From 0 to below 1. */
function fraction (seed: string): number {
  return Number.parseInt(sha256(seed).slice(0, 12), 16) / 2 ** 48
}
