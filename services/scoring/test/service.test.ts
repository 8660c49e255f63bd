import t, { type Test } from 'tap'
import { Problem } from '../../../shared/errors/problem.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { benchmarkOf, documentOf, itemsOf } from './fixtures.ts'
import { promptOf, says, startScoring, type Asked } from './given-scoring.ts'

const documents = [documentOf('one'), documentOf('two')]
const items = documents.flatMap(itemsOf)
const benchmark = benchmarkOf(documents, items)
const otherDocuments = [documentOf('three')]
const otherItems = otherDocuments.flatMap(itemsOf)
const other = { benchmark: benchmarkOf(otherDocuments, otherItems, 'Other'), items: otherItems }

/** A test may have something happen while a document is read. */
let beforeDocument = async (): Promise<void> => {}

const given = {
  documents, frozen: [{ benchmark, items }, other], beforeDocument: async () => { await beforeDocument() }
}
const start = async (t: Test, answer?: (asked: Asked, nth: number) => unknown, dir?: string) =>
  await startScoring(t, given, { answer, dir })

t.test('a baseline runs from the request to the report', async t => {
  const { ask, run, journal } = await start(t)
  const opened = await ask('POST', '/runs', { benchmarkId: benchmark.id, model: 'baseline/always-yes' })
  t.equal(opened.status, 202)
  t.equal(opened.headers.location, `/v1/runs/${opened.body.id}`)
  t.match(opened.body.condition, { contentMode: 'semantic', sampling: { temperature: 0 } }, 'the condition is resolved')

  const done = await run('baseline/always-yes')
  t.equal(done.id, opened.body.id)
  t.match(done, { state: 'succeeded', progress: { done: 10, total: 10, failed: 0 }, outcomes: { answered: 4, skipped: 6, error: 0 } })
  t.equal((await ask('POST', '/runs', { benchmarkId: benchmark.id, model: 'baseline/always-yes' })).status, 200, 'the same run again')
  t.equal(journal.length, 0, 'no model is asked')

  const page = await ask('GET', `/runs/${done.id}/predictions?limit=2&outcome=answered`)
  t.equal(page.body.items.length, 2)
  t.match(page.body.items[0], { kind: 'binary', reply: 'Answer: Yes', lenient: { label: 'Yes', index: 0 }, strict: { index: 0 } })
  const rest = await ask('GET', `/runs/${done.id}/predictions?limit=2&outcome=answered&cursor=${page.body.nextCursor}`)
  t.equal(rest.body.nextCursor, null)
  const lines = (await ask('GET', `/runs/${done.id}/predictions.jsonl`)).text.trim().split('\n').map(line => JSON.parse(line))
  t.strictSame(lines.map(({ itemId }) => itemId), items.map(({ id }) => id), 'the file has all, in the benchmark\'s order')

  const report = await ask('GET', `/runs/${done.id}/report`)
  const binary = report.body.runs[0].slices.find((slice: any) => slice.kind === 'binary' && slice.dimension === 'all')
  t.match(binary.scores[0], { metric: 'accuracy', value: 0.5, n: 4, clusters: 2 })
  const qa = report.body.runs[0].slices.find((slice: any) => slice.kind === 'qa')
  t.match(qa.scores[0], { metric: 'rouge1.fmeasure', value: null, n: 0, reason: /2 skipped/ })
  t.match(JSON.stringify(report.body.notes), /unreviewed/)
})

t.test('a model is asked once for each item, with labels, and its figures if it can see', async t => {
  const { ask, run, journal } = await start(t, asked => says(/Answer: Yes/.test(promptOf(asked)) ? 'I think so.\nAnswer: Yes' : 'Answer: A'))
  const seeing = await run('seeing', { seed: 7, sampling: { temperature: 0.5, maxTokens: 64 }, repeat: 2 })
  t.match(seeing, { state: 'succeeded', outcomes: { answered: 10 } })
  t.equal(journal.length, 10)
  for (const { headers, body } of journal) {
    t.match(headers, { 'viva-caller': 'scoring', 'viva-group': seeing.id, 'viva-purpose': 'prediction', 'viva-replay': 'replay-or-record', 'viva-sample-index': '2' })
    t.match(body, { model: 'seeing', seed: 1433985981, temperature: 0.5, top_p: 1, max_tokens: 64 })
  }
  t.notMatch(JSON.stringify(journal.map(({ body }) => body)), /SECRET/, 'nothing secret leaves')
  const images = journal.filter(({ body }) => Array.isArray(body.messages[0].content))
  t.equal(images.length, 6, 'figure items carry their image')
  t.match(images[0]!.body.messages[0].content[1], { type: 'image_url', image_url: { url: /^data:image\/png;base64,iVBOR/ } })

  const blind = await run('blind')
  t.match(blind.outcomes, { answered: 4, skipped: 6 })
  const skipped = await ask('GET', `/runs/${blind.id}/predictions?outcome=skipped`)
  t.match(skipped.body.items[0], { reply: null, detail: /takes no images/ })
  const withheld = await run('blind', { figures: 'withheld' })
  t.match(withheld.outcomes, { answered: 10, skipped: 0 })
  const report = await ask('POST', '/reports', { runIds: [seeing.id, blind.id, withheld.id] })
  t.equal(report.status, 201)
  t.match(report.body.runs[2].notes.join(), /Figures were withheld: 6 items/)
  t.match(report.body.runs[0].prompts.map(({ name }: any) => name), ['answer-binary.v1', 'answer-choice.v1', 'answer-descriptive.v1'])
})

