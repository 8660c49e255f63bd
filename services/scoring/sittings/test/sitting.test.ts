import t, { type Test } from 'tap'
import { temporaryFolder } from '../../../../shared/testing/temporary-folder.ts'
import { benchmarkOf, documentOf, itemOf, itemsOf } from '../../test/fixtures.ts'
import { startScoring } from '../../test/given-scoring.ts'

const documents = [documentOf('one'), documentOf('two')]
const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script> 조건은?'
const items = [
  ...documents.flatMap(itemsOf),
  itemOf(documents[0]!, { kind: 'choice', place: '1', question: hostile, choices: [{ text: 'B' }, { text: 'A' }, { text: '"><b>C' }], answerIndex: 0, slices: { aspect: 'section' } })
]
const benchmark = benchmarkOf(documents, items)
const given = { documents, frozen: [{ benchmark, items }] }
const byId = new Map(items.map(item => [item.id, item]))

/** Scoring with a clock of its own that stands still unless it is told to go on. */
async function start (t: Test, dir = temporaryFolder(t)) {
  const clock = { at: 1_800_000_000_000 }
  const scoring = await startScoring(t, given, { dir, now: () => clock.at })
  const open = async (request: object = {}) =>
    (await scoring.ask('POST', '/sittings', { benchmarkId: benchmark.id, raterId: 'anna', ...request })).body
  const next = async (id: string) => (await scoring.ask('GET', `/sittings/${id}/next`)).body
  const put = async (id: string, itemId: string, answer: object) =>
    await scoring.ask('PUT', `/sittings/${id}/answers/${itemId}`, answer)
  /** Closes it and waits for its run. */
  const close = async (id: string) => {
    const { body } = await scoring.ask('POST', `/sittings/${id}/close`)
    return (await scoring.ask('GET', `/runs/${body.runId}?wait=30`)).body
  }
  return { ...scoring, clock, open, next, put, close, end: scoring.close }
}

const right = (itemId: string) => {
  const { answerIndex, answer } = byId.get(itemId)!
  return answerIndex === undefined ? { text: `${answer}` } : { choice: answerIndex }
}

