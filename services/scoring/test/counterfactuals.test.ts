import t from 'tap'
import { drawsOf } from '../../../shared/stats/draws.ts'
import { analyses } from '../domain/analyses/analyses.ts'
import { slopeOf } from '../domain/analyses/trend.ts'
import { numberIn } from '../domain/analyses/versions-of-runs.ts'
import { bankItemOf, benchmarkOf, documentOf, pairOf } from './fixtures.ts'
import { promptOf, says, startScoring } from './given-scoring.ts'
import { imageCells, memoryCells, plantedEyes, plantedMemory } from './planted.ts'

type Rows = readonly Record<string, any>[]

const imageUse = (cells: object[]): Rows =>
  analyses['image-use'].compute({ margin: 0.1, table: { cells } }, null).rows
const verdictIn = (rows: Rows) => rows.find(({ contrast }) => contrast === 'verdict')!
const contaminationOf = (cells: object[]) =>
  analyses.contamination.compute({ margin: 0.05, table: { cells } }, null)

t.test('blind, caption-reading and seeing models are told apart', async t => {
  const replicates = 100
  for (const [name, eyes] of Object.entries(plantedEyes)) {
    let right = 0
    for (let seed = 1; seed <= replicates; seed++) {
      right += Number(verdictIn(imageUse(imageCells('a', { eyes, items: 500, sticks: 0.8 }, drawsOf(seed)))).verdict === name)
    }
    t.ok(right / replicates >= 0.98, `${name}: ${right} of ${replicates}`)
  }
})

t.test('what is not shown is undetermined, with what is missing', async t => {
  const cells = imageCells('a', { eyes: plantedEyes.blind, items: 40, sticks: 0 }, drawsOf(1))
  t.match(verdictIn(imageUse(cells)), { verdict: 'undetermined', reason: /more items/ })
  const sure = imageCells('a', { eyes: plantedEyes.blind, items: 40, sticks: 1 }, drawsOf(1))
  t.match(verdictIn(imageUse(sure)), { verdict: 'blind' }, 'forty equal answers are enough')
  const rows = imageUse(sure.filter(({ image }) => image !== 'described'))
  t.match(verdictIn(rows), { verdict: 'undetermined', reason: /no run with image described/ })
  t.match(rows.find(({ contrast }) => contrast === 'described - none'), { value: null, n: 0, adjustedP: null })
  t.match(rows.find(({ contrast }) => contrast === 'real - wrong'), { value: 0, low: Number, high: Number, n: 40, alike: true })
})

t.test('a planted memoriser is found by isomorphs, and honest models are not', async t => {
  const replicates = 60
  const found = { memoriser: 0, honest: 0 }
  for (let seed = 1; seed <= replicates; seed++) {
    const draws = drawsOf(seed)
    const { memoriser, honest } = plantedMemory
    const cells = Object.entries({ memoriser, honest, other: honest })
      .flatMap(([name, planted]) => memoryCells(name, { items: 300, ...planted, harder: 0.15 }, draws))
    const { rows } = contaminationOf(cells)
    for (const name of ['memoriser', 'honest'] as const) {
      found[name] += Number(rows.some(row => row.model === name && row.version === 'isomorph' && row.verdict === 'memorised'))
    }
  }
  t.ok(found.memoriser / replicates >= 0.9, `${found.memoriser} of ${replicates}`)
  t.ok(found.honest / replicates <= 0.05, `${found.honest} of ${replicates}, though isomorphs are harder for all`)
  const alone = contaminationOf(memoryCells('m', { items: 300, ...plantedMemory.memoriser }, drawsOf(1)))
  t.match(alone.rows.find(({ effect, version }) => effect === 'drop' && version === 'isomorph'), { verdict: 'harder or memorised' })
  t.match(alone.notes.join(' '), /One model/)
})

t.test('the trend over years is the least-squares slope, with the error of leaving one out', async t => {
  const points = [[2003, 1], [2003, 1], [2010, 1], [2016, 0], [2022, 0]].map(([x, y], i) => ({ x: x!, y: y!, cluster: `i${i}` }))
  const found = slopeOf(points)
  // Sums around 2010.8 and .6, by hand.
  t.ok(Math.abs(found.value! - -16.4 / 274.8) < 1e-12)
  t.match(found, { n: 5, clusters: 5, method: /3 df, CR3/, detectable: Number })
  t.match(slopeOf(points.slice(0, 3)), { value: null, reason: /four/ })
  t.match(slopeOf(points.map(point => ({ ...point, x: 2003 }))), { value: null, reason: /same value/ })
  t.strictSame(['2019-03', 'exam 2021 spring', 'session 7', 'none', undefined].map(numberIn), [2019, 2021, 7, undefined, undefined])
})

