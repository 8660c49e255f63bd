import t from 'tap'
import { normalTail } from '../../../shared/stats/distributions.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { seededRandom } from '../../../shared/testing/random.ts'
import { analyses, analysisNames } from '../domain/analyses/analyses.ts'
import { analysisTable, type AnalysedRun, type AnalysisBody } from '../domain/analyses/analysis.ts'
import { gapOverPapers, newcombeInterval } from '../domain/analyses/two-shares.ts'
import { tableCsv, tableLatex } from '../domain/compare/table.ts'
import { benchmarkOf, conditionOf, documentOf, itemsOf } from './fixtures.ts'
import { says, startScoring } from './given-scoring.ts'

/** As the route would hand it over, defaults filled in by hand where they matter. */
function analyse (kind: keyof typeof analyses, body: object) {
  return analyses[kind].compute(body as AnalysisBody, null)
}

const near = (
  actual: unknown, expected: number, digits = 4
) => Math.abs(Number(actual) - expected) < 0.5 * 10 ** -digits

t.test('Newcombe\'s own example', async t => {
  const { low, high } = newcombeInterval({ right: 56, n: 70 }, { right: 48, n: 80 })
  t.ok(near(low, 0.0524) && near(high, 0.3339), `${low} to ${high}`)
  const ends = newcombeInterval({ right: 10, n: 10 }, { right: 0, n: 10 })
  t.ok(ends.low < 1 && ends.low > 0.5 && ends.high === 1, 'no point at the ends')
})

t.test('a gap over papers is that of the two means, with CR2 worked out by hand', async t => {
  const value = (cluster: string, first: boolean, value: number) => ({ cluster, first, value })
  const values = [value('p', true, 1), value('q', true, 0), value('p', false, 1), value('q', false, 1), value('r', false, 0), value('r', false, 0)]
  const found = gapOverPapers(values, 0.5)!
  // Residuals: first .5, -.5; second .5, .5, -1 by paper; shares 1/2; 1/4, 1/4, 1/2.
  const [half, other] = [0.5 / 2 / Math.sqrt(0.5), 0.5 / 4 / Math.sqrt(0.75)]
  const pull = [half - other, -half - other, 1 / 4 / Math.sqrt(0.5)]
  const error = Math.hypot(...pull)
  t.equal(found.gap, 0)
  t.ok(near(found.high / error, 1, 9), 't with one degree of freedom, for one of the slices lies in two papers')
  t.match(gapOverPapers(values), { low: -1, high: 1, method: /conditional on these papers/ }, 'and never beyond what a gap can be')
  t.equal(gapOverPapers(values.filter(({ cluster }) => cluster === 'p')), null, 'one paper has none')
})

t.test('gaps: no data is null and in no mean, and leaving out one item is what it says', async t => {
  const models = [
    { model: 'a', first: { right: 3, n: 5 }, second: { right: 59, n: 100 } },
    { model: 'text only', first: null, second: { right: 1, n: 2 } },
    { model: 'asked nothing', first: { right: 0, n: 0 }, second: { right: 1, n: 2 } }
  ]
  const { rows, summary } = analyse('gaps', { interval: 'papers', table: { first: 'x', second: 'y', models } })
  t.match(summary, { modelsWithGap: 1, meanGap: 0.6 - 0.59, modelsThatFlip: 1 })
  t.match(rows[1], { gap: null, firstShare: null, low: null })
  t.match(rows[2], { gap: null, firstShare: null, firstN: 0 })
  // Without a right item 2/4, without a wrong one 3/4.
  t.equal(rows[0]!.leaveOneOutFlips, 3)
  t.ok(near(rows[0]!.leaveOneOutSwing, 0.15, 12))
  t.throws(() => analyse('gaps', { interval: 'papers', table: { first: 'x', second: 'y', models: [models[0], models[0]] } }), Problem)
  t.throws(() => analyse('gaps', { interval: 'papers', table: { first: 'x', second: 'y', models: [{ model: 'a', first: { right: 3, n: 2 }, second: null }] } }), /3 right of 2/)
})

