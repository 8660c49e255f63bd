import { readFile } from 'node:fs/promises'
import { PDFDocument } from 'pdf-lib'
import t from 'tap'
import { fileURLToPath } from 'node:url'
import type { Document, Paragraph } from '../../../shared/contracts/document.ts'
import type { Paper } from '../../../shared/contracts/paper.ts'
import { glyphsOf, recognitionOf } from '../domain/ocr-glyphs.ts'
import { charFlags, type Box } from '../domain/page-glyphs.ts'
import { openPdf } from '../engine/pdfium.ts'
import { encodePng } from '../engine/png.ts'
import { recognitionWarnings } from '../ocr/recognise-pages.ts'
import { parseLimits, parsePdf } from '../parse-pdf.ts'
import { runningService } from './fixtures/running-service.ts'

const ourParser = fileURLToPath(new URL('../parse.ts', import.meta.url))
const samplePaper = new URL('../../../examples/sample-paper/sample-paper.pdf', import.meta.url)
const paperId = 'pap_0123456789abcdef0123456789abcdef'

/** The upper part of the first page of a paper as a scanner gives it: one picture, no text. */
const share = 0.45
async function scanOf (pdf: Uint8Array): Promise<Uint8Array> {
  const source = await openPdf(pdf, parseLimits)
  const page = source.readPage(1)
  const [width, height] = [page.width, page.height * share]
  const png = encodePng(source.render(1, [0, 0, width, height], 200))
  source.close()
  const scan = await PDFDocument.create({ updateMetadata: false })
  scan.addPage([width, height]).drawImage(await scan.embedPng(png), { x: 0, y: 0, width, height })
  return await scan.save()
}

t.test('a scan is read when that is asked for, and says so', async t => {
  const printed = await readFile(samplePaper)
  const scan = await scanOf(printed)
  const service = await runningService(ourParser)
  t.teardown(service.close)
  const unread = await service.parsed(scan)
  t.match(unread, { state: 'succeeded', warnings: [{ code: 'no-text-layer', detail: /\?ocr=true/ }] })
  t.equal((await service.uploadAs('ocr=true', scan)).status, 202)
  const read = await (await service.get(`/${unread.id}?wait=60`)).json() as Paper
  t.match(read, { id: unread.id, state: 'succeeded', warnings: [{ code: 'ocr', detail: /Tesseract .*confidence (?:[89]\d|100) of 100/ }] })
  const document = await (await service.get(`/${unread.id}/document`)).json() as Document
  t.equal(document.parser.engine, 'pdfium+tesseract')
  const whole = (await parsePdf(printed, { paperId })).document
  t.equal(document.title, whole.title)
  const found = wordsOf(document)
  const onPage = wordsOf({
    ...whole,
    sections: whole.sections.map(section => ({
      ...section, paragraphs: section.paragraphs.filter(isInScan)
    }))
  })
  const recall = [...onPage].filter(word => found.has(word)).length / onPage.size
  t.ok(onPage.size > 50 && recall > 0.9, `${Math.round(100 * recall)} % of ${onPage.size} words are found`)
  t.equal((await service.uploadAs('ocr=true', scan)).status, 200)
  t.equal((await service.uploadAs('ocr=maybe', scan)).status, 400)
  t.equal(document.figures.length, 0, 'the picture of the page is no figure')
})

function isInScan ({ page, box, continues }: Paragraph): boolean {
  return page === 1 && continues === undefined && box[3]! < 842 * share
}

function wordsOf ({ abstract, sections }: Document): Set<string> {
  const text = [abstract?.text ?? '', ...sections.flatMap(({ paragraphs }) => paragraphs.map(({ text }) => text))].join(' ')
  return new Set(text.toLowerCase().match(/\p{L}{3,}/gu))
}

t.test('a paper with text is read as ever, a scan that is too long is refused', async t => {
  const printed = await readFile(samplePaper)
  const ocr = { pagesMax: 1, languages: 'eng' }
  const scan = await scanOf(printed)
  t.equal((await parsePdf(printed, { paperId, ocr })).document.parser.engine, 'pdfium')
  await t.rejects(parsePdf(scan, { paperId, ocr: { ...ocr, pagesMax: 0 } }), /recognised on 0 at most/u)
  await t.rejects(parsePdf(scan, { paperId, ocr: { ...ocr, languages: 'xxx' } }), /@tesseract\.js-data\/xxx/u)
})

t.test('recognised words become glyphs in points, in one size where they nearly are', async t => {
  const word = (text: string, x: number, confidence = 90) => ({
    confidence,
    symbols: Array.from(text, (text, i) => {
      const box: Box = [x + 20 * i, 100, x + 20 * i + 18, 140]
      return { text, box }
    })
  })
  const lines = [
    { baseline: 140, height: 44, words: [word('two', 100), word('parts-', 200)] },
    { baseline: 200, height: 46, words: [word('%#', 100, 5), word('nearly', 200)] },
    { baseline: 300, height: 88, words: [word('big', 100)] }
  ]
  const pages = [{ page: { number: 1, width: 600, height: 800 }, dpi: 288, lines }]
  const [page] = glyphsOf(pages)
  const { chars } = page!
  t.equal(String.fromCodePoint(...chars.code), 'two parts-nearlybig')
  t.same([...chars.box.subarray(0, 4)].map(Math.round), [25, 25, 28, 35], 'a t is narrow')
  t.same([...chars.origin.subarray(0, 2)], [25, 35])
  t.equal(chars.size[0], chars.size[12])
  t.ok(chars.size[17]! > 1.8 * chars.size[0]!)
  t.same([chars.flags[3], chars.flags[9], chars.flags[0]], [charFlags.generated, charFlags.hyphen, 0])
  t.same(recognitionOf(pages), { confidence: 73, words: 4, unread: 1 })
  t.same(recognitionWarnings(pages, 'test').map(({ code }) => code), ['ocr'])
  const unsure = [{ ...pages[0]!, lines: [{ baseline: 140, height: 44, words: [word('abc', 100, 30)] }] }]
  t.same(recognitionWarnings(unsure, 'test').map(({ code }) => code), ['ocr', 'text-unreliable'], 'another language, most likely')
  t.equal(glyphsOf([{ ...pages[0]!, lines: [] }])[0]?.chars.count, 0)
})
