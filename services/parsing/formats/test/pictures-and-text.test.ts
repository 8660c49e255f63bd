import t from 'tap'
import { deflateSync } from 'node:zlib'
import { decode, encode } from 'fast-png'
import { GifWriter } from 'omggif'
import { PDFDocument, rgb } from 'pdf-lib'
import { Problem } from '../../../../shared/errors/problem.ts'
import { assembleOutline } from '../assemble-outline.ts'
import { composePanels } from '../compose-panels.ts'
import { toPng } from '../images.ts'
import { readMarkdown } from '../markdown.ts'
import type { Reader } from '../reader.ts'
import { readText } from '../text.ts'

const draft = async (reader: Reader, text: string) =>
  assembleOutline((await reader(Buffer.from(text))).outline, {
    paperId: 'pap_0123456789abcdef0123456789abcdef', parser: { engine: 'text', version: '1' }
  })

function pngOf (pixels: number[][], channels: 1 | 3 | 4, width: number): Uint8Array {
  const data = Uint8Array.from(pixels.flat())
  return encode({ width, height: pixels.length / width, data, channels, depth: 8 })
}

/** A PNG whose header claims a size and whose data inflates to `rawBytes`. */
function lyingPng (width: number, height: number, rawBytes: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(data.length)
    return Buffer.concat([head, Buffer.from(type), data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(rawBytes))), chunk('IEND', Buffer.alloc(0))])
}

t.test('pictures become PNG on white, whatever they were', async t => {
  const red = [255, 0, 0]
  const blue = [0, 0, 255]
  const opaque = await toPng(pngOf([red, blue], 3, 2))
  t.same([...decode(opaque!.png).data], [...red, ...blue], 'pixels of a PNG stay')
  const clear = await toPng(pngOf([[255, 0, 0, 255], [9, 9, 9, 0]], 4, 2))
  t.same([...decode(clear!.png).data], [255, 0, 0, 255, 255, 255], 'what is transparent is white')
  const gif = Buffer.alloc(1_000)
  const writer = new GifWriter(gif, 2, 1, { palette: [0xFF0000, 0x0000FF] })
  writer.addFrame(0, 0, 2, 1, [0, 1])
  t.same([...decode((await toPng(gif.subarray(0, writer.end())))!.png).data], [...red, ...blue], 'GIF')
  const pdf = await PDFDocument.create()
  pdf.addPage([72, 36]).drawRectangle({ x: 0, y: 0, width: 72, height: 36, color: rgb(1, 0, 0) })
  const drawn = await toPng(await pdf.save())
  t.same([drawn!.width, drawn!.height], [200, 100], 'PDF at 200 dpi')
  t.same([...decode(drawn!.png).data.subarray(30_000, 30_003)], red)
  const wide = await toPng(encode({ width: 4_000, height: 10, data: new Uint8Array(120_000), channels: 3 }))
  t.same([wide!.width, wide!.height], [2_000, 5], 'no side over 2,000 pixels')
  t.same(await toPng(pngOf([red, blue], 3, 2)), opaque, 'equal pixels, equal bytes')
})

t.test('what is no picture, or too much of one, is left out', async t => {
  for (const text of ['', '<svg/>', '%!PS-Adobe-3.0 EPSF', 'GIF89a', '\xFF\xD8\xFF\xE0', '%PDF-1.4 broken', '\x89PNG\r\n\x1A\n', 'RIFF0000WEBP']) {
    t.equal(await toPng(Buffer.from(text, 'latin1')), undefined, JSON.stringify(text))
  }
  t.equal(await toPng(lyingPng(10_000, 10_000, 100)), undefined, 'more than 40 Mpx')
  t.equal(await toPng(lyingPng(2, 2, 30_000_000)), undefined, 'data that inflates to more than the size says')
  const rows = [[pngOf([[1, 2, 3]], 3, 1), Buffer.from('none')], [pngOf([[4, 5, 6]], 3, 1)]]
  const composed = await composePanels(rows)
  t.equal(composed!.missing, 1)
  t.same([decode(composed!.png).width, decode(composed!.png).height], [1, 22])
})

