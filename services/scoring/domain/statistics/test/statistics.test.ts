import { readFileSync } from 'node:fs'
import t from 'tap'
import type { GoldenCase } from '../../../../../scripts/golden/compare.ts'
import { statisticsAdapters } from '../../../../../scripts/golden/statistics.ts'
import { createApp } from '../../../../../shared/app/app.ts'
import { compileValidator } from '../../../../../shared/app/validators.ts'
import { bradleyTerry, estimateExists, winsOf } from '../../../../../shared/stats/bradley-terry.ts'
import { sensitivityOf, smallestFlip, type Vote } from '../../../../../shared/stats/bradley-terry-sensitivity.ts'
import { kendallCounts } from '../../../../../shared/stats/kendall.ts'
import { signFlipCounts, signFlipTest } from '../../../../../shared/stats/sign-flip.ts'
import { inlineBytesMax } from '../../../handlers/measure.ts'
import { statelessRoutes } from '../../../routes-stateless.ts'
import { createThreads } from '../../../thread/threads.ts'
import { metricRequests } from '../../metrics/requests.ts'
import { statisticNames, statistics, type StatisticName } from '../statistics.ts'

const corpus = process.env.VIVA_CORPUS

t.test('statistics agree with the references on the whole golden file', {
  skip: corpus === undefined && 'VIVA_CORPUS is not set'
}, async t => {
  const cases: GoldenCase[] = JSON.parse(readFileSync(`${corpus}/golden/stats.json`, 'utf8')).cases
  t.same(cases.flatMap(golden => {
    const failure = statisticsAdapters[golden.kind]?.(golden) ?? null
    return failure === null ? [] : [`${golden.id} ${failure}`]
  }), [])
})

/** An answer's fields; of nested ones too. */
function answerTo (name: StatisticName, body: object): Record<string, any> {
  return statistics[name].compute(body)
}

function nearly (actual: unknown, expected: number): boolean {
  return typeof actual === 'number' && Math.abs(actual - expected) <= 1e-12 * Math.max(1, Math.abs(expected))
}

t.test('every kind answers its own example as documented, and is called like no metric', async t => {
  for (const name of statisticNames) {
    const { body, answer, compute } = statistics[name]
    const example = (body as unknown as { examples: object[] }).examples[0]!
    t.equal(compileValidator({ schema: body, httpPart: 'body' })(example), true, name)
    const found = compute(structuredClone(example))
    const fits = compileValidator({ schema: answer, httpPart: 'body' })
    t.ok(fits(found) === true, `${name}: ${JSON.stringify(fits.errors)}`)
    t.notOk(Object.hasOwn(metricRequests, name))
  }
})

