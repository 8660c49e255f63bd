import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import tap from 'tap'
import type { BenchmarkItem } from '../../shared/contracts/benchmark.ts'
import { itemKinds } from '../../shared/contracts/item.ts'
import { temporaryFolder } from '../../shared/testing/temporary-folder.ts'
import { exam, fakeServer } from './exam-process.ts'

const sample = 'examples/sample-paper/sample-paper.pdf'
const itemsCommitted = 'examples/sample-paper/items.jsonl'

tap.test('the sample paper becomes the committed items and a report, and a second run changes no byte', async t => {
  const out = temporaryFolder(t)
  const first = await exam(['--out', out, '--json'])
  t.equal(first.code, 0, first.err)
  const { ok, files } = JSON.parse(first.out) as { ok: boolean, files: Record<string, string> }
  t.ok(ok)
  t.ok(readFileSync(join(out, 'items.jsonl'), 'utf8') === readFileSync(itemsCommitted, 'utf8'),
    'items.jsonl equals the committed one; after a wanted change, copy it there')
  const meta = JSON.parse(readFileSync(join(out, 'meta.json'), 'utf8'))
  t.match(meta, { generationId: /^gen_/, reviewingId: /^rvg_/, benchmarkId: /^bmk_/ })
  const rejections = readFileSync(join(out, 'rejections.jsonl'), 'utf8').trim().split('\n').map(line => JSON.parse(line))
  t.ok(rejections.length > 0 && rejections.every(({ place, reason, detail }) => place && reason && detail))
  const html = readFileSync(join(out, 'report.html'), 'utf8')
  t.ok(statSync(join(out, 'report.html')).size <= 5 * 1024 * 1024)
  t.match(html, /<svg/)
  t.match(html, /data:image\/png;base64,/)
  t.notMatch(html, /(src|href)="https?:/, 'it needs nothing from elsewhere')
  const { runs } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as { runs: unknown[] }
  t.equal(runs.length, 4)
  for (const path of Object.values(files)) t.ok(existsSync(path), path)
  const itemCount = readFileSync(itemsCommitted, 'utf8').split('\n').length - 1
  t.equal(readFileSync(join(out, 'predictions.jsonl'), 'utf8').split('\n').length - 1, 4 * itemCount,
    'every prediction behind the report is there')

  const artefacts = ['items.jsonl', 'rejections.jsonl', 'predictions.jsonl', 'report.json', 'report.html']
  const before = artefacts.map(name => readFileSync(join(out, name)))
  const again = await exam(['--out', out])
  t.equal(again.code, 0)
  t.match(again.out, /baseline\/extractive[^]*report\.html/)
  t.strictSame(artefacts.map(name => readFileSync(join(out, name))), before)
})

tap.test('killed in the middle and started again, it ends with the same items', async t => {
  const out = temporaryFolder(t)
  const killed = await exam(['--out', out], { during: (err, kill) => { if (err.includes('Parse')) kill() } })
  t.equal(killed.code, null)
  t.equal((await exam(['--out', out])).code, 0)
  t.ok(readFileSync(join(out, 'items.jsonl'), 'utf8') === readFileSync(itemsCommitted, 'utf8'))
})

tap.test('a model writes the items, judges them and is examined beside the baselines, without any GPU; a bad PDF among good ones is named, and the good ones finish', async t => {
  const out = temporaryFolder(t)
  const bad = join(out, 'bad.pdf')
  writeFileSync(bad, '%PDF-1.7 and then nothing of use')
  const fake = await fakeServer(t, ['--model', 'tiny', '--persona', 'author'])
  // The stand-in draws its verdicts by the request: under this seed items of every kind are good.
  const models = ['--upstream', fake, '--model', 'tiny', '--generator', 'tiny', '--seed', '2']
  const { code, out: said } = await exam([bad, sample, 'missing.pdf', ...models, '--out', out])
  t.equal(code, 1)
  t.match(said, /bad\.pdf: .*(opened|PDF)/)
  t.match(said, /missing\.pdf: there is no such file/)
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as { runs: Array<{ model: string, slices: unknown[] }> }
  t.equal(report.runs.at(-1)?.model, 'tiny')
  const items = readFileSync(join(out, 'items.jsonl'), 'utf8').trim().split('\n').map(line => JSON.parse(line) as BenchmarkItem)
  for (const kind of itemKinds) t.ok(items.some(item => item.kind === kind), kind)
  t.same(items.filter(({ verdict, reviewerFamily, generatorFamily }) =>
    verdict !== 'good' || reviewerFamily !== 'unknown:tiny' || generatorFamily !== 'unknown:tiny'), [])
  const members = items.filter(({ kind }) => kind === 'binary')
  for (const place of new Set(members.map(each => each.place))) {
    const labels = members.filter(each => each.place === place).map(({ answerIndex }) => answerIndex)
    t.equal(labels.filter(label => label === 0).length * 2, labels.length, 'after review half of each figure is true, and so of paper and set')
  }
  const journal = await (await fetch(`${fake}/__journal`)).json() as Array<{ path: string, body: object }>
  const asked = journal.filter(({ path }) => path === '/v1/chat/completions')
  const examined = asked.map(({ body }) => JSON.stringify(body)).filter(body => !body.includes('"json_schema"'))
  t.ok(examined.length >= items.length)
  for (const body of examined) t.notMatch(body, /pairId|answerIndex|rationale/)
})

tap.test('what cannot work is said before any work', async t => {
  const out = temporaryFolder(t)
  const busy = createServer().listen(0, '127.0.0.1')
  await once(busy, 'listening')
  t.teardown(() => { busy.close() })
  const { port } = busy.address() as { port: number }
  const cases: Array<[string[], Record<string, string>, RegExp]> = [
    [['--upstream', 'http://127.0.0.1:9', '--model', 'm'], {}, /cannot be reached at http:\/\/127\.0\.0\.1:9/],
    [[], { PORT: String(port) }, /port \d+ on 127\.0\.0\.1 is busy/],
    [['--model', 'm'], {}, /needs --upstream/],
    [['--seed', 'x'], {}, /--seed takes/],
    [['--prompt', 'clever'], {}, /--prompt takes standard, advanced, reasoning/],
    [['--repeats', '47'], {}, /--repeats takes a whole number from 1 to 46/],
    [['--nonsense'], {}, /--help/]
  ]
  for (const [args, env, words] of cases) {
    const { code, err } = await exam([...args, '--out', out], { env })
    t.equal(code, 1, args.join(' '))
    t.match(err, words)
    t.notMatch(err, /\n {4}at /, 'no stack')
  }
  const help = await exam(['--help'])
  t.equal(help.code, 0)
  t.match(help.out, /--upstream URL/)
})
