import t from 'tap'
import { isMetadataAddress } from '../../../shared/net/metadata.ts'
import { capabilityQuestions, readCapabilities } from '../domain/capability-questions.ts'
import { readProbe, servedModelsMax, type Answers, type Said } from '../domain/engine-answers.ts'
import { readLoad } from '../domain/engine-load.ts'
import { warningsOf, withFindings, type Finding } from '../domain/findings.ts'
import { probeDelayMs } from '../domain/probe-pace.ts'
import { readSamples } from '../domain/prometheus-text.ts'
import { unprobed, type Probe, type Replica } from '../domain/replica.ts'
import { absence, capabilitiesOf, modelEntry, readyFor, servingTable } from '../domain/serving.ts'
import { checkUpstream } from '../domain/upstream-rules.ts'
import { parseUpstreams, type Upstream } from '../domain/upstream.ts'

const lab: Upstream = { name: 'lab', baseUrl: 'http://gpu:8000', capabilities: [] }

t.test('gauges of a page', async t => {
  const page = `# HELP vllm:num_requests_running Number of requests.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="m"} 3.0
vllm:num_requests_running{engine="1",model_name="m"} 4.0
vllm:num_requests_running{engine="0",model_name="somebody-else"} 9999.0
vllm:num_requests_waiting_by_reason{engine="0",model_name="m",reason="capacity"} 9.0
vllm:num_requests_waiting{engine="0",model_name="m"} 12.0
vllm:num_requests_waiting{engine="1",model_name="m"} 0.0 1700000000000
vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.4
vllm:kv_cache_usage_perc{engine="1",model_name="m"} 0.6
`
  t.strictSame(readLoad(page, ['m', 'lora']), { running: 7, waiting: 12, kvUsage: 0.5 })
  t.equal(readLoad(page, []).running, 10006, 'where the server lists nothing, all series count')
  t.strictSame(readLoad(page, ['other']), { running: null, waiting: null, kvUsage: null }, 'missing is not 0')
  t.strictSame(readLoad('vllm:num_requests_running{model_name="m"} 2\nvllm:gpu_cache_usage_perc{model_name="m"} 0.25\n', ['m']),
    { running: 2, waiting: null, kvUsage: 0.25 }, 'the names of 0.6')
  t.strictSame(readLoad('llamacpp:requests_processing 1\nllamacpp:requests_deferred 2\n', ['x']), { running: 1, waiting: 2, kvUsage: null })
  for (const nothing of ['', '<html>', 'vllm:num_requests_running{model_name="m"} NaN\n', 'vllm:num_requests_running{model_name="m"} +Inf\n', 'vllm:num_requests_running{model_name="m"} -1\n', 'vllm:num_requests_running{model_name="m"} 1']) {
    t.strictSame(readLoad(nothing, ['m']), { running: null, waiting: null, kvUsage: null }, JSON.stringify(nothing))
  }
})

t.test('labels are read as the format has them, and a broken line is left out', async t => {
  const wanted = new Set(['a'])
  const labelsOf = (line: string) => readSamples(`${line}\n`, wanted).get('a')?.map(({ labels, value }) => [...labels, value])
  t.strictSame(labelsOf('a{x="q\\"},{b\\\\\\n", y="2" , } 5'), [[['x', 'q"},{b\\\n'], ['y', '2'], 5]])
  t.strictSame(labelsOf('a{} 1e3'), [[1000]])
  t.strictSame(labelsOf('a\t7\r'), [[7]])
  for (const broken of ['a{x="1" 5', 'a{x=1} 5', 'a{x} 5', 'a', 'a 0x', 'a{x="1"}', 'ab 5', '{x="1"} 5']) {
    t.equal(labelsOf(broken), undefined, broken)
  }
})

t.test('a page of 4 MiB of one line, or of endless labels, takes no time to speak of', async t => {
  const started = performance.now()
  readLoad('a'.repeat(4 * 2 ** 20), [])
  readLoad(`vllm:num_requests_running{${'x="1",'.repeat(600_000)}\n`, [])
  readLoad('vllm:filler{at="0123456789"} 1.0\n'.repeat(125_000), [])
  t.ok(performance.now() - started < 1500)
})

