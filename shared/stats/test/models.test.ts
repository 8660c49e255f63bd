import { readFileSync } from 'node:fs'
import t from 'tap'
import { brierScore } from '../brier.ts'
import { whereToSpend } from '../decision-study.ts'
import { detectableEffect, pairedProportionVariance, plannedError } from '../detectable-effect.ts'
import { drawsOf } from '../draws.ts'
import { itemRestCorrelations } from '../item-rest.ts'
import { miskeys, type KeyedItem } from '../miskey.ts'
import { boundsOfDifference, orderOfBounds, partialBounds } from '../partial-identification.ts'
import { averagePrecision, precisionAtK } from '../ranking-quality.ts'
import { rasch } from '../rasch.ts'
import { riskCoverage } from '../risk-coverage.ts'
import { sufficientSlice } from '../sufficient-slice.ts'
import { varianceComponents } from '../variance-components.ts'

/** Recorded from scikit-learn and statsmodels, and from likelihoods and matrices written out in numpy. */
const reference = JSON.parse(readFileSync(new URL('study-reference.json', import.meta.url), 'utf8'))

function near (found: number | null, expected: number, within = 1e-9): boolean {
  return found !== null && Math.abs(found - expected) <= within
}

t.test('Rasch\'s model with guessing', async t => {
  t.test('finds the likelihood that scipy finds, with its abilities, errors and spread', async t => {
    for (const { responses, guessing, abilities, errors, spread, logLikelihood } of reference.rasch) {
      const found = rasch(responses, { guessing })
      if ('reason' in found) return t.fail(found.reason)
      t.ok(found.converged)
      t.ok(near(found.logLikelihood, logLikelihood, 1e-6))
      t.ok(near(found.spread, spread, 1e-5))
      found.abilities.forEach((ability, j) => t.ok(near(ability, abilities[j], 1e-5)))
      found.errors.forEach((error, j) => t.ok(near(error, errors[j], 1e-5)))
    }
  })

  t.test('gives no ability to a model that is always right, and a bounded one if hierarchical', async t => {
    const responses = [[1, 1, 1, 1, 1, 1], [1, 0, 1, 1, 0, 1], [0, 0, 1, 1, 0, 0]] as Array<Array<0 | 1>>
    const free = rasch(responses)
    t.match(free, { abilities: [null, Number, Number], errors: [null, Number, Number] })
    const drawn = rasch(responses, { hierarchical: true })
    t.ok(!('reason' in drawn) && drawn.abilities[0]! > drawn.abilities[1]! && drawn.errors[0]! > drawn.errors[1]!)
  })

  t.test('has wider errors over papers whose items resemble each other, and none over one paper', async t => {
    const draws = drawsOf(8)
    const paper = Array.from({ length: 80 }, (_, i) => i % 8)
    const difficulty = Array.from({ length: 8 }, () => 1.5 * draws.normal())
    const responses = [-0.5, 0, 0.5, 1].map(ability => paper.map(p =>
      draws.next() < 1 / (1 + Math.exp(difficulty[p]! - ability)) ? 1 as const : 0 as const))
    const items = rasch(responses)
    const papers = rasch(responses, { cluster: paper.map(String) })
    const one = rasch(responses, { cluster: paper.map(() => 'one') })
    if ('reason' in items || 'reason' in papers || 'reason' in one) return t.fail('there is an estimate')
    t.ok(papers.errors[0]! > 1.5 * items.errors[0]!)
    t.ok(Number.isNaN(one.errors[0]))
  })

  t.test('says nothing of answers that are all right, of one model or of one item', async t => {
    t.match(rasch([[1, 1], [1, 1]]), { reason: /nothing is told apart/ })
    t.match(rasch([[1, 0]]), { reason: /two models/ })
    t.match(rasch([[1], [0]]), { reason: /two items/ })
    t.throws(() => rasch([[1, 0], [1]]), RangeError)
  })
})

/**
 * Four choices; the strong are mostly right, the rest guess. A miskeyed item's key is another than the
 * right one.
 */
function answered (seed: number): { items: KeyedItem[], wrong: boolean[], abilities: number[] } {
  const draws = drawsOf(seed)
  const abilities = Array.from({ length: 20 }, () => draws.normal() + 0.5)
  const wrong = Array.from({ length: 200 }, (_, i) => i < 8)
  const items = wrong.map(miskeyed => {
    const difficulty = draws.normal()
    const lure = 1 + draws.below(3)
    const answers = abilities.map(ability => {
      const right = draws.next() < 0.25 + 0.75 / (1 + Math.exp(difficulty - ability))
      return right ? 0 : draws.next() < 0.4 ? lure : 1 + draws.below(3)
    })
    return { key: miskeyed ? lure : 0, choices: 4, answers }
  })
  return { items, wrong, abilities }
}

