/** An exam from its PDF: printed by a typesetter, read by parsing, imported, and held against the bank. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { silentLog } from '../../shared/app/log.ts'
import { startServices } from '../../shared/app/start.ts'
import type { BankImport } from '../../shared/contracts/bank.ts'
import type { Item } from '../../shared/contracts/item.ts'
import { temporaryFolder } from '../../shared/testing/temporary-folder.ts'
import { generation } from '../../services/generation/service.ts'
import { parsing } from '../../services/parsing/service.ts'
import { printed, type Layout, type PrintedRow } from './printed-bank/typeset.ts'

const folder = fileURLToPath(new URL('../../examples/weather-bank/', import.meta.url))
const bank = JSON.parse(readFileSync(join(folder, 'weather-bank.json'), 'utf8')) as PrintedRow[]
/** Sequences and options that are images are not printed; a part of each subject is enough. */
const rows = bank.filter(({ question, choices }) =>
  !('images' in question) && choices.every(choice => !('image' in choice)))
  .filter((row, at, all) => all.slice(0, at).filter(({ part }) => part === row.part).length < 6)

/** Where a line ends is not always known to be the end of a word. */
const dense = (text: string) => text.normalize('NFKC').replace(/\s+/g, '')

t.test('an exam on paper is imported as the bank that it was printed from', async t => {
  const env = { DATA_DIR: temporaryFolder(t), PORT: '0', INFERENCE_URL: 'http://127.0.0.1:9' }
  const suite = await startServices([parsing, generation], env, { log: silentLog() })
  t.teardown(async () => { await suite.close() })
  const get = async <T>(path: string) => await (await fetch(`${suite.url}/v1${path}`)).json() as T

  async function imported (layout: Layout) {
    const form = new FormData()
    form.append('file', new Blob([Buffer.from(printed(rows, folder, layout))]), 'exam.pdf')
    const sent = await fetch(`${suite.url}/v1/papers`, { method: 'POST', body: form })
    const { id: paperId } = await sent.json() as { id: string }
    t.match(await get(`/papers/${paperId}?wait=60`), { state: 'succeeded' })
    const asked = await fetch(`${suite.url}/v1/imports`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ paperId, options: { format: 'exam-pdf' } })
    })
    const { id } = await asked.json() as { id: string }
    const record = await get<BankImport>(`/imports/${id}?wait=60`)
    return { record, ...await get<{ items: Item[] }>(`/items?importId=${id}&limit=200`) }
  }

  for (const layout of [{ columns: 2, key: 'table' }, { columns: 1, key: 'lines' }, { columns: 2, key: 'beside' }] as const) {
    t.test(`${layout.columns} columns, answers as ${layout.key}`, async t => {
      const { record, items } = await imported(layout)
      t.match(record, { state: 'succeeded', rowCount: rows.length, itemCount: rows.length, answerBaseBy: 'none' })
      const of = ({ question, choices, answerIndex, images = [], slices }: Item) => ({
        question: dense(question), choices: choices?.map(({ text }) => dense(text)), answerIndex, images: images.length, subject: slices['subject']
      })
      t.strictSame(items.map(of), rows.map(({ question, choices, answer, category }) => ({
        question: dense(question.text),
        choices: choices.map(({ text }) => dense(text)),
        answerIndex: answer - 1,
        images: question.image === undefined ? 0 : 1,
        subject: category.subject
      })))
      t.equal(record.rowCounts.flagged, rows.filter(({ question }) => question.image !== undefined).length, 'a person looks at where pictures were put')
    })
  }
})