const json = (value: unknown): Said => ({ status: 200, body: JSON.stringify(value) })
const status = (code: number, body = ''): Said => ({ status: code, body })
const answers = (more: Partial<Answers> = {}): Answers => ({
  models: json({ object: 'list', data: [{ id: 'm', max_model_len: 4096, owned_by: 'vllm' }, { id: 'l', max_model_len: null, parent: 'm' }] }),
  version: json({ version: '0.12.0' }),
  health: status(200),
  sleeping: status(404),
  props: null,
  ...more
})

t.test('the answers of a probe', async t => {
  t.strictSame(readProbe({ ...lab, capabilities: ['vision'] }, answers()), {
    ok: true,
    probe: {
      state: 'up',
      version: '0.12.0',
      engine: 'vllm',
      models: [{ id: 'm', contextTokens: 4096 }, { id: 'l', contextTokens: null, parent: 'm' }],
      capabilities: ['structured-output', 'vision'],
      found: ['structured-output'],
      detail: null
    }
  })
  t.match(readProbe(lab, answers({ sleeping: json({ is_sleeping: true }) })), { probe: { state: 'sleeping' } })
  t.match(readProbe(lab, answers({ version: json({ version: '0.5.4' }) })), { probe: { found: [] } }, 'it held nothing to a schema then')
  const llama = answers({
    version: status(404),
    sleeping: null,
    models: json({ data: [{ id: '/m.gguf', owned_by: 'llamacpp' }] }),
    props: json({ build_info: 'b9-abc', modalities: { vision: true, audio: false }, default_generation_settings: { n_ctx: 2048 } })
  })
  t.match(readProbe(lab, llama), {
    probe: { engine: 'llama.cpp', version: null, build: 'b9-abc', models: [{ id: '/m.gguf', contextTokens: 2048 }], found: ['structured-output', 'vision'] }
  })
  const other = answers({ version: { status: 200, body: '<html>' }, health: status(404), models: status(404) })
  t.match(readProbe({ ...lab, models: ['gpt'] }, other), { probe: { engine: 'other', state: 'up', models: [{ id: 'gpt' }] } })
  const downs: Array<[Partial<Answers>, RegExp, boolean]> = [
    [{ models: { fault: 'cannot be reached', sure: true } }, /cannot be reached/, true],
    [{ models: { fault: 'does not answer within 3 s', sure: false } }, /does not answer/, false],
    [{ health: { fault: 'does not answer within 3 s', sure: false } }, /does not answer/, false],
    [{ models: status(401) }, /key/, true],
    [{ health: status(503) }, /loading|dead/, true],
    [{ models: status(500) }, /500/, true],
    [{ models: status(404) }, /really a model server/, true],
    [{ models: { status: 200, body: '<html>Please log in</html>' } }, /really a model server/, true],
    [{ models: json({ data: null }) }, /really a model server/, true]
  ]
  for (const [more, detail, sure] of downs) {
    t.match(readProbe(lab, answers(more)), { ok: false, detail, sure }, String(detail))
  }
})

t.test('of a list only what is a model counts, and only so many', async t => {
  const odd = [null, 7, {}, { id: 7 }, { id: '' }, { id: 'x'.repeat(301) }, { id: 'm', max_model_len: -1 }, { id: 'm', max_model_len: 5 }, { id: '__proto__' }]
  t.match(readProbe(lab, answers({ models: json({ data: odd }) })),
    { probe: { models: [{ id: 'm', contextTokens: null }, { id: '__proto__' }] } })
  const many = json({ data: Array.from({ length: 5000 }, (_, at) => ({ id: `m${at}` })) })
  const reading = readProbe(lab, answers({ models: many }))
  if (!reading.ok) throw new Error('it is up')
  const replica = replicaOf({}, reading.probe)
  t.equal(servingTable([replica]).size, servedModelsMax)
  t.match(warningsOf(replica, []), [/more than 1000/])
})

function replicaOf (upstream: Partial<Upstream>, probe: Partial<Probe> = {}): Replica {
  const up: Probe = { ...unprobed, state: 'up', engine: 'vllm', models: [{ id: 'm', contextTokens: 100 }] }
  return { upstream: { ...lab, ...upstream }, probe: { ...up, ...probe }, load: null, inFlight: 0 }
}

