/** How far judges agree with each other. */
import type { Agreement, AgreementValue } from '../../../../../shared/contracts/judgement-summary.ts'
import { gwetAC, weightsOf, type RatedUnit } from '../../../../../shared/stats/agreement.ts'
import { krippendorffAlpha } from '../../../../../shared/stats/agreement-alpha.ts'
import { iccA1 } from '../../../../../shared/stats/agreement-icc.ts'
import { agreementInterval, intervalAround } from '../../../../../shared/stats/agreement-interval.ts'
import { intervalAlpha } from '../interval-alpha.ts'

/** What raters gave one unit, in one order of raters; null where one has not rated. */
export interface Given { ratings: ReadonlyArray<number | null>, cluster: string }

/** Of ratings on a scale; `values`: the points of the scale, ascending. */
export function scaleAgreement (of: string, given: readonly Given[], values: readonly number[]): Agreement {
  const raters = given[0]?.ratings.length ?? 0
  return {
    of,
    raters,
    n: given.filter(isDouble).length,
    alpha: alphaOf(given),
    iccA1: iccOf(given),
    gwet: gwetOf(given, { values, kind: 'quadratic' })
  }
}

/** Of preferences: categories without an order. */
export function nominalAgreement (of: string, given: readonly Given[], values: readonly number[]): Agreement {
  const units = indexed(given, values)
  const found = krippendorffAlpha(units, { level: 'nominal', values: [...values] })
  return {
    of,
    raters: given[0]?.ratings.length ?? 0,
    n: given.filter(isDouble).length,
    alpha: 'reason' in found ? empty(found.reason) : { value: found.value, low: null, high: null },
    iccA1: empty('Preferences are categories without a scale.'),
    gwet: gwetOf(given, { values, kind: 'identity' })
  }
}

export function alphaOf (given: readonly Given[]): AgreementValue {
  const found = intervalAlpha(given)
  if ('reason' in found) return empty(found.reason)
  const { value, clusters, error } = found
  return withInterval(value, intervalAround(value, { error, df: clusters - 1, over: 'papers' }))
}

/** Over units that all have rated: the analysis of variance has no room for gaps. */
export function iccOf (given: readonly Given[]): AgreementValue {
  const complete = given.map(({ ratings }) => ratings)
    .filter((ratings): ratings is number[] => !ratings.includes(null))
  const found = iccA1(complete)
  if ('reason' in found) return empty(found.reason)
  return withInterval(found.value, found.interval === null ? null : { ...found.interval, over: 'items, as if independent' })
}

function gwetOf (
  given: readonly Given[], { values, kind }: { values: readonly number[], kind: 'quadratic' | 'identity' }
): AgreementValue {
  const rated = given.filter(({ ratings }) => ratings.some(rating => rating !== null))
  const found = gwetAC(indexed(rated, values), weightsOf(kind, values))
  if ('reason' in found) return empty(found.reason)
  return withInterval(found.value, agreementInterval(found.influences, rated.map(({ cluster }) => cluster)))
}

function indexed (given: readonly Given[], values: readonly number[]): RatedUnit[] {
  const at = new Map(values.map((value, i) => [value, i]))
  const indexOf = (rating: number | null) => rating === null ? null : at.get(rating) ?? null
  return given.map(({ ratings }) => ({ ratings: ratings.map(indexOf) }))
}

function isDouble ({ ratings }: Given): boolean {
  return ratings.filter(rating => rating !== null).length > 1
}

function withInterval (
  value: number, interval: { low: number, high: number, over: string } | null
): AgreementValue {
  return interval === null ? { value, low: null, high: null } : { value, ...interval }
}

function empty (reason: string): AgreementValue {
  return { value: null, low: null, high: null, reason }
}