t.test('a sitting from the request to the run, the report, the comparison and the leaderboard', async t => {
  const { ask, run, clock, next, put, close } = await start(t)
  const request = { benchmarkId: benchmark.id, raterId: 'anna', expertise: 'expert', consent: 'form 2', seed: 3 }
  const opened = await ask('POST', '/sittings', request)
  t.match(opened, { status: 201, body: { state: 'ready', itemCount: items.length, runId: null, expertise: 'expert', endings: { 'not-reached': items.length } } })
  t.equal(opened.headers.location, `/v1/sittings/${opened.body.id}`)
  t.match(await ask('POST', '/sittings', request), { status: 200, body: { id: opened.body.id } }, 'the same sitting again')
  const { id } = opened.body
  t.match(await ask('POST', `/sittings/${id}/close`), { status: 409 }, 'a run of nothing is none')

  const asked: string[] = []
  for (;;) {
    const { state, question, itemCount } = await next(id)
    if (state === 'all-seen') break
    t.match({ state, itemCount, position: question.position }, { state: 'asking', itemCount: items.length, position: asked.length + 1 })
    asked.push(question.itemId)
    clock.at += 5_000
    const kind = byId.get(question.itemId)!.kind
    const kept = await put(id, question.itemId, kind === 'vqa' ? { dontKnow: true } : right(question.itemId))
    t.match(kept, { status: 200, body: { ending: kind === 'vqa' ? 'declined' : 'answered', late: false, answers: 1 } })
  }
  t.strictSame([...asked].sort(), items.map(item => item.id).sort(), 'every item once')
  const pair = (itemId: string) => byId.get(itemId)!.pairId
  t.ok(asked.every((itemId, at) => pair(itemId) === undefined || at === asked.length - 1 || pair(itemId) !== pair(asked[at + 1]!)), 'no pair stands side by side')

  const done = await close(id)
  t.match(done, { model: 'human/anna', state: 'succeeded', sitting: { sittingId: id, expertise: 'expert' }, outcomes: { answered: 9, refused: 2, skipped: 0 } })
  t.match(await ask('POST', `/sittings/${id}/close`), { status: 200, body: { state: 'closed', runId: done.id } }, 'closing again changes nothing')
  t.equal((await next(id)).state, 'closed')
  const predictions = (await ask('GET', `/runs/${done.id}/predictions?limit=50`)).body.items
  const odd = predictions.find((each: any) => byId.get(each.itemId)!.question === hostile)
  t.match(odd, { reply: 'Answer: A', lenient: { index: 0 }, sitting: { ending: 'answered', seconds: 5 } }, 'what was chosen is what is read, also where choices are letters')

  const yes = await run('baseline/always-yes')
  t.equal((await ask('POST', '/reports', { runIds: [done.id, yes.id] })).status, 201)
  const comparison = await ask('POST', '/comparisons', { runIds: [done.id, yes.id], metrics: ['accuracy'] })
  t.equal(comparison.status, 201)
  const { rows } = (await ask('GET', `/leaderboards/${benchmark.id}?kind=binary`)).body
  t.match(rows.map(({ model, human, score: { value } }: any) => ({ model, human, value })), [
    { model: 'human/anna', human: true, value: 1 }, { model: 'baseline/always-yes', human: false, value: 0.5 }
  ])
  t.match((await ask('GET', `/leaderboards/${benchmark.id}.md?kind=binary`)).text, /human\/anna.*a person/)
  const without = (await ask('GET', `/leaderboards/${benchmark.id}?kind=binary&humans=false`)).body
  t.strictSame(without.rows.map(({ model }: any) => model), ['baseline/always-yes'])
  const again = await ask('POST', `/runs/${done.id}/rescore`, {})
  t.match(await ask('GET', `/runs/${again.body.id}?wait=30`), { body: { model: 'human/anna', state: 'succeeded', outcomes: { answered: 9, refused: 2 } } })
  t.match(await ask('POST', '/runs', { benchmarkId: benchmark.id, model: 'human/anna' }), { status: 409, body: { detail: /POST \/v1\/sittings/ } })
  const ceiling = await ask('POST', '/analyses/human-ceiling', { runIds: [done.id, yes.id] })
  t.equal(ceiling.status, 200)
  const row = (about: string, metric: string) =>
    ceiling.body.rows.find((each: any) => each.about === about && each.metric === metric)
  t.match(row('person', 'accuracy'), { who: 'human/anna', value: 1, n: 7 })
  t.match(row('person', 'seconds.median'), { value: 5, n: 7 })
  t.match(row('persons', 'accuracy'), { value: 1, low: null, high: null, persons: 1, reason: /one person/ })
  t.match(row('gap', 'accuracy'), { who: 'all', model: 'baseline/always-yes', value: 0.5, n: 4 })
})

t.test('no answer, and nothing that gives one away, is in any reply before the end', async t => {
  const { ask, open, next, put, run } = await start(t)
  await run('baseline/lead')
  const sitting = await open({ condition: { permutationSeed: 4 } })
  const replies = [JSON.stringify(sitting)]
  for (;;) {
    const said = await ask('GET', `/sittings/${sitting.id}/next`)
    replies.push(said.text)
    const { question } = said.body
    if (question === null) break
    const item = byId.get(question.itemId)!
    const shown = question.choices.map(({ pieces }: any) => pieces.map(({ text }: any) => text).join(''))
    t.strictSame([...shown].sort(), (item.choices ?? []).map(({ text }) => text).sort())
    replies.push((await put(sitting.id, question.itemId, { skip: true })).text)
    replies.push((await ask('GET', `/sittings/${sitting.id}/questions/${question.itemId}`)).text)
  }
  replies.push((await ask('GET', `/sittings/${sitting.id}`)).text, (await ask('GET', '/sittings')).text)
  const all = replies.join('\n')
  t.notMatch(all, /SECRET/, 'neither answer, rationale, evidence, pair nor checks')
  t.notMatch(all, /answerIndex|pairId|rationale|evidence|checks|verdict|provenance|correct|prediction|lenient|runs?\/|baseline/i)
  t.ok(all.includes('We heated the alloy'), 'the text of the paper is there, as models have it')
  const images = JSON.stringify((await next(sitting.id)).seen)
  t.notMatch(images, /SECRET/)
})

