import t from 'tap'
import { findBodyStyle } from '../domain/body-style.ts'
import { bestOfLabel, findCaptions, labelKey, readLabel } from '../domain/captions.ts'
import { cleanText, joinLines } from '../domain/clean-text.ts'
import { findGutters } from '../domain/columns.ts'
import { composeAccents } from '../domain/accents.ts'
import { findInk } from '../domain/ink.ts'
import { layOut } from '../domain/layout.ts'
import { findMentions } from '../domain/mentions.ts'
import { orderLines } from '../domain/reading-order.ts'
import { splitReferences } from '../domain/references.ts'
import { kindOf } from '../domain/section-kind.ts'
import { splitNumber } from '../domain/heading-number.ts'
import { isGarbled } from '../domain/text-quality.ts'
import { findStructure } from '../domain/structure.ts'
import { findFloats } from '../domain/floats.ts'
import { drawPage, fonts, textLine } from './fixtures/glyph-page.ts'

t.test('text is joined as a reader reads it', async t => {
  const lines = (...texts: string[]) => texts.map(text => ({ text, hyphen: false }))
  t.equal(joinLines(lines('an exam-', 'ple of effi\uFB01'), new Map()), 'an example of effifi')
  t.equal(joinLines(lines('the state-', 'of-the-art'), new Map([['state-of', 2]])), 'the state-of-the-art')
  t.equal(joinLines(lines('\uD22C\uD45C \uC2DC', '\uC2A4\uD15C\uC740'), new Map()), '\uD22C\uD45C \uC2DC\uC2A4\uD15C\uC740')
  t.equal(cleanText('a\u00ADb\u200B  c\u0002'), 'ab c')
})

t.test('an accent painted on its own lands on its letter', async t => {
  const glyph = (text: string, x: number) => ({ text, box: [x, 0, x + 4, 8], y: 10, size: 10 })
  const composed = composeAccents([glyph('\u00B4', 10), glyph('e', 10), glyph('t', 16)])
  t.same(composed.map(({ text }) => text), ['\u00E9', 't'])
})

t.test('labels of captions are told from words', async t => {
  t.match(readLabel('Figure 2. Results'), { kind: 'figure', label: 'Figure 2', delimiter: true })
  t.match(readLabel('FIGURE 10 | Cycling'), { label: 'FIGURE 10', rest: 'Cycling' })
  t.match(readLabel('TABLE IV'), { kind: 'table', label: 'TABLE IV' })
  t.match(readLabel('\uADF8\uB9BC 1 . \uAD6C\uC870'), { kind: 'figure' })
  t.equal(readLabel('Figures of merit'), undefined)
  t.equal(readLabel('Tables are used'), undefined)
  t.equal(labelKey('Fig. 2'), labelKey('Figure 2'))
  t.not(labelKey('Fig. S2'), labelKey('Fig. 2'))
})

t.test('mentions name every member of a list and a range', async t => {
  const keys = (text: string) => findMentions(text).map(({ kind, key }) => `${kind} ${key}`)
  t.same(keys('see Figs. 2a, 3 and 5\u20137'), ['figure 2', 'figure 3', 'figure 5', 'figure 6', 'figure 7'])
  t.same(keys('(Table 1; Fig. 4a-c)'), ['table 1', 'figure 4'])
  t.same(keys('a figure of merit'), [])
})

t.test('a caption is set apart, a sentence about it is not', async t => {
  const page = [
    textLine('A paragraph of the text that goes on over the whole width', { y: 100 }),
    textLine('Figure 1 shows that it goes on and on over the column', { y: 112 }),
    textLine('and ends here with a few more words of running text', { y: 124 }),
    textLine('Figure 1. A caption in small print.', { y: 300, size: 8 })
  ]
  const found = bestOfLabel(findCaptions(page, findBodyStyle(page)))
  t.same(found.map(({ lines }) => lines[0]!.baseline), [300])
})

t.test('a gutter is found although a title spans it', async t => {
  const lines = [textLine('A title over both of the columns of this page here', { y: 40, x: 60, width: 480 })]
  for (let y = 100; y < 400; y += 12) {
    lines.push(textLine('left', { y, x: 60, width: 230 }), textLine('right', { y: y + 1, x: 310, width: 230 }))
  }
  const [gutter, ...more] = findGutters(lines, 600)
  t.same(more, [])
  t.ok(gutter! > 290 && gutter! < 310)
  t.same(findGutters(lines.slice(0, 1), 600), [])
})

t.test('columns are read one after the other, in whatever order they were painted', async t => {
  const place = (column: number) =>
    ({ x: column === 1 ? 310 : 60, width: column === -1 ? 480 : 230, column })
  const line = (text: string, y: number, column: number) =>
    ({ ...textLine(text, { y, ...place(column) }), column })
  const rows = Array.from({ length: 12 }, (_, i) => [
    line(`l${i}`, 100 + 12 * i, 0), line(`r${i}`, 100 + 12 * i, 1)
  ])
  const title = line('title', 50, -1)
  const byRows = [title, ...rows.flat()].map((own, order) => ({ ...own, order }))
  const byColumns = [title, ...rows.map(([l]) => l!), ...rows.map(([, r]) => r!)]
  const wanted = byColumns.map(({ text }) => text)
  t.same(orderLines(byRows).map(({ text }) => text), wanted)
  t.same(orderLines(byColumns.map((own, order) => ({ ...own, order }))).map(({ text }) => text), wanted)
})