t.test('rank agreement: distances inverted, few models refused, reliability beside raw', async t => {
  const scores = (of: (i: number) => number, n: number) => Array.from({ length: n }, (_, i) => ({ model: `m${i}`, score: of(i), error: 0.5 }))
  const table = (n: number) => ({
    benchmarks: [
      { name: 'ours', higherIsBetter: true, scores: scores(i => i, n) },
      { name: 'distance', higherIsBetter: false, scores: scores(i => 100 - i * i, n) }
    ]
  })
  const [four] = analyse('rank-agreement', { table: table(4) }).rows
  t.match(four, { models: 4, kendallTauB: 1, claim: /refused: 4 models/ })
  t.ok(near(four!.kendallP, 1 / 12), 'a perfect tau of four has p = .083')
  const [ten] = analyse('rank-agreement', { table: table(12) }).rows
  t.match(ten, { models: 12, claim: 'may be made' })
  t.ok(near(ten!.kendallTauB, 1, 12))
  // Variance of 0 to 11 is 13.
  t.ok(near(ten!.reliabilityFirst, 1 - 0.25 / 13, 12))
  const { pearson, correctedPearson, reliabilityFirst, reliabilitySecond } = ten as Record<string, number>
  t.ok(near(correctedPearson! ** 2, pearson! ** 2 / reliabilityFirst! / reliabilitySecond!, 12))
  const flat = table(12)
  flat.benchmarks[1]!.scores = scores(() => 1, 12)
  t.match(analyse('rank-agreement', { table: flat }).rows[0], { kendallTauB: null, claim: /refused/, reason: String })
  const apart = table(3)
  apart.benchmarks[1]!.scores = [{ model: 'other', score: 1, error: 1 }]
  t.match(analyse('rank-agreement', { table: apart }).rows[0], { models: 0, pearson: null })
})

t.test('reasoning: both normalisations, right for the wrong reasons, and no failed judgement as -1', async t => {
  const judged = [[true, 20], [true, 8], [false, 12], [true, 12]].map(([right, total], i) => ({ right, total, paper: `p${i}` }))
  const options = { scale: { lowest: 4, highest: 20 }, soundFrom: 12 }
  const { rows: [row] } = analyse('reasoning', { ...options, table: { models: [{ model: 'a', accuracy: { right: 3, n: 4 }, reasoning: judged }] } })
  t.match(row, {
    total: 13, normalisedFromLowest: 9 / 16, percentOfHighest: 65, rightForWrongReasons: 1 / 3, rightJudged: 3
  })
  t.ok(near(row!.rightMinusAll, 40 / 3 - 13, 12))
  const failed = [{ right: true, total: -1 }]
  t.throws(() => analyse('reasoning', { ...options, table: { models: [{ model: 'a', accuracy: { right: 1, n: 1 }, reasoning: failed }] } }), /failed is left out/)
  t.match(analyse('reasoning', { ...options, table: { models: [{ model: 'a', accuracy: { right: 1, n: 1 }, reasoning: null }] } }), { rows: [{ total: null, judged: 0 }], summary: { pearson: null, reason: /fewer than three/ } })
})

