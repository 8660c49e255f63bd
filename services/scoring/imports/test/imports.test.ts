import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { FormData } from 'undici'
import { silentLog } from '../../../../shared/app/log.ts'
import { startServices } from '../../../../shared/app/start.ts'
import type { ImportedItem, RejectedRow, RunImport, RunImportOptions } from '../../../../shared/contracts/run-import.ts'
import { temporaryFolder } from '../../../../shared/testing/temporary-folder.ts'
import { makeZip } from '../../../../shared/testing/zip-writer.ts'
import { scoring } from '../../service.ts'
import { filesInZstdZip } from './zstd-zip.ts'
import { shiftOf } from '../domain/verdicts.ts'

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))
const lines = (...rows: unknown[]) => rows.map(row => typeof row === 'string' ? row : JSON.stringify(row)).join('\n')

/** One service for all tests: a log is an import of its own. */
async function start (t: Test) {
  const suite = await startServices([scoring], {
    DATA_DIR: temporaryFolder(t), PORT: '0', REVIEWING_URL: 'http://127.0.0.1:9', INFERENCE_URL: 'http://127.0.0.1:9'
  }, { log: silentLog() })
  t.teardown(async () => { await suite.close() })
  async function ask (method: 'GET' | 'POST', path: string, body?: object) {
    const reply = await fetch(`${suite.url}/v1${path}`, {
      method, ...body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    })
    const text = await reply.text()
    return { status: reply.status, text, body: path.includes('.jsonl') ? undefined : JSON.parse(text) }
  }
  async function send (log: Buffer | string, options?: RunImportOptions, name = 'x.bin') {
    const form = new FormData()
    if (options !== undefined) form.append('options', JSON.stringify(options))
    form.append('file', new Blob([Buffer.from(log)]), name)
    const reply = await fetch(`${suite.url}/v1/run-imports`, { method: 'POST', body: form as unknown as globalThis.FormData })
    const body = await reply.json() as any
    return { status: reply.status, body, record: body as RunImport }
  }
  async function rowsOf<T = ImportedItem> (id: string, show: string): Promise<T[]> {
    return (await ask('GET', `/run-imports/${id}/items?show=${show}&limit=200`)).body.items
  }
  return { ask, send, rowsOf }
}

const kmetbench = (results: unknown[]) => JSON.stringify({ model_name: 'm', metrics: {}, results })