t.test('infrastructure that fails is an error and never an answer; retry asks only what is left', async t => {
  let broken = true
  const { ask, run, journal } = await start(t, asked => {
    if (broken && promptOf(asked).includes('21 percent')) throw new Problem('upstream-refused', 'The model server refused the request: too long.')
    return says('Answer: Yes')
  })
  const failed = await run('blind', { figures: 'withheld' })
  t.match(failed, { state: 'failed', progress: { done: 8, total: 10, failed: 2 }, outcomes: { error: 2 } })
  t.match(failed.problems[0], { type: '/problems/upstream-refused' })
  const report = (await ask('GET', `/runs/${failed.id}/report`)).body
  t.match(report.notes.join(), /No ranking/)
  const scores = report.runs[0].slices.find((slice: any) => slice.kind === 'binary' && slice.dimension === 'all').scores
  t.match(scores[0], { metric: 'accuracy', value: 1, n: 2 }, 'the errors are in no score')
  t.match(scores.find(({ metric }: any) => metric === 'accuracy.lowest'), { value: 0.5, n: 4 })
  const before = await ask('GET', `/reports/${report.id}.json`)

  broken = false
  const asked = journal.length
  t.equal((await ask('POST', `/runs/${failed.id}/retry`)).status, 202)
  const done = (await ask('GET', `/runs/${failed.id}?wait=30`)).body
  t.match(done, { state: 'succeeded', progress: { done: 10, failed: 0 }, outcomes: { error: 0 } })
  t.equal(journal.length, asked + 2, 'what was answered is not asked again')
  t.not((await ask('GET', `/runs/${failed.id}/report`)).body.id, report.id, 'other replies, another report')
  t.equal((await ask('GET', `/reports/${report.id}.json`)).text, before.text, 'a report never changes')
})

t.test('a cut reply is truncated, an empty one unparsable, nonsense from the server an error', async t => {
  const replies = [says('It goes on and', 'length'), says(''), says('I am sorry, but I cannot answer that.'), { choices: [] }]
  const { run } = await start(t, asked => promptOf(asked).includes('main findings') ? replies[0] : promptOf(asked).includes('gas') ? replies[3] : replies[1])
  const { state, outcomes } = await run('blind', { figures: 'withheld' })
  t.match({ state, outcomes }, { state: 'failed', outcomes: { truncated: 2, error: 2, unparsable: 6 } })
})

t.test('a reply of another model is an error, one under a longer name of the same is not', async t => {
  const { run } = await start(t, asked => {
    const model = promptOf(asked).includes('gas') ? 'other-model' : promptOf(asked).includes('main findings') ? 'org/Blind-2026-01-01' : 'blind'
    return { ...says('Answer: Yes'), model }
  })
  const { state, outcomes, problems } = await run('blind', { figures: 'withheld' })
  t.match({ state, outcomes }, { state: 'failed', outcomes: { error: 2 } })
  t.match(problems[0], { type: '/problems/upstream-invalid', detail: /"blind" was asked and "other-model" replied/ })
})

