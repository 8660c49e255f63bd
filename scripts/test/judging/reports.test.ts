import t from 'tap'
import type { JudgementSummary } from '../../../shared/contracts/judgement-summary.ts'
import type { Report } from '../../../shared/contracts/report.ts'
import type { Score } from '../../../shared/contracts/score.ts'
import { openSuite, promptOf, type Given } from './given-suite.ts'

const qualityOf = (reply: string) => /argon|heat/iu.test(reply) ? 4 : 2
const says: Given['says'] = ({ model }, prompt) => {
  if (/Which gas was used/.test(prompt)) return `It needs it. Answer: ${model.startsWith('llama') ? 'A' : 'B'}`
  return model.startsWith('llama') ? 'Heating hardens the alloy.' : 'Cold hardens it.'
}
/** One of the judges says nothing that can be read about half of the open questions. */
const first: NonNullable<Given['first']> = body =>
  body.model === 'gemma-judge' && /What keeps oxygen|could not be used|valid JSON/iu.test(promptOf(body)) ? 'I liked it.' : null

const suite = await openSuite({
  says,
  first,
  judges: { 'qwen-judge': { quality: qualityOf, noise: 0.6 }, 'gemma-judge': { quality: qualityOf, mildness: -1 } }
})
const range = ({ value, interval }: Score) =>
  `${value!.toFixed(2)} [${interval!.low.toFixed(2)}, ${interval!.high.toFixed(2)}]`
const runIds = [await suite.run('llama-3-8b'), await suite.run('llama-3-8b', { repeat: 1 }), await suite.run('qwen2.5-7b')]
const judgement = await suite.judge({ runIds, judges: ['qwen-judge', 'gemma-judge'], rubric: 'kmetbench', kinds: ['qa'] })
const at = `/judgements/${judgement.id}`

t.test('a report has what judges gave its runs, failures counted and in no mean', async t => {
  const asked = { runIds: [runIds[2], runIds[0]], judgements: [judgement.id] }
  const report = await suite.post('/reports', asked) as never as Report
  const summary = await suite.get(`${at}/summary`) as never as JudgementSummary
  const [own] = report.judgements!
  t.strictSame(own!.runs, [summary.runs[2], summary.runs[0]], 'as the summary has them, in the order of the report')
  t.match(own, { judgementId: judgement.id, rubric: { name: 'kmetbench' }, otherRuns: 1, judges: [{ name: 'qwen-judge', family: 'qwen' }, { name: 'gemma-judge' }] })
  const [, gemma] = own!.runs[1]!.judges
  t.match(gemma!.outcomes, { answered: 6, unparsable: 6, error: 0 })
  t.match(gemma!.scores[0], { metric: 'factualAccuracy', value: 3, n: 6 })
  t.ok(own!.notes.some(note => /1 of them are not in this report/.test(note)))

  const page = await suite.text(`/reports/${report.id}.html`)
  const written = await suite.text(`/reports/${report.id}.md`)
  for (const text of [page, written]) {
    t.ok(text.includes('Judge scores'))
    t.ok(text.includes('factualAccuracy (1 to 5)'))
    t.ok(text.includes('total (4 to 20)'))
    t.ok(text.includes('gemma-judge (family gemma)'))
    t.ok(text.includes('panel mean of 2'))
    t.ok(text.includes('3.00 (no interval) (n = 6, 6 papers)'), 'n is of rated replies')
    t.ok(text.replaceAll('\\', '').includes(`${range(own!.runs[1]!.judges[0]!.scores[0]!)} (n = 12, 6 papers)`), 'intervals')
    t.ok(text.includes('Agreement among the judges'))
    t.notOk(text.includes('corrected by people'), 'nobody labelled')
  }
  const row = written.split('\n').find(line => line.startsWith('| llama-3-8b | gemma-judge | 12 '))
  t.match(row, '| 12 | 0 | 6 | 6 | 0 | 0 | 0 | 0 | 0 |', 'how its askings ended')
  t.equal((await suite.post('/reports', asked)).id, report.id, 'the same is the same')
  const { judgements, id } = await suite.post('/reports', { runIds: asked.runIds })
  t.equal(judgements, undefined)
  t.not(id, report.id)
})

