import t from 'tap'
import { PDFDocument, StandardFonts, degrees } from 'pdf-lib'
import { decode } from 'fast-png'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Problem } from '../../../shared/errors/problem.ts'
import { openPdf } from '../engine/pdfium.ts'
import { capWasmMemory } from '../engine/wasm-memory.ts'
import { parsePdf, renderPage } from '../parse-pdf.ts'

const limits = { pagesMax: 3, wasmBytesMax: 128 * 2 ** 20 }
const paperId = 'pap_0123456789abcdef0123456789abcdef'

/** One page with a heading, a box below it, and text turned by `turn` degrees of the page. */
async function makePdf ({ pages = 1, turn = 0 } = {}): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.TimesRoman)
  for (let i = 0; i < pages; i++) {
    const page = pdf.addPage([300, 400])
    page.setRotation(degrees(turn))
    page.drawText('Hello glyphs', { x: 50, y: 350, size: 12, font })
    page.drawRectangle({ x: 100, y: 100, width: 80, height: 40 })
  }
  return await pdf.save()
}

async function kindOfFailure (bytes: Uint8Array): Promise<string> {
  try {
    (await openPdf(bytes, limits)).close()
    return 'opened'
  } catch (error) {
    return error instanceof Problem ? error.kind : String(error)
  }
}

t.test('PDFium as a glyph source', async t => {
  t.test('glyphs and objects come in displayed coordinates from the top left', async t => {
    const source = await openPdf(await makePdf(), limits)
    t.teardown(() => source.close())
    const page = source.readPage(1)
    t.same([page.width, page.height], [300, 400])
    t.equal(String.fromCodePoint(...page.chars.code.slice(0, 5)), 'Hello')
    t.same([page.chars.origin[0], page.chars.origin[1]].map(Number).map(Math.round), [50, 50])
    t.equal(page.chars.size[0], 12)
    t.match(source.fonts[page.chars.font[0]!], { name: 'Times-Roman', bold: false })
    const path = page.objects.find(({ kind }) => kind === 'path')
    t.same(path?.box.map(Math.round), [100, 260, 180, 300])
  })

  t.test('a sideways page is turned until its text is upright', async t => {
    const source = await openPdf(await makePdf({ turn: 90 }), limits)
    t.teardown(() => source.close())
    // Twelve letters are too few to turn a page: its text stays on its side.
    t.equal(source.readPage(1).width, 400)
    t.equal(source.readPage(1).chars.angle[0], 90)
  })

  t.test('what cannot be read is a problem that says why', async t => {
    const pdf = await makePdf()
    t.equal(await kindOfFailure(new Uint8Array(0)), 'paper-empty')
    t.equal(await kindOfFailure(Buffer.from('<html>not found</html>')), 'not-a-paper')
    t.equal(await kindOfFailure(Buffer.from('%PDF-1.7\nnothing else')), 'paper-damaged')
    t.equal(await kindOfFailure(await makePdf({ pages: 4 })), 'paper-too-long')
    t.equal(await kindOfFailure(pdf), 'opened')
  })

  t.test('a file larger than the engine may hold is too complex, and the next one is read', async t => {
    const big = new Uint8Array(140 * 2 ** 20)
    big.set(await makePdf())
    t.equal(await kindOfFailure(big), 'paper-too-complex')
    t.equal(await kindOfFailure(await makePdf()), 'opened')
  })

  t.test('the memory maximum is rewritten in place', async t => {
    const path = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')
    const wasm = new Uint8Array(await readFile(path))
    const capped = capWasmMemory(wasm, 64 * 2 ** 20)
    t.equal(capped.length, wasm.length)
    t.not(Buffer.compare(capped, wasm), 0)
    t.ok(WebAssembly.validate(capped as Uint8Array<ArrayBuffer>))
  })

  t.test('a page becomes a PNG with the box on it', async t => {
    const { width, height, data, channels } = decode(await renderPage(await makePdf(), 1, { dpi: 72 }))
    t.same([width, height, channels], [300, 400, 3])
    const at = (x: number, y: number) => data[(y * width + x) * 3]
    t.equal(at(140, 280), 0)
    t.equal(at(20, 200), 255)
    await t.rejects(renderPage(await makePdf(), 2, { dpi: 72 }))
  })

  t.test('the same bytes give the same document', async t => {
    const pdf = await makePdf({ pages: 2 })
    const [once, again] = [await parsePdf(pdf, { paperId }), await parsePdf(pdf, { paperId })]
    t.equal(JSON.stringify(once.document), JSON.stringify(again.document))
    t.equal(once.document.pages.length, 2)
  })
})