t.test('where accuracies and differences are of other items, a note says of how many and why', t => {
  const items = (values: number[]) => values.map((value, at) => ({ item: `i${at}`, value }))
  const compute = (cells: object[]) => analyses['image-use'].compute({ margin: 0.1, table: { cells } }, null)
  const why = 'Only choices of the item have images.'
  const { notes } = compute([
    { model: 'a', image: 'real', items: items([1, 0, 1, 1]) },
    { model: 'a', image: 'wrong', items: items([1, 0]), skipped: 2, skippedFor: why }
  ])
  t.equal(notes.at(-1), `a, real - wrong: over the 2 items that both have (real 0.500 there, 2 of its 4 items left out; wrong 0.500 there, 0 of its 2 items left out). wrong skipped 2, most often: ${why}`)
  const same = compute(['real', 'wrong'].map(image => ({ model: 'a', image, items: items([1, 0]) })))
  t.notMatch(same.notes.join(' '), /left out/)
  t.end()
})

t.test('over HTTP: figures withheld, choices shuffled, items made of items, and exam years', async t => {
  const document = documentOf('one')
  const figures = ['a', 'b', 'c', 'd'].flatMap(name => pairOf(document, name))
  const choices = ['w', 'x', 'y', 'z'].map(text => ({ text }))
  const originals = Array.from({ length: 20 }, (_, row) => bankItemOf(row, {
    kind: 'choice', question: `Question ${row}?`, choices, answerIndex: 1, slices: { session: `${2003 + row}-03` }
  }))
  const paraphrased = originals.map((item, row) => bankItemOf(row, {
    kind: 'choice', question: `In other words, ${row}?`, choices, answerIndex: 1, originalQuestion: item.question, parentId: item.id
  }))
  const items = [...figures, ...originals]
  const [benchmark, second] = [benchmarkOf([document], items), benchmarkOf([], paraphrased, 'Paraphrased')]
  const frozen = [{ benchmark, items }, { benchmark: second, items: paraphrased }]
  // Knows the questions by their words, and older ones best.
  const answer = (asked: Parameters<typeof promptOf>[0]) => {
    const [text, number] = [promptOf(asked), /Question (\d+)\?/.exec(promptOf(asked))?.[1]]
    const wanted = number !== undefined && Number(number) <= 14 ? 'x' : 'w'
    return says(`Answer: ${new RegExp(`^([A-Z])\\. ${wanted}$`, 'mu').exec(text)?.[1] ?? 'Yes'}`)
  }
  const { ask, run } = await startScoring(t, { documents: [document], frozen }, { answer })
  const plain = await run('seeing')
  const withheld = await run('seeing', { figures: 'withheld' })
  const eyes = await ask('POST', '/analyses/image-use', { runIds: [plain.id, withheld.id] })
  t.match(eyes.body.rows.find(({ contrast }: any) => contrast === 'real - none'), { n: 8 }, 'items with an image alone')
  t.match(verdictIn(eyes.body.rows), { verdict: 'undetermined' })
  const shuffled = await run('seeing', { permutationSeed: 4 })
  t.match((await ask('POST', '/analyses/image-use', { runIds: [plain.id, shuffled.id] })).body.detail, /permutationSeed/)
  const { body: other } = await ask('POST', '/runs', { benchmarkId: second.id, model: 'seeing' })
  await ask('GET', `/runs/${other.id}?wait=30`)
  const runIds = [plain.id, shuffled.id, other.id]
  const { body } = await ask('POST', '/analyses/contamination', { runIds, dimension: 'session' })
  const drop = (version: string) => body.rows.find((row: any) => row.effect === 'drop' && row.version === version)
  t.match(drop('paraphrased'), { value: 0.75, n: 20, verdict: 'harder or memorised' })
  t.match(drop('shuffled'), { value: 0, n: 20, verdict: 'not shown' }, 'yes/no has no order to shuffle')
  const trend = body.rows.find(({ effect }: any) => effect === 'trend')
  t.ok(trend.value < 0 && trend.p < 0.01 && trend.n === 20)
  t.match(body.rows.filter(({ effect }: any) => effect === 'accuracy at').map(({ at }: any) => at).slice(0, 2), [2003, 2004])
  t.equal((await ask('POST', '/analyses/contamination', { runIds, dimension: 'moon' })).status, 400)
})