t.test('passing: the probability is exact', async t => {
  const rule = { average: 60, eachSubject: 50, questionsPerSubject: 2 }
  const one = (subjects: object) => analyse('passing', { rule, table: { models: [{ model: 'a', subjects }] } }).rows[0]!
  // Two of 4 drawn, 3 right: both right 1/2, one right 1/2; of the other subject always both: 3 of 4 needed.
  t.ok(near(one({ x: { right: 3, n: 4 }, y: { right: 4, n: 4 } }).passProbability, 1, 12))
  // Each 1 or 2 right, sum at least 3: all but (1, 1).
  t.ok(near(one({ x: { right: 3, n: 4 }, y: { right: 3, n: 4 } }).passProbability, 0.75, 12))
  t.match(one({ x: { right: 1, n: 1 } }), { passProbability: null, reason: /a sitting asks 2/ })
  // Of the sums of 50 subjects, held against the normal tail; and one subject against its counts.
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, s) => [`s${s}`, { right: 600, n: 1000 }]))
  const large = analyse('passing', { rule: { average: 60.4, eachSubject: 0, questionsPerSubject: 500 }, table: { models: [{ model: 'a', subjects: many }] } }).rows[0]!
  const deviation = Math.sqrt(50 * 500 * 0.6 * 0.4 * 500 / 999)
  t.ok(near(large.passProbability, normalTail((100 - 0.5) / deviation), 4), String(large.passProbability))
  const choose = (n: number, k: number): number => k === 0 ? 1 : choose(n - 1, k - 1) * n / k
  for (const [right, n, asked] of [[7, 30, 10], [29, 30, 10], [30, 30, 10], [0, 12, 5], [3, 9, 9]] as const) {
    const hits = Array.from({ length: asked + 1 }, (_, k) => k).filter(k => 100 * k >= 30 * asked)
    const possible = hits.filter(k => k <= right && asked - k <= n - right)
    const expected = possible.reduce((sum, k) =>
      sum + choose(right, k) * choose(n - right, asked - k) / choose(n, asked), 0)
    const found = analyse('passing', { rule: { average: 0, eachSubject: 30, questionsPerSubject: asked }, table: { models: [{ model: 'a', subjects: { x: { right, n } } }] } })
    t.ok(near(found.rows[0]!.passProbability, expected, 12), `${right} of ${n}`)
  }
  t.match(one({ x: { right: 0, n: 0 } }), { passes: null })
})

t.test('cost: a latency without its concurrency says nothing of throughput', async t => {
  const { rows } = analyse('cost', {
    examQuestions: 100,
    examMinutes: 150,
    table: {
      models: [
        { model: 'a', questions: 1000, wallSeconds: 3600, gpus: 2, concurrency: 8 },
        { model: 'b', questions: 1000, latencySeconds: 800, concurrency: 8 },
        { model: 'c', questions: 1000, latencySeconds: 5 }
      ]
    }
  })
  t.match(rows, [{ examMinutes: 6, inTime: true, gpuHours: 0.2 }, { examMinutes: 100 * 100 / 60, inTime: false, gpuHours: null }, { examMinutes: null, inTime: null, reason: /concurrency/ }])
})

t.test('content modes: by item only at one generation mode, by paper across, and their interaction', async t => {
  const cell = (generation: string, evaluation: string, values: Record<string, number[]>) => ({
    model: 'a', generation, evaluation, items: Object.entries(values).flatMap(([paper, of]) => of.map((value, i) => ({ item: `${generation} ${paper} ${i}`, paper, value })))
  })
  const cells = [
    cell('sections', 'full', { p: [1, 1], q: [1, 0], r: [1, 1] }), cell('sections', 'none', { p: [0, 0], q: [0, 0], r: [1, 0] }),
    cell('semantic', 'full', { p: [1], q: [0], r: [1] }), cell('semantic', 'none', { p: [1], q: [0], r: [0] })
  ]
  const { rows } = analyse('content-modes', { metric: 'accuracy', table: { cells } })
  const effect = (name: string, generation: string) => rows.find(
    row => row.effect === name && row.generation === generation
  )
  t.match(effect('evaluation, by item', 'sections'), { value: 4 / 6, n: 6, papers: 3 })
  t.match(rows.filter(({ effect }) => effect === 'generation, by paper').map(({ evaluation, n }) => [evaluation, n]), [['full', 3], ['none', 3]])
  // By paper: sections full - none 1, .5, .5; semantic 0, 0, 1.
  t.ok(near(effect('interaction, by paper', 'sections - semantic')!.value, 1 / 3, 12))
  t.throws(() => analyse('content-modes', { table: { cells: [cells[0], cells[0]] } }), /stands twice/)
})

