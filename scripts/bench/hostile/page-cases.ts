/** PDFs that are whole, but whose pages are no pages: what structure must not choke on. */
import { seededRandom } from '../../../shared/testing/random.ts'
import type { HostileFile } from './hostile-file.ts'
import { flateOf, onePage, paperLines, pdfOf, streamOf, textLines } from './pdf-bytes.ts'

type Page = [name: string, content: () => string]

const many = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i))

function scattered (count: number, seed: number, matrix: (random: () => number) => string): string {
  const random = seededRandom(seed)
  return `BT /F1 6 Tf\n${many(count, () => `${matrix(random.next)} Tm (word) Tj`).join('\n')}\nET`
}

const pages: Page[] = [
  ['100,000 glyphs on one spot', () => `BT /F1 10 Tf 72 700 Td ${'(aaaaaaaaaa) Tj 1 0 0 1 72 700 Tm '.repeat(10_000)} ET`],
  ['150,000 glyphs on one line', () => `BT /F1 1 Tf 0 700 Td ${'(lorem ipsum dolor) Tj '.repeat(9_000)} ET`],
  ['20,000 words anywhere', () => scattered(20_000, 1, next => `1 0 0 1 ${next() * 612} ${next() * 792}`)],
  ['20,000 words at any angle', () => scattered(20_000, 2, next => {
    const angle = next() * 7
    return `${Math.cos(angle)} ${Math.sin(angle)} ${-Math.sin(angle)} ${Math.cos(angle)} ${next() * 612} ${next() * 792}`
  })],
  ['10,000 words of any size', () => scattered(10_000, 3, next => `${next() * 90} 0 0 ${next() * 90} ${next() * 612} ${next() * 792}`)],
  ['words of size nothing', () => scattered(5_000, 4, next => `0 0 0 0 ${next() * 612} ${next() * 792}`)],
  ['words far outside', () => scattered(5_000, 5, next => `1 0 0 1 ${next() * 1e30} ${-next() * 1e30}`)],
  ['words as large as the world', () => scattered(500, 6, next => `1e9 0 0 1e9 ${next()} ${next()}`)],
  ['5,000 captions', () => textLines(many(5_000, i => `Figure ${i}. A caption.`), { lead: 0.15, size: 5 })],
  ['5,000 captions of one number', () => textLines(many(5_000, () => 'Table 1. A caption.'), { lead: 0.15, size: 5 })],
  ['5,000 headings', () => textLines(many(5_000, i => `${i}.1 Introduction`), { lead: 0.15, size: 5 })],
  ['5,000 reference lists', () => textLines(many(5_000, () => 'References'), { lead: 0.15, size: 5 })],
  ['10,000 references', () => textLines(['References', ...many(10_000, i => `[${i}] A. Author, B. Author. Title. 2020. doi:10.1000/${i}`)], { lead: 0.07, size: 4 })],
  ['a word of 150,000 letters', () => `BT /F1 1 Tf 10 700 Td (${'a'.repeat(150_000)}) Tj ET`],
  ['100,000 opening brackets', () => `BT /F1 1 Tf 10 700 Td (${'\\('.repeat(100_000)}) Tj ET`],
  ['100,000 dots', () => `BT /F1 1 Tf 10 700 Td (1${'.1'.repeat(50_000)} Introduction) Tj ET`],
  ['100,000 digits and dashes', () => `BT /F1 1 Tf 10 700 Td (Fig. ${'1-'.repeat(50_000)}) Tj ET`],
  ['100,000 spaces between two words', () => `BT /F1 1 Tf 10 700 Td (Abstract${' '.repeat(100_000)}end) Tj ET`],
  ['hyphens at 4,000 line ends', () => textLines(many(4_000, () => 'hyphen-'), { lead: 0.18, size: 5 })],
  ['300 columns', () => many(300, i => textLines(many(40, j => `w${i % 10}${j % 10}`), { x: 5 + i * 2, size: 1 })).join('\n')],
  ['20,000 rectangles like a table', () => `${textLines(['Table 1. A caption.'])}\n${many(20_000, i => `${(i % 140) * 4} ${Math.floor(i / 140) * 4} 4 4 re S`).join('\n')}`],
  ['20,000 dots of ink', () => `${textLines(['Figure 1. A caption.'])}\n${many(20_000, i => `${(i * 37) % 612} ${(i * 91) % 700} 1 1 re f`).join('\n')}`],
  ['a chessboard', () => `${textLines(['Figure 1. A caption.'])}\n${many(10_000, i => `${(i % 100) * 6} ${Math.floor(i / 100) * 7 + (i % 2) * 3} 3 3 re f`).join('\n')}`],
  ['10,000 figures side by side', () => many(10_000, i => `${(i % 100) * 6} ${Math.floor(i / 100) * 7} 4 4 re f`).join('\n') + textLines(many(300, i => `Fig. ${i} A caption.`), { lead: 2.4, size: 2 })]
]

/** What text may hold that it should not. */
const maps: [name: string, codes: string][] = [
  ['lone surrogates', 'D800'], ['NUL', '0000'], ['overrides of direction', '202E'], ['Unicode tags', 'DB40DC41'],
  ['zero-width characters', '200B'], ['bells', '0007'], ['noncharacters', 'FFFF'], ['marks that stack', '0301'], ['private use', 'E000'],
  ['names of markup', '003C007300630072006900700074003E']
]

function mapped (code: string): Buffer {
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <61> <${code}> endbfchar endcmap end end`
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    streamOf(textLines(paperLines)),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
    streamOf(map)
  ])
}

export function hostilePages (): HostileFile[] {
  return [
    ...pages.map(([name, content]) => ({ name: `page: ${name}`, bytes: () => onePage({ content: flateOf(content()) }) })),
    ...maps.map(([name, code]) => ({ name: `page: letters that are ${name}`, bytes: () => mapped(code) }))
  ]
}
