/** Banks in the shapes in which their publishers pass them on: columns, numbering, places of images. */
import { register } from 'node:module'
import { encode } from 'fast-png'
import t from 'tap'
import { sha256 } from '../../../../shared/contracts/hash.ts'
import { makeZip } from '../../../../shared/testing/zip-writer.ts'
import { pythonList } from '../domain/python-list.ts'
import { startBanks, told } from './bank-service.ts'

register('../../../../shared/testing/resolve-parquet.mjs', import.meta.url)
const { parquetWriteBuffer } = await import('hyparquet-writer')

const pixels = (seed: number) => Uint8Array.from({ length: 576 }, (_, at) => (at * seed) % 256)
const picture = (seed: number) =>
  Buffer.from(encode({ width: 24, height: 24, channels: 1, data: pixels(seed) }))
const zip = (files: Record<string, string | Buffer>) => makeZip(Object.entries(files)
  .map(([name, data]) => ({ name, data: Buffer.from(data as string) })))
const csv = (...rows: string[][]) => rows.map(cells => cells.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')
const strings = (name: string, data: string[]) => ({ name, data, type: 'STRING' as const })
const lists = (name: string, data: string[][]) => ({ name, data, type: 'JSON' as const })

t.test('published banks', async t => {
  const { imported } = await startBanks(t)

  t.test('KMMLU: columns A to D, answers from 1 once it is declared, and from the numbers where they tell', async t => {
    const file = csv(
      ['question', 'answer', 'A', 'B', 'C', 'D', 'Category', 'Human Accuracy'],
      ['대류권의 평균 기온 감률은?', '2', '4.5 ℃/km', '6.5 ℃/km', '9.8 ℃/km', '12 ℃/km', 'Geomatics', '0.61'],
      ['적란운의 기호는?', '4', 'Ci', 'Cs', 'St', 'Cb', 'Geomatics', '0.8']
    )
    const { record, items } = await imported(file)
    t.match(record, { format: 'kmmlu', answerBase: 1, answerBaseBy: 'detected' })
    t.match(items, [{ answerIndex: 1, choices: [{}, { text: '6.5 ℃/km' }, {}, {}], slices: { category: 'Geomatics' } }, { answerIndex: 3 }])
    const first = file.split('\n').slice(0, 2).join('\n')
    t.match((await imported(first)).record, { state: 'failed', problems: [{ type: /answer-base-unclear$/ }] }, 'nothing is taken from the looks of it')
    t.match((await imported(first, { format: 'kmmlu' })).items, [{ answerIndex: 1 }], 'who declares the format declares its base')
  })

  t.test('KMMLU-Redux and -Pro: a list of options, the key in "solution", four options or five', async t => {
    const parquet = Buffer.from(parquetWriteBuffer({
      columnData: [
        strings('question', ['이슬점이란?', '옳지 않은 것은?']),
        lists('options', [['가', '나', '다', '라'], ['ㄱ', 'ㄴ', 'ㄷ', 'ㄹ', 'ㅁ']]),
        strings('solution', ['1', '5']),
        strings('license_name', ['기상기사', '법무사']), strings('year', ['2023', '2024'])
      ]
    }))
    const { record, items } = await imported(parquet)
    t.match(record, { format: 'kmmlu', container: 'parquet', answerBase: 1 })
    t.match(items, [{ answerIndex: 0, slices: { licenceName: '기상기사', year: '2023' } }, { answerIndex: 4, choices: { length: 5 } }])
  })

  t.test('MMLU: its own files without names, the parquet of its data set, and MMLU-Pro', async t => {
    const bare = csv(['What falls?', 'rain', 'light', 'sound', 'heat', 'A'], ['What rises?', 'stone', 'ice', 'steam', 'sand', 'C'])
    t.match(await imported(bare, { format: 'mmlu' }), { record: { rowCount: 2 }, items: [{ question: 'What falls?', answerIndex: 0 }, { answerIndex: 2 }] })
    const parquet = Buffer.from(parquetWriteBuffer({
      columnData: [
        strings('question', ['What falls?', 'What rises?']), strings('subject', ['physics', 'physics']),
        lists('choices', [['rain', 'light', 'sound', 'heat'], ['stone', 'ice', 'steam', 'sand']]),
        { name: 'answer', data: [0n, 2n], type: 'INT64' }
      ]
    }))
    t.match(await imported(parquet), { record: { format: 'mmlu', answerBase: 0 }, items: [{ answerIndex: 0 }, { answerIndex: 2 }] })
    const pro = { question_id: 70, question: 'What rises?', options: ['a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'g7', 'h8', 'i9', 'j10'], answer: 'I', answer_index: 8, cot_content: '', category: 'physics', src: 'x' }
    t.match(await imported(JSON.stringify([pro])), { record: { format: 'mmlu' }, rows: [{ sourceId: '70' }], items: [{ answerIndex: 8, slices: { category: 'physics', origin: 'x' } }] })
  })

  t.test('ScienceQA: problems by their id, and for each a folder with its own image.png', async t => {
    const [one, two] = [picture(3), picture(5)]
    const problem = (question: string, image: string | null, answer: number) => ({ question, choices: ['hot', 'cold'], answer, hint: 'The map shows a front.', image, task: 'closed choice', grade: 'grade4', subject: 'natural science', topic: 'earth-science', category: 'Weather', skill: 'Read maps', lecture: 'Long.', solution: 'It is so.', split: 'test' })
    const { record, rows, items } = await imported(zip({
      'ScienceQA/problems.json': JSON.stringify({ 11: problem('Which air is here?', 'image.png', 0), 12: problem('Which air is there?', 'image.png', 1), 13: problem('Which air is none?', null, 1), 14: problem('Which air is lost?', 'image.png', 1) }),
      'ScienceQA/test/11/image.png': one,
      'ScienceQA/test/12/image.png': two
    }))
    t.match(record, { format: 'scienceqa', answerBase: 0, imageCount: 2 })
    t.strictSame(rows.map(({ sourceId }) => sourceId), ['11', '12', '13', '14'])
    t.strictSame(told(rows), ['accepted', 'accepted', 'accepted', 'rejected image-ambiguous'])
    t.match(items, [
      { question: 'The map shows a front.\n\nWhich air is here?', images: [{ imageId: sha256(one) }], answerIndex: 0, rationale: 'It is so.', slices: { topic: 'earth-science', skill: 'Read maps', grade: 'grade4' } },
      { images: [{ imageId: sha256(two) }], answerIndex: 1 }, { answerIndex: 1 }
    ])
    t.equal(items[2]!.images, undefined)
  })

  t.test('VQA-RAD: yes or no and words, by its own file and by the parquet of its data set', async t => {
    const own = (qid: string, question: string, [answer, type]: string[]) => ({ qid, phrase_type: 'freeform', image_name: 'synpic1.jpg', image_organ: 'CHEST', question, question_type: 'PRES', answer, answer_type: type })
    const image = picture(7)
    const { record, items } = await imported(zip({
      'VQA_RAD Dataset Public.json': JSON.stringify([own('1', 'Is there fluid?', ['Yes', 'CLOSED']), own('2', 'Which organ?', ['the left lung', 'OPEN'])]),
      'VQA_RAD Image Folder/synpic1.jpg': image
    }))
    t.match(record, { format: 'vqa-rad', answerBase: null, imageCount: 1 })
    t.match(items, [
      { kind: 'binary', answerIndex: 0, images: [{ imageId: sha256(image) }], slices: { answerType: 'CLOSED', organ: 'CHEST' } },
      { kind: 'vqa', answer: 'the left lung' }
    ])
    const viewer = await imported(JSON.stringify([{ image: { bytes: image.toString('base64'), path: null }, question: 'Is there fluid?', answer: 'no' }]))
    t.match(viewer, { record: { format: 'vqa-rad' }, items: [{ kind: 'binary', answerIndex: 1, images: [{ imageId: sha256(image) }] }] })
  })

  t.test('GPQA: the right answer is not always the first option, and the same in every import', async t => {
    const names = ['Record ID', 'Question', 'Correct Answer', 'Incorrect Answer 1', 'Incorrect Answer 2', 'Incorrect Answer 3', 'Explanation', 'Subdomain', 'High-level domain', 'Canary String']
    const file = csv(names, ...Array.from({ length: 24 }, (_, at) => [`rec${at}`, `Which value has quantity ${at}?`, `right ${at}`, `wrong ${at}`, `worse ${at}`, `worst ${at}`, 'By law.', 'Optics', 'Physics', 'canary']))
    const { record, items } = await imported(file)
    t.match(record, { format: 'gpqa', itemCount: 24, answerBaseBy: 'none' })
    for (const [at, { choices, answerIndex }] of items.entries()) t.equal(choices![answerIndex!]!.text, `right ${at}`)
    const places = items.map(({ answerIndex }) => answerIndex)
    t.strictSame(new Set(places), new Set([0, 1, 2, 3]))
    t.strictSame((await imported(file, { name: 'again' })).items.map(({ answerIndex }) => answerIndex), places)
    t.match(items[0], { rationale: 'By law.', slices: { domain: 'Physics', subdomain: 'Optics' } })
  })

  t.test('lists in cells of a CSV as pandas and NumPy print them', async t => {
    const { rows, items } = await imported(csv(
      ['question', 'choices', 'subject', 'answer'],
      ['Which?', "['it''s', 'a']".replace("''", "\\'"), 'x', '1'], ['What?', "['hot' \"it's cold\"\n 'wet']", 'x', '2'],
      ['Why?', '["yes", "no, or \\"maybe\\""]', 'x', '0'], ['How?', "[['a'], 'b']", 'x', '0'], ['Who?', "['a', open('/etc/passwd')]", 'x', '0']
    ), { answerBase: 0 })
    t.strictSame(told(rows), ['accepted', 'accepted', 'accepted', 'rejected choices-unreadable', 'rejected choices-unreadable'])
    t.strictSame(items.map(({ choices }) => choices!.map(({ text }) => text)), [["it's", 'a'], ['hot', "it's cold", 'wet'], ['yes', 'no, or "maybe"']])
  })
})

t.test('a list as Python prints it is read whole or not at all', t => {
  t.strictSame(pythonList("['\\\\frac{1}{2}', \"it's\", '\\u00e9\\xe9\\n', 3, -2.5e3,]"), ['\\frac{1}{2}', "it's", 'éé\n', '3', '-2.5e3'])
  t.strictSame(pythonList("array(['a', 'b'], dtype=object)"), ['a', 'b'])
  t.strictSame(pythonList('[]'), [])
  for (const text of ['', '[', "['a'", "['a' + 'b']", "['a''b']", '[a, b]', "['a', None]", "['\\U00ffffff']", "('a', 'b')", '[1 2', `[${' '.repeat(100_000)}`]) t.equal(pythonList(text), undefined, text.slice(0, 20))
  t.end()
})
