import { readFileSync } from 'node:fs'
import t from 'tap'
import { jackknifeError, krippendorffAlpha } from '../agreement-alpha.ts'
import { iccA1 } from '../agreement-icc.ts'
import { agreementInterval, intervalAround } from '../agreement-interval.ts'
import { cohenKappa, gwetAC, percentAgreement, weightsOf, type NotComputable, type RatedUnit } from '../agreement.ts'

interface Reference {
  ratings: Array<Array<number | null>>
  q: number
  alpha: Record<'nominal' | 'ordinal' | 'interval', number>
  icc?: { value: number, ci: [number, number] }
  [name: string]: any
}
/** From irrCAC 0.4.4 (AC1, AC2, errors), krippendorff 0.9.0, statsmodels 0.15.0, pingouin 0.6.1. */
const references: Reference[] = JSON.parse(readFileSync(new URL('agreement-reference.json', import.meta.url), 'utf8'))
const weightKinds = ['identity', 'linear', 'quadratic', 'ordinal'] as const

const near = (a: number, b: number, by = 1e-9) => Math.abs(a - b) <= by
const unitsOf = (ratings: Reference['ratings']): RatedUnit[] => ratings.map(row => ({ ratings: row }))
function got<T extends object> (found: T | NotComputable): T {
  if ('reason' in found) throw new Error(found.reason)
  return found
}
const rangeOf = (q: number) => Array.from({ length: q }, (_, i) => i)
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const errorOf = (influences: number[]) => {
  const centre = mean(influences)
  const squares = influences.reduce((sum, value) => sum + (value - centre) ** 2, 0)
  return Math.sqrt(squares / influences.length / (influences.length - 1))
}

t.test('AC1, AC2, observed agreement and their errors are those of irrCAC', async t => {
  for (const { ratings, q, ...reference } of references) {
    for (const kind of weightKinds) {
      const expected = reference[kind]
      const found = got(gwetAC(unitsOf(ratings), weightsOf(kind, rangeOf(q))))
      t.ok(near(found.value, expected.ac), `${kind}: ${found.value} for ${expected.ac}`)
      t.ok(near(mean(found.influences), found.value), 'the influences have it as their mean')
      t.ok(near(errorOf(found.influences), expected.se), `${kind}: error ${errorOf(found.influences)} for ${expected.se}`)
      t.ok(near(got(percentAgreement(unitsOf(ratings), weightsOf(kind, rangeOf(q)))).value, expected.pa))
    }
  }
})

t.test('kappa and weighted kappa are those of statsmodels, with n - 1 for n in the variance', async t => {
  const two = references.filter(reference => reference.kappa_identity !== undefined)
  t.equal(two.length, 3)
  for (const { ratings, q, ...reference } of two) {
    for (const kind of ['identity', 'linear', 'quadratic'] as const) {
      const { value, var: variance } = reference[`kappa_${kind}`]
      const found = got(cohenKappa(unitsOf(ratings), weightsOf(kind, rangeOf(q))))
      t.ok(near(found.value, value))
      const n = ratings.length
      t.ok(near(errorOf(found.influences) ** 2 * (n - 1) / n, variance), `${kind}: ${errorOf(found.influences) ** 2} for ${variance}`)
    }
  }
})

t.test('alpha is that of the package krippendorff, and ICC(A,1) that of pingouin', async t => {
  for (const { ratings, q, alpha, icc } of references) {
    for (const level of ['nominal', 'ordinal', 'interval'] as const) {
      const { value } = got(krippendorffAlpha(unitsOf(ratings), { level, values: rangeOf(q) }))
      t.ok(near(value, alpha[level]), level)
    }
    if (icc === undefined) continue
    const { value, interval } = got(iccA1(ratings as number[][]))
    t.ok(near(value, icc.value))
    t.ok(near(interval!.low, icc.ci[0], 0.005) && near(interval!.high, icc.ci[1], 0.005), 'pingouin gives two decimals')
  }
})