t.test('miskeyed items are found by what the strong agree on, better than by item-rest correlation', async t => {
  let [ours, theirs] = [0, 0]
  for (let seed = 1; seed <= 5; seed++) {
    const { items, wrong, abilities } = answered(seed)
    const found = miskeys(items, abilities)
    const correlations = itemRestCorrelations(abilities.map((_, j) =>
      items.map(({ key, answers }) => answers[j] === key ? 1 as const : 0 as const)))
    ours += precisionAtK(found.map(({ posterior }, i) => ({ score: posterior, wanted: wrong[i]! })), 8)! / 5
    theirs += precisionAtK(correlations.map((r, i) => ({ score: -(r ?? 0), wanted: wrong[i]! })), 8)! / 5
    t.ok(found.every(({ posterior }) => posterior >= 0 && posterior <= 1))
  }
  t.ok(ours > 0.8, `precision at 8: ${ours}`)
  t.ok(ours > theirs + 0.2, `${ours} and ${theirs}`)
  const silent = miskeys([{ key: 0, choices: 2, answers: [null, null] }], [0, 1])
  t.match(silent, [{ posterior: 0.05, option: null, strongOnKey: null }])
  t.throws(() => miskeys([{ key: 4, choices: 4, answers: [0] }], [0]), RangeError)
})

t.test('average precision is that of scikit-learn, and precision at k shares equals out', async t => {
  const { score, wanted, value } = reference.averagePrecision
  const list = score.map((own: number, i: number) => ({ score: own, wanted: wanted[i] }))
  t.ok(near(averagePrecision(list), value))
  t.equal(
    precisionAtK(
      [{ score: 1, wanted: true }, { score: 1, wanted: false }, { score: 0, wanted: true }], 1
    ), 0.5
  )
  t.equal(precisionAtK([], 3), null)
  t.equal(averagePrecision([{ score: 1, wanted: false }]), null)
})

t.test('variance components', async t => {
  t.test('are the analysis of variance of a balanced design, and solve the dense equations of any other', async t => {
    for (const { values, facets, effects, variances } of reference.varianceComponents) {
      const found = varianceComponents(values, facets, effects)
      if ('reason' in found) return t.fail(found.reason)
      found.components.forEach(({ variance }, i) => t.ok(near(variance, variances[i])))
    }
  })

  t.test('are not told where values are equal, an effect has one level, or two are one', async t => {
    const facets = { model: [0, 0, 1, 1], item: [0, 1, 0, 1], paper: [0, 0, 0, 0] }
    t.match(varianceComponents([1, 1, 1, 1], facets, [['model']]), { reason: /All values are equal/ })
    t.match(varianceComponents([1, 0, 1, 1], facets, [['paper']]), { reason: /paper has one level/ })
    t.match(varianceComponents([1, 0, 1, 1], facets, [['model', 'item']]), { reason: /cannot tell/ })
    t.match(varianceComponents([1, 0], { model: [0, 1] }, [['model']]), { reason: /three values/ })
    t.throws(() => varianceComponents([NaN, 0, 1, 2], facets, []), RangeError)
    t.throws(() => varianceComponents([1, 0, 1, 2], facets, [['judge']]), RangeError)
  })
})

t.test('calls go where they lower the error of a difference most', async t => {
  const effects = [
    { effect: ['model'], variance: 1 }, { effect: ['paper'], variance: 0.5 }, { effect: ['model', 'paper'], variance: 0.2 },
    { effect: ['model', 'paper', 'item'], variance: 0.3 }, { effect: [], variance: 0.4 }
  ]
  const design = { counts: { paper: 10, item: 5, repeat: 1 }, nested: { item: 'paper' }, object: 'model', budget: 100 }
  const { now, single, best } = whereToSpend(
    effects, { ...design, limits: { paper: 40, item: 40, repeat: 40 } }
  )
  t.ok(near(now.differenceError, Math.sqrt(2 * (0.2 / 10 + 0.3 / 50 + 0.4 / 50))))
  t.ok(near(now.absoluteError, Math.sqrt(0.5 / 10 + 0.2 / 10 + 0.3 / 50 + 0.4 / 50)))
  t.same(single.map(({ facet }) => facet), ['paper', 'item', 'repeat'])
  // .2/33 + .7/99 is less than .2/40 + .7/80 and .2/25 + .7/100.
  t.same(best.counts, { paper: 33, item: 3, repeat: 1 })
  t.ok(best.differenceError < single[0]!.differenceError && best.calls <= 100)
  t.throws(() => whereToSpend(effects, { ...design, budget: 10, limits: {} }), RangeError)
  t.throws(() => whereToSpend([{ effect: ['judge'], variance: 1 }], { ...design, limits: {} }), RangeError)
})

