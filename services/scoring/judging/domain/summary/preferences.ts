/** What pairwise preferences come to, place and length set apart. */
import type { Preferences } from '../../../../../shared/contracts/judgement-summary.ts'
import { meanScore } from '../../../domain/score.ts'
import type { ItemValue } from '../../../domain/metrics/interval-of-mean.ts'
import type { Unit } from '../spec.ts'
import { meanOf } from './judged.ts'
import type { Counted } from './run-scores.ts'

/** 1: the first run's reply, -1: the second's, 0: neither. */
export type Side = 1 | 0 | -1

/** `orders`: as shown, the first run's reply first and then second; null where no preference came. */
export interface PreferredUnit {
  unit: Unit
  /** By judge and repeat. */
  ratings: ReadonlyArray<ReadonlyArray<ReadonlyArray<Side | null>>>
}

/**
 * Of one asking in all its orders: a run wins where all name it. Where they do not, it is a tie, and a flip
 * where they name different runs: the place has decided, not the reply. Null where one is missing.
 *
 * @see Zheng et al. 2023, arXiv:2306.05685 (conservative swapping)
 */
export function decided (orders: ReadonlyArray<Side | null>): { side: Side, flipped: boolean } | null {
  if (orders.length === 0 || orders.includes(null)) return null
  const [first, ...others] = orders as Side[]
  const same = others.every(side => side === first)
  return { side: same ? first! : 0, flipped: others.some(side => side * first! === -1) }
}

interface Asked {
  runIds: readonly string[]
  judge: { name: string, place: number }
  counted: Counted
  orders: number
}

/** Each repeat is a pair of its own in the counts; score, flips and length count each item once. */
export function preferencesOf (
  units: readonly PreferredUnit[], { runIds, judge, counted, orders }: Asked
): Preferences {
  const rows = units.map(({ unit, ratings }) => ({ unit, askings: ratings[judge.place] ?? [] }))
  const asked = rows.flatMap(({ askings }) => askings).filter(asking => asking.length > 0)
  const pairs = asked.flatMap(asking => decided(asking) ?? [])
  const winsOf = (run: number) => pairs.filter(({ side }) => side === (run === 0 ? 1 : -1)).length
  const sides = rows.flatMap(({ unit, askings }) => {
    const found = askings.flatMap(asking => decided(asking) ?? [])
    return found.length === 0 ? [] : [{ unit, found }]
  })
  const over = (name: string, values: readonly ItemValue[], range: readonly [number, number]) => meanScore(
    { metric: name, signature: `judge:${judge.name}|orders:${orders}`, range, ...range[0] === 0 && { proportion: true } }, values, 'No pair has it.')
  const decidedOnes = sides.map(({ unit, found }) => ({ unit, side: meanOf(found.map(({ side }) => side)) }))
    .filter(({ unit: { lengths: [a = 0, b = 0] }, side }) => side !== 0 && a !== b)
  return {
    judge: judge.name,
    outcomes: counted.outcomes,
    pairs: pairs.length,
    incomplete: asked.length - pairs.length,
    wins: runIds.map((runId, i) => ({ runId, count: winsOf(i) })),
    ties: pairs.filter(({ side }) => side === 0).length,
    flips: pairs.filter(({ flipped }) => flipped).length,
    flipRate: over('flipRate', orders < 2 ? [] : sides.map(({ unit, found }) => valueOf(unit, meanOf(found.map(({ flipped }) => flipped ? 1 : 0)))), [0, 1]),
    firstShown: over('firstShown', shownFirst(rows), [0, 1]),
    longer: over('longer', decidedOnes.map(({ unit, side }) => valueOf(unit, prefersLonger(unit, side) ? 1 : 0)), [0, 1]),
    score: over('preference', sides.map(({ unit, found }) => valueOf(unit, meanOf(found.map(({ side }) => side)))), [-1, 1])
  }
}

function prefersLonger ({ lengths: [first = 0, second = 0] }: Unit, side: number): boolean {
  return side > 0 ? first > second : second > first
}

/** Over what was preferred in single orders, ties left out; 0.5 where the place makes no difference. */
function shownFirst (
  rows: ReadonlyArray<{ unit: Unit, askings: ReadonlyArray<ReadonlyArray<Side | null>> }>
): ItemValue[] {
  return rows.flatMap(({ unit, askings }) => {
    const named = askings.flatMap(([plain = null, swapped = null]) =>
      [plain, swapped === null ? null : -swapped].filter(side => side !== null && side !== 0)
        .map(side => side! > 0 ? 1 : 0))
    return named.length === 0 ? [] : [valueOf(unit, meanOf(named))]
  })
}

/** Mean of the judges' sides, over units that all of them have decided. */
export function panelSides (units: readonly PreferredUnit[]): ItemValue[] {
  return units.flatMap(({ unit, ratings }) => {
    const each = ratings.map(askings => askings.flatMap(asking => decided(asking)?.side ?? []))
    const all = each.length > 0 && each.every(sides => sides.length > 0)
    return all ? [valueOf(unit, meanOf(each.map(meanOf)))] : []
  })
}

function valueOf ({ cluster, pairId }: Unit, value: number): ItemValue {
  return { value, cluster, ...pairId !== null && { pairId } }
}