t.test('values known from a sheet of paper', async t => {
  // One of six pairs is discordant; so few, or so many, are in 2 · (1 + 3) of 24 orders.
  const kendall = answerTo('kendall-tau-b', { x: [1, 2, 3, 4], y: [1, 3, 2, 4] })
  t.ok(nearly(kendall.auto.statistic, 2 / 3) && nearly(kendall.auto.pvalue, 8 / 24), JSON.stringify(kendall))
  t.ok(nearly(answerTo('spearman', { x: [1, 2, 3], y: [1, 3, 2] }).two_sided.statistic, 0.5))
  t.ok(nearly(answerTo('pearson', { x: [1, 2, 3], y: [1, 3, 2] }).two_sided.statistic, 0.5))
  // t = 0.577 with one degree of freedom: p = 2/3.
  t.ok(nearly(answerTo('pearson', { x: [1, 2, 3], y: [1, 3, 2] }).two_sided.pvalue, 2 / 3))
  t.same(answerTo('rankdata', { x: [5, 1, 5] }), {
    average: [2.5, 1, 2.5], min: [2, 1, 2], max: [3, 1, 3], dense: [2, 1, 2], ordinal: [2, 1, 3]
  })
  // 2 · (1 + 4) / 2^4.
  t.ok(nearly(answerTo('mcnemar', { table: [[9, 3], [1, 9]] }).exact.pvalue, 10 / 16))
  t.ok(nearly(answerTo('paired-permutation-exact', { diff: [1, 2, 3, 4] }).two_sided, 2 / 16))
  t.ok(nearly(answerTo('wilcoxon-ttest', { x: [1, 2, 3, 4], y: [0, 0, 0, 0] }).auto.pvalue, 2 / 16))
  t.same(answerTo('adjust-pvalues', { p: [0.5, 0.125] }).holm, [0.5, 0.25])
  t.ok(nearly(answerTo('cohen-kappa', { a: [1, 1, 2, 2], b: [1, 1, 2, 1], labels: [1, 2] }).unweighted, 0.5))
  t.ok(nearly(answerTo('fleiss-kappa', { counts: [[2, 0], [0, 2], [1, 1]] }).fleiss, 1 / 3))
  // Two thirds of the games won: odds of two to one.
  const games = [[0, 1], [0, 1], [1, 0]]
  const { theta_mean0: abilities } = answerTo('bradley-terry-mle', { n: 2, games_winner_loser: games })
  t.ok(nearly(abilities[0] - abilities[1], Math.log(2)))
  t.ok(nearly(answerTo('percentile', { x: [4, 1, 3, 2], q: 25 }).linear, 1.75))
  t.ok(nearly(answerTo('jackknife-mean', { x: [1, 2, 3] }).jack_se, Math.sqrt(1 / 3)))
})

t.test('over papers the smallest p is that of their signs, and groups are compared at equal ability', async t => {
  const cluster = ['a', 'a', 'b', 'c', 'd', 'e']
  const found = answerTo('paired-over-papers', { diff: [1, 1, 1, 1, 1, 0.5], cluster })
  // All five of one sign.
  t.same(found.sign_flip, { less: 1, greater: 1 / 32, two_sided: 1 / 16, smallest_p: 1 / 16 })
  t.equal(found.clusters, 5)
  t.ok(found.minimum_detectable_effect > found.se_cr2 * 2.776)
  // r: 2 + 11/3, s: 1/2 + 1; right beyond expectation: 3/2 + 8/3, variance 91/76 + 20/9.
  const strata = [[8, 2, 5, 5], [12, 9, 4, 11], [3, 0, 4, 0]].map(([a, b, c, d]) =>
    ({ reference_right: a, reference_wrong: b, focal_right: c, focal_wrong: d }))
  const item = answerTo('mantel-haenszel-dif', { strata })
  t.ok(nearly(item.odds_ratio, (17 / 3) / 1.5))
  t.ok(nearly(item.statistic, (25 / 6 - 0.5) ** 2 / (91 / 76 + 20 / 9)))
  // Large, but not surely above 1: (3.12 - 1) / 1.39 is below 1.645.
  t.equal(item.category, 'B')
})