t.test('robustness: a run against the first, changed answers, single papers', async t => {
  const run = (name: string, marks: string) => ({ name, items: [...marks].map((mark, i) => ({ item: `i${i}`, paper: `p${i % 4}`, right: mark === '1', answer: mark === '1' ? 'right' : `wrong ${name}` })) })
  const { rows, summary } = analyse('robustness', { table: { runs: [run('a', '11111100'), run('b', '01101100')] } })
  t.match(rows[0], { accuracy: 0.75, difference: null })
  t.match(rows[1], { accuracy: 0.5, difference: -0.25, changedAnswers: 0.5, p: 0.5 })
  t.match(summary, { rightInAll: 0.5, rightInAny: 0.75, sameAnswerInAll: 0.5, lowestAccuracy: 0.5 })
  t.ok(near(rows[0]!.withoutOnePaperLowest, 4 / 6, 12) && rows[0]!.withoutOnePaperHighest === 5 / 6)
})

t.test('an item that works alike in both groups is not flagged; one that does not, is', async t => {
  const models = Array.from({ length: 40 }, (_, m) => ({ model: `m${m}`, focal: m % 2 === 1 }))
  // Ability by pairs of models, one of each group; the first item is wrong for the focal ones alone.
  const random = seededRandom(3)
  const chanceOf = (i: number, m: number) => i === 0 ? (m % 2 === 1 ? 0.1 : 0.9) : 0.2 + 0.6 * (m >> 1) / 20
  const items = Array.from({ length: 30 }, (_, i) => ({
    item: `i${i}`, slice: i === 0 ? 'odd' : 'even', right: models.map((_, m) => random.chance(chanceOf(i, m)))
  }))
  const { rows, summary } = analyse('dif', { strata: 4, table: { models, items } })
  t.match(summary, { flagged: 1, focalModels: 20 })
  t.match(rows[0], { item: 'i0', category: 'C' })
  t.equal(rows.length, 32)
  t.match(analyse('dif', { strata: 4, table: { models, items: [{ item: 'i', right: models.map(() => true) }] } }).rows[0], { oddsRatio: null, reason: String })
})

t.test('every example in the documentation can be computed, and its rows written', async t => {
  for (const kind of analysisNames) {
    const { body } = analyses[kind]
    const example = structuredClone((body as unknown as { examples: object[] }).examples[0]!)
    const defaults = { interval: 'papers', metric: 'accuracy', scale: { lowest: 4, highest: 20 }, soundFrom: 12, examQuestions: 100, examMinutes: 150, rule: { average: 60, eachSubject: 40, questionsPerSubject: 20 }, strata: 4, margin: 0.1 }
    const answer = { kind, ...analyse(kind, { ...defaults, ...example }) }
    t.ok(answer.rows.length > 0, kind)
    t.notMatch(JSON.stringify(answer), /null,"reason":null|NaN/, kind)
    t.match(tableCsv(analysisTable(answer)), /\r\n/)
    t.match(tableLatex(analysisTable(answer)), /booktabs|\\toprule/)
  }
})