t.test('report files', async t => {
  const { ask, run } = await start(t)
  const runIds = []
  for (const model of ['baseline/extractive', 'baseline/random', 'baseline/lead', 'seeing']) runIds.push((await run(model)).id)
  const made = await ask('POST', '/reports', { runIds })
  t.equal(made.status, 201)
  t.equal((await ask('POST', '/reports', { runIds })).status, 200, 'the same report again')
  const path = made.headers.location!.slice('/v1'.length)
  const json = await ask('GET', `${path}.json`)
  t.strictSame(JSON.parse(json.text), made.body)
  const html = await ask('GET', `${path}.html`)
  t.match(html.headers['content-type'], 'text/html')
  t.match(html.headers['content-security-policy'], /default-src 'none'/)
  t.match(html.text, /<svg[\s\S]*<img src="data:image\/png/)
  t.match(html.text, /flattered/, 'it says that the extractive baseline shares its method')
  t.match((await ask('GET', `${path}.md`)).text, /^# Alloys/)
  const csv = (await ask('GET', `${path}.csv`)).text
  t.match(csv, /^model,runId,kind/)
})

t.test('the same replies in another process give the same bytes', async t => {
  const bytes = []
  while (bytes.length < 2) {
    const { ask, run } = await start(t, asked => says(`Answer: ${promptOf(asked).includes('21') ? 'No' : 'Yes'}`))
    const runIds = [(await run('seeing')).id, (await run('baseline/random')).id]
    const { body } = await ask('POST', '/reports', { runIds })
    bytes.push((await ask('GET', `/reports/${body.id}.json`)).text + (await ask('GET', `/reports/${body.id}.html`)).text)
  }
  t.equal(bytes[0], bytes[1])
})

t.test('bad requests are typed problems', async t => {
  const { ask, run } = await start(t)
  const problem = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const { status, body } = await ask(method, path, payload)
    return [status, String(body.type).replace('/problems/', ''), body.detail]
  }
  const id = benchmark.id
  t.match(await problem('POST', '/runs', { benchmarkId: id, model: 'unheard' }), [404, 'model-not-found', /baseline\/random.*blind, seeing/])
  t.match(await problem('POST', '/runs', { benchmarkId: id, model: 'baseline/unheard' }), [404, 'model-not-found', /baseline\/lead/])
  t.match(await problem('POST', '/runs', { benchmarkId: 'bmk_00000000000000000000000000000000', model: 'baseline/lead' }), [404, 'benchmark-not-found'])
  t.match(await problem('POST', '/runs', { benchmarkId: id, model: 'baseline/lead', condition: { formulation: 'explicit' } }), [422, 'not-computable'])
  t.match(await problem('POST', '/runs', { benchmarkId: id, model: 'blind', condition: { contentMode: 'all' } }), [400, 'invalid-request'])
  t.match(await problem('POST', '/runs', { benchmarkId: id, model: 'blind', conditions: {} }), [400, 'invalid-request'])
  t.match(await problem('GET', '/runs/run_00000000000000000000000000000000'), [404, 'run-not-found'])
  t.match(await problem('GET', '/runs/7'), [400, 'invalid-request'])
  t.match(await problem('GET', '/runs?cursor=x'), [400, 'invalid-cursor'])
  t.match(await problem('GET', '/reports/rep_00000000000000000000000000000000.html'), [404, 'report-not-found'])
  t.match(await problem('POST', '/reports', { runIds: [] }), [400, 'invalid-request'])
  const mine = await run('baseline/always-yes')
  const { body: theirs } = await ask('POST', '/runs', { benchmarkId: other.benchmark.id, model: 'baseline/always-yes' })
  await ask('GET', `/runs/${theirs.id}?wait=30`)
  t.match(await problem('POST', '/reports', { runIds: [mine.id, theirs.id] }), [409, 'conflict', /one benchmark/])
})

t.test('a run that is cancelled keeps what it has, has no report, and can go on', async t => {
  let release = () => {}
  const held = new Promise<void>(resolve => { release = resolve })
  let arrive = () => {}
  const arrived = new Promise<void>(resolve => { arrive = resolve })
  const { ask } = await start(t, async () => { arrive(); await held; return says('Answer: Yes') })
  const { body: { id } } = await ask('POST', '/runs', { benchmarkId: benchmark.id, model: 'seeing' })
  t.match(await ask('POST', '/reports', { runIds: [id] }), { status: 409, body: { type: '/problems/not-finished' } })
  await arrived
  await ask('POST', `/runs/${id}/cancel`)
  release()
  const cancelled = (await ask('GET', `/runs/${id}?wait=30`)).body
  t.equal(cancelled.state, 'cancelled')
  t.equal(cancelled.outcomes.error, 0, 'what was not asked is no error')
  t.match(await ask('GET', `/runs/${id}/report`), { status: 409, body: { type: '/problems/conflict' } })
  await ask('POST', `/runs/${id}/retry`)
  t.match((await ask('GET', `/runs/${id}?wait=30`)).body, {
    state: 'succeeded', progress: { done: 10 }, outcomes: { answered: 8, unparsable: 2 }
  }, 'choice items have no answer Yes')
})

t.test('two replicas on one store', async t => {
  const dir = temporaryFolder(t)
  let refuses = true
  const answer = () => {
    if (refuses) throw new Problem('upstream-refused', 'Not yet.')
    return says('Answer: Yes')
  }
  const [one, other] = [await start(t, answer, dir), await start(t, answer, dir)]
  const { id } = await one.run('seeing')
  const path = `/runs/${id}`
  t.match((await other.ask('GET', path)).body, { state: 'failed', outcomes: { error: 10 } })
  const { body: { items: [letter] } } = await other.ask('GET', '/dead-letters?limit=1')

  refuses = false
  beforeDocument = async () => {
    beforeDocument = async () => {}
    await other.ask('POST', `${path}/retry`)
    await other.ask('GET', `${path}?wait=30`)
  }
  const fresh = await start(t, answer, dir)
  t.match(await fresh.ask('POST', '/reports', { runIds: [id] }), { status: 409, body: { type: '/problems/not-finished' } },
    'a run that is retried while its report is made gives none with replies from before and after')
  const made = await Promise.all([one, other, fresh].map(async ({ ask }) => await ask('POST', '/reports', { runIds: [id] })))
  t.same(made.map(({ status }) => status).sort(), [200, 200, 201], 'three reports at once are one')
  t.equal(new Set(made.map(({ body }) => body.id)).size, 1)
  t.equal((await one.ask('POST', `/dead-letters/${letter.id}/retry`)).status, 404, 'what another replica did is known here')
})

t.test('a prompt that cannot fit the context of the model is not asked, and says by how much', async t => {
  const { ask, run, journal } = await start(t)
  const whole = await run('short', { figures: 'withheld', contentMode: 'none', sampling: { maxTokens: 1000 } })
  t.match(whole, { state: 'succeeded', outcomes: { error: 0 } }, 'what fits is asked')
  const asked = journal.length
  t.equal(asked, items.length)
  const tight = await run('short', { figures: 'withheld', contentMode: 'none', sampling: { maxTokens: 1990 } })
  t.match(tight, { state: 'failed', outcomes: { error: items.length, answered: 0, truncated: 0 } })
  t.equal(journal.length, asked, 'nothing was asked')
  const tokens = Math.ceil(Buffer.byteLength(promptOf(journal[0]!)) / 3)
  const { body: { items: predictions } } = await ask('GET', `/runs/${tight.id}/predictions`)
  t.match(predictions[0], { outcome: 'error', problem: 'prompt-too-long', reply: null, lenient: null })
  const details = predictions.map(({ detail }: { detail: string }) => detail)
  t.ok(details.includes(`The prompt has ${tokens} tokens without images, and a reply may take 1990 (sampling.maxTokens); "short" takes 2000 together, ${tokens - 10} fewer. A smaller contentTokensMax or sampling.maxTokens makes room, in a run of its own.`))
  t.match(tight.problems[0], { type: /prompt-too-long$/, status: 422 })
  const report = await ask('GET', `/runs/${tight.id}/report`)
  t.match(report.body.runs[0].slices.find((slice: any) => slice.kind === 'binary').scores[0], { value: null, n: 0 }, 'and is in no score')
})

t.test('runs are listed by benchmark, model and state, a page at a time', async t => {
  const { ask, run } = await start(t, ({ body }) => {
    if (body.seed === 3) throw new Problem('upstream-refused', 'Too long.')
    return says('Answer: Yes')
  })
  const one = await run('baseline/always-yes')
  const failed = await run('blind', { seed: 3 })
  const others = [await run('blind', { seed: 4 }), await run('blind', { seed: 5 })]
  const { body: { id: elsewhere } } = await ask('POST', '/runs', { benchmarkId: other.benchmark.id, model: 'blind' })
  await ask('GET', `/runs/${elsewhere}?wait=30`)
  const all = async (query: string) => {
    const found: string[] = []
    for (let cursor = ''; ;) {
      const { status, body } = await ask('GET', `/runs?${query}${cursor}`)
      t.equal(status, 200)
      found.push(...body.items.map(({ id }: { id: string }) => id))
      if (body.nextCursor === null) return found
      cursor = `&cursor=${body.nextCursor}`
    }
  }
  const sorted = (ids: string[]) => ids.toSorted()
  const blind = [failed, ...others].map(({ id }) => id)
  t.strictSame(await all('limit=2'), sorted([one.id, ...blind, elsewhere]))
  for (const limit of [1, 2, 200]) {
    t.strictSame(await all(`limit=${limit}&model=blind`), sorted([...blind, elsewhere]))
    t.strictSame(await all(`limit=${limit}&model=blind&benchmarkId=${benchmark.id}`), sorted(blind))
    t.strictSame(await all(`limit=${limit}&benchmarkId=${other.benchmark.id}`), [elsewhere])
    t.strictSame(await all(`limit=${limit}&state=failed`), sorted([failed.id, elsewhere]), 'the document of the other one is not there')
    t.strictSame(await all(`limit=${limit}&state=succeeded&model=blind`), sorted(others.map(({ id }) => id)))
    t.strictSame(await all(`limit=${limit}&state=running`), [])
  }
  t.strictSame(await all('model=nobody'), [])
  t.equal((await ask('GET', '/runs?state=done')).status, 400)
  t.equal((await ask('GET', '/runs?benchmarkId=x')).status, 400)
})