t.test('who serves a model', async t => {
  const names = (replicas: Replica[], model: string, needs: string[] = []) =>
    readyFor(servingTable(replicas).get(model) ?? [], needs).map(({ replica, served }) => `${replica.upstream.name}:${served}`)
  const one = replicaOf({ name: 'one', aliases: { fast: 'm', gone: 'x' } })
  const two = replicaOf({ name: 'two', models: ['m', 'x'], capabilities: ['vision'] })
  t.strictSame(names([one, two], 'm'), ['one:m', 'two:m'])
  t.strictSame(names([one, two], 'fast'), ['one:m'], 'an alias goes by the name the server knows')
  t.strictSame(names([one, two], 'gone'), [], 'an alias of what is not listed')
  t.strictSame(names([one, two], 'x'), [], 'declared, and not listed by a vLLM')
  t.strictSame(names([one, two], 'm', ['vision']), ['two:m'])
  t.strictSame(names([one, two], '__proto__'), [])
  t.strictSame(names([replicaOf({ models: ['x'] }, { engine: 'llama.cpp' })], 'x'), ['lab:x'], 'llama.cpp takes any name')
  t.strictSame(names([replicaOf({ models: ['other'] })], 'm'), [], 'only what is declared is offered')
  t.strictSame(names([replicaOf({ models: ['m', 'n'] }, { models: [{ id: 'm', contextTokens: 1 }, { id: 'n', contextTokens: 1, capabilities: ['vision'] }] })], 'm', ['vision']), [],
    'what one model can do says nothing of another')
  for (const state of ['unknown', 'sleeping', 'down'] as const) t.strictSame(names([replicaOf({}, { state })], 'm'), [], state)
  t.strictSame(names([replicaOf({ draining: true })], 'm'), [])
})

t.test('why nobody serves a model', async t => {
  const why = (replicas: Replica[], model: string | null, needs: string[] = []) =>
    absence({ model, needs }, replicas, servingTable(replicas))
  t.match(why([], 'm'), { kind: 'model-not-found', message: /POST \/v1\/upstreams/ })
  t.match(why([replicaOf({})], 'x'), { kind: 'model-not-found', message: /"x"\. There is: m\.$/ })
  const many = replicaOf({}, { models: Array.from({ length: 30 }, (_, at) => ({ id: `m${at}`, contextTokens: null })) })
  t.match(why([many], 'x').message, /m19 and 10 more/)
  t.match(why([replicaOf({}), replicaOf({ name: 'gone' }, { state: 'down', models: [], detail: 'nothing listens' })], 'x'),
    { kind: 'upstream-unavailable', message: /gone is down: nothing listens/ }, 'the one that never answered may have it')
  t.match(why([replicaOf({ name: 'gone' }, { state: 'down', models: [], detail: 'nothing listens' })], null).message,
    /^No model server has said yet which models it has: gone is down: nothing listens/, 'a list of models names none that was not asked for')
  t.match(why([replicaOf({}), replicaOf({ name: 'gone' }, { state: 'down' })], 'x'),
    { kind: 'model-not-found' }, 'the one that is down had another')
  t.match(why([replicaOf({}, { state: 'sleeping' })], 'm'), { kind: 'upstream-unavailable', message: /asleep.*wake_up/ })
  t.match(why([replicaOf({ draining: true })], 'm'), { kind: 'upstream-unavailable', message: /drained/ })
  t.match(why([replicaOf({ models: ['x'] })], 'x'), { kind: 'upstream-unavailable', message: /lists no x/ })
  t.match(why([replicaOf({})], 'm', ['vision']), { kind: 'capability-missing', message: /vision/ })
  t.match(why([replicaOf({}), replicaOf({ name: 'eye', capabilities: ['vision'] }, { state: 'down' })], 'm', ['vision']),
    { kind: 'upstream-unavailable', message: /eye is down/ }, 'one that can may be back')
})