t.test('a right and a wrong answer get the same reply', async t => {
  const { open, next, put } = await start(t)
  const texts = await Promise.all(['anna', 'ben'].map(async (raterId, wrong) => {
    const { id } = await open({ raterId, kinds: ['binary'], itemsMax: 2 })
    const { question } = await next(id)
    const { choice } = right(question.itemId) as { choice: number }
    return (await put(id, question.itemId, { choice: wrong === 0 ? choice : 1 - choice })).text
  }))
  t.equal(texts[0], texts[1])
})

t.test('time is the server\'s: late answers are kept and count as not answered', async t => {
  const { ask, clock, open, next, put, close } = await start(t)
  const { id } = await open({ kinds: ['binary', 'choice'], secondsMax: 100, secondsPerItem: 20 })
  const first = (await next(id)).question
  t.equal(first.remainingSeconds, 20)
  clock.at += 15_000
  t.match((await next(id)).question, { itemId: first.itemId, remainingSeconds: 5 }, 'asking again does not start the clock anew')
  const { choice } = right(first.itemId) as { choice: number }
  await put(id, first.itemId, { choice })
  clock.at += 10_000
  t.match((await put(id, first.itemId, { choice: choice === 0 ? 1 : 0 })).body, { late: true, ending: 'answered', answers: 2 }, 'a change that came too late is kept beside the one that stands')

  const second = (await next(id)).question
  clock.at += 21_000
  const third = (await next(id)).question
  t.not(third.itemId, second.itemId, 'an item whose time is over is passed over')
  t.match((await put(id, second.itemId, right(second.itemId))).body, { late: true, ending: 'late' })
  await put(id, third.itemId, { skip: true })
  const fourth = (await next(id)).question
  clock.at += 60_000
  t.match(await next(id), { state: 'time-up', question: null })
  t.match((await ask('GET', `/sittings/${id}`)).body, {
    state: 'time-up', remainingSeconds: 0, endings: { answered: 1, late: 1, skipped: 2, declined: 0, 'not-reached': 3, 'not-shown': 0 }
  })
  t.match((await put(id, fourth.itemId, { dontKnow: true })).body, { late: true, ending: 'skipped' })

  const run = await close(id)
  t.match(run.outcomes, { answered: 1, truncated: 4, refused: 2, skipped: 4, error: 0, unparsable: 0 })
  const predictions = (await ask('GET', `/runs/${run.id}/predictions?limit=50`)).body.items
  const of = (itemId: string) => predictions.find((each: any) => each.itemId === itemId)
  t.match(of(first.itemId), { outcome: 'answered', lenient: { index: choice }, sitting: { ending: 'answered', seconds: 15, answers: 2 } })
  t.match(of(second.itemId), { outcome: 'truncated', reply: /^Answer/, detail: /after the time/, sitting: { ending: 'late', seconds: 21 } })
  t.match(of(third.itemId), { outcome: 'refused', reply: null, sitting: { ending: 'skipped', seconds: null } })
  t.equal(predictions.filter((each: any) => each.outcome === 'skipped' && /not drawn/.test(each.detail)).length, 4)
  t.match(await put(id, fourth.itemId, { dontKnow: true }), { status: 200 }, 'what was sent before the end may come again')
  t.match(await put(id, fourth.itemId, { skip: true }), { status: 409, body: { detail: /closed/ } })
  const { rows } = (await ask('POST', '/analyses/human-ceiling', { runIds: [run.id] })).body
  const value = (metric: string) => rows.find((each: any) => each.about === 'person' && each.metric === metric)
  t.match(value('accuracy'), { value: 1 / 7, n: 7 }, 'what was not answered in time is wrong')
  t.match(value('accuracy.answered'), { value: 1, n: 1 }, 'and stands apart')
})

