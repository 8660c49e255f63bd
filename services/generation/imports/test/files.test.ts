import { register } from 'node:module'
import { deflateSync, crc32 } from 'node:zlib'
import t from 'tap'
import { sha256 } from '../../../../shared/contracts/hash.ts'
import { makeZip, type ZipEntry } from '../../../../shared/testing/zip-writer.ts'
import { startBanks, told } from './bank-service.ts'

register('../../../../shared/testing/resolve-parquet.mjs', import.meta.url)
const { parquetWriteBuffer } = await import('hyparquet-writer')

/** A PNG in grey; `at` is the value of a pixel. */
function png (width: number, height: number, at: (x: number, y: number) => number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const line = (y: number) => Buffer.from([0, ...Array.from({ length: width }, (_, x) => at(x, y))])
  const lines = Buffer.concat(Array.from({ length: height }, (_, y) => line(y)))
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', deflateSync(lines)), chunk('IEND', Buffer.alloc(0))])
}

const chart = png(32, 32, (x, y) => x * y % 256)
const blank = png(32, 32, () => 255)
const dot = png(2, 2, (x, y) => x + y)
const broken = Buffer.concat([chart.subarray(0, 60), Buffer.alloc(40, 7), chart.subarray(100)])
const zip = (files: Record<string, string | Buffer>) => makeZip(Object.entries(files)
  .map(([name, data]): ZipEntry => ({ name, data: Buffer.from(data as string) })))
const asked = (id: number, image: unknown, more: object = {}) => ({ id, question: { text: `그림 ${id}은 무엇인가?`, image }, choices: ['가', '나'].map(text => ({ text })), answer: id === 1 ? 0 : 1, part: 1, korean: false, ...more })

/** A workbook; cells are strings, or XML of a cell's inside. */
type Line = Array<string | { xml: string }>