t.test('published worked examples', async t => {
  t.test('Krippendorff 2011, four observers, twelve units: 0.743, 0.815, 0.849', async t => {
    const x = null
    const rows = [
      [1, 2, 3, 3, 2, 1, 4, 1, 2, x, x, x], [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, x, 3],
      [x, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, x], [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, x]
    ]
    const units = rows[0]!.map((_, unit): RatedUnit => (
      { ratings: rows.map(row => row[unit] == null ? null : row[unit] - 1) }))
    const alpha = (level: 'nominal' | 'ordinal' | 'interval') =>
      got(krippendorffAlpha(units, { level, values: [1, 2, 3, 4, 5] })).value.toFixed(3)
    t.same([alpha('nominal'), alpha('ordinal'), alpha('interval')], ['0.743', '0.815', '0.849'])
    // Gwet's handbook, on the same ratings: AC1 0.775.
    t.equal(got(gwetAC(units, weightsOf('identity', [1, 2, 3, 4, 5]))).value.toFixed(3), '0.775')
  })

  t.test('Shrout and Fleiss 1979, six targets, four judges: ICC(2,1) = 0.29', async t => {
    const ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    const { value, interval } = got(iccA1(ratings))
    t.same([value, interval!.low, interval!.high].map(number => number.toFixed(3)), ['0.290', '0.019', '0.761'])
  })

  t.test('an intraclass correlation whose interval has no degree of freedom has none, and is no fault', async t => {
    const { value, interval } = got(iccA1([[1, 1, 3, 2], [2, 3, 1, 1]]))
    t.ok(value < 0 && interval === null)
    const outside = got(iccA1([[1, 5], [1, 4], [1, 4], [4, 2]]))
    t.ok(outside.value < 0 && outside.interval === null, 'nor has one that its approximation would leave outside')
  })

  t.test('the paradox of kappa: 118 of 125 agree, 5 and 2 do not; kappa is about 0 and AC1 0.94', async t => {
    const repeated = (pair: [number, number], times: number) =>
      Array.from({ length: times }, () => ({ ratings: pair }))
    const units = [...repeated([0, 0], 118), ...repeated([0, 1], 5), ...repeated([1, 0], 2)]
    const weights = weightsOf('identity', [0, 1])
    t.equal(got(cohenKappa(units, weights)).value.toFixed(4), '-0.0234')
    t.equal(got(gwetAC(units, weights)).value.toFixed(4), '0.9408')
  })
})

t.test('what cannot be computed says why', async t => {
  const identity = weightsOf('identity', [0, 1])
  const same = [{ ratings: [1, 1] }, { ratings: [1, 1] }]
  t.match(cohenKappa(same, identity), { reason: /the same/ })
  t.match(krippendorffAlpha(same, { level: 'nominal', values: [0, 1] }), { reason: /the same/ })
  t.match(iccA1([[1, 1], [1, 1]]), { reason: /varies/ })
  t.match(iccA1([[1, 2]]), { reason: /two units/ })
  t.match(gwetAC(same, identity), { value: 1 }, 'AC1 is defined where kappa is not')
  const once = [{ ratings: [1, null] }, { ratings: [null, 0] }]
  for (const found of [gwetAC(once, identity), percentAgreement(once, identity), krippendorffAlpha(once, { level: 'nominal', values: [0, 1] })]) {
    t.match(found, { reason: /twice/ })
  }
  t.match(cohenKappa([{ ratings: [1, null] }], identity), { reason: /two raters/ })
  t.throws(() => gwetAC([{ ratings: [2, 0] }], identity), RangeError)
  t.match(iccA1([[1, 1], [2, 2], [3, 3]]), { value: 1, interval: null })
})

t.test('intervals', async t => {
  const influences = [1, 1, 0, 0.5, 1, 0, 1, 1, 0.5, 1]
  const own = influences.map((_, i) => String(i))
  const pairs = influences.map((_, i) => String(Math.floor(i / 2)))

  t.test('are over papers where there are five, else over items, and none where nothing varies', async t => {
    t.match(agreementInterval(influences, pairs), { over: 'papers' })
    t.match(agreementInterval(influences, influences.map((_, i) => String(i % 4))), { over: 'items' })
    t.equal(agreementInterval([1, 1, 1], ['a', 'b', 'c']), null)
    t.equal(agreementInterval([1], ['a']), null)
    const byItem = agreementInterval(influences, own)!
    t.ok(near((byItem.high + byItem.low) / 2, 0.7) || byItem.high === 1)
    t.same(intervalAround(0.9, { error: 0.2, df: 9, over: 'items' })!.high, 1, 'cut at 1')
  })

  t.test('of papers are wider when the items of each paper say the same', async t => {
    const alike = [0, 0, 1, 1, 0, 0, 1, 1, 1, 1]
    const width = ({ low, high }: { low: number, high: number }) => high - low
    t.ok(width(agreementInterval(alike, pairs)!) > 1.3 * width(agreementInterval(alike, own)!))
  })

  t.test('leaving out one at a time gives the error of a mean exactly, and of AC1 nearly', async t => {
    const [{ ratings }] = references.slice(1) as [Reference]
    const units = ratings.map((row, i) => ({ ratings: row, own: String(i) }))
    const countOf = ({ ratings }: RatedUnit) => ratings.filter(rating => rating !== null).length
    const counts = units.map(countOf)
    const ofMean = jackknifeError(units, unit => unit.own, some => ({ value: mean(some.map(countOf)) }))
    t.ok(near(ofMean, errorOf(counts)))
    const weights = weightsOf('identity', rangeOf(5))
    const ofAC = jackknifeError(units, unit => unit.own, some => gwetAC(some, weights))
    const linearised = errorOf(got(gwetAC(units, weights)).influences)
    t.ok(Math.abs(ofAC / linearised - 1) < 0.15, `${ofAC} and ${linearised}`)
  })
})
