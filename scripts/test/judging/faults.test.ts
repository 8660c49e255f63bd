import t, { type Test } from 'tap'
import { spawn } from 'node:child_process'
import { endWithUs, killChild, readyUrl } from '../../../shared/testing/children.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import type { Rating } from '../../../shared/contracts/judgement.ts'
import { benchmark, openFake, openSuite, type Body, type Given } from './given-suite.ts'

const given: Given = { says: () => 'Heating it.', judges: { 'qwen-judge': { quality: () => 4 } } }
const asked = { judges: ['qwen-judge'], rubric: 'kmetbench', kinds: ['qa'] }
const suite = await openSuite(given, { vision: true })

/** Answers the first askings of the judge, then none until it is told; resolves `hanging` when some hang. */
function hangingAfter (answered: number) {
  let [judged, hangs] = [0, true]
  let hang = () => {}
  const hanging = new Promise<void>(resolve => { hang = resolve })
  return {
    hanging,
    goOn () { hangs = false },
    behave ({ body }: { body: unknown }) {
      if (!isJudging(body) || !hangs || ++judged <= answered) return 'ok'
      hang()
      return 'never'
    }
  }
}

const isJudging = (body: unknown) => JSON.stringify(body).includes('You judge the reply')

t.test('what the model server refuses is an error and in no mean, until a retry has an answer', async t => {
  let refuses = true
  suite.turn({
    ...given, behave: ({ body }) => refuses && isJudging(body) && JSON.stringify(body).includes('keeps oxygen') ? 'ctx_len' : 'ok'
  })
  const runId = await suite.run('llama-3-8b')
  const judgement = await suite.judge({ ...asked, runIds: [runId] })
  t.match(judgement, { state: 'failed', outcomes: { answered: 6, error: 6 }, progress: { done: 6, failed: 6 } })
  const failed = await suite.get(`/judgements/${judgement.id}/summary`)
  t.match(failed, { complete: false, runs: [{ judges: [{ outcomes: { error: 6 } }] }] })
  t.equal(failed.runs[0].judges[0].scores.find(({ metric }: { metric: string }) => metric === 'total').value, 16, 'the errors are in no mean')
  t.match((await suite.get(`/judgements/${judgement.id}/ratings?outcome=error`)).items[0], { scores: null, detail: String })
  refuses = false
  const before = suite.fake.journal.length
  await suite.post(`/judgements/${judgement.id}/retry`)
  t.match(await suite.get(`/judgements/${judgement.id}?wait=30`), { state: 'succeeded', outcomes: { answered: 12, error: 0 } })
  t.equal(suite.fake.journal.length - before, 6, 'what was rated is not asked again')
  t.match(await suite.get(`/judgements/${judgement.id}/summary`), { complete: true })
  t.match(await suite.post(`/judgements/${judgement.id}/retry`), { status: 409 })
})

t.test('a judgement that was cancelled keeps what it has; a budget that is spent is said', async t => {
  const model = hangingAfter(3)
  suite.turn({ ...given, behave: model.behave })
  const runId = await suite.run('llama-3-8b')
  const { id } = await suite.post('/judgements', { ...asked, runIds: [runId] })
  t.match(await suite.get(`/judgements/${id}/summary`), { status: 409 }, 'not finished')
  await model.hanging
  await suite.post(`/judgements/${id}/cancel`)
  const cancelled = await suite.get(`/judgements/${id}?wait=30`)
  t.match(cancelled, { state: 'cancelled', outcomes: { error: 0 } })
  t.ok(cancelled.outcomes.answered <= 3)
  model.goOn()
  const poor = await suite.judge({ ...asked, runIds: [runId], seed: 2, tokensMax: 1000 })
  t.match(poor, { state: 'failed', outcomes: { answered: 0, error: 12 } })
  t.match((await suite.get(`/judgements/${poor.id}/ratings`)).items[0], { detail: /tokensMax \(1000\) is spent/ })
})