t.test('a band that the stream ends in the right column comes before the next', async t => {
  const line = (text: string, y: number, column: number) =>
    ({ ...textLine(text, { y, x: column === 1 ? 310 : 60, width: 230 }), column })
  const painted = [
    ...[0, 1, 2].map(i => line(`body left ${i}`, 100 + 12 * i, 0)),
    ...[0, 1, 2].map(i => line(`body right ${i}`, 100 + 12 * i, 1)),
    ...[0, 1].map(i => line(`list left ${i}`, 200 + 12 * i, 0)),
    ...[0, 1].map(i => line(`list right ${i}`, 200 + 12 * i, 1))
  ].map((own, order) => ({ ...own, order }))
  t.same(orderLines(painted).map(({ text }) => text), painted.map(({ text }) => text))
})

t.test('numbers of headings are split off, quantities are not', async t => {
  t.same(splitNumber('2.1 Model'), { number: '2.1', title: 'Model' })
  t.same(splitNumber('IV. RESULTS'), { number: 'IV', title: 'RESULTS' })
  t.same(splitNumber('\u2160. \uC11C \uB860'), { number: '\u2160', title: '\uC11C \uB860' })
  t.same(splitNumber('5 % of them'), { number: '', title: '5 % of them' })
  t.equal(kindOf('A B S T R A C T'), 'other')
  t.equal(kindOf('Materials and Methods'), 'methods')
  t.equal(kindOf('Results and discussion'), 'results')
  t.equal(kindOf('\uCC38\uACE0\uBB38\uD5CC'), 'references')
})

t.test('references are split by number or by hanging indent', async t => {
  const entry = (text: string, y: number, x = 60) => textLine(text, { y, x, width: 300 })
  const numbered = [entry('[1] A. One, First, 2001.', 10), entry('goes on here.', 22, 75), entry('[2] B. Two, Second, 2002.', 34), entry('[3] C. Three, Third, 2003, doi:10.1000/abc.', 46)]
  t.match(splitReferences(numbered, new Map()), [{ label: '1', year: 2001 }, { label: '2' }, { doi: '10.1000/abc' }])
  const hanging = [entry('One, A. First of all.', 10), entry('goes on, 2001.', 22, 75), entry('Two, B. Second.', 34), entry('2002, and on.', 46, 75)]
  t.equal(splitReferences(hanging, new Map()).length, 2)
})

t.test('ink is found where no text was wiped', async t => {
  const pixels = { width: 100, height: 100, data: new Uint8Array(30_000).fill(255) }
  for (let y = 20; y < 60; y++) pixels.data.fill(0, (y * 100 + 30) * 3, (y * 100 + 70) * 3)
  pixels.data.fill(0, (90 * 100 + 10) * 3, (90 * 100 + 80) * 3)
  const found = findInk(pixels, { wipe: [[0, 85, 100, 95]], reach: 4, scale: 1 })
  t.same(found, [[30, 20, 70, 60]])
})

t.test('garbled text is known by its words', async t => {
  const sound = 'these ordinary words have vowels inside them '.repeat(20)
  t.equal(isGarbled(sound), false)
  t.equal(isGarbled('xq\u00A4zt r\u00B6\u00A7kpl wvbn#~q $$hj '.repeat(40)), true)
})

t.test('a page drawn from glyphs becomes title, abstract and sections', async t => {
  const page = drawPage([
    { text: 'A Study of Synthetic Pages for Parsers', x: 60, y: 60, size: 18, font: 1 },
    { text: 'Ada Lovelace and Charles Babbage', x: 60, y: 90, size: 11 },
    { text: 'Abstract', x: 60, y: 120, size: 11, font: 1 },
    ...prose('The abstract says what the paper is about and ends soon.', { from: 135, lines: 4 }),
    { text: '1 Introduction', x: 60, y: 220, size: 12, font: 1 },
    ...prose('Running text of the introduction follows its heading in order.', { from: 236, lines: 8 }),
    { text: '2 Methods', x: 60, y: 360, size: 12, font: 1 },
    ...prose('Methods are told in as many lines as there are in this list.', { from: 376, lines: 8 })
  ])
  const layout = layOut([page], fonts)
  const structure = findStructure(layout, findFloats(layout, new Map()), '')
  t.equal(structure.title, 'A Study of Synthetic Pages for Parsers')
  t.same(structure.authors.map(({ name }) => name), ['Ada Lovelace', 'Charles Babbage'])
  t.match(structure.abstract?.text, /^The abstract says .* ends soon\.$/)
  t.same(structure.sections.map(({ heading }) => `${heading?.number} ${heading?.title}`), ['1 Introduction', '2 Methods'])
  t.equal(structure.sections[0]?.lines.length, 8)
})

function prose (text: string, { from, lines }: { from: number, lines: number }) {
  return Array.from({ length: lines }, (_, i) => ({ text, x: 60, y: from + 12 * i, size: 10 }))
}
