import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tap from 'tap'
import type { BenchmarkItem } from '../../shared/contracts/benchmark.ts'
import { isSequence } from '../../shared/contracts/item.ts'
import type { Report } from '../../shared/contracts/report.ts'
import { temporaryFolder } from '../../shared/testing/temporary-folder.ts'
import { exam, fakeServer } from './exam-process.ts'

const bank = 'examples/weather-bank/weather-bank.json'

interface Row {
  id: number
  question: { text: string, images?: Array<{ image: string }> }
  question_implicit?: string
  answer: number
  multimodal: boolean
}
const rows = JSON.parse(readFileSync(bank, 'utf8')) as Row[]

function linesOf<T> (out: string, name: string): T[] {
  return readFileSync(join(out, name), 'utf8').trim().split('\n').filter(line => line !== '').map(line => JSON.parse(line) as T)
}

interface Part { type: string, text?: string, image_url?: { url: string } }
interface Asked { path: string, body: { messages: Array<{ content: string | Part[] }> } }

tap.test('the sample bank goes from its file to a report: import, review, freeze, runs of chance and of a model that sees', async t => {
  const out = temporaryFolder(t)
  const fake = await fakeServer(t, ['--model', 'tiny'])
  const command = ['--bank', bank, '--upstream', fake, '--model', 'tiny', '--vision', '--out', out]
  const first = await exam([...command, '--json'])
  t.equal(first.code, 0, first.err)

  const items = linesOf<BenchmarkItem>(out, 'items.jsonl')
  t.equal(items.length, rows.length, 'every row is an item of the benchmark')
  const byRow = new Map(items.map(item => ['row' in item.source ? item.source.row : 0, item]))
  rows.forEach((row, at) => {
    const item = byRow.get(at + 1)!
    t.equal(item.answerIndex, row.answer - 1, `the answer of ${row.id}`)
    t.equal(item.question, row.question_implicit ?? row.question.text)
    const named = row.question_implicit === undefined ? undefined : row.question.text
    t.equal(item.explicitWording?.question, named)
  })
  t.same(linesOf(out, 'rejections.jsonl'), [])
  t.same(items.filter(isSequence).length, rows.filter(({ question }) => question.images !== undefined).length,
    'images with times are sequences')

  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report
  t.same(report.runs.map(({ model }) => model), ['baseline/random', 'tiny'])
  for (const { model, slices } of report.runs) {
    const parts = slices.filter(({ dimension }) => dimension === 'part')
    t.equal(parts.length, 5, `${model} is scored by part`)
  }
  t.equal(linesOf(out, 'predictions.jsonl').length, 2 * rows.length)
  t.match(JSON.parse(readFileSync(join(out, 'meta.json'), 'utf8')), { bank: { format: 'kmetbench', itemCount: rows.length, rowCounts: { accepted: rows.length, rejected: 0 } } })

  const journal = await (await fetch(`${fake}/__journal`)).json() as Asked[]
  const typhoon = rows.find(({ question }) => question.images?.[0]?.image === 'images/typhoon-1.png')!
  const asked = journal.find(({ path, body }) => path === '/v1/chat/completions' && JSON.stringify(body).includes(typhoon.question_implicit!))!
  const shown = asked.body.messages.flatMap(({ content }) => typeof content === 'string' ? [] : content)
    .flatMap(({ image_url: image }) => image === undefined ? [] : [image.url])
  t.same(shown, typhoon.question.images!.map(({ image }) =>
    `data:image/png;base64,${readFileSync(join('examples/weather-bank', image)).toString('base64')}`),
  'a sequence is shown in its order')

  const artefacts = ['items.jsonl', 'predictions.jsonl', 'report.json', 'report.html']
  const before = artefacts.map(name => readFileSync(join(out, name)))
  t.equal((await exam(command)).code, 0)
  t.strictSame(artefacts.map(name => readFileSync(join(out, name))), before, 'a second run changes no byte')
})

tap.test('a row of a bank that is no item is named, and the others are examined', async t => {
  const out = temporaryFolder(t)
  const file = join(out, 'small.json')
  const few = rows.filter(({ multimodal }) => !multimodal).slice(0, 12)
  writeFileSync(file, JSON.stringify([...few, { ...few[0], id: 999, answer: 9, question: { text: '빈 문제?' } }]))
  const { code, out: said, err } = await exam(['--bank', file, '--bank-options', '{"answerBase": 1, "licence": "Apache-2.0"}', '--out', out])
  t.equal(code, 0, err)
  t.match(said, /12 items from an item bank[^]*baseline\/random/)
  t.match(linesOf(out, 'rejections.jsonl'), [{ row: 13, sourceId: '999', state: 'rejected' }])
})

tap.test('choices are put in another order before they are frozen', async t => {
  const out = temporaryFolder(t)
  const { code, err } = await exam(['--bank', bank, '--shuffle-choices', '--out', out])
  t.equal(code, 0, err)
  const items = linesOf<BenchmarkItem>(out, 'items.jsonl')
  t.equal(items.length, rows.length)
  t.ok(items.some(({ parentId }) => parentId !== undefined))
})

tap.test('what cannot work with a bank is said before any work', async t => {
  const out = temporaryFolder(t)
  const cases: Array<[string[], RegExp]> = [
    [['--bank', 'nowhere.json'], /no bank file nowhere\.json/],
    [['--bank', bank, 'paper.pdf'], /not both/],
    [['--bank', bank, '--bank-options', '{'], /--bank-options takes/],
    [['--shuffle-choices'], /needs --bank/]
  ]
  for (const [args, words] of cases) {
    const { code, err } = await exam([...args, '--out', out])
    t.equal(code, 1, args.join(' '))
    t.match(err, words)
    t.notMatch(err, /\n {4}at /, 'no stack')
  }
})