t.test('a model of several upstreams is one entry', async t => {
  const table = servingTable([
    replicaOf({ name: 'a', aliases: { fast: 'm' } }),
    replicaOf({ name: 'b', contextTokens: 50, capabilities: ['vision'] }, { state: 'down', models: [{ id: 'm', contextTokens: null }] })
  ])
  t.match(modelEntry('m', table.get('m') ?? []), { root: 'm', contextTokens: 50, upstreams: ['a', 'b'], available: true, capabilities: ['vision'] })
  t.match(modelEntry('fast', table.get('fast') ?? []), { id: 'fast', root: 'm', contextTokens: 100, upstreams: ['a'] })
})

t.test('declared and found are told apart, and what does not fit is said', async t => {
  const finding: Finding = { model: 'm', vision: false, reasoning: true, structuredOutput: null, embeddings: false, baseUrl: lab.baseUrl, at: '' }
  const replica = replicaOf({ capabilities: ['vision'], contextTokens: 7, aliases: { m: 'n' }, models: ['n'] })
  replica.probe = withFindings(replica.probe, [finding])
  t.strictSame(capabilitiesOf({ replica, served: 'm' }), ['reasoning', 'vision'], 'what is declared counts')
  const warnings = warningsOf(replica, [finding]).join('\n')
  for (const words of [/Declares vision, which m did not show/, /Declares n, which the server does not list; it lists m/, /The alias m hides/, /context of 7 tokens; the server says 100/]) t.match(warnings, words)
  t.strictSame(warningsOf(replicaOf({}), []), [])
})

t.test('what a model shows when it is asked', async t => {
  const { plain, seeing, constrained, embedding } = capabilityQuestions('m')
  for (const { body } of [plain, seeing, constrained, embedding]) t.match(body, { model: 'm' })
  const chat = (message: object, promptTokens = 10) => json({ choices: [{ message, finish_reason: 'stop' }], usage: { prompt_tokens: promptTokens } })
  const fine = { plain: chat({ content: 'Hello' }), seeing: chat({ content: 'H' }, 266), constrained: chat({ content: '{"code": "zq-7"}' }), embedding: status(404) }
  t.strictSame(readCapabilities(fine),
    { vision: true, reasoning: false, structuredOutput: true, embeddings: false })
  t.match(readCapabilities({ ...fine, seeing: chat({ content: 'H' }) }), { vision: false }, 'the picture was dropped in silence')
  t.match(readCapabilities({ ...fine, seeing: status(400) }), { vision: false })
  t.match(readCapabilities({ ...fine, seeing: status(500, 'image input is not supported') }), { vision: false })
  t.match(readCapabilities({ ...fine, seeing: status(503) }), { vision: null })
  t.match(readCapabilities({ ...fine, constrained: chat({ content: 'Hello there' }) }), { structuredOutput: false })
  t.match(readCapabilities({ ...fine, constrained: chat({ content: null }) }), { structuredOutput: null })
  for (const message of [{ reasoning: 'So' }, { reasoning_content: 'So' }, { content: '<think>So' }]) {
    t.match(readCapabilities({ ...fine, plain: chat(message) }), { reasoning: true })
  }
  const silent: Said = { fault: 'does not answer', sure: false }
  t.strictSame(readCapabilities({ plain: silent, seeing: silent, constrained: silent, embedding: silent }),
    { vision: null, reasoning: null, structuredOutput: null, embeddings: null })
  t.match(readCapabilities({ ...fine, plain: status(400), embedding: json({ data: [{ embedding: [1] }] }) }),
    { vision: null, embeddings: true })
})

