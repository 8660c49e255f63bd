/** What is replayed says the same as what was first said, and nothing else is ever served for it. */
import t from 'tap'
import { runningInference } from './running-inference.ts'

const recorded = { 'viva-replay': 'replay-or-record', 'viva-sample-index': '0' }
const replayed = { ...recorded, 'viva-replay': 'replay' }
const list = { type: 'array', items: { type: 'integer' } }
const structured = (schema: object, repairTurns = 0) =>
  ({ model: 'fake-model', messages: [{ role: 'user', content: 'Numbers, please.' }], schema, repairTurns })
const path = '/v1/structured-completions'

t.test('a structured completion is replayed as it was, also where a rule might have ended it and did not', async t => {
  let reply = ''
  const { ask, journal } = await runningInference(t, { fakes: [{ reply: () => reply }], upstream: { capabilities: ['structured-output'] } })
  const hundred = `[${'7,'.repeat(49)}7]`
  const replies = [
    // It ended between two looks at it.
    { reply: hundred + ' '.repeat(210), fake: 'ok', outcome: 'answered' },
    { reply: `[${'1,'.repeat(5_000)}`, fake: 'ok', outcome: 'truncated' },
    { reply: `[1]${' '.repeat(5_000)}`, fake: 'ok', outcome: 'answered' },
    { reply: 'no list', fake: 'ok', outcome: 'unparsable' }
  ]
  for (const [at, { fake, outcome, ...given }] of replies.entries()) {
    reply = given.reply
    const asked = { ...structured(list), seed: at }
    const answer = await ask(asked, { path, fake, headers: recorded })
    const first = await answer.body.json() as Record<string, unknown>
    t.equal(first.outcome, outcome, reply.slice(0, 20))
    const calls = journal().length
    const again = await (await ask(asked, { path, headers: replayed })).body.json() as Record<string, unknown>
    t.equal(journal().length, calls)
    const apart = ({ turns, ...rest }: Record<string, unknown>) =>
      ({ ...rest, attempts: 0, turns: (turns as object[]).map(turn => ({ ...turn, source: '', attempts: 0 })) })
    t.strictSame(apart(again), apart(first), reply.slice(0, 20))
  }
})

t.test('a second turn that cannot be had is an error and no word on the first reply', async t => {
  const { ask } = await runningInference(t, { fakes: [{ reply: () => 'no list' }], upstream: { capabilities: ['structured-output'] } })
  const headers = { ...recorded, 'viva-group': 'g' }
  await ask({ requestsMax: 1, group: 'g' }, { path: '/v1/budgets' })
  const first = await (await ask(structured(list, 1), { path, headers })).body.json()
  t.match(first, { outcome: 'error', problem: 'budget-exhausted' })
  t.match(await (await ask(structured(list, 1), { path, headers: replayed })).body.json(), { outcome: 'error', problem: 'not-recorded' })
})

t.test('an alias that is given to another model has no replies of the one before', async t => {
  const asked = { model: 'judge', messages: [{ role: 'user', content: 'Who are you?' }] }
  const first = await runningInference(t, { fakes: [{ models: ['a', 'b'] }], upstream: { aliases: { judge: 'a' } } })
  const said = await (await first.ask(asked, { headers: recorded })).body.text()
  const pointing = (to: string) => ({ UPSTREAMS: JSON.stringify([{ name: 'lab0', baseUrl: first.fake.url, aliases: { judge: to } }]) })
  await first.close()
  await first.fake.close()
  const statuses: number[] = []
  for (const to of ['b', 'a']) {
    const { ask, close } = await runningInference(t, { folder: first.folder, fakes: [], env: pointing(to) })
    const { statusCode, body } = await ask(asked, { headers: replayed })
    statuses.push(statusCode)
    const text = await body.text()
    if (to === 'a') t.equal(text, said)
    const denied = await ask({ ...structured(list), model: 'judge' }, { path, headers: recorded })
    t.match(await denied.body.json(), { type: '/problems/upstream-unavailable' }, 'what a server that is away can do is not known')
    await close()
  }
  t.strictSame(statuses, [404, 200])
})

t.test('a text that is cut is a cut reply and no fault of ours', async t => {
  const { ask } = await runningInference(t, {
    fakes: [{ reply: () => JSON.stringify('a'.repeat(5_000)) }], upstream: { capabilities: ['structured-output'] }
  })
  for (const fields of [{}, { max_tokens: 5 }]) {
    const { body } = await ask({ ...structured({ type: 'string' }), ...fields }, { path, headers: recorded })
    t.match(await body.json(), { outcome: 'truncated', hasValue: false })
  }
})