const degenerate: Array<[StatisticName, object, string]> = [
  ['kendall-tau-b', { x: [1, 1, 1], y: [1, 2, 3] }, 'auto'],
  ['spearman', { x: [1, 2, 3], y: [2, 2, 2] }, 'two_sided'],
  ['pearson', { x: [1], y: [2] }, 'two_sided'],
  ['mcnemar', { table: [[4, 0], [0, 3]] }, 'chi2'],
  ['wilcoxon-ttest', { x: [1, 2], y: [1, 2] }, 'auto'],
  ['krippendorff-alpha', { reliability_data: [[1, null], [null, 2]] }, 'nominal'],
  ['krippendorff-alpha', { reliability_data: [[3, 3], [3, 3]] }, 'interval'],
  ['icc', { ratings: [[1], [2]] }, 'ICC2'],
  ['icc', { ratings: [[2, 2], [2, 2]] }, 'ICC1'],
  ['cohen-kappa', { a: [1, 1], b: [1, 1], labels: [1, 2] }, 'unweighted'],
  ['fleiss-kappa', { counts: [[3, 0], [3, 0]] }, 'fleiss'],
  ['gwet', { reliability_data: [[1, null]], value_domain: [1, 2] }, 'unweighted'],
  ['bootstrap-indices', { x: [1], indices: [[0], [0]] }, 'std1'],
  ['jackknife-mean', { x: [1] }, 'jack_se'],
  ['clustered-se', { x: [1, 0], cluster: ['a', 'a'] }, 'se_clustered_finite_correction'],
  ['bradley-terry-mle', { n: 3, games_winner_loser: [[0, 1], [1, 0]] }, 'theta_mean0'],
  ['paired-over-papers', { diff: [1, 0], cluster: ['a', 'a'] }, 'se_cr2'],
  ['paired-over-papers', { diff: [1, 1], cluster: ['a', 'b'] }, 'minimum_detectable_effect'],
  ['mantel-haenszel-dif', { strata: [{ reference_right: 1, reference_wrong: 1, focal_right: 0, focal_wrong: 0 }] }, 'odds_ratio'],
  ['proportion-over-papers', { x: [1, 0], cluster: ['a', 'a'] }, 'ci'],
  ['wild-bootstrap', { x: [1, 0], cluster: ['a', 'a'] }, 'pvalue'],
  ['wild-bootstrap', { x: [1, 1], cluster: ['a', 'b'] }, 't'],
  ['wild-bootstrap', { x: [1, 0, 1], cluster: [1, 2, 3] }, 'ci'],
  ['max-t', { differences: [[1, 1], [null, null]], cluster: ['a', 'b'] }, 'adjusted'],
  ['max-t', { differences: [[1, 0]], cluster: ['a', 'a'] }, 'pvalue'],
  ['rank-confidence-sets', { scores: [[1, 0]], cluster: ['a', 'b'] }, 'rank'],
  ['rank-confidence-sets', { scores: [[1, null], [null, 0]], cluster: ['a', 'b'] }, 'critical'],
  ['prediction-powered-mean', { judge: [1, 2, 3], human: [1, 2, null], cluster: [1, 1, 1] }, 'mean'],
  ['prediction-powered-mean', { judge: [1, 2], human: [1, 2], cluster: [1, 2] }, 'ci'],
  ['rasch', { responses: [[1, 1], [1, 1]] }, 'ability'],
  ['rasch', { responses: [[1, 1, 1], [0, 1, 0], [0, 0, 1]] }, 'ability_se'],
  ['miskey', { answers: [[null], [null]], key: [0], choices: [2] }, 'ability'],
  ['miskey', { answers: [[0, 1, 0], [0, 0, null]], key: [0, 1, 1], choices: [2, 2, 2] }, 'suspects'],
  ['brier-score', { probability: [0.5], right: [true], bins: null }, 'skill'],
  ['partial-identification', { models: [{ right: 0, wrong: 0, missing: 0 }, { right: 1, wrong: 0, missing: 0 }] }, 'low'],
  ['bootstrap', { x: [1, 1, 1] }, 'bca'],
  ['bootstrap', { x: [1] }, 'percentile'],
  ['paired-bootstrap', { scores: [[1, 0], [0, 1]], cluster: ['a', 'a'] }, 'ci'],
  ['detectable-effect', { papers: 1, items_per_paper: 5, variance: { kind: 'given', value: 1 } }, 'minimum_detectable_effect'],
  ['detectable-effect', { papers: 5, items_per_paper: 5, variance: { kind: 'paired-proportions', only_first: 0, only_second: 0 } }, 'minimum_detectable_effect'],
  ['variance-components', { values: [1, 1, 1], facets: { model: [1, 1, 2] }, effects: [['model']] }, 'mean'],
  ['variance-components', { values: [1, 2, 3], facets: { model: [1, 1, 1] }, effects: [['model']] }, 'mean'],
  ['sufficient-slice', { scores: [[1, 0], [0, 1]], sizes: [1] }, 'sufficient'],
  ['bt-amip', { n: 2, matches_left_right_leftwins: [[0, 1, 1], [0, 1, 1]], alphaN: 1 }, 'diff']
]