t.test('imports of others\' logs', async t => {
  const service = await start(t)

  t.test('a log of lm-eval is read again: both scores, the shift with its test, every item that changes', async t => {
    const { ask, send, rowsOf } = service
    const { status, record } = await send(fixture('samples_fruit_generate.jsonl'))
    t.equal(status, 201)
    t.match(record, { format: 'lm-eval', rows: { total: 24, accepted: 12, rejected: 12 }, rejectedBy: { 'other-filter': 12 } })
    t.match(record.theirs, { value: 4 / 12, n: 12, clusters: 4 }, 'as lm-eval itself scored its strict filter')
    t.match(record.ours, { value: 8 / 12, n: 12 })
    t.match(record.shift, { gained: 4, lost: 0, same: 8, test: /sign flips of 4 clusters/ })
    t.match(record.shift.score, { value: 4 / 12, n: 12, clusters: 4 })
    t.match(record.bounds, { low: 8 / 12, high: 11 / 12, n: 12, undecided: 3 })
    t.match(record.changed.byRule, { 'anchor-ko': { gained: 1, lost: 0 } })
    const changed = await rowsOf(record.id, 'changed')
    t.strictSame(changed.map(({ id }) => id), ['1', '2', '7', '9'])
    t.match(changed[0], { reply: '정답: 2', quote: '2', gold: 'B', theirs: { value: 0, label: null }, ours: { value: 1, label: 'B', rule: 'anchor-ko', span: [4, 5] } })
    t.equal((await rowsOf<RejectedRow>(record.id, 'rejected')).length, 12)

    const again = await send(fixture('samples_fruit_generate.jsonl'))
    t.strictSame(again, { status: 200, body: again.body, record }, 'the same bytes are the same import')
    const { record: flexible } = await send(fixture('samples_fruit_generate.jsonl'), { filter: 'flexible' })
    t.not(flexible.id, record.id, 'with other options it is another')
    t.ok(flexible.theirs.value! > record.theirs.value!)
    t.ok(flexible.changed.items > 0 && flexible.shift.lost > 0, 'the last letter in a reply is not its answer')
    t.strictSame((await ask('GET', '/run-imports')).body.items.map(({ id }: RunImport) => id), [record.id, flexible.id].sort())
    const page = (await ask('GET', `/run-imports/${record.id}/items?show=accepted&limit=5`)).body
    const rest = (await ask('GET', `/run-imports/${record.id}/items?show=accepted&limit=7&cursor=${page.nextCursor}`)).body
    t.strictSame([page.items.length, rest.items.length, rest.nextCursor], [5, 7, null])
    t.equal((await ask('GET', `/run-imports/${record.id}/items?cursor=3`)).body.type.split('/').at(-1), 'invalid-cursor')
    t.equal((await ask('GET', `/run-imports/${record.id}/items.jsonl`)).text.trim().split('\n').length, 12)
  })

  t.test('an import is named by its caller, else by its log, else by its file', async t => {
    const { ask, send } = service
    const line = (reply: string, more: object = {}) => `${JSON.stringify({ doc_id: 0, doc: { choices: ['x', 'y'] }, resps: [[reply]], target: 'A', ...more })}\n`
    const nameOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).record.name
    t.equal(await nameOf(line('a'), { name: 'mine' }, 'samples_t.jsonl'), 'mine')
    t.equal(await nameOf(line('b'), {}, 'samples_fruit_choice_2025-01-31T10-20-30.123456.jsonl'), 'fruit_choice')
    t.equal(await nameOf(line('day'), {}, 'samples_weather_2026-11-30.jsonl'), 'weather')
    t.equal(await nameOf(line('b'), {}, 'samples_other.jsonl'), 'fruit_choice', 'the same bytes are the same import')
    t.equal(await nameOf(line('c'), {}, '../../etc/<b>passwd\u202e'), '<b>passwd', 'a name is words and no path')
    t.equal(await nameOf(line('d', { model: 'gpt', task_name: 'fruit' }), {}, 'x.jsonl'), 'gpt · fruit')
    const mapping = { id: 'q', reply: 'said', gold: 'right' }
    t.equal(await nameOf('q,said,right,model\n1,A,A,m1\n2,B,A,m1\n', { mapping, choiceCount: 2 }, 'x.csv'), 'm1')
    t.equal(await nameOf('q,said,right,model\n1,A,A,m1\n2,B,A,m2\n', { mapping, choiceCount: 2 }, 'two models.csv'), 'two models', 'a column of several is no name')
    t.equal(await nameOf(kmetbench([{ item_id: 1, generated_text: 'A', correct_answer: 1 }]), {}, 'run.json'), 'm')
    const { body } = await ask('POST', '/run-imports', { content: line('e') })
    t.equal(body.name, `lm-eval ${body.contentHash.slice(0, 8)}`, 'with no file there is none to name it by')
  })

  t.test('log-likelihoods are compared, and a tie is no answer', async t => {
    const { send, rowsOf } = service
    const log = fixture('samples_fruit_choice.jsonl')
    const { record } = await send(log)
    t.match(record, { rows: { accepted: 12 }, changed: { items: 0 }, outcomes: { answered: 12 } })
    t.equal(record.ours.value, record.theirs.value, 'lm-eval takes the likeliest too')
    const first = JSON.parse(log.toString().split('\n')[0]!)
    const tied = { ...first, resps: first.resps.map(() => [['-1.0', 'False']]), acc: 1 }
    const { record: one } = await send(JSON.stringify(tied))
    t.match(await rowsOf(one.id, 'changed'), [{ ours: { value: 0, outcome: 'unparsable', reason: 'tied-likelihoods' }, undecided: true }])
  })

  t.test('logs of inspect-ai, as JSON and as a zip with zstandard or deflate, say the same', async t => {
    const { send, rowsOf } = service
    const { record: json } = await send(fixture('inspect-fruit.json'))
    const { record: zip } = await send(fixture('inspect-fruit.eval'))
    const deflated = makeZip((await filesInZstdZip(fixture('inspect-fruit.eval'))).map(({ name, data }) => ({ name, data })))
    const { record: older } = await send(deflated)
    const numbers = ({ format, source, rows, theirs, ours, shift, changed, bounds }: RunImport) =>
      ({ format, source, rows, theirs, ours, shift, changed, bounds })
    t.strictSame(numbers(zip), numbers(json))
    t.strictSame(numbers(older), numbers(json))
    t.match(json, { format: 'inspect', source: { model: 'mockllm/model', task: 'fruit' }, outcomes: { truncated: 1, refused: 1, unparsable: 1 } })
    t.equal(json.theirs.value, 2 / 12, 'as inspect-ai itself scored it')
    t.equal(json.ours.value, 8 / 12)
    t.match(await rowsOf(json.id, 'undecided'), [{ id: 'q11', ours: { reason: 'empty' } }, { id: 'q6' }, { id: 'q7', ours: { outcome: 'truncated' } }])
    const log = JSON.parse(fixture('inspect-fruit.json').toString())
    const [one, two] = log.samples
    const text = JSON.stringify({ ...log, samples: [{ ...one, error: { message: 'gone' }, output: {} }, { ...two, target: 'kiwi' }, { ...two, epoch: 2 }] })
    const { record: faulty } = await send(text.replace('"epoch":2', '"epoch":2,"x":NaN'))
    t.match(faulty, { rows: { accepted: 2, rejected: 1 }, rejectedBy: { 'no-gold': 1 }, outcomes: { error: 1, answered: 1 }, ours: { n: 1 }, bounds: { n: 2, low: 0.5, high: 1 } })
  })

  t.test('run files and judge files of K-MetBench: digits are read, failures leave the mean', async t => {
    const { send, rowsOf } = service
    const said = (id: number, reply: string, [read, gold]: [number, number]) => ({
      item_id: id,
      generated_text: reply,
      predicted_answer: read,
      correct_answer: gold,
      is_correct: read === gold
    })
    const { record } = await send(kmetbench([
      said(1, '```json\n{"정답": 3}\n```', [3, 3]), said(2, '①', [-1, 1]),
      said(3, '```json\n{"정답": 1}\n```\n```json\n{"정답": 2}\n```', [1, 2]),
      said(4, '', [-1, 4]), said(5, '```json\n{"생성된_추론_근거": "$\\sigma$", "정답": 2}\n```', [-1, 2])
    ]))
    t.match(record, { format: 'kmetbench-run', source: { model: 'm' }, theirs: { value: 0.2 }, ours: { value: 0.8, n: 5 } })
    t.match(record.shift, { gained: 3, lost: 0, pValue: Number, test: /McNemar, exact, 3 discordant/ })
    t.match(record.theirs.interval, { method: 'Wilson, n = 5 independent items' })
    t.match(record.notes.join('\n'), /does not tell an outage/)
    t.match(await rowsOf(record.id, 'undecided'), [{ id: '3', theirs: { label: '1' }, ours: { label: 'B' } }, { id: '4' }], 'two readings that disagree leave an item open')
    t.match(record.bounds, { low: 0.6, high: 1, readable: { low: 0.8, high: 1 } })

    const judged = (id: number, [factual, logical, depth, clarity]: number[], total: number) =>
      ({ item_id: id, factual, logical, depth, clarity, total, evaluator: 'j' })
    const { record: judge } = await send(kmetbench([
      judged(1, [5, 5, 5, 5], 20), judged(2, [5, 4, 3, -1], -1), judged(3, [9, 4, 3, 5], 21),
      judged(4, [4, 4, 4, 4], 16)
    ]))
    t.match(judge, { format: 'kmetbench-judge', measure: 'judge-total', ours: { value: 18, n: 2 }, theirs: { value: 14, n: 4 } })
    t.match(judge.bounds, { low: 11, high: 19, n: 4, undecided: 2 })
    t.match(await rowsOf(judge.id, 'changed'), [{ id: '2', ours: { value: null, reason: 'axis-missing' } }, { id: '3', ours: { value: null, reason: 'axis-out-of-range' } }])
  })

  t.test('CSV is read by its mapping; every row is taken or rejected with a reason', async t => {
    const { ask, send, rowsOf } = service
    const text = [
      'n,said,right,options,paper', 'a,Answer: B,red,"[""blue"",""red""]",p1', 'b,"It is, I think, no.",No,,p1',
      'c,The answer is (A).,1,"[""x"",""y""]",p2', 'd,,yes,,p2', 'a,Answer: B,red,"[""blue"",""red""]",p1', ',x,No,,p1',
      'e,x,,,p1', 'f,x,No', 'g,Answer: A,A,"[""B"",""A""]",p1', 'h,x,banana,"[""x""]",p3', '__proto__,Answer: No,No,,p3'
    ].join('\r\n')
    const mapping = { id: 'n', reply: 'said', gold: 'right', choices: 'options', cluster: 'paper' }
    const { body } = await ask('POST', '/run-imports', { content: text, mapping })
    t.match(body, { format: 'csv', rows: { total: 11, accepted: 4, rejected: 7 }, theirs: { value: null, reason: 'The log has no verdicts.' } })
    t.match(body.shift, { pValue: null, score: { value: null, n: 0 } })
    const rejected = await rowsOf<RejectedRow>(body.id, 'rejected')
    t.strictSame(rejected.map(({ row, reason }) => [row, reason]), [
      [4, 'ambiguous-gold'], [6, 'duplicate-id'], [7, 'no-id'], [8, 'no-choices'], [9, 'other-columns'],
      [10, 'ambiguous-gold'], [11, 'bad-choices']
    ])
    const one = await send(text, { mapping, goldBase: 1 })
    t.match(one.body, { rows: { accepted: 5 } }, 'a number counts from where the caller says')
    t.match((await send('a,b\n1,2')).body, { status: 400, detail: /needs a mapping/ })
    t.match((await send('a,b\n1,2', { mapping: { id: 'a', reply: 'b', gold: 'c' } })).body, { status: 400, detail: /has no column "c"/ })
    t.match((await send('a,b,c\n"1,2', { mapping: { id: 'a', reply: 'b', gold: 'c' } })).body, { status: 422, type: /log-damaged$/ })
  })

  t.test('what is no log, or a hostile one, is refused before it costs much', async t => {
    const { ask, send } = service
    const refused = async (log: Buffer | string, status: number, detail: RegExp) => {
      const { body } = await send(log)
      t.match(body, { status, detail })
    }
    await refused('[]', 415, /JSON list/)
    await refused('{"a": 1}', 415, /Read are: lm-eval/)
    await refused('', 422, /no bytes/)
    await refused(Buffer.from([0x7b, 0xff, 0xfe]), 422, /not UTF-8/)
    await refused(makeZip([{ name: 'a.txt', data: Buffer.from('x') }]), 415, /no inspect-ai log/)
    const header = { name: 'header.json', data: Buffer.from('{"status":"success","eval":{"task":"t","model":"m"}}') }
    const bomb = makeZip([header, { name: 'samples/a.json', data: Buffer.alloc(40 * 2 ** 20) }])
    t.ok(bomb.length < 100_000)
    await refused(bomb, 413, /more than 200 times its size/)
    await refused(makeZip([header, header]), 422, /two entries of the name/)
    await refused(makeZip([header, { name: 'samples/a.json', data: Buffer.from('{}'), badCrc: true }]), 422, /checksum/)
    const away = makeZip([header, { name: 'samples/../../etc/a.json', data: Buffer.from('{"id":1,"epoch":1,"target":"A"}') }])
    t.match((await send(away)).body, { rows: { total: 0 } }, 'a name that leads elsewhere is no sample')
    const deep = lines({ doc_id: 1, doc: {}, resps: [['x']], target: 'A' }, '['.repeat(10_000), '{"doc_id":1,"doc_id":2}')
    t.match((await send(deep)).body, { rows: { total: 3, rejected: 3 }, rejectedBy: { 'no-choices': 1, 'invalid-json': 2 } })
    const long = lines({ doc_id: 1, doc: { choices: ['a', 'b'] }, resps: [['x'.repeat(1_000_001)]], target: 'A' })
    t.match((await send(long)).body, { rejectedBy: { 'reply-too-long': 1 } })
    t.match((await ask('POST', '/run-imports', { content: 'x', more: 1 })).body, { status: 400, detail: /more/ })
    t.match((await ask('GET', `/run-imports/rim_${'0'.repeat(32)}`)).body, { status: 404 })
  })

  t.test('of several samples a reply is held against a verdict that is of the first alone', async t => {
    const resps = [['Answer: B', 'Answer: A', 'Answer: A']]
    const doc = { choices: ['x', 'y'] }
    const row = (filter: string, filtered: string) =>
      lines({ doc_id: 0, doc, resps, filtered_resps: [filtered], target: 'A', filter, exact_match: 1 })
    const of = async (filter: string, filtered: string) =>
      (await service.send(row(filter, filtered), { name: filter })).body
    t.match(await of('maj@3', 'A'), { rows: { accepted: 0, rejected: 1 }, rejectedBy: { 'several-samples': 1 } })
    t.match(await of('score-first', 'B'), { rows: { accepted: 1 } })
    t.match(await of('none', 'Answer: B'), { rows: { accepted: 1 } })
  })

  t.test('a ranking is given where nothing open can turn it, and refused with the reason where something can', async t => {
    const { ask, send } = service
    const log = (replies: string[]) => lines(...replies.map((reply, at) =>
      ({ doc_id: at, doc: { choices: ['x', 'y'] }, resps: [[reply]], target: 'A', filter: 'none', exact_match: 0 })))
    const right = 'Answer: A'
    const best = await send(log([right, right, right, right]), { name: 'best' })
    const worst = await send(log(['Answer: B', 'Answer: B', 'Answer: B', right]), { name: 'worst' })
    const open = await send(log(['', '', '', 'Answer: A']), { name: 'open' })
    const rank = async (...sent: Array<{ record: RunImport }>) =>
      (await ask('POST', '/run-import-rankings', { importIds: sent.map(({ record }) => record.id) })).body
    const given = await rank(worst, best)
    t.match(given, { items: 4, ranking: [{ rank: 1, name: 'best' }, { rank: 2, name: 'worst' }], pairs: [{ insideBand: false, difference: { gained: 3, lost: 0, score: { value: 0.75 } } }] })
    const refused = await rank(best, open)
    t.match(refused, { ranking: null, reason: /"best" and "open"/, pairs: [{ insideBand: true }] })
    t.match(refused.rows[1].bounds, { low: 0.25, high: 1, undecided: 3 })
    const other = await send(lines({ doc_id: 0, doc: { choices: ['x', 'y'] }, resps: [['Answer: B']], target: 'B' }), { name: 'other' })
    t.match(await rank(best, other), { ranking: null, reason: /another gold/ })
    const strange = await send(lines({ doc_id: 'z', doc: { choices: ['x', 'y'] }, resps: [['Answer: B']], target: 'B' }), { name: 'strange' })
    t.match(await rank(best, strange), { ranking: null, items: 0, reason: /No item is in all/ })
    const tie = await send(log([right, right, right, 'Answer: A.']), { name: 'tie' })
    const even = await rank(best, tie)
    t.match(even.ranking, [{ rank: 1 }, { rank: 1 }], 'equal scores share a rank')
    t.match(even.pairs, [{ importIds: [best.record.id, tie.record.id], better: null, worse: null }])
  })
})

t.test('a shift whose interval leaves out 0 and whose test does not reject says why', t => {
  const pairs = Array.from({ length: 60 }, (_, at) => ({ first: 0, second: Number(at < 5), cluster: `c${at}` }))
  const few = shiftOf(pairs, [0, 1])
  t.ok(few.pValue! > 0.05 && few.score.interval!.low > 0)
  t.match(few.note, /Go by the test/)
  t.equal(shiftOf(pairs.map(pair => ({ ...pair, second: 1 })), [0, 1]).note, undefined)
  t.end()
})
