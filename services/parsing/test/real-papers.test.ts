/** Real PDFs through the real API, the real engine and real child processes. */
import t from 'tap'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import type { Document } from '../../../shared/contracts/document.ts'
import type { Paper } from '../../../shared/contracts/paper.ts'
import { runningService } from './fixtures/running-service.ts'

const engine = fileURLToPath(new URL('../parse.ts', import.meta.url))

async function pdfOf (pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.TimesRoman)
  const bold = await pdf.embedFont(StandardFonts.TimesRomanBold)
  for (let i = 0; i < pages; i++) {
    const page = pdf.addPage([595, 842])
    if (i === 0) {
      page.drawText('On the Weight of Small Stones', { x: 150, y: 780, size: 18, font: bold })
      page.drawText('Abstract', { x: 70, y: 720, size: 12, font: bold })
      page.drawText('We propose a scale for the open problem of weighing small stones.', { x: 70, y: 700, size: 10, font })
      page.drawText('1 Introduction', { x: 70, y: 660, size: 12, font: bold })
      for (let line = 0; line < 20; line++) {
        page.drawText('The results show that small stones weigh less than large ones on any scale.', { x: 70, y: 640 - 12 * line, size: 10, font })
      }
    } else page.drawText(`Page ${i + 1} of text on stones.`, { x: 70, y: 700, size: 10, font })
  }
  return await pdf.save({ useObjectStreams: false })
}

/** The standard security handler, asking for a password that nobody has. */
async function encryptedPdf (): Promise<Buffer> {
  const pdf = Buffer.from(await pdfOf(1)).toString('latin1')
  const secret = '<</Filter/Standard/V 1/R 2/P -4/O<' + '41'.repeat(32) + '>/U<' + '42'.repeat(32) + '>>>'
  const id = `[<${'43'.repeat(16)}><${'43'.repeat(16)}>]`
  return Buffer.from(pdf.replace(/trailer\s*<</u, `trailer\n<</Encrypt ${secret}/ID${id}`), 'latin1')
}

t.test('PDFs', async t => {
  const service = await runningService(engine, { PARSING_PAGES_MAX: 5 })
  t.teardown(service.close)
  const { parsed, get } = service
  const valid = await pdfOf(2)

  t.test('a valid one becomes a document, page images and content', async t => {
    const paper = await parsed(valid, 'stones.pdf')
    t.match(paper, { state: 'succeeded', title: 'On the Weight of Small Stones', problems: [] })
    const document = await (await get(`/${paper.id}/document`)).json() as Document
    t.match(document, { paperId: paper.id, documentHash: paper.documentHash, pages: { length: 2 } })
    t.match(document.highlights.solution[0], { keyword: 'propose' })
    t.match(await (await get(`/${paper.id}/content?mode=semantic`)).json(), { text: /weigh/ })
    const image = Buffer.from(await (await get(`/${paper.id}/pages/2/image`)).arrayBuffer())
    t.equal(image.subarray(1, 4).toString(), 'PNG')
    t.equal((await get(`/${paper.id}/pages/3/image`)).status, 404)
  })

  t.test('the same bytes, deleted and uploaded again, give the same document', async t => {
    const first = await parsed(valid)
    await service.send('DELETE', `/${first.id}`)
    t.equal((await parsed(valid)).documentHash, first.documentHash)
  })

  const bad: Array<[string, Uint8Array, RegExp]> = [
    ['encrypted', await encryptedPdf(), /paper-encrypted$/],
    ['cut off', valid.slice(0, 600), /paper-damaged$/],
    ['only a header', Buffer.from('%PDF-1.7\n'), /paper-damaged$/],
    ['too long', await pdfOf(6), /paper-too-long$/]
  ]
  for (const [name, bytes, type] of bad) {
    t.test(`one that is ${name} fails with its own problem`, async t => {
      const paper = await parsed(bytes)
      t.equal(paper.state, 'failed')
      t.match(paper.problems[0], { type, status: 422 })
      const answer = await get(`/${paper.id}/document`)
      t.equal(answer.status, 422)
      t.match(await answer.json(), { type })
    })
  }
})

