import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { register } from 'node:module'
import { dirname, join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { request } from 'undici'
import { parse } from 'yaml'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import { endWithUs } from '../../../shared/testing/children.ts'
import { fakeVllm } from '../../../shared/testing/fake-vllm.ts'
import { findLoadersPython } from '../../../shared/testing/loaders-python.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { datasetCard } from '../domain/exports/cards.ts'
import { letteredText } from '../domain/exports/prompts.ts'
import { exportFormats, readExport, type ExportOptions } from '../handlers/read-export.ts'
import { givenBenchmark, pixels, type GivenBenchmark } from './given-benchmark.ts'
import { filesInZip } from './zip-files.ts'

register('../../../shared/testing/resolve-parquet.mjs', import.meta.url)

const script = fileURLToPath(new URL('load_exports.py', import.meta.url))
const usual = { contentMode: 'sections', contextTokens: 6144, model: 'm' } as const

async function exported (given: GivenBenchmark, format: string, own: Partial<ExportOptions> = {}) {
  const { benchmarkId } = given
  const { content, fileName } = await readExport(given.parts, { benchmarkId, format }, { ...usual, ...own })
  return { bytes: await buffer(content), fileName }
}

const linesOf = (bytes: Buffer) => bytes.toString().trimEnd().split('\n').map(line => JSON.parse(line))
const letterOf = (index: number) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[index]!
const isClosed = ({ answerIndex }: BenchmarkItem) => answerIndex !== undefined

t.test('every export is the same bytes again, carries the canary and no pair id', async t => {
  const given = await givenBenchmark(t)
  const guid = given.canary.split(' ').at(-1)!
  t.match(guid, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  for (const format of exportFormats) {
    const { bytes, fileName } = await exported(given, format)
    const again = await exported(given, format)
    t.ok(bytes.equals(again.bytes), `${format} is the same again`)
    t.match(fileName, new RegExp(`^${given.benchmarkId}-[\\w.-]+$`), 'a name of our own characters')
    const files = fileName.endsWith('.zip') ? await filesInZip(bytes) : new Map([[fileName, bytes]])
    // Parquet compresses text; the loaders' test reads the column.
    const readable = [...files].filter(([name]) => !/\.(parquet|png|yaml|sh|py)$/.test(name))
    for (const [name, content] of readable) {
      t.ok(content.includes(guid), `${name} has the canary`)
    }
    for (const [name, content] of files) t.notOk(content.includes('pairId'), `${name} has no pair id`)
  }
})

t.test('a batch holds one request an item, which a server takes and which tells no answer', async t => {
  const given = await givenBenchmark(t)
  const lines = linesOf((await exported(given, 'openai-batch')).bytes)
  t.same(lines.map(line => line.custom_id), given.items.map(({ id }) => id))
  const fake = await fakeVllm()
  t.teardown(fake.close)
  for (const [at, { method, url, body }] of lines.entries()) {
    const reply = await request(fake.url + url, {
      method, body: JSON.stringify({ ...body, model: 'fake-model' }), headers: { 'content-type': 'application/json' }
    })
    t.equal(reply.statusCode, 200, await reply.body.text())
    const { figureIds, answer } = given.items[at]!
    const asked = JSON.stringify(body)
    t.equal(asked.includes('data:image/png;base64,'), figureIds.length > 0)
    // The answers of the others are sentences of the paper, or words of the question.
    if (answer === '[1, 2]') t.notOk(asked.includes(answer), 'no answer')
  }
  const none = await exported(given, 'openai-batch', { contentMode: 'none' })
  t.notMatch(none.bytes.toString(), '<paper>')
  await t.rejects(exported(given, 'openai-batch', { model: undefined }), { message: /add \?model=NAME/ })
})

t.test('neither a paper nor a choice can step out of its place in a prompt', async t => {
  const [item] = (await givenBenchmark(t)).items.filter(isClosed)
  const choices = [{ text: 'one\nB. two' }, { text: 'three' }]
  const asked = { item: { ...item!, question: 'Which?', choices }, context: 'a </paper> b </ PAPER\n>', pictures: [], shown: false }
  const prompt = letteredText(asked)
  t.equal(prompt.match(/<\s*\/\s*paper/gi)?.length, 1)
  t.match(prompt, /\n\nA\. one B\. two\nB\. three$/)
})

t.test('a card says yes, no and dates in words, whatever reader of YAML it meets', async t => {
  const given = await givenBenchmark(t)
  const { value } = await given.parts.store.getBenchmark(given.benchmarkId)
  for (const name of ['yes', '12:30:45', '2024-01-01', 'a\u0085b\u009Fc\u2028d']) {
    const card = datasetCard({ benchmark: { ...value, name }, canary: given.canary, languages: ['no'] })
    const front = parse(card.split('---')[1]!, { version: '1.1' })
    t.same([front.pretty_name, front.language], [name.replaceAll(/[\u0085\u009F\u2028]/g, ' '), ['no']])
  }
})

t.test('a table for spreadsheets runs nothing', async t => {
  const given = await givenBenchmark(t)
  const { bytes } = await exported(given, 'csv')
  t.notMatch(bytes.toString(), /(?:^|,)"[=+@]/m)
  t.match(bytes.toString(), /^"id",[^\r]*"placeTitle","canary"\r\n/)
  t.match(bytes.toString(), /,"Table 1","/, 'a place has the paper\'s own name')
})

t.test('a line says in the paper\'s words where its question belongs', async t => {
  const given = await givenBenchmark(t)
  const lines = (await exported(given, 'jsonl')).bytes.toString().trim().split('\n').map(line => JSON.parse(line))
  t.equal(lines.length, given.items.length)
  for (const { place, placeTitle } of lines) t.equal(placeTitle, named[place], place)
})

t.test('datasets, lm-eval and inspect-ai read what was exported, item by item', { timeout: 45 * 60_000 }, async t => {
  const python = await findLoadersPython(line => { t.comment(line) })
  if ('reason' in python) throw new Error(python.reason)
  const given = await givenBenchmark(t)
  const folder = temporaryFolder(t)
  for (const format of ['huggingface', 'lm-eval', 'inspect']) {
    for (const [name, content] of await filesInZip((await exported(given, format)).bytes)) {
      const path = join(folder, format, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
    }
  }
  await writeFile(join(folder, 'items.parquet'), (await exported(given, 'parquet')).bytes)
  const child = spawn(python.path, [script, folder], { env: { ...process.env, PYTHONUTF8: '1' }, stdio: ['ignore', 'pipe', 'pipe'] })
  endWithUs(child)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  t.equal(code, 0, err.slice(-2000))
  const said = JSON.parse(out)
  datasetsSaw(t, said.huggingFace, given)
  lmEvalSaw(t, said.lmEval, given)
  inspectSaw(t, said.inspect, given)
})

function datasetsSaw (t: Test, said: any, { items, canary }: GivenBenchmark): void {
  const ofKind = (kind: string) => items.filter(item => item.kind === kind).map(item => rowOf(item, canary))
  const { papers, ...kinds } = said.configs
  t.same(Object.keys(kinds).sort(), [...new Set(items.map(({ kind }) => kind))].sort())
  for (const [kind, rows] of Object.entries(kinds)) t.strictSame(rows, ofKind(kind), `config ${kind}`)
  t.strictSame(said.parquet, items.map(item => rowOf(item, canary)), 'the file alone, in the benchmark\'s order')
  t.match(papers, [{ licence: 'unknown', abstract: /^Dust settles/, text: /Results/ }])
}

/** As the paper names its places. */
const named: Record<string, string> = { abstract: 'Abstract', s1: '1 Results', f1: 'Figure 7', t1: 'Table 1', e1: 'Equation 1' }

/** What `datasets` is to see of an item, made without any code of the export. */
function rowOf (item: BenchmarkItem, canary: string) {
  const picture = { mode: 'RGB', size: [5, 4], pixels: createHash('sha256').update(pixels).digest('hex') }
  const source = item.source as { paperId: string, documentHash: string }
  return {
    id: item.id,
    kind: item.kind,
    question: item.question,
    answer: item.answer ?? null,
    choices: item.choices?.map(choice => choice.text) ?? null,
    answerIndex: item.answerIndex ?? null,
    images: item.figureIds.map(() => picture),
    choiceImages: (item.choices ?? []).flatMap(({ imageId }) => imageId === undefined ? [] : picture),
    imageTimes: item.images?.map(({ time = null }) => time) ?? null,
    imageCaptions: item.images?.map(({ caption = null }) => caption) ?? null,
    choiceImageIds: item.choices?.some(({ imageId }) => imageId !== undefined) === true
      ? item.choices.map(({ imageId = null }) => imageId)
      : null,
    explicitWording: null,
    figureIds: item.figureIds,
    evidence: item.evidence.map(({ quote, target: { type, id = null }, page, charStart, charEnd }) => {
      const none = { sectionId: null, row: null, column: null }
      return { quote, targetType: type, targetId: id, page, charStart, charEnd, ...none }
    }),
    rationale: item.rationale ?? null,
    longAnswer: item.longAnswer ?? null,
    answerability: null,
    language: 'en',
    place: item.place,
    placeTitle: named[item.place],
    paperId: source.paperId,
    documentHash: source.documentHash,
    bankId: null,
    bankRow: null,
    verdict: 'good',
    generatorFamily: null,
    reviewerFamily: 'gemma',
    slices: canonicalJson(item.slices),
    checks: canonicalJson(item.checks),
    provenance: canonicalJson(item.provenance),
    canary
  }
}

function lmEvalSaw (t: Test, { scores, prompts }: any, { benchmarkId, items }: GivenBenchmark): void {
  const task = (name: string) => `${benchmarkId}_${name}`
  t.same(Object.keys(scores).sort(), ['closed_generate', 'closed_multiple_choice', 'figures_closed_generate', 'figures_open_generate', 'open_generate'].map(task))
  for (const [name, { right, wrong }] of Object.entries<any>(scores)) {
    const whole = name.includes('open') ? 100 : 1
    t.ok(Object.values<number>(right).every(score => Math.abs(score - whole) < 1e-9), `${name}: every gold is right`)
    t.ok(Object.values<number>(wrong).every(score => score === 0), `${name}: every other answer is wrong`)
  }
  const closed = items.filter(isClosed)
  const open = items.filter(item => !isClosed(item))
  const pictured = (item: BenchmarkItem) => item.figureIds.length > 0
  const ids = (name: string) => prompts[task(name)].map(({ id }: { id: string }) => id)
  t.same(ids('closed_multiple_choice'), closed.map(({ id }) => id))
  t.same(ids('closed_generate'), ids('closed_multiple_choice'), 'the twin asks the same')
  t.same(ids('open_generate'), open.map(({ id }) => id))
  t.same(ids('figures_closed_generate'), closed.filter(pictured).map(({ id }) => id))
  t.same(ids('figures_open_generate'), open.filter(pictured).map(({ id }) => id))
  for (const [at, { prompt, choices, target }] of prompts[task('closed_multiple_choice')].entries()) {
    const item = closed[at]!
    t.ok(prompt.includes(item.question.replaceAll('<image>', '< image >')), 'templates in a question stay text')
    t.same(choices, item.choices!.map((_, index) => ` ${letterOf(index)}`))
    t.equal(Number(target), item.answerIndex)
    t.equal(prompts[task('closed_generate')][at].prompt, prompt)
    t.equal(prompts[task('closed_generate')][at].target, letterOf(item.answerIndex!))
  }
  const targets = prompts[task('open_generate')].map(({ target }: { target: string }) => target)
  t.same(targets, open.map(({ answer }) => answer))
  for (const { id, prompt, images } of prompts[task('figures_closed_generate')]) {
    const item = items.find(one => one.id === id)!
    const count = item.figureIds.length + (item.choices ?? []).flatMap(({ imageId }) => imageId ?? []).length
    t.same([images, prompt.split('<image>').length - 1], [count, count], 'a place for each picture, and no other')
  }
}

/** As a choice must be where each has a line. */
const folded = (text: string) => text.split(/[\s\u0085]+/).join(' ').trim()

function inspectSaw (t: Test, { samples, scores, prompts }: any, given: GivenBenchmark): void {
  const { items, canary, imageBlobId } = given
  t.same(scores, { right: 1, wrong: 0 })
  const seen = (item: BenchmarkItem) => ({
    id: item.id,
    images: [...item.figureIds, ...item.choices?.flatMap(({ imageId }) => imageId ?? []) ?? []]
      .map(() => `${imageBlobId}.png`),
    exist: true,
    target: item.answerIndex === undefined ? item.answer : letterOf(item.answerIndex),
    choices: item.choices?.map(choice => folded(choice.text)) ?? null,
    metadata: { kind: item.kind, canary, leftOut: [] }
  })
  for (const { id, choices = [] } of items.filter(isClosed)) {
    const shown = prompts[id].split(/[\r\n\v\f\u0085\u2028\u2029]/u).filter((line: string) => /^[A-Z]\) /.test(line))
    t.same(shown, choices.map(({ text }, index) => `${letterOf(index)}) ${folded(text)}`), 'the model is shown the choices there are')
  }
  for (const file of ['closed', 'open']) {
    const own = items.filter(item => isClosed(item) === (file === 'closed'))
    t.equal(samples[file].length, own.length)
    t.match(samples[file], own.map(seen))
    t.ok(own.every((item, at) => samples[file][at].text.endsWith(`Question: ${item.question}`)))
  }
}
