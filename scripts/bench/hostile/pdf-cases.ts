/** PDFs that bomb, loop, lie or break. */
import { deflateSync } from 'node:zlib'
import { seededRandom } from '../../../shared/testing/random.ts'
import type { HostileFile } from './hostile-file.ts'
import { flateOf, onePage, paperLines, pdfOf, plainPaper, streamOf, textLines } from './pdf-bytes.ts'

type Made = [name: string, bytes: () => Uint8Array, expect?: readonly string[]]

const zeros = (count: number) => Buffer.alloc(count)

const bombs: Made[] = [
  ['content of 256 MB of operators, deflated', () => onePage({ content: flateOf(Buffer.alloc(256 * 2 ** 20, 'q Q ')) })],
  ['content deflated twice', () => {
    const inner = deflateSync(Buffer.alloc(200 * 2 ** 20, '0 0 m 9 9 l S '), { level: 9 })
    return onePage({ content: streamOf(deflateSync(inner), '/Filter [/FlateDecode /FlateDecode]') })
  }],
  ['content of 100 MB of spaces', () => onePage({ content: flateOf(Buffer.alloc(100 * 2 ** 20, ' ')) })],
  ['run-length bomb', () => onePage({ content: streamOf(Buffer.alloc(2 ** 21, Buffer.from([129, 32])), '/Filter /RunLengthDecode') })],
  ['image of 30,000 by 30,000 bits', () => pictured('/Width 30000 /Height 30000 /BitsPerComponent 1 /ColorSpace /DeviceGray', zeros(30_000 * 3_750))],
  ['image of 20,000 by 20,000 in colour', () => pictured('/Width 20000 /Height 20000 /BitsPerComponent 8 /ColorSpace /DeviceRGB', zeros(2 ** 24))],
  ['image of two thousand million pixels a side', () => pictured('/Width 2000000000 /Height 2000000000 /BitsPerComponent 8 /ColorSpace /DeviceRGB', zeros(100))],
  ['image of negative size', () => pictured('/Width -5 /Height -5 /BitsPerComponent 8 /ColorSpace /DeviceRGB', zeros(100))],
  ['one image drawn 20,000 times', () => onePage({
    content: flateOf('q 600 0 0 700 0 0 cm /I Do Q\n'.repeat(20_000)),
    resources: '/XObject << /I 6 0 R >>',
    more: [flateOf(zeros(3 * 10 ** 6), '/Type /XObject /Subtype /Image /Width 1000 /Height 1000 /BitsPerComponent 8 /ColorSpace /DeviceRGB')]
  })],
  ['forms within forms, each drawn ten times, nine deep', () => onePage({
    content: '/X0 Do',
    resources: '/XObject << /X0 6 0 R >>',
    more: Array.from({ length: 9 }, (_, i) => streamOf(i === 8 ? '0 0 m 600 700 l S' : '/X Do\n'.repeat(10), `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X ${i + 7} 0 R >> >>`))
  })],
  ['a form that draws itself', () => onePage({
    content: '/X Do',
    resources: '/XObject << /X 6 0 R >>',
    more: [streamOf('/X Do /X Do', '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X 6 0 R >> >>')]
  })],
  ['a pattern that paints itself', () => onePage({
    content: '/Pattern cs /P scn 0 0 612 792 re f',
    resources: '/Pattern << /P 6 0 R >>',
    more: [streamOf('/Pattern cs /P scn 0 0 1 1 re f', '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.01 /YStep 0.01 /Resources << /Pattern << /P 6 0 R >> >>')]
  })],
  ['a glyph that shows itself (Type 3)', () => onePage({
    content: 'BT /T 12 Tf 72 700 Td (aaaa) Tj ET',
    resources: '/Font << /T 6 0 R >>',
    more: [
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 7 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] /Resources << /Font << /T 6 0 R >> >> >>',
      streamOf('1 0 d0 BT /T 1 Tf (aaaa) Tj ET')
    ]
  })],
  ['a soft mask that masks itself', () => onePage({
    content: '/G gs 0 0 612 792 re f',
    resources: '/ExtGState << /G 6 0 R >>',
    more: ['<< /SMask << /S /Luminosity /G 7 0 R >> >>', streamOf('/G gs 0 0 612 792 re f', '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Group << /S /Transparency >> /Resources << /ExtGState << /G 6 0 R >> >>')]
  })],
  ['200,000 paths', () => onePage({ content: flateOf(Array.from({ length: 200_000 }, (_, i) => `${i % 600} ${i % 700} m ${i % 599} ${i % 701} l S`).join('\n')) })],
  ['300,000 states saved and never restored', () => onePage({ content: flateOf('q '.repeat(300_000)) })]
]

function pictured (dictionary: string, data: Buffer): Buffer {
  return onePage({
    content: `${textLines(paperLines)}\nq 400 0 0 200 100 100 cm /I Do Q`,
    resources: '/XObject << /I 6 0 R >>',
    more: [flateOf(data, `/Type /XObject /Subtype /Image ${dictionary}`)]
  })
}

