import t from 'tap'
import type { RunImport } from '../../../shared/contracts/run-import.ts'
import { items, openSuite } from './given-suite.ts'

const replies = ['Answer: A', 'It is neon.\n\nAnswer: B', 'argon, I suppose', '정답은 ②번입니다', 'no idea', '{"정답": 1}']
let reply = ''
const suite = await openSuite({
  says: (_, prompt) => /Which gas was used/.test(prompt) ? reply : 'Heating hardens the alloy.',
  first: ({ model, messages }) => model === 'strict-judge' && JSON.stringify(messages).includes('neon.') ? 'oops' : null,
  judges: { 'plain-judge': { quality: () => 4 }, 'strict-judge': { quality: () => 2 } }
})
const content = async (path: string) => await suite.text(path)
const taken = async (file: string) => await suite.post('/run-imports', { content: file }) as unknown as RunImport

t.test('a run goes out as their run file, and comes back with the same verdicts', async t => {
  const choices = items.filter(({ kind }) => kind === 'choice').length
  const conditions = [...replies.keys()].map(seed => ({ seed }))
  for (const [at, condition] of [...conditions, { permutationSeed: 3 }, { confidence: 'verbal' }].entries()) {
    reply = replies[at] ?? replies[0]!
    const runId = await suite.run('llama-3-8b', condition)
    const text = await content(`/runs/${runId}/kmetbench.json`)
    t.equal(await content(`/runs/${runId}/kmetbench.json`), text, 'the same bytes again')
    const file = JSON.parse(text)
    t.equal(file.results.length, choices)
    const { metrics } = file
    t.match(metrics, { total: choices, multimodal: null, part1: null, korean: null, inference_time: null }, 'an empty slice is null, not 0')
    t.equal(metrics.text, metrics.accuracy)
    t.equal(metrics.correct, file.results.filter((row: any) => row.is_correct).length)
    t.match(file.notes.join('\n'), /18 predictions are left out: open questions/)
    for (const row of file.results) {
      t.ok([1, 2].includes(row.correct_answer) && row.options[row.correct_answer - 1] === 'argon', 'counted from 1, as shown')
      t.equal(row.is_correct, row.predicted_answer === row.correct_answer)
    }
    const back = await taken(text)
    t.match(back, { format: 'kmetbench-run', rows: { total: choices, accepted: choices }, changed: { items: 0 }, shift: { gained: 0, lost: 0 } })
    t.equal(back.ours.value, metrics.accuracy)
    t.equal(back.ours.clusters, 6, 'papers are clusters there, too')
    t.equal(back.outcomes.unparsable, file.results.filter((row: any) => row.outcome === 'unparsable').length)
  }
})

t.test('a judgement goes out as their judge file, and comes back with the same mean', async t => {
  reply = replies[1]!
  const runId = await suite.run('qwen2.5-7b')
  const judgement = await suite.judge({ runIds: [runId], judges: ['plain-judge', 'strict-judge'], rubric: 'kmetbench', kinds: ['choice', 'qa'] })
  const path = `/judgements/${judgement.id}/kmetbench.json`
  t.match(await suite.get(path), { status: 400, errors: [{ pointer: '/query/judge' }] }, 'two judges: which one is to be said')
  for (const [judge, total] of [['plain-judge', 16], ['strict-judge', 8]] as const) {
    const text = await content(`${path}?judge=${judge}`)
    const file = JSON.parse(text)
    const scored = file.results.filter((row: any) => row.total !== null)
    t.match(file.metrics, { factual: total / 4, reasoning_total: total, judged: scored.length })
    const sumOf = ({ factual, logical, depth, clarity }: any) => factual + logical + depth + clarity
    t.ok(scored.every((row: any) => sumOf(row) === row.total && row.evaluator === judge))
    const back = await taken(text)
    t.match(back, { format: 'kmetbench-judge', ours: { value: total, n: scored.length }, changed: { items: 0 } })
    if (judge === 'strict-judge') t.ok(scored.length < file.results.length, 'a judgement that failed is null and in no mean')
  }
  const preferred = await suite.judge({ runIds: [runId, await suite.run('llama-3-8b')], judges: ['plain-judge'], rubric: 'kmetbench', form: 'preferences', kinds: ['qa'] })
  t.match(await suite.get(`/judgements/${preferred.id}/kmetbench.json`), { status: 409 })
  await suite.close()
})
