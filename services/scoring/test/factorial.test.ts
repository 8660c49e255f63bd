import t from 'tap'
import { drawsOf } from '../../../shared/stats/draws.ts'
import { analyses } from '../domain/analyses/analyses.ts'
import { bankItemOf, benchmarkOf } from './fixtures.ts'
import { promptOf, says, startScoring } from './given-scoring.ts'
import { regionCells, regionTruth } from './planted.ts'

const factorial = (cells: object[]) => analyses.factorial.compute({ table: { cells } }, null)

function row (rows: readonly Record<string, any>[], effect: string, factors: string): Record<string, any> {
  return rows.find(each => each.effect === effect && each.factors === factors)!
}

t.test('main effects and interaction by hand, and the items that take no part are named', async t => {
  const cell = (formulation: string, prompt: string, marks: string) => ({
    model: 'a',
    levels: { formulation, prompt },
    items: [...marks].flatMap((mark, i) => mark === '-' ? [] : [{ item: `i${i}`, value: Number(mark) }])
  })
  const cells = [
    cell('implicit', 'standard', '00100'), cell('implicit', 'advanced', '10101'),
    cell('explicit', 'standard', '110-0'), cell('explicit', 'advanced', '111-0')
  ]
  const { rows, summary } = factorial(cells)
  // Of items 0, 1, 2, 4: implicit .25 and .75, explicit .5 and .75.
  t.match(row(rows, 'main', 'formulation'), { contrast: 'explicit - implicit', value: 0.125, n: 4, clusters: 4 })
  t.match(row(rows, 'main', 'prompt'), { contrast: 'advanced - standard', value: 0.375 })
  // By item -1, 0, 1, -1.
  t.match(row(rows, 'interaction', 'formulation × prompt'), { value: -0.25, p: 1, low: Number, high: Number, detectable: Number })
  t.match(rows.filter(({ effect }) => effect === 'simple').map(({ contrast, value }) => [contrast, value]), [
    ['explicit - implicit at standard', 0.25], ['explicit - implicit at advanced', 0], ['advanced - standard at implicit', 0.5], ['advanced - standard at explicit', 0.25]
  ])
  t.match(rows.filter(({ effect }) => effect === 'left out'), [{ item: 'i3', reason: 'no value in explicit × standard, explicit × advanced' }])
  t.equal(summary.leftOutItems, 1)
  const missing = factorial(cells.slice(0, 3)).rows
  t.match(row(missing, 'interaction', 'formulation × prompt'), { value: null, low: null, p: null, n: 0, detectable: null, reason: /explicit × advanced/ })
  t.throws(() => factorial([cells[0]!, cells[0]!]), /no factor has two levels/i)
  t.throws(() => factorial([...cells, cells[0]!]), /stands twice/)
  t.throws(() => factorial([cells[0]!, { model: 'a', levels: { prompt: 'advanced' }, items: [] }]), /same factors/)
})

t.test('planted knowledge of a region is recovered within its intervals', async t => {
  const planted = { items: 300, knows: 0.7, gap: 0.35, hint: 0.25, role: 0.05 }
  const truth = regionTruth(planted)
  const replicates = 200
  const held = { wording: 0, prompt: 0, interaction: 0, found: 0 }
  for (let replicate = 0; replicate < replicates; replicate++) {
    const { rows } = factorial(regionCells('a', planted, drawsOf(replicate + 1)))
    const [wording, prompt, interaction] = [row(rows, 'main', 'formulation'), row(rows, 'main', 'prompt'), row(rows, 'interaction', 'formulation × prompt')]
    const holds = ({ low, high }: Record<string, any>, value: number) => Number(low <= value && value <= high)
    held.wording += holds(wording, truth.wording)
    held.prompt += holds(prompt, truth.prompt)
    held.interaction += holds(interaction, truth.interaction)
    held.found += Number(interaction.p < 0.05)
  }
  for (const [name, count] of Object.entries(held)) t.ok(count / replicates > 0.9, `${name}: ${count} of ${replicates}`)
})

t.test('a matrix of runs over HTTP: opened once, found again, and its factorial analysed', async t => {
  const items = Array.from({ length: 30 }, (_, i) => bankItemOf(i, {
    kind: 'choice',
    question: `Question ${i} on the rain in our country?`,
    choices: [{ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'd' }],
    answerIndex: 1,
    ...i < 24 && { explicitWording: { question: `Question ${i} on the rain in Korea?` } }
  }))
  // Of every three items one is known in any case, one in explicit wording alone, one there or to an expert.
  const answer = (asked: Parameters<typeof promptOf>[0]) => {
    const text = promptOf(asked)
    const kind = Number(/Question (\d+)/.exec(text)![1]) % 3
    const knows = kind === 0 || text.includes('Korea?') || (kind === 2 && text.includes('expert'))
    return says(knows ? 'Answer: B' : 'Answer: A')
  }
  const benchmark = benchmarkOf([], items)
  const { ask } = await startScoring(t, { documents: [], frozen: [{ benchmark, items }] }, { answer })
  const body = { benchmarkId: benchmark.id, model: 'blind', factors: { prompt: ['standard', 'advanced'], formulation: ['implicit', 'explicit'], contentMode: ['none'] }, sampling: { temperature: 0 }, seed: 3 }
  const { status, body: matrix } = await ask('POST', '/run-matrices', body)
  t.equal(status, 202)
  t.match(matrix.cells[1], { levels: [{ factor: 'contentMode', level: 'none' }, { factor: 'prompt', level: 'standard' }, { factor: 'formulation', level: 'explicit' }] })
  t.equal(new Set(matrix.runIds).size, 4)
  for (const id of matrix.runIds) await ask('GET', `/runs/${id}?wait=30`)
  const again = await ask('POST', '/run-matrices', body)
  t.equal(again.status, 200)
  t.strictSame(again.body, matrix)
  t.match((await ask('GET', `/runs/${matrix.runIds[3]}`)).body.condition, { prompt: 'advanced', formulation: 'explicit', contentMode: 'none', seed: 3 })
  const { body: found } = await ask('POST', '/analyses/factorial', { runIds: matrix.runIds })
  t.match(row(found.rows, 'interaction', 'prompt × formulation'), { n: 24, clusters: 24, low: Number, detectable: Number })
  t.ok(Math.abs(row(found.rows, 'interaction', 'prompt × formulation').value + 1 / 3) < 1e-12)
  t.ok(Math.abs(row(found.rows, 'main', 'formulation').value - 0.5) < 1e-12)
  t.equal(found.summary.leftOutItems, 6, 'those without an explicit wording')
  t.match(await ask('POST', '/analyses/factorial', { runIds: matrix.runIds.slice(0, 1) }), { status: 400, body: { detail: /all of one condition/ } })
  t.match(await ask('POST', '/run-matrices', { ...body, repeats: 17 }), { status: 400, body: { detail: /68 runs/ } })
  t.match(await ask('POST', '/run-matrices', { ...body, factors: { prompt: ['clever'] } }), { status: 400 })
  t.match(await ask('POST', '/run-matrices', { ...body, factors: { thinkingEffort: ['high'], thinking: [true, false] }, seed: 9 }), { status: 422, body: { detail: /thinking false.*none was opened/ } })
})
