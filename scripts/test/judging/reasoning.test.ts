import t from 'tap'
import { openSuite, promptOf, type Body, type Given } from './given-suite.ts'

/** By the paper: right in three of six, no answer in one, and a reason that is worth little in two. */
const says: Given['says'] = (_, prompt) => {
  const paper = Number(/Which gas was used\? \((\d)\)/u.exec(prompt)?.[1] ?? 0)
  if (paper === 5) return 'It could be either.'
  return `${paper % 3 === 0 ? 'It just is.' : 'The furnace holds argon.'} Answer: ${paper % 2 === 0 ? 'A' : 'B'}`
}
const suite = await openSuite({
  says,
  judges: {
    'qwen-judge': { quality: reply => /argon/u.test(reply) ? 5 : 1 },
    'gemma-judge': { quality: reply => /argon/u.test(reply) ? 4 : 2 }
  }
})
const runIds = [await suite.run('llama-3-8b'), await suite.run('qwen2.5-7b')]
const request = { judges: ['qwen-judge', 'gemma-judge'], rubric: 'kmetbench' }
const judgement = await suite.judge({ ...request, runIds, kinds: ['choice', 'qa'] })
const ask = async (body: object) => await suite.post('/analyses/reasoning', body)

/** The same as a table, put together from predictions and ratings one by one. */
async function asTable (judge: string | null) {
  const { items: ratings } = await suite.get(`/judgements/${judgement.id}/ratings?limit=200`)
  const models = []
  for (const runId of runIds) {
    const { items } = await suite.get(`/runs/${runId}/predictions?limit=200`)
    const predictions: Body[] = items.filter(({ kind }: Body) => kind === 'choice')
    const isRight = ({ lenient }: Body) => lenient?.index === 0
    const reasoning = predictions.flatMap(prediction => {
      const own = ratings.filter(({ predictionIds, judge: name }: Body) =>
        predictionIds[0] === prediction.id && (judge === null || name === judge))
      if (own.length === 0) return []
      const total = own.reduce((sum: number, rating: Body) => sum + rating.total, 0) / own.length
      return [{ right: isRight(prediction), total, paper: prediction.itemId }]
    })
    const model = (await suite.get(`/runs/${runId}`)).model
    const right = predictions.filter(isRight).length
    models.push({ model, accuracy: { right, n: predictions.length }, reasoning })
  }
  return { models }
}

t.test('accuracy against reasoning of runs and a judgement is that of the table put together by hand', async t => {
  for (const judge of [null, 'qwen-judge']) {
    const found = await ask({ runIds, judgementIds: [judgement.id], ...judge !== null && { judge } })
    const byHand = await ask({ table: await asTable(judge) })
    const kept = Object.keys(byHand.rows[0])
    const shared = found.rows.map((row: Body) =>
      Object.fromEntries(kept.map(name => [name, row[name]])))
    t.strictSame(shared, byHand.rows, judge ?? 'panel')
    t.ok(byHand.rows[0].rightForWrongReasons > 0 && byHand.rows[0].rightForWrongReasons < 1)
  }
  const { rows: [row], notes } = await ask({ runIds, judgementIds: [judgement.id] })
  t.match(row, { accuracyN: 6, judged: 5, errors: 0, skipped: 0, notAnswered: 1 })
  t.match(row, { notJudged: 0, judgeFailed: 0, openLeftOut: 12 })
  t.ok(notes.some((note: string) => /panel mean of 2 judges, rubric kmetbench/.test(note)))
})

t.test('failures of a judge are counted and in no mean', async t => {
  suite.turn({ says, first: body => body.model === 'gemma-judge' && /It just is|could not be used|valid JSON/u.test(promptOf(body)) ? 'Hm.' : null })
  const runId = await suite.run('llama-3-8b')
  const { id } = await suite.judge({ ...request, runIds: [runId], kinds: ['choice'] })
  const both = (await ask({ runIds: [runId], judgementIds: [id] })).rows[0]
  t.equal(both.judged + both.judgeFailed + both.notAnswered, 6)
  t.match(both, { judgeFailed: 2, notAnswered: 1, accuracyN: 6 })
  t.match((await ask({ runIds: [runId], judgementIds: [id], judge: 'qwen-judge' })).rows[0], { judgeFailed: 0, judged: 5 })
})

t.test('what does not go together is refused, and says where', async t => {
  t.teardown(suite.close)
  const refusedAt = async (body: object) => {
    const { status, errors } = await ask(body)
    return [status, errors?.[0]?.pointer]
  }
  const judgementIds = [judgement.id]
  const other = await suite.judge({ ...request, runIds: [runIds[0]], reference: 'none', kinds: ['choice'] })
  const again = await suite.judge({ ...request, runIds: [runIds[0]], kinds: ['choice'] })
  const stranger = await suite.run('llama-3-8b', { permutationSeed: 1 })
  t.strictSame(await refusedAt({ runIds }), [400, '/body/judgementIds'])
  t.strictSame(await refusedAt({ judgementIds, table: await asTable(null) }), [400, '/body/judgementIds'])
  t.strictSame(await refusedAt({ runIds, judgementIds: [judgement.id, other.id] }), [400, '/body/judgementIds/1'])
  t.strictSame(await refusedAt({ runIds, judgementIds: [judgement.id, again.id] }), [400, '/body/runIds/0'])
  t.strictSame(await refusedAt({ runIds: [...runIds, stranger], judgementIds }), [400, '/body/runIds/2'])
  t.strictSame(await refusedAt({ runIds, judgementIds, judge: 'nobody' }), [400, '/body/judge'])
  t.strictSame(await refusedAt({ runIds, judgementIds, scale: { lowest: 0, highest: 20 } }), [400, '/body/scale'])
  t.equal((await ask({ runIds, judgementIds: [`jdg_${'0'.repeat(32)}`] })).status, 404)
  const preferred = await suite.judge({ ...request, runIds, form: 'preferences', kinds: ['qa'] })
  t.match(await ask({ runIds, judgementIds: [preferred.id] }), { status: 409, detail: /of the form preferences/ })
})