/** A body as it comes through the route. */
function filled (name: StatisticName, body: object): object {
  const own = structuredClone(body)
  compileValidator({ schema: statistics[name].body, httpPart: 'body' })(own)
  return own
}

t.test('what cannot be said is null with a reason, and never 0', async t => {
  for (const [name, body, key] of degenerate) {
    const found = answerTo(name, filled(name, body))
    const fits = compileValidator({ schema: statistics[name].answer, httpPart: 'body' })
    t.ok(fits(structuredClone(found)) === true, `${name}: ${JSON.stringify(fits.errors)}`)
    t.type(found.reason, 'string', name)
    t.notOk(JSON.stringify(found[key]).includes('NaN'))
    t.ok(JSON.stringify(found[key]).includes('null'), `${name}: ${JSON.stringify(found)}`)
  }
})

/** Numbers that look random and are always the same. */
function scattered (count: number, seed: number, kinds = 1000): number[] {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor(state / 65536) % kinds
  })
}

t.test('properties', async t => {
  t.test('the order of pairs changes no correlation, and tau is as counted pair by pair', async t => {
    const [x, y] = [scattered(60, 1, 9), scattered(60, 2, 7)]
    const order = x.map((_, i) => (i * 17) % 60)
    for (const name of ['kendall-tau-b', 'spearman', 'pearson'] as const) {
      const key = name === 'kendall-tau-b' ? 'auto' : 'two_sided'
      const one = answerTo(name, { x, y })
      const other = answerTo(name, { x: order.map(i => x[i]!), y: order.map(i => y[i]!) })
      t.ok(nearly(one[key].statistic, other[key].statistic), name)
      t.ok(nearly(one[key].pvalue, other[key].pvalue), name)
    }
    let score = 0
    for (let i = 0; i < 60; i++) {
      for (let j = 0; j < i; j++) score += Math.sign((x[i]! - x[j]!) * (y[i]! - y[j]!))
    }
    t.equal(kendallCounts({ x, y }).score, score)
  })

  t.test('meeting in the middle counts what going through all sign patterns counts', async t => {
    const differences = scattered(11, 5, 9).map(value => (value - 3) / 8)
    const all = Array.from({ length: 2 ** 11 }, (_, pattern) =>
      differences.map((_, i) => (pattern >> i) % 2 === 0 ? 1 : -1))
    const { atLeast, atMost } = signFlipCounts(differences, all)
    const { less, greater } = signFlipTest(differences)
    t.ok(nearly(less, atMost / 2 ** 11) && nearly(greater, atLeast / 2 ** 11))
    t.equal(signFlipTest(Array.from({ length: 40 }, () => 1)).greater, 2 ** -40)
    t.throws(() => signFlipTest(Array.from({ length: 41 }, () => 1)), RangeError)
  })

  t.test('abilities do not depend on how players are numbered', async t => {
    const games = scattered(300, 9, 25).map(code => ({ winner: Math.floor(code / 5), loser: code % 5 }))
      .filter(({ winner, loser }) => winner !== loser)
    const turned = games.map(({ winner, loser }) => ({ winner: (winner + 2) % 5, loser: (loser + 2) % 5 }))
    const [one, other] = [bradleyTerry(winsOf(5, games)), bradleyTerry(winsOf(5, turned))]
    if ('reason' in one || 'reason' in other) return t.fail('there is an estimate')
    one.abilities.forEach((ability, i) => t.ok(Math.abs(ability - other.abilities[(i + 2) % 5]!) < 1e-12))
    t.ok(one.slope < 1e-12)
  })

  t.test('there is no estimate for who never lost, nor for groups that never met', async t => {
    const wins = (...games: Array<[number, number]>) =>
      winsOf(4, games.map(([winner, loser]) => ({ winner, loser })))
    t.notOk(estimateExists(wins([0, 1], [1, 2], [2, 3], [0, 3])))
    t.notOk(estimateExists(wins([0, 1], [1, 0], [2, 3], [3, 2])))
    t.ok(estimateExists(wins([0, 1], [1, 2], [2, 3], [3, 0])))
  })

  t.test('leaving out the fewest votes flips the ranking, and one fewer does not', async t => {
    const votes: Vote[] = scattered(400, 21, 16).map(code => ({ winner: code >> 2, loser: code % 4 }))
      .filter(({ winner, loser }) => winner !== loser)
    const found = sensitivityOf(4, votes)
    if ('reason' in found) return t.fail('there is an estimate')
    const flip = smallestFlip(votes, found)!
    t.ok(found.gap > 0 && flip.gap < 0, `${flip.votes.length} of ${votes.length}`)
    const gapOf = (left: number[]) => {
      const fit = bradleyTerry(winsOf(4, votes.filter((_, at) => !left.includes(at))))
      return 'reason' in fit ? NaN : fit.abilities[found.top]! - fit.abilities[found.second]!
    }
    t.ok(nearly(gapOf(flip.votes), flip.gap))
    t.ok(gapOf(flip.votes.slice(0, -1)) >= 0)
  })
})

