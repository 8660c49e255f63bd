/** Coefficients of agreement for one question, each with its interval or the reason against it. */
import type { AgreementEstimate, QuestionAgreement } from '../../../../shared/contracts/agreement.ts'
import {
  cohenKappa, gwetAC, percentAgreement, weightsOf, type Coefficient, type NotComputable, type RatedUnit
} from '../../../../shared/stats/agreement.ts'
import { krippendorffAlpha, type Level } from '../../../../shared/stats/agreement-alpha.ts'
import { iccA1 } from '../../../../shared/stats/agreement-icc.ts'
import {
  agreementInterval, clustersMin, jackknifeInterval, jackknifeMax, type AgreementInterval
} from '../../../../shared/stats/agreement-interval.ts'
import { clusterNoun } from '../../../../shared/stats/item-cluster.ts'
import { clopperPearsonInterval } from '../../../../shared/stats/proportions.ts'
import type { Rating, Scale } from './agreement-tables.ts'

interface Unit extends RatedUnit { cluster: string }

/** Units that a jackknife leaves out one at a time: its cost is their square. */

/** Only units that two raters or more rated count; those that one did are counted apart. */
export function agreementOn (scale: Scale, ratings: readonly Rating[]): QuestionAgreement {
  const own = ratings.filter(({ question }) => question === scale.question)
  const byUnit = new Map<string, Rating[]>()
  for (const rating of own) byUnit.set(rating.unit, [...byUnit.get(rating.unit) ?? [], rating])
  const double = [...byUnit].filter(([, some]) => some.length >= 2).sort(([a], [b]) => a < b ? -1 : 1)
  const raters = [...new Set(double.flatMap(([, some]) => some.map(({ raterId }) => raterId)))].sort()
  const units = double.map(([, some]): Unit => ({
    cluster: some[0]!.cluster,
    ratings: raters.map(raterId => indexOf(scale, some.find(rating => rating.raterId === raterId)))
  }))
  return {
    question: scale.question,
    level: scale.level,
    values: scale.values,
    units: units.length,
    single: byUnit.size - double.length,
    papers: new Set(units.map(({ cluster }) => cluster)).size,
    raters,
    ratings: double.reduce((sum, [, some]) => sum + some.length, 0),
    ...estimatesOf(scale, units)
  }
}

function indexOf ({ values }: Scale, rating: Rating | undefined): number | null {
  const at = rating === undefined ? -1 : values.indexOf(rating.answer as number | string)
  return at < 0 ? null : at
}

function estimatesOf ({ level, values }: Scale, units: readonly Unit[]) {
  const numbers = values.map((value, i) => typeof value === 'number' ? value : i)
  const identity = weightsOf('identity', numbers)
  const weights = weightsOf(level === 'interval' ? 'quadratic' : 'ordinal', numbers)
  const clusters = units.map(({ cluster }) => cluster)
  const linear = (found: Coefficient | NotComputable) => estimateOf(found, clusters)
  const onlyOrdered = (estimate: () => AgreementEstimate) =>
    level === 'nominal' ? none('The answers have no order.') : estimate()
  return {
    percentAgreement: percentEstimate(percentAgreement(units, identity), clusters),
    cohenKappa: linear(cohenKappa(units, identity)),
    cohenKappaWeighted: onlyOrdered(() => linear(cohenKappa(units, weights))),
    gwetAC1: linear(gwetAC(units, identity)),
    gwetAC2: onlyOrdered(() => linear(gwetAC(units, weights))),
    alphaNominal: alphaEstimate(units, { level: 'nominal', values: numbers }),
    alphaOrdinal: onlyOrdered(() => alphaEstimate(units, { level: 'ordinal', values: numbers })),
    alphaInterval: onlyOrdered(() => alphaEstimate(units, { level: 'interval', values: numbers })),
    iccA1: onlyOrdered(() => iccEstimate(units, numbers))
  }
}

function none (reason: string): AgreementEstimate {
  return { value: null, low: null, high: null, over: null, reason }
}

const nothingVaries = 'Nothing varies between items, which no interval can be made of; that of percentAgreement says what so many can show.'

function estimateOf (found: Coefficient | NotComputable, clusters: readonly string[]): AgreementEstimate {
  if ('reason' in found) return none(found.reason)
  return estimated(found.value, agreementInterval(found.influences, clusters), clusters)
}

function estimated (
  value: number, interval: AgreementInterval | null, clusters: readonly string[]
): AgreementEstimate {
  return interval === null
    ? { ...none(clusters.length < 2 ? 'One item gives no interval.' : nothingVaries), value }
    : { value, ...interval, over: interval.over === 'papers' ? nounOf(clusters) : 'items', reason: null }
}

/** What an interval over clusters is over; an item of a bank that says nothing else is its own. */
function nounOf (clusters: readonly string[]): 'papers' | 'clusters' | 'items' {
  const noun = clusterNoun(clusters)
  return noun === 'independent items' ? 'items' : noun
}

/** Where nothing varies, the exact interval with the papers as trials (below five, the items). */
function percentEstimate (
  found: Coefficient | NotComputable, clusters: readonly string[]
): AgreementEstimate {
  const estimate = estimateOf(found, clusters)
  const { value } = estimate
  if (value === null || estimate.low !== null) return bounded(estimate)
  const papers = new Set(clusters).size
  const [trials, over] = papers >= clustersMin ? [papers, nounOf(clusters)] : [clusters.length, 'items' as const]
  const reason = `Nothing varies: exact (Clopper-Pearson), with the ${trials} ${over} as trials.`
  return { value, ...clopperPearsonInterval({ successes: value * trials, trials }), over, reason }
}

function bounded (estimate: AgreementEstimate): AgreementEstimate {
  return estimate.low === null ? estimate : { ...estimate, low: Math.max(0, estimate.low) }
}

function alphaEstimate (
  units: readonly Unit[], asked: { level: Level, values: readonly number[] }
): AgreementEstimate {
  const found = krippendorffAlpha(units, asked)
  if ('reason' in found) return none(found.reason)
  const { value } = found
  const interval = jackknifeInterval(units, value, some => krippendorffAlpha(some, asked))
  if (interval === 'too-many') return { ...none(`An interval is made for at most ${jackknifeMax} items left out one at a time.`), value }
  return estimated(value, interval, units.map(({ cluster }) => cluster))
}

/** Its interval comes from the F distribution, over items as if they were independent. */
function iccEstimate (units: readonly Unit[], values: readonly number[]): AgreementEstimate {
  if (units.some(({ ratings }) => ratings.includes(null))) {
    return none('An intraclass correlation needs the same raters on every item.')
  }
  const found = iccA1(units.map(({ ratings }) => ratings.map(rating => values[rating!]!)))
  if ('reason' in found) return none(found.reason)
  const { value, interval } = found
  return interval === null
    ? { ...none(value === 1 ? nothingVaries : noIccInterval), value }
    : { value, low: interval.low, high: interval.high, over: 'items', reason: null }
}

const noIccInterval = 'So few ratings, or ratings so alike, leave no degree of freedom to make an interval of.'
