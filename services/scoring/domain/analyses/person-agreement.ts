/** How far people choose alike, and what most of them choose. */
import { cohenKappa, weightsOf, type RatedUnit } from '../../../../shared/stats/agreement.ts'
import { krippendorffAlpha } from '../../../../shared/stats/agreement-alpha.ts'
import { agreementInterval, jackknifeInterval, jackknifeMax } from '../../../../shared/stats/agreement-interval.ts'
import { groupedBy } from '../../judging/domain/summary/numbers.ts'
import type { ItemValue } from '../metrics/interval-of-mean.ts'
import { meanOf } from './analysis.ts'
import { noEffect, type Effect } from './effect.ts'
import type { Answered, Person } from './persons.ts'

/** An item that two or more persons answered. */
interface Shared extends RatedUnit { cluster: string, answers: Array<Answered | undefined> }

function sharedItems (persons: readonly Person[]): Map<string, Shared> {
  const ids = [...new Set(persons.flatMap(({ items }) => [...items.keys()]))]
  const shared = ids.map((id): [string, Shared] => {
    const answers = persons.map(({ items }) => items.get(id))
    const { cluster } = answers.find(each => each !== undefined)!
    return [id, { answers, ratings: answers.map(each => each?.answer ?? null), cluster }]
  })
  return new Map(shared.filter(([, { answers }]) => answers.filter(each => each !== undefined).length >= 2))
}

/**
 * Of items that two or more persons were asked: the answer that most gave. Where several are level, each of
 * them counts its share, as if one were drawn; where nobody answered it is wrong.
 *
 * @returns null where answers are not told
 */
export function majorityOf (
  persons: readonly Person[]
): { items: Map<string, ItemValue>, ties: number } | null {
  const items = new Map<string, ItemValue>()
  let ties = 0
  let some = false
  for (const [id, { answers, cluster }] of sharedItems(persons)) {
    const told = answers.filter(each => each !== undefined).filter(({ answer }) => answer !== null)
    const votes = groupedBy(told, ({ answer }) => String(answer))
    some ||= votes.size > 0
    const most = Math.max(0, ...[...votes.values()].map(own => own.length))
    const first = [...votes.values()].filter(own => own.length === most)
    if (first.length > 1) ties++
    const value = meanOf(first.map(own => meanOf(own.map(each => each.value))!)) ?? 0
    const pairId = answers.find(each => each?.pairId !== undefined)?.pairId
    items.set(id, { value, cluster, ...pairId !== undefined && { pairId } })
  }
  return some ? { items, ties } : null
}

/** Krippendorff's alpha (nominal) of all persons, over the items that two or more answered. */
export function alphaOf (persons: readonly Person[]): Effect {
  const rated = [...sharedItems(persons).values()].filter(({ ratings }) => given(ratings).length >= 2)
  const { units, values } = inCategories(rated)
  const statistic = (some: readonly RatedUnit[]) => krippendorffAlpha(some, { level: 'nominal', values })
  const found = statistic(units)
  if ('reason' in found) return noEffect(found.reason)
  const clusters = new Set(units.map(({ cluster }) => cluster)).size
  const interval = jackknifeInterval(units, found.value, statistic)
  const of = { value: found.value, n: units.length, clusters }
  if (interval === 'too-many') {
    return { ...effect({ ...of, interval: null }, ''), reason: `an interval is made for at most ${jackknifeMax} items left out one at a time` }
  }
  return effect({ ...of, interval }, `t on the jackknife over ${interval?.over ?? ''}`)
}

/** Cohen's kappa, of more than two persons its mean over all pairs of them. */
export function kappaOf (persons: readonly Person[]): Effect {
  const found = persons.flatMap((first, at) => persons.slice(at + 1).flatMap(second => {
    const both = [...sharedItems([first, second]).values()].filter(({ ratings }) => !ratings.includes(null))
    const { units, values } = inCategories(both)
    const kappa = cohenKappa(units, weightsOf('identity', values))
    return 'reason' in kappa ? [] : [{ ...kappa, clusters: units.map(({ cluster }) => cluster) }]
  }))
  const value = meanOf(found.map(each => each.value))
  if (value === null) return noEffect('no two persons answered the same items differently enough for chance to be corrected for')
  const n = found.reduce((sum, { influences }) => sum + influences.length, 0)
  const clusters = new Set(found.flatMap(each => each.clusters)).size
  if (persons.length > 2) {
    return { ...noEffect('a mean over pairs of persons has no interval here; alpha has one'), value, n, clusters, method: `mean of ${found.length} pairs` }
  }
  return effect({ value, interval: agreementInterval(found[0]!.influences, found[0]!.clusters), n, clusters }, 't on influences')
}

interface Of { value: number, interval: { low: number, high: number } | null, n: number, clusters: number }

function effect ({ value, interval, n, clusters }: Of, method: string): Effect {
  const { low = null, high = null } = interval ?? {}
  const reason = interval === null ? 'nothing varies that an interval could be made of' : ''
  return { value, low, high, p: null, n, clusters, detectable: null, method: interval === null ? 'none' : method, reason }
}

const given = (ratings: RatedUnit['ratings']) => ratings.filter(each => each !== null)

function inCategories<U extends RatedUnit> (units: readonly U[]): { units: U[], values: number[] } {
  const values = [...new Set(units.flatMap(({ ratings }) => given(ratings)))].sort((a, b) => a - b)
  const place = new Map(values.map((value, at) => [value, at]))
  const ratingsOf = ({ ratings }: U) => ratings.map(each => each === null ? null : place.get(each)!)
  return { units: units.map(unit => ({ ...unit, ratings: ratingsOf(unit) })), values }
}