const corpus = process.env.VIVA_CORPUS
type Expected = { state?: string, type?: RegExp, warning?: RegExp, status?: number }

/** What its index.json asks for, in our words. */
const expectations: Record<string, Expected> = {
  'scanned-no-text-layer.pdf': { state: 'succeeded', warning: /no-text-layer/ },
  'encrypted-user-password.pdf': { state: 'failed', type: /paper-encrypted$/ },
  'encrypted-owner-only.pdf': { state: 'succeeded', warning: /permission/ },
  'broken-tounicode-f1000.pdf': { state: 'succeeded', warning: /unreliable/ },
  'zero-fonts-outlined.pdf': { state: 'succeeded', warning: /no-text-layer/ },
  'text-as-outlines.pdf': {},
  'truncated-62pct.pdf': {},
  'norma-corrupt.pdf': { status: 415, type: /not-a-paper$/ },
  'fuzzed-poppler-90.pdf': {},
  'fuzzed-pdfbox-3148.pdf': {},
  'image-bomb.pdf': {},
  'huge-5000-pages.pdf': { state: 'failed', type: /paper-too-long$/ },
  'long-619-pages.pdf': { state: 'failed', type: /paper-too-long$/ },
  'failure-after-repair.pdf': {},
  'rotated-90.pdf': { state: 'succeeded' },
  'html-named-pdf.pdf': { status: 415, type: /not-a-paper$/ },
  'empty.pdf': { status: 422, type: /paper-empty$/ }
}

t.test('the nasty corpus', { skip: corpus === undefined && 'VIVA_CORPUS names no corpus' }, async t => {
  const folder = join(corpus ?? '', 'papers/nasty')
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Array<{ file: string, expect: string }>
  const service = await runningService(engine)
  t.teardown(service.close)
  t.same(index.map(({ file }) => file).sort(), Object.keys(expectations).sort())

  for (const { file, expect } of index) {
    t.test(`${file}: ${expect}`, async t => {
      const { state, type, warning, status = 202 } = expectations[file] ?? {}
      const uploaded = await service.upload(readFileSync(join(folder, file)), file)
      t.equal(uploaded.status, status)
      if (status !== 202) {
        t.match(await uploaded.json(), { type })
        return
      }
      const { id } = await uploaded.json() as Paper
      const start = performance.now()
      const paper = await (await service.get(`/${id}?wait=60`)).json() as Paper
      t.ok(performance.now() - start < 30_000)
      t.match(paper.state, state ?? /^(succeeded|failed)$/)
      if (type !== undefined) t.match(paper.problems[0], { type })
      const codes = paper.warnings.map(({ code }) => code)
      if (warning !== undefined) t.ok(codes.some(code => warning.test(code)), codes.join() || 'none')
      if (paper.state === 'failed') t.match(paper.problems[0], { type: /paper-/, status: 422 })
      else {
        const document = await (await service.get(`/${id}/document`)).json()
        t.match(document, { documentHash: paper.documentHash })
        t.equal((await service.get(`/${id}/pages/1/image`)).headers.get('content-type'), 'image/png')
      }
    })
  }

  t.test('the rotated paper reads as the original does', async t => {
    const original = await service.parsed(readFileSync(join(corpus ?? '', 'papers/dev/springer-bes-2015.pdf')))
    const rotated = await service.parsed(readFileSync(join(folder, 'rotated-90.pdf')))
    const titles = async ({ id }: Paper) =>
      (await (await service.get(`/${id}/document`)).json() as Document).sections.map(({ title }) => title)
    t.equal(rotated.title, original.title)
    t.same(await titles(rotated), await titles(original))
  })
})