t.test('a base URL leads to a model server and nowhere else', async t => {
  const faultOf = (baseUrl: string) => checkUpstream({ ...lab, baseUrl }, 'store').faults[0]?.detail ?? ''
  for (const [given, normal] of [
    ['http://10.0.0.7:8000/v1/', 'http://10.0.0.7:8000'], ['https://GPU.example./lab//v1', 'https://gpu.example/lab'],
    ['http://[fd00::1]:80', 'http://[fd00::1]'], ['http://127.0.0.1:1', 'http://127.0.0.1:1']
  ] as const) t.equal(checkUpstream({ ...lab, baseUrl: given }, 'store').upstream.baseUrl, normal)
  for (const [wrong, words] of [
    ['http://me:hunter2@gpu', /password/], ['http://gpu?key=hunter2', /query/], ['http://gpu/#hunter2', /query/], ['file:///etc/passwd', /http/],
    ['gpu:8000', /http|URL/], ['', /URL/], ['http://gpu:8000/\n', /URL/], ['http:\\\\gpu', /URL/],
    ['http://169.254.169.254/latest', /link-local/], ['http://0xA9FEA9FE', /link-local/], ['http://2852039166/', /link-local/],
    ['http://[::ffff:169.254.169.254]', /link-local/], ['http://[fe80::1]', /link-local/], ['http://[64:ff9b::a9fe:a9fe]', /link-local/],
    ['http://[fd00:ec2::254]', /link-local/], ['http://100.100.100.200', /link-local/], ['http://168.63.129.16.', /link-local/]
  ] as const) {
    t.match(faultOf(wrong), words, wrong)
    t.notMatch(faultOf(wrong), /hunter2/)
  }
  for (const address of ['10.0.0.1', '192.168.1.1', '127.0.0.1', '::1', 'fd00::1', '8.8.8.8', 'gpu', '']) t.notOk(isMetadataAddress(address), address)
})

t.test('through the API only variables made for it can be named, in the environment no secret of the house', async t => {
  const isFine = (apiKeyEnv: string, source: 'store' | 'environment') => checkUpstream({ ...lab, apiKeyEnv }, source).faults.length === 0
  for (const name of ['UPSTREAM_LAB_KEY', 'UPSTREAM_LAB_2_TOKEN']) t.ok(isFine(name, 'store') && isFine(name, 'environment'), name)
  for (const name of ['LAB_KEY', 'GITHUB_TOKEN', 'HF_TOKEN', 'UPSTREAM_KEY', 'UPSTREAM_LAB', 'xUPSTREAM_LAB_KEY', 'UPSTREAM_LAB_KEY\nX']) t.notOk(isFine(name, 'store'), name)
  t.ok(isFine('LAB_KEY', 'environment'))
  for (const name of ['API_KEYS', 'SERVICE_KEY', 'VIVA_SERVICE_KEY', 'MONGO_URL', 'NATS_URL', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'a b', '']) {
    t.notOk(isFine(name, 'store') || isFine(name, 'environment'), name)
  }
})

t.test('an alias names what a server knows, not another alias', async t => {
  const faultsOf = (aliases: Record<string, string>) => checkUpstream({ ...lab, aliases }, 'store').faults
  t.strictSame(faultsOf({ a: 'm', b: 'm' }), [])
  t.match(faultsOf({ a: 'b', b: 'a' }), [{ pointer: '/aliases/a', detail: /alias itself/ }, { pointer: '/aliases/b' }])
  t.match(faultsOf({ 'a/1~': 'a/1~' }), [{ pointer: '/aliases/a~11~0' }])
})

t.test('UPSTREAMS takes every field, and names what it does not know', async t => {
  const all = { name: 'lab', baseUrl: 'http://gpu:8000/v1', models: ['m'], aliases: { a: 'm' }, slots: 4, weight: 0.5, capabilities: ['vision'], contextTokens: 9, apiKeyEnv: 'LAB_KEY', draining: true }
  t.strictSame(parseUpstreams(JSON.stringify([all])), [{ ...all, baseUrl: 'http://gpu:8000' }])
  for (const [more, words] of [[{ capabilites: ['vision'] }, /additional/], [{ slots: 0 }, /slots of lab/], [{ weight: -1 }, /weight/], [{ models: 'm' }, /models/], [{ aliases: { a: 7 } }, /aliases/], [{ apiKeyEnv: 'MONGO_URL' }, /apiKeyEnv/]] as const) {
    t.throws(() => parseUpstreams(JSON.stringify([{ name: 'lab', baseUrl: 'http://gpu', ...more }])), { message: words })
  }
})

t.test('a server that is down is asked less and less, but still', async t => {
  const paces = [1, 2, 3, 4, 5, 6, 7, 100].map(failures => probeDelayMs(failures, 10_000))
  t.strictSame(paces, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000])
  t.equal(probeDelayMs(1, 100), 100)
})