t.test('POST /statistics/{kind}', async t => {
  const app = await createApp()
  const threads = createThreads()
  await app.register(async scope => statelessRoutes(scope, threads), { prefix: '/v1' })
  t.teardown(async () => {
    await app.close()
    await threads.close()
  })
  const post = async (name: string, body: object) => {
    const response = await app.inject({ method: 'POST', url: `/v1/statistics/${name}`, payload: body })
    return { status: response.statusCode, body: response.json() }
  }

  t.test('answers under the names of the reference, a long body as a short one', async t => {
    const short = await post('pearson', { x: [1, 2, 3, 5], y: [2, 1, 4, 6] })
    t.equal(short.status, 200)
    t.same(Object.keys(short.body), ['two_sided', 'less', 'greater'])
    const [x, y] = [scattered(8_000, 3), scattered(8_000, 4)]
    t.ok(JSON.stringify({ x, y }).length > inlineBytesMax)
    const long = await post('kendall-tau-b', { x, y })
    t.equal(long.status, 200)
    t.same(long.body, answerTo('kendall-tau-b', { x, y }))
  })

  t.test('refuses what contradicts itself, and says where', async t => {
    t.match(await post('spearman', { x: [1, 2], y: [1] }), { status: 400, body: { errors: [{ pointer: '/body/y' }] } })
    t.match(await post('bootstrap-indices', { x: [1, 2], indices: [[0, 2]] }), { status: 400, body: { errors: [{ pointer: '/body/indices/0/1' }] } })
    t.match(await post('bradley-terry-mle', { n: 2, games_winner_loser: [[1, 1]] }), { status: 400, body: { detail: /against itself/ } })
    t.match(await post('icc', { ratings: [[1, 2], [1]] }), { status: 400, body: { errors: [{ pointer: '/body/ratings/1' }] } })
    t.match(await post('pearson', { x: ['1', 2], y: [1, 2] }), { status: 400, body: { errors: [{ pointer: '/body/x/0' }] } })
    t.match(await post('no-such-kind', {}), { status: 404 })
    t.match(await post('miskey', { answers: [[4]], key: [0], choices: [4] }), { status: 400, body: { errors: [{ pointer: '/body/answers/0/0' }] } })
    t.match(await post('max-t', { differences: [[1, 2]], cluster: ['a', 'b'], names: [] }), { status: 400 })
    t.match(await post('variance-components', { values: [1, 2, 3], facets: { model: [1, 2, 3] }, effects: [['paper']] }), { status: 400, body: { errors: [{ pointer: '/body/effects' }] } })
    t.match(await post('decision-study', {
      components: [{ effect: ['judge'], variance: 1 }], counts: { paper: 2 }, limits: { paper: 4 }
    }), { status: 400, body: { detail: /no count of judge/ } })
    t.match(await post('wild-bootstrap', { x: [1, 'NaN'], cluster: [1, 2] }), { status: 400, body: { errors: [{ pointer: '/body/x/1' }] } })
  })
})