t.test('a slice looks better on the models it was chosen with than on others', async t => {
  const draws = drawsOf(5)
  const scores = Array.from({ length: 24 }, (_, j) => Array.from({ length: 300 }, () =>
    draws.next() < 1 / (1 + Math.exp(draws.normal() - j / 12 + 1)) ? 1 : 0))
  const options = { sizes: [10, 40, 120], target: 0.8, splits: 6, randoms: 6, draws }
  const found = sufficientSlice(scores, options)
  if ('reason' in found) return t.fail(found.reason)
  for (const { chosen, heldOut } of found.sizes.slice(0, 2)) t.ok(chosen! > heldOut! + 0.1, `${chosen} ${heldOut}`)
  t.ok(found.sizes[2]!.heldOut! > found.sizes[0]!.heldOut!)
  t.equal(found.items?.length ?? null, found.sufficient)
  t.match(sufficientSlice(scores.slice(0, 5), options), { reason: /held out/ })
  t.match(sufficientSlice(scores.map(() => scores[0]!), options), { reason: /same score/ })
  t.match(sufficientSlice(scores, { ...options, sizes: [300] }), { reason: /smaller than the whole/ })
})

t.test('Brier scores are those of scikit-learn, and their parts add up', async t => {
  const { probability, right, score } = reference.brier
  const forecasts = probability.map((value: number, i: number) => ({ probability: value, right: right[i] }))
  for (const bins of [10, 3, null]) {
    const found = brierScore(forecasts, bins)!
    t.ok(near(found.score, score))
    t.ok(near(found.reliability - found.resolution + found.uncertainty + found.withinBins, score))
    if (bins === null) t.ok(near(found.withinBins, 0))
  }
  t.equal(brierScore([]), null)
  t.equal(brierScore([{ probability: 0.5, right: true }])!.skill, null)
  t.throws(() => brierScore([{ probability: NaN, right: true }]), RangeError)
})

t.test('a risk-coverage curve takes equal confidence in all orders alike', async t => {
  const found = riskCoverage([
    [0.9, true], [0.5, true], [0.5, false], [0.1, false]
  ].map(([confidence, right]) =>
    ({ confidence: confidence as number, right: right as boolean })))!
  t.same(found.points.map(({ coverage }) => coverage), [0.25, 0.75, 1])
  t.ok(near(found.aurc, (0 + 0.25 + 1 / 3 + 0.5) / 4))
  t.ok(near(found.aurcLeast, (1 / 3 + 0.5) / 4))
  t.ok(near(found.aurcChance, 0.5))
  t.ok(near(riskCoverage([{ confidence: 1, right: true }])!.excess, 0))
  t.equal(riskCoverage([]), null)
  t.throws(() => riskCoverage([{ confidence: NaN, right: true }]), RangeError)
})

t.test('missing answers leave bounds, and ranks that fit them', async t => {
  const bounds = [
    {
      right: 60,
      wrong: 30,
      missing: 10
    }, { right: 65, wrong: 35, missing: 0 }, { right: 10, wrong: 90, missing: 0 }
  ].map(partialBounds)
  t.match(bounds[0], { low: 0.6, high: 0.7, answeredOnly: 2 / 3, width: 0.1 })
  t.same(
    orderOfBounds(bounds), {
      ranks: [{ best: 1, worst: 2 }, { best: 1, worst: 2 }, { best: 3, worst: 3 }],
      undecided: [[0, 1]]
    }
  )
  const { low, high } = boundsOfDifference(bounds[0]!, bounds[1]!)
  t.ok(near(low, -0.05))
  t.ok(near(high, 0.05))
  t.equal(partialBounds({ right: 0, wrong: 0, missing: 0 }), null)
  t.equal(partialBounds({ right: 0, wrong: 0, missing: 2 })!.answeredOnly, null)
  t.throws(() => partialBounds({ right: 0.5, wrong: 0, missing: 0 }), RangeError)
})

t.test('the detectable effect is within 2 % of the non-central t from ten papers on, and that of a plan holds', async t => {
  for (const { n, effect } of reference.detectable) {
    const found = detectableEffect(Math.sqrt(1 / n), { df: n - 1 })
    t.ok(Math.abs(found / effect - 1) < (n < 10 ? 0.06 : 0.02), `${found} for ${effect} at ${n}`)
  }
  t.ok(near(pairedProportionVariance(0.2, 0.1), 0.29))
  t.ok(near(plannedError(0.29, { papers: 20, itemsPerPaper: 10, icc: 0 }), Math.sqrt(0.29 / 200)))
  // At an ICC of 1 items of a paper are one.
  t.ok(near(plannedError(0.29, { papers: 20, itemsPerPaper: 10, icc: 1 }), Math.sqrt(0.29 / 20)))
  t.throws(() => pairedProportionVariance(0.8, 0.3), RangeError)
})