t.test('a run without items of the kind has an empty row that says so, and the others are computed', async t => {
  const scored = (kind: 'choice' | 'qa', nth: number) => ({
    itemId: `i${nth}`, kind, slices: { subject: nth % 2 === 0 ? 'x' : 'y' }, cluster: `p${nth}`, pairId: null, outcome: 'answered', correct: nth < 3
  })
  const runOf = (name: string, kind: 'choice' | 'qa') => ({
    runId: name, name, model: name, condition: conditionOf(), benchmarkId: 'b', generationMode: null, rows: [0, 1, 2, 3].map(nth => scored(kind, nth))
  }) as unknown as AnalysedRun
  const both = [runOf('open', 'qa'), runOf('closed', 'choice')]
  const rule = { average: 60, eachSubject: 40, questionsPerSubject: 2 }
  t.match(analyses.passing.compute({ rule }, both).rows, [
    { model: 'open', n: 0, average: null, passes: null, passProbability: null, reason: /no yes\/no or multiple-choice item/ },
    { model: 'closed', n: 4, average: 75, passes: true, reason: '' }
  ])
  t.match(analyses['sub-domains'].compute({ dimension: 'subject' }, both).rows, [
    { model: 'open', value: null, share: null, n: 0, method: /none: no yes\/no or multiple-choice item/ },
    { model: 'closed', value: 'x', share: 1, n: 2 },
    { model: 'closed', value: 'y', share: 0.5, n: 2 }
  ])
  const external = [{ name: 'other', higherIsBetter: true, scores: [{ model: 'closed', score: 1 }] }]
  const agreement = analyses['rank-agreement'].compute({ metric: 'accuracy', external }, both)
  t.match(agreement.rows, [{ models: 1, kendallTauB: null, reason: /fewer than three/ }])
  t.match(agreement.notes.join(' '), /in no number: 1 of 2 models: open\./)
  t.notMatch(agreement.notes.join(' '), /no run has the name/)
  const strange = [{ ...external[0]!, scores: ['closed', 'Closed', 'else'].map(model => ({ model, score: 1 })) }]
  const { notes } = analyses['rank-agreement'].compute({ metric: 'accuracy', external: strange }, both)
  t.match(notes.at(-1), /no run has the name: 2 models of external: Closed, else\. The runs are of: open, closed\./)
  const open = [runOf('open', 'qa')]
  t.throws(() => analyses.passing.compute({ rule }, open), { kind: 'not-computable', message: /None of these runs has a yes\/no/ })
  t.throws(() => analyses['sub-domains'].compute({}, open), { kind: 'not-computable', message: /None of these runs has a yes\/no/ })
  t.throws(() => analyses['rank-agreement'].compute({ metric: 'accuracy', external }, open), { kind: 'not-computable', message: /none has yes\/no/ })
  t.throws(() => analyses['rank-agreement'].compute({ metric: 'accuracy' }, both), { kind: 'invalid-request', errors: [{ pointer: '/body/external' }] })
  t.throws(() => analyses.passing.compute({ rule, dimension: 'moon' }, both), { kind: 'invalid-request', errors: [{ pointer: '/body/dimension' }], message: /There is subject\./ })
})

