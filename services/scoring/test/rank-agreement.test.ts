import t from 'tap'
import { drawsOf } from '../../../shared/stats/draws.ts'
import { rankAgreementOf } from '../domain/analyses/rank-agreement.ts'
import { scoresOfRuns } from '../domain/analyses/scores-of-runs.ts'
import type { AnalysedRun } from '../domain/analyses/analysis.ts'

type Row = Record<string, number>

interface Truth { models: number, r: number, noise: [number, number] }

/** Two benchmarks of models whose true scores correlate with r, with errors of these variances beside 1. */
function simulated (seed: number, { models, r, noise }: Truth) {
  const draws = drawsOf(seed)
  const truths = Array.from({ length: models }, () => {
    const first = draws.normal()
    return [first, r * first + Math.sqrt(1 - r * r) * draws.normal()]
  })
  return [0, 1].map(at => {
    const error = Math.sqrt(noise[at]!)
    return {
      name: `b${at}`,
      higherIsBetter: at === 0,
      scores: truths.map((truth, j) => {
        // Halves have errors of twice the variance.
        const halves = [0, 1].map(() => truth[at]! + Math.SQRT2 * error * draws.normal()) as [number, number]
        const sign = at === 0 ? 1 : -1
        return { model: `m${j}`, score: sign * (halves[0] + halves[1]) / 2, error, halves }
      })
    }
  })
}

function withoutHalves (benchmarks: ReturnType<typeof simulated>) {
  return benchmarks.map(benchmark => ({
    ...benchmark, scores: benchmark.scores.map(({ model, score, error }) => ({ model, score, error }))
  }))
}

t.test('corrected agreement recovers that of the true scores, from errors and from halves', async t => {
  const [r, noise] = [0.8, [0.5, 0.8] as [number, number]]
  const truth = {
    correctedPearson: r,
    correctedTau: 2 / Math.PI * Math.asin(r),
    correctedSpearman: 6 / Math.PI * Math.asin(r / 2)
  }
  for (const of of [withoutHalves, (given: ReturnType<typeof simulated>) => given]) {
    const rows = Array.from({ length: 150 }, (_, seed) =>
      rankAgreementOf({ benchmarks: of(simulated(seed, { models: 400, r, noise })) }).rows[0] as Row)
    const mean = (key: string) => rows.reduce((sum, row) => sum + row[key]!, 0) / rows.length
    for (const [key, value] of Object.entries(truth)) t.ok(Math.abs(mean(key) - value) < 0.03, `${key} ${mean(key)} for ${value}`)
    t.ok(mean('kendallTauB') < truth.correctedTau - 0.2, `uncorrected ${mean('kendallTauB')}`)
    t.ok(Math.abs(mean('reliabilityFirst') - 1 / 1.5) < 0.03)
    t.ok(Math.abs(mean('reliabilitySecond') - 1 / 1.8) < 0.03)
    t.ok(Math.abs(mean('reachablePearson') - Math.sqrt(1 / 1.5 / 1.8)) < 0.03)
    // The interval takes reliabilities as known, which of 400 models they are nearly.
    const holds = rows.filter(({ correctedLow: low, correctedHigh: high }) => low! <= r && r <= high!).length
    t.ok(holds >= 132, `${holds} of 150`)
  }
})

t.test('where reliability is unknown, too low or too large for the scores, it is said', async t => {
  const benchmarks = withoutHalves(simulated(1, { models: 12, r: 0.9, noise: [0.1, 0.1] }))
  const unknown = structuredClone(benchmarks) as Parameters<typeof rankAgreementOf>[0]['benchmarks']
  delete unknown[1]!.scores[3]!.error
  t.match(rankAgreementOf({ benchmarks: unknown }).rows[0], { pearson: Number, reliabilitySecond: null, correctedTau: null, correctionReason: /b1: not all scores have an error/ })
  const known = (reliability: number) =>
    rankAgreementOf({ benchmarks: benchmarks.map(each => ({ ...each, reliability })) }).rows[0]
  t.match(known(0.2), { reachableTau: Number, correctedTau: null, correctionReason: /too low/ })
  t.match(known(0.5), { correctedPearson: 1, correctionReason: /beyond 1 is 1/ })
  const noisy = benchmarks.map(each =>
    ({ ...each, scores: each.scores.map(score => ({ ...score, error: 5 })) }))
  t.match(rankAgreementOf({ benchmarks: noisy }).rows[0], { reliabilityFirst: null, correctionReason: /as large as the differences/ })
})

t.test('scores from 5e-324 to 1e308 agree as they do near 1', async t => {
  const [first, second] = withoutHalves(simulated(2, { models: 12, r: 0.9, noise: [0.1, 0.1] }))
  const usual = rankAgreementOf({ benchmarks: [first!, second!] }).rows[0] as Row
  for (const factor of [2 ** 1_020, 2 ** -900]) {
    const scores = second!.scores.map(({ model, score, error }) =>
      ({ model, score: score * factor, error: error * factor }))
    const found = rankAgreementOf({ benchmarks: [first!, { ...second!, scores }] }).rows[0] as Row
    for (const [key, value] of Object.entries(usual)) {
      t.ok(value === found[key] || Math.abs(value - found[key]!) < 1e-12, key)
    }
  }
})

t.test('errors of runs over the same items leave out what is hard for all of them', async t => {
  const draws = drawsOf(3)
  const abilities = Array.from({ length: 20 }, () => draws.normal())
  const items = Array.from({ length: 300 }, (_, i) =>
    ({ itemId: `i${i}`, cluster: `p${i % 30}`, hard: 3 * draws.normal() }))
  const runsOf = () => abilities.map((ability, j) => ({
    name: `m${j}`,
    rows: items.map(({ itemId, cluster, hard }) => ({
      itemId,
      cluster,
      kind: 'choice',
      outcome: 'answered',
      pairId: null,
      slices: {},
      answerIndex: 0,
      referenceIndex: 0,
      correct: draws.next() < 1 / (1 + Math.exp(hard - ability))
    }))
  }) as unknown as AnalysedRun)
  const [first, again] = [scoresOfRuns(runsOf(), 'accuracy'), scoresOfRuns(runsOf(), 'accuracy')]
  // The same items asked anew: what differs is error that this reliability is to know of.
  const squares = first.reduce((sum, { score }, j) => sum + (score! - again[j]!.score!) ** 2 / 40, 0)
  const told = first.reduce((sum, { error }) => sum + error! ** 2, 0) / first.length
  t.ok(told > 0.6 * squares && told < 1.8 * squares, `${told} for ${squares}`)
  const alone = scoresOfRuns(runsOf().slice(0, 1), 'accuracy')
  t.match(alone[0], { score: Number, error: undefined })
})