t.test('bad requests are named', async t => {
  t.teardown(suite.close)
  suite.turn(given)
  const runId = await suite.run('llama-3-8b')
  const post = async (own: object) => await suite.post('/judgements', { ...asked, runIds: [runId], ...own })
  const criterion = { name: 'exact', description: 'Exact?', min: 0, max: 3, higherIsBetter: true }
  t.match(await post({ rubric: { name: 'own', criteria: [criterion, { ...criterion, min: 5 }] } }),
    { status: 400, errors: [{ pointer: '/rubric/criteria/1/name' }, { pointer: '/rubric/criteria/1/max' }] })
  t.match(await post({ rubric: 'nobody' }), { status: 400 })
  t.match(await post({ judges: ['nobody'] }), { status: 404, detail: /There is no model "nobody". There is/ })
  t.match(await post({ runIds: [`run_${'0'.repeat(32)}`] }), { status: 404 })
  t.match(await post({ itemIds: [`itm_${'0'.repeat(32)}`] }), { status: 400, errors: [{ pointer: '/itemIds/0' }] })
  t.match(await post({ sampling: { maxTokens: 16000 } }), { status: 400, errors: [{ pointer: '/contextTokens' }] })
  t.match(await post({ kinds: ['binary'] }), { status: 422 }, 'there are none of that kind')
  t.match(await suite.get(`/judgements/jdg_${'0'.repeat(32)}`), { status: 404 })
  t.match(await suite.get('/judgements/jdg_x/ratings'), { status: 400 })
  const judgement = await post({ rubric: { name: 'own', criteria: [criterion] } })
  t.match(await suite.get(`/judgements/${judgement.id}?wait=30`), { state: 'succeeded', rubric: { name: 'own' }, outcomes: { answered: 12 } })
  t.match(await suite.get(`/judgements/${judgement.id}/ratings?cursor=nonsense`), { status: 400 })
  const seeing = await suite.judge({ ...asked, runIds: [runId], kinds: ['vqa'] })
  t.match(seeing, { outcomes: { answered: 6 } })
  t.match((suite.fake.journal.at(-1)!.body as Body).messages[0].content[1], { image_url: { url: /^data:image\/png/ } }, 'the figure is shown')
  t.same((await suite.get('/rubrics')).items.map(({ name }: { name: string }) => name), ['kmetbench', 'autopaperbench'])
})

t.test('after kill -9 a judgement goes on, and nothing that was rated is asked again', async t => {
  const model = hangingAfter(5)
  const fake = await openFake({ ...given, behave: model.behave })
  const dir = temporaryFolder(t)
  const killed = await killedMidway(t, dir, { url: fake.url, reached: model.hanging })
  model.goOn()
  const before = fake.journal.length
  const suite = await openSuite(given, { dir, fake })
  t.teardown(suite.close)
  const judgement = await suite.get(`/judgements/${killed}?wait=60`)
  t.match(judgement, { state: 'succeeded', outcomes: { answered: 12, error: 0 } })
  const askedAnew = fake.journal.length - before
  t.ok(askedAnew >= 12 - 5 && askedAnew <= 12, `${askedAnew} of 12 are asked after it`)
  const { items } = await suite.get(`/judgements/${killed}/ratings?limit=200`) as { items: Rating[] }
  t.equal(new Set(items.map(({ predictionIds: [id] }) => id)).size, 12)
})

/** @returns the judgement that was under way */
async function killedMidway (
  t: Test, dir: string, { url: fakeUrl, reached }: { url: string, reached: Promise<void> }
): Promise<string> {
  const file = 'scripts/test/judging/suite-process.ts'
  const child = spawn(process.execPath, ['scripts/run.mjs', file, dir, fakeUrl], { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithUs(child)
  t.teardown(async () => { await killChild(child) })
  const url = await readyUrl(child.stdout!)
  const ask = async (path: string, body?: object) => await (await fetch(`${url}/v1${path}`, {
    ...body !== undefined && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  })).json() as { id: string, benchmarkId: string }
  const run = await ask('/runs', { benchmarkId: benchmark.id, model: 'llama-3-8b', condition: { figures: 'withheld' } })
  await ask(`/runs/${run.id}?wait=30`)
  const { id } = await ask('/judgements', { ...asked, runIds: [run.id] })
  await reached
  await killChild(child)
  return id
}