const trees: Made[] = [
  ['ten million pages by shared kids', () => {
    const levels = Array.from({ length: 7 }, (_, i) => `<< /Type /Pages /Kids [${`${i + 3} 0 R `.repeat(10)}] /Count ${10 ** (7 - i)} >>`)
    return pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', ...levels, '<< /Type /Page /MediaBox [0 0 9 9] >>'])
  }, ['paper-too-long', 'paper-damaged']],
  ['two thousand million pages said', () => pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>', '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>'])],
  ['fewer than no pages said', () => pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count -5 >>', '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>'])],
  ['pages that are their own kids', () => pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R] /Count 3 >>'])],
  ['a catalog that is its own pages', () => pdfOf(['<< /Type /Catalog /Pages 1 0 R /Kids [1 0 R] /Count 4 >>'])],
  ['a page tree 3,000 deep', () => pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', ...Array.from({ length: 3_000 }, (_, i) => `<< /Type /Pages /Kids [${i + 3} 0 R] /Count 1 >>`), '<< /Type /Page /MediaBox [0 0 9 9] >>'])],
  ['an array 500,000 deep', () => onePage({ content: '', more: ['['.repeat(500_000) + ']'.repeat(500_000)], page: '/Annots 6 0 R' })],
  ['a dictionary 200,000 deep', () => onePage({ content: '', more: ['<</A'.repeat(200_000) + ' 1' + '>>'.repeat(200_000)], page: '/Annots 6 0 R' })],
  ['operands 300,000 deep in a content', () => onePage({ content: flateOf('['.repeat(300_000)) })],
  ['a length that refers to itself', () => onePage({ content: Buffer.from('<< /Length 4 0 R >>\nstream\nBT ET\nendstream') })],
  ['a cross-reference table that precedes itself', () => Buffer.from(plainPaper().toString('latin1').replace('/Root 1 0 R', '/Root 1 0 R /Prev 9'), 'latin1')],
  ['no cross-reference table', () => { const text = plainPaper().toString('latin1'); return Buffer.from(text.slice(0, text.indexOf('xref\n')), 'latin1') }],
  ['1,000 pages', () => pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Count 1000 /Kids [${Array.from({ length: 1_000 }, (_, i) => `${i + 3} 0 R`).join(' ')}] >>`, ...Array.from({ length: 1_000 }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>')]), ['paper-too-long']],
  ...['[0 0 200000 200000]', '[0 0 0 0]', '[9 9 1 1]', '[0 0 1e30 1e30]', '[0 0 14400 2]', '[-1e9 -1e9 1e9 1e9]', '[0 0 (a) null]', '[]', 'null'].map((box): Made =>
    [`a page of ${box} points`, () => onePage({ content: `${textLines(paperLines)} 0 0 100 100 re f`, mediaBox: box })])
]

const active: Made[] = [
  ['JavaScript on opening', () => onePage({ content: textLines(paperLines), catalog: '/OpenAction << /S /JavaScript /JS (app.launchURL\\("http://127.0.0.1:1/"\\)) >>' }), ['ok']],
  ['a program launched on opening', () => onePage({ content: textLines(paperLines), catalog: '/OpenAction << /S /Launch /F (/bin/sh) >>' }), ['ok']],
  ['a form sent on opening', () => onePage({ content: textLines(paperLines), catalog: '/OpenAction << /S /SubmitForm /F (http://127.0.0.1:1/) >>' }), ['ok']],
  ['an attached program', () => onePage({ content: textLines(paperLines), catalog: '/Names << /EmbeddedFiles << /Names [(x.exe) 6 0 R] >> >>', more: ['<< /Type /Filespec /F (../../x.exe) /EF << /F 7 0 R >> >>', streamOf('MZ', '/Type /EmbeddedFile')] }), ['ok']],
  ['an XFA form with an entity', () => onePage({ content: textLines(paperLines), catalog: '/AcroForm << /XFA 6 0 R >>', more: [streamOf('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>')] }), ['ok']],
  ['a content in another file', () => onePage({ content: streamOf('', '/F (/etc/passwd)') })],
  ['a PDF that is a ZIP as well', () => Buffer.concat([plainPaper(), Buffer.from('PK\x05\x06' + '\0'.repeat(18), 'latin1')]), ['ok']],
  ['a web page before the PDF', () => Buffer.concat([Buffer.from('<html><script>alert(1)</script></html>\n'), plainPaper()])],
  ['nothing after the magic bytes', () => Buffer.from('%PDF-1.7\n'), ['paper-damaged']],
  ['the magic bytes and 4 MB of noise', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), noise(4 * 2 ** 20, 5)]), ['paper-damaged']],
  ['an encryption that nobody knows', () => onePage({ content: textLines(paperLines), trailer: '/Encrypt << /Filter /Nobody /V 99 >>' }), ['paper-encrypted', 'paper-damaged']]
]

function noise (count: number, seed: number): Buffer {
  const random = seededRandom(seed)
  return Buffer.from(Uint8Array.from({ length: count }, () => random.whole(0, 255)))
}

/** The same paper cut short, or with bytes changed. */
function broken (seeds: number): Made[] {
  return Array.from({ length: seeds }, (_, seed): Made => [`a paper broken by chance, ${seed}`, () => {
    const random = seededRandom(seed)
    const paper = Buffer.from(plainPaper())
    if (seed % 3 === 0) return paper.subarray(0, random.whole(1, paper.length - 1))
    for (let i = 0; i < 1 + seed % 40; i++) paper[random.whole(8, paper.length - 1)] = random.whole(0, 255)
    return paper
  }])
}

export function hostilePdfs (): HostileFile[] {
  return [...bombs, ...trees, ...active, ...broken(60)].map(([name, bytes, expect]) =>
    ({ name: `pdf: ${name}`, bytes, ...expect !== undefined && { expect } }))
}