t.test('Markdown', async t => {
  const document = await draft(readMarkdown, [
    '---\ntitle: A paper\nauthor:\n  - name: Ada Lovelace\n    affiliation: London\n  - Charles Babbage\n---',
    '# Abstract', 'We study **things** <script>alert(1)</script> and $x^2$.',
    '# 1 Introduction', 'See Figure 1 and [Table 1](http://a.b/).[^1]',
    `![Figure 1: A dot.](data:image/png;base64,${Buffer.from(pngOf([[1, 2, 3]], 3, 1)).toString('base64')})`,
    '### 1.1 Details', '- one\n- two', 'Table 1: Numbers.', '| a | b |\n|---|---|\n| 1 | 2 |',
    '$$\nE = mc^2 \\tag{1}\n$$', 'References\n----------', '1. Knuth, D. The Art. 1968. doi:10.1000/ab', '[^1]: A note.'
  ].join('\n\n'))
  t.same([document.title, document.authors], ['A paper', [{ name: 'Ada Lovelace', affiliations: ['London'] }, { name: 'Charles Babbage' }]])
  t.equal(document.abstract!.text, 'We study things <script>alert(1)</script> and $x^2$.', 'HTML is text')
  t.same(document.sections.map(({ number, title, level, kind }) => [number, title, level, kind]),
    [['1', 'Introduction', 1, 'introduction'], ['1.1', 'Details', 2, 'other'], ['', 'References', 2, 'references']])
  t.same(document.sections[1]!.paragraphs.map(({ text }) => text), ['• one', '• two', '$E = mc^2 \\tag{1}$'])
  t.match(document.figures, [{ label: 'Figure 1', caption: 'A dot.', sectionId: 's1', placedBy: 'mention' }])
  t.match(document.tables, [{ label: 'Table 1', caption: 'Numbers.', rows: [['a', 'b'], ['1', '2']] }])
  t.match(document.references, [{ label: '1', year: 1968, doi: '10.1000/ab' }])
  t.match(document.footnotes, [{ text: 'A note.' }])
})

t.test('plain text', async t => {
  const document = await draft(readText, 'A paper about text\n==================\n\nAda Lovelace, Charles Babbage\n\nAbstract\n\nWe study wrap-\nping.\n\n1. Introduction\n\nIt goes on\nover two lines.\n\n1.1 Details of it\n\nAs in Figure 2. Of it 5 mg.\n\nCONCLUSION\n\nEnd.\n\nReferences\n\n[1] Knuth, D. The Art. 1968.\n[2] Turing, A. On computable\nnumbers. 1936.')
  t.same([document.title, document.authors.map(({ name }) => name)], ['A paper about text', ['Ada Lovelace', 'Charles Babbage']])
  t.equal(document.abstract!.text, 'We study wrapping.')
  t.same(document.sections.map(({ number, title, level, paragraphs }) =>
    [number, title, level, ...paragraphs.map(({ text }) => text)]), [
    ['1', 'Introduction', 1, 'It goes on over two lines.'], ['1.1', 'Details of it', 2, 'As in Figure 2. Of it 5 mg.'],
    ['', 'CONCLUSION', 1, 'End.'], ['', 'References', 1]
  ])
  t.same(document.references.map(({ label, year }) => [label, year]), [['1', 1968], ['2', 1936]])
  const korean = await draft(readText, '논문 제목\n\n홍길동\n\n서론\n\n본문이다.')
  t.same(korean.sections.map(({ title, kind }) => [title, kind]), [['서론', 'introduction']])
})

t.test('hostile Markdown and text end soon', async t => {
  const cases = ['> '.repeat(5_000), '['.repeat(20_000), '*a_'.repeat(20_000), '*a_'.repeat(600), '- '.repeat(5_000), '|a'.repeat(20_000), 'x'.repeat(1_000_000), '\uD83D\u0000\u202E', '# \n'.repeat(5_000), '---\na: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n---\n']
  for (const text of cases) {
    for (const reader of [readMarkdown, readText]) {
      const start = performance.now()
      const outcome = await draft(reader, text).then(() => 'read', cause => cause instanceof Problem ? cause.kind : String(cause))
      t.match(outcome, /^(?:read|paper-too-complex)$/u, JSON.stringify(text.slice(0, 12)))
      const ms = performance.now() - start
      t.ok(ms < 15_000, `${Math.round(ms)} ms`)
    }
  }
})
