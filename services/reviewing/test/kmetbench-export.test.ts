import { buffer } from 'node:stream/consumers'
import t from 'tap'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import { kmetbenchRow } from '../domain/exports/kmetbench.ts'
import { readExport } from '../handlers/read-export.ts'
import { givenBenchmark } from './given-benchmark.ts'
import { filesInZip } from './zip-files.ts'

const usual = { contentMode: 'none', contextTokens: 256 } as const

t.test('multiple-choice items in K-MetBench\'s form: answers counted from 1 and said so, images beside', async t => {
  const given = await givenBenchmark(t)
  const { content } = await readExport(given.parts, { benchmarkId: given.benchmarkId, format: 'kmetbench' }, usual)
  const files = await filesInZip(await buffer(content))
  const root = `${given.benchmarkId}-kmetbench`
  const rows = JSON.parse(files.get(`${root}/kmetbench.json`)!.toString()) as Array<Record<string, any>>
  const choices = given.items.filter(({ kind }) => kind === 'choice')
  const texts = (of: Array<{ text: string }>) => of.map(({ text }) => text)
  t.strictSame(
    rows.map(({ item_id: id, answer, choices }) => [id, answer, texts(choices)]),
    choices.map(({ id, answerIndex, choices }) => [id, answerIndex! + 1, texts(choices!)])
  )
  t.ok(rows.every((row, at) => row['answer_base'] === 1 && row['id'] === at + 1))
  const image = `images/${given.imageBlobId}.png`
  const pictured = rows.filter(row => row['multimodal'])
  t.match(pictured, [{ question: { image }, choices: [{ image }, { image: null }], more_images: [image] }])
  t.ok(files.has(`${root}/${image}`))
  t.match(files.get(`${root}/README.md`)!.toString(), /Answers count from 1/)
})

t.test('the explicit wording is their base text, the implicit one stands beside it', async t => {
  const item = {
    id: 'itm_1', kind: 'choice', source: { bankId: 'imp_1', row: 7 }, question: 'our country?', choices: [{ text: 'a' }, { text: 'b' }], answerIndex: 1, explicitWording: { question: 'the Republic of Korea?' }, slices: { part: '4', korean: 'true' }, rationale: 'why'
  } as unknown as BenchmarkItem
  t.match(kmetbenchRow(item, { id: 1, canary: 'c', pictures: [] }), {
    question: { text: 'the Republic of Korea?', image: null },
    question_implicit: { text: 'our country?' },
    choices_implicit: [{ text: 'a' }, { text: 'b' }],
    answer: 2,
    source: 'imp_1',
    source_id: '7',
    part: 4,
    korean: true,
    multimodal: false,
    rationale: 'why'
  })
})
