import { readFileSync } from 'node:fs'
import t from 'tap'
import { clusteredMean } from '../clustered.ts'
import {
  betaCdf, betaQuantile, binomialCdf, binomialMass, fQuantile, fTail, normalQuantile, normalTail,
  tQuantile, tTail
} from '../distributions.ts'
import { matthews } from '../mcc.ts'
import { binomialTest, clopperPearsonInterval, wilsonInterval } from '../proportions.ts'
import { logGamma } from '../special.ts'

/** Recorded from scipy: arguments, then results. */
const reference: Record<string, number[][]> = JSON.parse(
  readFileSync(new URL('reference.json', import.meta.url), 'utf8'))

const ours: Record<string, (...row: number[]) => number[]> = {
  tQuantile: (p, df) => [tQuantile(p!, df!)],
  tTail: (x, df) => [tTail(x!, df!)],
  fTail: (f, df1, df2) => [fTail(f!, { df1: df1!, df2: df2! })],
  fQuantile: (p, df1, df2) => [fQuantile(p!, { df1: df1!, df2: df2! })],
  betaQuantile: (p, a, b) => [betaQuantile(p!, { a: a!, b: b! })],
  betaCdf: (x, a, b) => [betaCdf(x!, { a: a!, b: b! })],
  normalQuantile: p => [normalQuantile(p!)],
  normalTail: z => [normalTail(z!)],
  logGamma: x => [logGamma(x!)],
  binomialTest: (k, n, p) => Object.values(binomialTest(k!, { n: n!, p: p! })),
  clopperPearson: (k, n) => Object.values(clopperPearsonInterval({ successes: k!, trials: n! })),
  wilson: (k, n) => Object.values(wilsonInterval({ successes: k!, trials: n! }))
}

for (const [name, run] of Object.entries(ours)) {
  t.test(`${name} agrees with scipy to 1e-9`, async t => {
    const rows = reference[name]!
    t.ok(rows.length >= 9)
    for (const row of rows) {
      const got = run(...row)
      const expected = row.slice(-got.length)
      const off = got.map((value, i) =>
        Math.abs(value - expected[i]!) / Math.max(1, Math.abs(expected[i]!)))
      t.ok(Math.max(...off) <= 1e-9, `${row.join(' ')}: got ${got.join(' ')}`)
    }
  })
}

t.test('the CR2 standard error of a mean', async t => {
  t.test('is that of the matrix definition, also with unequal clusters', async t => {
    const cases = reference.cr2 as unknown as { x: number[], cluster: number[], se: number }[]
    for (const { x, cluster, se } of cases) {
      const found = clusteredMean(x.map((value, i) => ({ value, cluster: String(cluster[i]) })))
      t.ok(Math.abs(found.seCr2 - se) < 1e-12, `${found.seCr2} for ${se}`)
    }
  })

  t.test('is right by hand: clusters {1, 1, 0} and {0}', async t => {
    const observations = [[1, 'a'], [1, 'a'], [0, 'a'], [0, 'b']] as const
    const found = clusteredMean(observations.map(([value, cluster]) => ({ value, cluster })))
    // Mean 1/2; residual sums 1/2 and -1/2; (1/4)/(1 - 3/4) + (1/4)/(1 - 1/4) = 4/3; over 16.
    t.ok(Math.abs(found.seCr2 - Math.sqrt(1 / 12)) < 1e-15)
  })

  t.test('equals that of independent observations when every one is its own cluster', async t => {
    const values = [0, 1, 1, 0.25, 0.5]
    const found = clusteredMean(values.map((value, i) => ({ value, cluster: String(i) })))
    t.ok(Math.abs(found.seCr2 - found.seIndependent) < 1e-15)
  })

  t.test('does not exist for one cluster, and nothing does for none', async t => {
    t.ok(Number.isNaN(clusteredMean([{ value: 1, cluster: 'a' }]).seCr2))
    t.throws(() => clusteredMean([]), RangeError)
    t.throws(() => clusteredMean([{ value: NaN, cluster: 'a' }]), RangeError)
  })
})

t.test('a binomial distribution adds up to 1, and to its cumulative one', async t => {
  const trials = { n: 40, p: 0.3 }
  let sum = 0
  for (let k = 0; k <= 40; k++) {
    sum += binomialMass(k, trials)
    t.ok(Math.abs(sum - binomialCdf(k, trials)) < 1e-13)
  }
  t.ok(Math.abs(sum - 1) < 1e-13)
})

t.test('impossible counts and probabilities are refused', async t => {
  t.throws(() => wilsonInterval({ successes: 3, trials: 2 }), RangeError)
  t.throws(() => wilsonInterval({ successes: 0, trials: 0 }), RangeError)
  t.throws(() => normalQuantile(1), RangeError)
  t.throws(() => tQuantile(NaN, 3), RangeError)
})

t.test('MCC is 1 for all right, -1 for all wrong, and not defined for a constant answer', async t => {
  const none = { truePositives: 0, falsePositives: 0, trueNegatives: 0, falseNegatives: 0 }
  t.equal(matthews({ ...none, truePositives: 4, trueNegatives: 4 }), 1)
  t.equal(matthews({ ...none, falsePositives: 4, falseNegatives: 4 }), -1)
  t.equal(matthews({ ...none, truePositives: 4, falsePositives: 4 }), null)
  const some = { truePositives: 90, falsePositives: 4, trueNegatives: 1, falseNegatives: 5 }
  t.ok(Math.abs(matthews(some)! - 0.1352428) < 1e-6)
})