t.test('labels of people correct the means in the next report', async t => {
  const labels: Array<{ predictionId: string, scores: object }> = []
  const { items } = await suite.get(`${at}/ratings?limit=200`)
  for (const { predictionIds: [predictionId] } of items.slice(0, 48)) {
    const depth = labels.length < 12 ? 3 : 5
    labels.push({ predictionId, scores: { factualAccuracy: 5, logicalSoundness: 5, depth, clarity: 5 } })
  }
  const own = [...new Map(labels.map(label => [label.predictionId, label])).values()]
  t.match(await suite.post(`${at}/human-labels`, { rater: 'ann', labels: own }), { added: own.length })
  const report = await suite.post('/reports', { runIds, judgements: [judgement.id] }) as never as Report
  const [corrected] = report.judgements![0]!.runs[0]!.corrected
  t.match(corrected, { judge: 'qwen-judge', method: 'prediction-powered', labelled: 8, humanOnly: { value: Number } })
  t.ok(corrected!.judgeBias! < -1 && corrected!.value! > 18 && corrected!.low! < corrected!.value!)
  const written = await suite.text(`/reports/${report.id}.md`)
  t.ok(written.includes('Mean totals corrected by people\'s labels'))
  const row = written.split('\n').find(line => /qwen-judge \| prediction-powered/.test(line))
  t.match(row, `| −${Math.abs(corrected!.judgeBias!).toFixed(2)} | ${corrected!.humanOnly!.value.toFixed(2)} `)
})

t.test('runs that repeat each other are taken together', async t => {
  const report = await suite.post('/reports', { runIds }) as never as Report
  t.strictSame(report.repeats, [await suite.get(`/runs/${runIds[0]}/repeats`)], 'as the repeats of the run')
  const choice = report.repeats![0]!.kinds.find(({ kind }) => kind === 'choice')
  t.match(choice, { repeats: 2, items: 6, mean: 1, perRepeat: [1, 1], sdOfRepeats: 0, icc: null, reason: /no ICC/ })
  for (const form of ['html', 'md']) {
    const text = await suite.text(`/reports/${report.id}.${form}`)
    t.ok(text.includes('Repeats taken together'))
    t.ok(text.includes('100.0 %, 100.0 %'))
  }
  t.equal((await suite.post('/reports', { runIds: [runIds[0], runIds[2]] })).repeats, undefined, 'none without another repeat')
})

t.test('preferences need both runs; a judgement that does not fit is refused with a pointer', async t => {
  t.teardown(suite.close)
  suite.turn({ says })
  const pair = [runIds[0], runIds[2]]
  const preferred = await suite.judge({ runIds: pair, form: 'preferences', judges: ['gemma-judge'], rubric: 'kmetbench', kinds: ['qa'] })
  const { id, judgements } = await suite.post('/reports', { runIds: pair, judgements: [preferred.id, judgement.id] })
  t.match(judgements, [{ form: 'preferences', runs: [], preferences: [{ wins: [{ count: 12 }, { count: 0 }] }] }, { form: 'scores' }])
  t.ok((await suite.text(`/reports/${id}.html`)).includes('wins of llama-3-8b'))
  const refusedAt = async (asked: object) => {
    const { status, errors } = await suite.post('/reports', asked)
    return [status, errors?.[0]?.pointer]
  }
  t.strictSame(await refusedAt({ runIds: [runIds[0]], judgements: [judgement.id, preferred.id] }), [400, '/judgements/1'])
  const other = await suite.run('llama-3-8b', { permutationSeed: 1 })
  t.strictSame(await refusedAt({ runIds: [other], judgements: [judgement.id] }), [400, '/judgements/0'])
  t.match(await suite.post('/reports', { runIds: pair, judgements: [`jdg_${'0'.repeat(32)}`] }), { status: 404 })
  const many = Array.from({ length: 11 }, (_, i) => `jdg_${i.toString(16).padStart(32, '0')}`)
  t.match(await suite.post('/reports', { runIds: pair, judgements: many }), { status: 400 })
})