t.test('over HTTP: of runs, of tables, in every form, and what is wrong with a body', async t => {
  const documents = [documentOf('one'), documentOf('two')]
  const items = documents.flatMap(itemsOf)
  const { ask, run } = await startScoring(
    t, { documents, frozen: [{ benchmark: benchmarkOf(documents, items), items }] }
  )
  const [yes, random] = [await run('baseline/always-yes'), await run('baseline/random')]
  const runIds = [yes.id, random.id]
  const found = await ask('POST', '/analyses/gaps', { runIds, slices: { dimension: 'aspect', first: 'figure', second: 'section' } })
  t.match(found, { status: 200, body: { kind: 'gaps', rows: [{ model: 'baseline/always-yes', firstN: 4, secondN: 0, gap: null }, { model: 'baseline/random', firstN: 4, secondN: 2 }] } })
  for (const kind of ['sub-domains', 'rank-agreement', 'dif']) {
    const external = [{ name: 'other', scores: [{ model: 'baseline/random', score: 1 }] }]
    const answer = await ask('POST', `/analyses/${kind}`, { runIds, ...kind === 'rank-agreement' && { external }, ...kind === 'dif' && { focal: ['baseline/random'] } })
    t.equal(answer.status, 200, kind)
  }
  const one = { benchmarks: [{ name: 'other', scores: [{ model: 'baseline/random', score: 1 }] }] }
  t.match(await ask('POST', '/analyses/rank-agreement', { runIds, table: one }), {
    status: 400, body: { detail: /"external"/, errors: [{ pointer: '/body/table' }] }
  })
  t.match(await ask('POST', '/analyses/rank-agreement', { table: one }), { status: 400, body: { detail: /runIds.*"external"/ } })
  t.match((await ask('POST', '/analyses/robustness', { runIds })).body.detail, /of one model/)
  t.match((await ask('POST', '/analyses/robustness', { runIds: [yes.id] })).body, { rows: [{ accuracy: 0.5, n: 4 }] })
  t.match((await ask('POST', '/analyses/content-modes', { runIds })).body.rows[0], { effect: 'mean', evaluation: 'semantic' })
  const table = { first: 'x', second: 'y', models: [{ model: '=1+1', first: { right: 1, n: 2 }, second: { right: 1, n: 2 } }] }
  const csv = await ask('POST', '/analyses/gaps?form=csv', { table })
  t.match(csv.text, /\r\n'=1\+1,/)
  t.match(csv.headers['content-type'], 'text/csv')
  t.match((await ask('POST', '/analyses/gaps', { table, runIds })).body.detail, /not both/)
  t.equal((await ask('POST', '/analyses/gaps', {})).status, 400)
  t.equal((await ask('POST', '/analyses/reasoning', { runIds, table })).status, 400, 'runs without judgements')
  t.equal((await ask('POST', '/analyses/gaps', { table: { ...table, models: [{ ...table.models[0], first: { right: 1, n: null } }] } })).status, 400)
})

t.test('cost of runs: the tokens stored with predictions, those without apart, and the price that is asked for', async t => {
  const documents = [documentOf('one'), documentOf('two')]
  const items = documents.flatMap(itemsOf).filter(({ kind }) => kind === 'binary' || kind === 'choice')
  const frozen = [{ benchmark: benchmarkOf(documents, items), items }]
  const answer = (_: unknown, nth: number) => {
    if (nth === 1) return says('Answer: Yes')
    return { ...says('Answer: Yes'), usage: { prompt_tokens: 100 + nth, completion_tokens: 10, completion_tokens_details: { reasoning_tokens: 4 } } }
  }
  const { ask, run } = await startScoring(t, { documents, frozen }, { answer })
  const [model, baseline] = [await run('seeing'), await run('baseline/always-yes')]
  t.match(model.outcomes, { skipped: 0, error: 0 })
  const runIds = [model.id, baseline.id]
  const { body } = await ask('POST', '/analyses/cost', { runIds, prices: [{ model: 'seeing', prompt: 2, completion: 8 }], currency: 'EUR' })
  const prompt = 100 * 5 + 0 + 2 + 3 + 4 + 5
  t.match(body.rows[0], {
    run: 'seeing',
    items: 6,
    questions: 5,
    usageUnknown: 1,
    errors: 0,
    promptTokens: prompt,
    completionTokens: 50,
    reasoningTokens: 20,
    promptTokensPerQuestion: prompt / 5,
    completionTokensPerQuestion: 10,
    currency: 'EUR',
    priceReason: ''
  })
  const price = (prompt * 2 + 50 * 8) / 1e6
  t.match(body.rows[0], { price, pricePerQuestion: price / 5, examPrice: price / 5 * 100 })
  t.match(body.rows[1], { questions: 0, promptTokens: null, price: null, reason: /baseline/, priceReason: /no price of this model/ })
  t.ok(body.notes.some((note: string) => /usageUnknown/.test(note)))
  t.notMatch((await ask('POST', '/analyses/cost', { runIds })).body.rows[0], { currency: String }, 'no price without prices')
  const twice = [{ model: 'a', prompt: 1, completion: 1 }, { model: 'a', prompt: 2, completion: 2 }]
  t.match(await ask('POST', '/analyses/cost', { runIds, prices: twice }), { status: 400, body: { errors: [{ pointer: '/body/prices/1' }] } })
  const table = { models: [{ model: 'a', questions: 10, promptTokens: 1000, completionTokens: 100 }, { model: 'b', questions: 10 }] }
  t.match((await ask('POST', '/analyses/cost', { table, prices: [twice[0]] })).body.rows, [{ price: 1100 / 1e6, pricePerQuestion: 110 / 1e6 }, { price: null }])
})