function workbook (sheets: Record<string, Line[]>, merges: string[] = []): Buffer {
  const names = Object.keys(sheets)
  const cell = (value: string | { xml: string }, row: number, column: number) => {
    const place = `${String.fromCharCode(65 + column)}${row + 1}`
    return typeof value === 'string' ? `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>` : value.xml.replace('<c', `<c r="${place}"`)
  }
  const sheet = (rows: Line[]) => `<worksheet><sheetData>${rows.map((cells, row) => `<row r="${row + 1}">${cells.map((each, column) => each === '' ? '' : cell(each, row, column)).join('')}</row>`).join('')}</sheetData><mergeCells>${merges.map(ref => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells></worksheet>`
  return zip({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_, at) => `<Relationship Id="rId${at}" Target="worksheets/sheet${at}.xml"/>`).join('')}</Relationships>`,
    'xl/sharedStrings.xml': '<sst><si><t>비</t></si><si><r><t>눈</t></r><rPh><t>ヨミ</t></rPh></si></sst>',
    ...Object.fromEntries(names.map((name, at) => [`xl/worksheets/sheet${at}.xml`, sheet(sheets[name]!)]))
  })
}

t.test('files that are more than text', async t => {
  const { ask, get, imported, send, ended, url } = await startBanks(t)

  t.test('a zip: images by their hash, served as what their bytes are; defects in a queue', async t => {
    const rows = [
      asked(1, 'a.png'), asked(2, 'images/a.png'), asked(3, 'gone.png'), asked(4, 'blank.png'), asked(5, 'dot.png'), asked(6, 'broken.png'), asked(7, 'x.svg'), asked(8, 'wrong.jpg'), asked(9, '../../etc/passwd'), asked(10, 'twice.png'),
      asked(11, 'https://example.org/a.png'), asked(12, 'cut.png'), asked(13, null, { choices: [{ text: '', image: 'a.png' }, { text: '나', image: 'wrong.jpg' }] })
    ]
    const { record, rows: read, items } = await imported(zip({
      'data/bank.json': JSON.stringify(rows), 'data/images/a.png': chart, 'blank.png': blank, 'dot.png': dot, 'broken.png': broken, 'x.svg': '<svg onload="x()"/>', 'wrong.jpg': png(20, 20, x => x), 'a/twice.png': chart, 'b/twice.png': chart, '../../etc/passwd': 'root', 'cut.png': chart.subarray(0, 90), 'README.md': '# x'
    }))
    t.strictSame(told(read), [
      'accepted', 'accepted', 'rejected image-missing', 'flagged image-blank', 'flagged image-tiny', 'rejected image-undecodable', 'rejected image-type', 'repaired image-type-differs', 'rejected image-missing', 'rejected image-ambiguous',
      'rejected image-remote', 'rejected image-truncated', 'repaired image-type-differs'
    ])
    t.match(record, { container: 'zip', format: 'kmetbench', imageCount: 4, imageDefectCount: 11 })
    t.equal((await get(`/imports/${record.id}/rows?note=image-defect&limit=200`)).items.length, 11)
    const imageId = sha256(chart)
    t.strictSame(items.slice(0, 2).map(({ images }) => images), [[{ imageId }], [{ imageId }]])
    t.match(items.at(-1)!.choices, [{ text: '', imageId }, { text: '나', imageId: /./ }])
    const image = await ask(`/bank-images/${imageId}`)
    t.equal(image.headers.get('content-type'), 'image/png')
    t.equal(image.headers.get('x-content-type-options'), 'nosniff')
    t.ok(chart.equals(Buffer.from(await image.arrayBuffer())))
    t.match(await get(`/bank-images/${record.contentHash}`), { type: /image-not-found$/ }, 'the file itself is no image of it')
    const again = await fetch(`${url}/v1/bank-images/${imageId}`, { headers: { 'if-none-match': `"${imageId}"` } })
    t.equal(again.status, 304)
  })

  t.test('data URLs and base64 are images; too many and too large ones are told', async t => {
    const row = (image: unknown) => ({ question: '무엇?', image, A: '가', B: '나', answer: 'A' })
    const { rows, items } = await imported([row(`data:image/jpeg;base64,${chart.toString('base64')}`), row(chart.toString('base64')), row('data:text/html,<script>'), row('a.png'), row({ bytes: null, path: 'a.png' })].map(each => JSON.stringify(each)).join('\n'))
    t.strictSame(told(rows), ['repaired image-type-differs', 'accepted', 'rejected image-unreadable', 'rejected image-missing', 'rejected image-missing'])
    t.match(items[0], { images: [{ imageId: sha256(chart) }] })
    const large = await imported(zip({ 'a.jsonl': JSON.stringify(row('large.png')), 'large.png': Buffer.alloc(50 * 2 ** 20) }))
    t.strictSame(told(large.rows), ['rejected image-too-large'])
  })

  t.test('bombs, damaged zips and zips without rows end as problems', async t => {
    const failed = async (bytes: Buffer) => (await ended((await send(bytes)).body.id)).record.problems[0]
    t.match(await failed(zip({ 'a.csv': Buffer.alloc(60 * 2 ** 20) })), { type: /limit-exceeded$/ })
    t.match(await failed(makeZip([{ name: 'a.csv', data: Buffer.alloc(9_000), claimedSize: 10 }])), { type: /bank-damaged$/ })
    t.match(await failed(zip({ 'a.txt': 'x' })), { type: /not-a-bank$/ })
    t.match(await failed(zip({ 'a.csv': 'question,answer\nx,y', 'b.json': '[]' })), { type: /not-a-bank$/, detail: /several kinds/ })
    t.match(await failed(makeZip([{ name: 'a.csv', data: Buffer.from('x'), encrypted: true }])), { type: /bank-damaged$/, detail: /password/ })
    t.match(await failed(zip({ 'xl/workbook.xml': '<!DOCTYPE x [<!ENTITY a "b">]><workbook>&a;' })), { type: /bank-damaged$/ })
    t.match(await failed(Buffer.from('PAR1 and no more PAR1')), { type: /bank-damaged$/ })
  })

  t.test('XLSX: titles, merged cells, formulas as they were saved, errors, other sheets', async t => {
    const formula = (value: string) => ({ xml: `<c t="str"><f>CONCAT("x")</f><v>${value}</v></c>` })
    const { record, rows, items } = await imported(workbook({
      bank: [
        ['기상 시험'], ['id', 'question', 'A', 'B', 'answer', 'topic'],
        ['1', '무엇이 내리나?', { xml: '<c t="s"><v>0</v></c>' }, { xml: '<c t="s"><v>1</v></c>' }, { xml: '<c><v>2</v></c>' }, '강수'],
        ['2', formula('눈인가?'), 'yes it is', 'not', 'A', ''], [],
        ['3', '무엇?', { xml: '<c t="e"><v>#N/A</v></c>' }, '나', 'B', '기온'], ['4', '=cmd|&apos; /C calc&apos;!A0', '가', '나', 'A', 'x'], ['5', '무엇?', '가', '나', { xml: '<c><f>A1</f></c>' }, 'x']
      ],
      others: [['name', 'mail'], ['kim', 'x']]
    }, ['A1:F1', 'F3:F4', 'C7:D7']))
    t.match(record, { container: 'xlsx', answerBase: 1 })
    t.strictSame(told(rows), [
      'accepted', 'repaired merged-cell formula-cell', 'flagged cell-error', 'flagged merged-cell formula-text', 'rejected formula-cell answer-missing', 'rejected sheet-skipped'
    ])
    t.match(items[0], { question: '무엇이 내리나?', choices: [{ text: '비' }, { text: '눈' }], answerIndex: 1 })
    t.equal(items[1]!.question, '눈인가?')
    t.equal(items[3]!.question, '=cmd|\' /C calc\'!A0')
  })

  t.test('Parquet: bytes of images, lists, numbers of 64 bits; the splits of a folder one after the other', async t => {
    const file = (questions: string[], answers: bigint[]) => Buffer.from(parquetWriteBuffer({
      columnData: [
        { name: 'question', data: questions, type: 'STRING' }, { name: 'choices', data: questions.map(() => ['hot', 'cold', 'wet']), type: 'JSON' },
        { name: 'subject', data: questions.map(() => 'weather'), type: 'STRING' }, { name: 'answer', data: answers, type: 'INT64' }, { name: 'image', data: questions.map(() => new Uint8Array(chart)), type: 'BYTE_ARRAY' }
      ]
    }))
    const one = file(['Which?', 'What?'], [0n, 2n])
    const { record, items } = await imported(one, { mapping: { questionImage: 'image' } })
    t.match(record, { container: 'parquet', format: 'mmlu', answerBase: 0, answerBaseBy: 'detected', imageCount: 1, sliceCounts: [{ dimension: 'subject', value: 'weather', items: 2 }] })
    t.match(items, [{ answerIndex: 0, choices: [{ text: 'hot' }, {}, {}], images: [{ imageId: sha256(chart) }] }, { answerIndex: 2 }])
    const folder = await imported(zip({ 'data/test-00000-of-00001.parquet': one, 'data/train-00000-of-00001.parquet': file(['Why?'], [1n]), 'dataset_infos.json': '{}' }), { mapping: { questionImage: 'image' } })
    t.strictSame(folder.items.map(({ question, place }) => [place, question]), [['row-1', 'Which?'], ['row-2', 'What?'], ['row-3', 'Why?']])
  })
})
