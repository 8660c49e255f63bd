import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { register } from 'node:module'
import { dirname, join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { sha256 } from '../../../shared/contracts/hash.ts'
import { endWithUs } from '../../../shared/testing/children.ts'
import { findLoadersPython } from '../../../shared/testing/loaders-python.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { exportFormats, readExport } from '../handlers/read-export.ts'
import { bankItems, choiceOfImages, first, images, open, photo, second, sequence } from './bank-fixtures.ts'
import { givenBenchmark, type GivenBenchmark } from './given-benchmark.ts'
import { filesInZip } from './zip-files.ts'

register('../../../shared/testing/resolve-parquet.mjs', import.meta.url)

const contents = { items: bankItems, documents: [], pictures: images }
const usual = { contentMode: 'sections', contextTokens: 6144, model: 'm' } as const

async function exported ({ parts, benchmarkId }: GivenBenchmark, format: string) {
  const { content } = await readExport(parts, { benchmarkId, format }, usual)
  return await buffer(content)
}

const linesOf = (bytes: Buffer) => bytes.toString().trimEnd().split('\n').map(line => JSON.parse(line))

t.test('every export of a bank is the same bytes again, and speaks of no paper to a model', async t => {
  const given = await givenBenchmark(t, contents)
  for (const format of exportFormats) {
    const bytes = await exported(given, format)
    t.ok(bytes.equals(await exported(given, format)), format)
  }
  t.notMatch((await exported(given, 'openai-batch')).toString(), /paper|여름에는 해양/)
})

t.test('a batch has the images of question and choices as what they are, in order', async t => {
  const given = await givenBenchmark(t, contents)
  const lines = linesOf(await exported(given, 'openai-batch'))
  const contentOf = (id: string) => lines.find(line => line.custom_id === id).body.messages[0].content
  const imagesIn = (id: string) => contentOf(id).slice(1).map((part: any) => {
    const [type, data] = part.image_url.url.split(';base64,')
    return [type, sha256(Buffer.from(data, 'base64'))]
  })
  t.same(imagesIn(choiceOfImages.id), [['data:image/png', first], ['data:image/png', second]])
  t.match(contentOf(choiceOfImages.id)[0].text, 'A. (the picture Choice A)\nB. (the picture Choice B)\nC. neither')
  t.match(contentOf(choiceOfImages.id)[0].text, 'Choice A (attached)\nChoice B (attached)')
  const shown = imagesIn(sequence.id).map(([, id]: [string, string]) => id)
  t.same(shown, sequence.images!.map(({ imageId }) => imageId))
  t.match(contentOf(sequence.id)[0].text, 'Image 1, 09:00 (attached)\nImage 2, 10:00 (attached)\nImage 3, 11:00 (attached)')
  t.same(imagesIn(open.id), [['data:image/jpeg', photo]])
})

t.test('tables and lines of a bank keep its images, its rows and its explicit wording', async t => {
  const given = await givenBenchmark(t, contents)
  const lines = linesOf(await exported(given, 'jsonl'))
  t.same(lines.find(({ id }) => id === sequence.id).images, sequence.images)
  const csv = (await exported(given, 'csv')).toString()
  t.match(csv, /^"id",[^\r]*"bankId","bankRow",[^\r]*"images","choiceImages","explicitWording"/)
  t.match(csv, '대한민국의 여름철에')
})

t.test('datasets, lm-eval and inspect-ai read a bank with its images', { timeout: 45 * 60_000 }, async t => {
  const python = await findLoadersPython(line => { t.comment(line) })
  if ('reason' in python) throw new Error(python.reason)
  const given = await givenBenchmark(t, contents)
  const folder = temporaryFolder(t)
  for (const format of ['huggingface', 'lm-eval', 'inspect']) {
    for (const [name, content] of await filesInZip(await exported(given, format))) {
      const path = join(folder, format, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
    }
  }
  await writeFile(join(folder, 'items.parquet'), await exported(given, 'parquet'))
  const script = fileURLToPath(new URL('load_exports.py', import.meta.url))
  const child = spawn(python.path, [script, folder], { env: { ...process.env, PYTHONUTF8: '1' }, stdio: ['ignore', 'pipe', 'pipe'] })
  endWithUs(child)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  t.equal(code, 0, err.slice(-2000))
  const { huggingFace, lmEval, inspect } = JSON.parse(out)
  t.same(Object.keys(huggingFace.configs).sort(), ['choice', 'vqa'], 'no papers, no config of papers')
  const row = (item: { id: string }) => huggingFace.parquet.find(({ id }: { id: string }) => id === item.id)
  t.match(row(sequence), { images: [{ size: [24, 16] }, { size: [24, 16] }, { size: [24, 16] }], imageTimes: ['09:00', '10:00', '11:00'], bankRow: 4, paperId: null })
  t.match(row(choiceOfImages), { choiceImages: [{}, {}], choiceImageIds: [first, second, null], choices: ['', '', 'neither'] })
  t.match(row(open).images, [{ size: [4, 3], mode: 'L' }], 'a JPEG is read as one')
  const shown = lmEval.prompts[`${given.benchmarkId}_figures_closed_generate`]
  t.same(shown.map(({ images }: { images: number }) => images).sort(), [1, 2, 3])
  for (const { right, wrong } of Object.values<any>(lmEval.scores)) {
    t.ok(Object.values<number>(right).every(score => score > 0.99))
    t.ok(Object.values<number>(wrong).every(score => score === 0))
  }
  t.same(inspect.scores, { right: 1, wrong: 0 })
  const sample = inspect.samples.closed.find(({ id }: { id: string }) => id === choiceOfImages.id)
  t.match(sample, { exist: true, images: [/\.png$/, /\.png$/], choices: ['(the picture Choice A)', '(the picture Choice B)', 'neither'] })
  t.match(inspect.samples.open[0].images, [/\.jpg$/])
})