t.test('two tabs at once: one question, one clock, every acknowledged answer kept', async t => {
  const { ask, open, next, put, clock } = await start(t)
  const { id } = await open({ kinds: ['qa'] })
  const tabs = await Promise.all(Array.from({ length: 6 }, async () => {
    clock.at += 1_000
    return (await next(id)).question
  }))
  t.equal(new Set(tabs.map(({ itemId }) => itemId)).size, 1, 'the same question in all')
  const { itemId } = tabs[0]
  const sent = await Promise.all(Array.from({ length: 8 }, async (_, at) =>
    await put(id, itemId, { text: `words ${at}` })))
  t.ok(sent.every(({ status }) => status === 200))
  t.strictSame(sent.map(({ body }) => body.answers).sort(), [1, 2, 3, 4, 5, 6, 7, 8], 'none took the place of another')
  const again = await ask('GET', `/sittings/${id}/questions/${itemId}`)
  const same = await put(id, itemId, again.body.answer)
  t.match(same, { status: 200, body: { answers: 8 } }, 'the same answer again adds nothing')
  const ends = await Promise.all([ask('POST', `/sittings/${id}/close`), put(id, itemId, { text: 'last words' }), ask('POST', `/sittings/${id}/close`)])
  t.match([ends[0].status, ends[2].status], [200, 200])
  const run = (await ask('GET', `/runs/${ends[0].body.runId}?wait=30`)).body
  const found = (await ask('GET', `/runs/${run.id}/predictions?limit=50`)).body.items.find((each: any) => each.itemId === itemId)
  if (ends[1].status === 200) t.match(found, { reply: 'last words' }, 'an answer that was acknowledged is scored')
  else t.match(ends[1], { status: 409 })
})

t.test('what was acknowledged outlives the process, and the clock goes on', async t => {
  const dir = temporaryFolder(t)
  const first = await start(t, dir)
  const { id } = await first.open({ kinds: ['choice'], secondsMax: 60 })
  const { question } = await first.next(id)
  await first.put(id, question.itemId, right(question.itemId))
  const second = (await first.next(id)).question
  await first.end()
  const later = await start(t, dir)
  later.clock.at += 45_000
  t.match(await later.next(id), { question: { itemId: second.itemId, remainingSeconds: 15 }, seen: [{ itemId: question.itemId, ending: 'answered' }, {}] })
  t.match((await later.ask('GET', `/sittings/${id}/questions/${question.itemId}`)).body.answer, right(question.itemId))
  const run = await later.close(id)
  t.match(run.outcomes, { answered: 1, refused: 1, truncated: 1 })
})

t.test('a condition puts the items as it does for models, and what is about models is refused', async t => {
  const { ask, open, next } = await start(t)
  const { id } = await open({ kinds: ['vqa'], condition: { figures: 'withheld', contentMode: 'none' } })
  const { question } = await next(id)
  t.match(question, { images: [], content: null, figures: 'Figure 1 (not shown).' })
  const seen = (await next((await open({ kinds: ['vqa'] })).id)).question
  t.match(seen, { images: [/^data:image\/png;base64,/], figures: /Hardness over temperature/ })
  for (const condition of [{ thinking: true }, { confidence: 'verbal' }, { prompt: 'reasoning' }, { hint: 'biased' }, { rationale: 'truncated' }]) {
    t.match(await ask('POST', '/sittings', { benchmarkId: benchmark.id, raterId: 'anna', condition }), {
      status: 400, body: { errors: [{ pointer: `/body/condition/${Object.keys(condition)[0]}` }] }
    })
  }
})

t.test('bad input is told what is wrong with it', async t => {
  const { ask, open, next, put } = await start(t)
  const post = async (own: object) => await ask('POST', '/sittings', { benchmarkId: benchmark.id, raterId: 'anna', ...own })
  t.match(await post({ raterId: 'Anna Kim <anna@lab>' }), { status: 400, body: { errors: [{ pointer: '/body/raterId' }] } })
  t.match(await post({ itemIds: [`itm_${'0'.repeat(32)}`] }), { status: 400, body: { errors: [{ pointer: '/body/itemIds' }] } })
  t.match(await post({ stratifyBy: '__proto__' }), { status: 400, body: { detail: /Dimensions: aspect/ } })
  t.match(await post({ kinds: ['binary'], itemsMax: 1 }), { status: 422 }, 'a pair does not fit one place')
  t.match(await post({ benchmarkId: `bmk_${'0'.repeat(32)}` }), { status: 404 })
  t.match(await ask('GET', `/sittings/sit_${'0'.repeat(32)}/next`), { status: 404, body: { type: /sitting-not-found$/ } })
  const { id } = await open({ kinds: ['choice', 'qa'] })
  const { question: { itemId, kind } } = await next(id)
  const other = items.find(item => item.id !== itemId && item.kind === 'choice')!.id
  t.match(await put(id, other, { choice: 0 }), { status: 409, body: { detail: /not shown/ } })
  t.match(await put(id, itemId, kind === 'choice' ? { text: 'x' } : { choice: 0 }), { status: 400 })
  t.match(await put(id, itemId, kind === 'choice' ? { choice: 9 } : { text: '  ' }), { status: 400 })
  t.match(await put(id, itemId, { choice: 0, skip: true }), { status: 400 })
  t.match(await put(id, itemId, {}), { status: 400 })
  t.match(await ask('GET', '/sittings?cursor=x'), { status: 400, body: { type: /invalid-cursor$/ } })
})

t.test('deleting takes the answers, the run and what was scored again from it', async t => {
  const { ask, open, next, put, close } = await start(t)
  const request = { kinds: ['qa'] }
  const { id } = await open(request)
  const { question } = await next(id)
  await put(id, question.itemId, { text: 'PRIVATE words' })
  const run = await close(id)
  const again = (await ask('POST', `/runs/${run.id}/rescore`, {})).body
  await ask('GET', `/runs/${again.id}?wait=30`)
  const gone = await ask('DELETE', `/sittings/${id}`)
  t.match(gone, { status: 200, body: { sittingId: id, notes: [/Reports/] } })
  t.strictSame([...gone.body.runIds].sort(), [run.id, again.id].sort())
  for (const runId of gone.body.runIds) {
    t.equal((await ask('GET', `/runs/${runId}`)).status, 404)
    t.notMatch((await ask('GET', `/runs/${runId}/predictions`)).text, /PRIVATE/)
  }
  t.match(await ask('GET', `/sittings/${id}`), { status: 410, body: { type: /sitting-deleted$/ } })
  t.equal((await put(id, question.itemId, { text: 'PRIVATE words' })).status, 410)
  t.equal((await ask('DELETE', `/sittings/${id}`)).status, 410)
  t.equal((await ask('POST', '/sittings', { benchmarkId: benchmark.id, raterId: 'anna', ...request })).status, 410)
  t.strictSame((await ask('GET', '/sittings')).body.items, [])
  t.equal((await ask('GET', `/leaderboards/${benchmark.id}?metric=rougeL.fmeasure`)).body.rows.length, 0)
})

t.test('the page is served without a key, and holds no text of any item', async t => {
  const { app } = await start(t)
  const page = await app.inject('/sitting')
  t.equal(page.statusCode, 200)
  t.match(page.headers['content-security-policy'], /script-src 'self'/)
  t.notMatch(page.body, /<script(?![^>]* src=)|\son\w+=|https?:/, 'no script in it, no other host')
  for (const [, path] of page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)) t.equal((await app.inject(path!)).statusCode, 200, path!)
})
