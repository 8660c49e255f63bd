import t from 'tap'
import { splitParts } from '../domain/abstract.ts'
import { findAuthors } from '../domain/authors.ts'
import { headingLevels } from '../domain/heading-levels.ts'
import { splitNumber } from '../domain/heading-number.ts'
import type { Heading } from '../domain/headings.ts'
import { findContents, findReports } from '../domain/left-out.ts'
import type { Line } from '../domain/line.ts'
import { findMentions } from '../domain/mentions.ts'
import { readMarkedNames } from '../domain/names.ts'
import { settleOutline, settleRunIns } from '../domain/outline.ts'
import { readReference } from '../domain/reference-entry.ts'
import { closesList, findBareList, splitReferences } from '../domain/references.ts'
import { layOut } from '../domain/layout.ts'
import { findRunIns } from '../domain/run-in.ts'
import { findFloats } from '../domain/floats.ts'
import { findStructure } from '../domain/structure.ts'
import { drawPage, fonts, textLine } from './fixtures/glyph-page.ts'

/** "2.1 Model" in a style such as "b" (bold), "bi", "i", "bC"; stacked below the heading before with ">". */
function headings (...texts: [style: string, text: string][]): Heading[] {
  return texts.map(([style, text], i) => {
    const { number, title } = splitNumber(text)
    const runIn = style.includes('r')
    return {
      lines: [textLine(text, { y: 100 + 40 * i })],
      number,
      title,
      runIn,
      style: `1|10|${style.replace(/[>r]/g, '')}`,
      score: 4,
      isolated: true,
      stacked: style.includes('>')
    }
  })
}

const flowOf = (found: readonly Heading[]) => found.flatMap(({ lines }) => lines)

t.test('numbers of many forms are split off', async t => {
  const split = (text: string) => Object.values(splitNumber(text))
  t.same(split('2.1 | Study area'), ['2.1', 'Study area'])
  t.same(split('\u25A0 INTRODUCTION'), ['', 'INTRODUCTION'])
  t.same(split('\uC81C1\uC7A5 \uC11C\uB860'), ['1', '\uC11C\uB860'])
  t.same(split('\uAC00. \uBC30\uACBD'), ['\uAC00', '\uBC30\uACBD'])
  t.same(split('A.1 Proofs'), ['A.1', 'Proofs'])
  t.same(split('Appendix B: Proofs'), ['B', 'Proofs'])
  t.same(split('5 mg of it'), ['', '5 mg of it'])
  t.same(split('A model of it'), ['', 'A model of it'])
})

t.test('forms of numbers nest as they stand', async t => {
  t.same(headingLevels(headings(['C', 'I. INTRODUCTION'], ['C', 'II. METHODS'], ['i', 'A. Data'], ['i', '1) Source'], ['i', 'B. Model'], ['C', 'III. RESULTS'])), [1, 1, 2, 3, 2, 1])
  t.same(headingLevels(headings(['b', '\u2160. \uC11C \uB860'], ['b', '\u2161. \uBCF8 \uB860'], ['b', '2. \uC124\uACC4'], ['b', '2-1 \uAD6C\uC870'], ['b', '\u2162. \uACB0 \uB860'])), [1, 1, 2, 3, 1])
  t.same(headingLevels(headings(['b', '1 Introduction'], ['b', '2 Results'], ['b', '2.1 Speed'], ['b', 'References'], ['b', 'A Proofs'])), [1, 1, 2, 1, 1])
})

t.test('styles without numbers nest by what stands on what', async t => {
  const found = headings(['b', 'Introduction'], ['b', 'Methods'], ['bi>', 'Materials'], ['bi', 'Assays'], ['i>', 'Blending'],
    ['i', 'Ageing'], ['b', 'Results'], ['bi', 'Fatty acids'], ['b', 'Discussion'], ['bir', 'Funding'])
  t.same(headingLevels(found), [1, 1, 2, 2, 3, 3, 1, 2, 1, 1])
})

t.test('in a numbered paper labels and theorems are no sections, statements behind it are', async t => {
  const found = headings(['b', '1 Introduction'], ['b', '2 Model'], ['i', 'Theorem 1'], ['x', 'Answering the question'],
    ['b', '3 Results'], ['b', '4 Conclusion'], ['x', 'Data availability'])
  const kept = settleOutline(found, flowOf(found)).map(({ title }) => title)
  t.same(kept, ['Introduction', 'Model', 'Results', 'Conclusion', 'Data availability'])
  const leads = headings(['r', 'Workshop'], ['r', 'Conflict of interest'])
  const flow = [...flowOf(kept.length > 0 ? found : []), ...flowOf(leads)]
  t.same(settleRunIns(leads, found.filter(({ number }) => number !== ''), flow).map(({ title }) => title), ['Conflict of interest'])
})

t.test('contents and reviewers\' reports are told from the paper', async t => {
  const lines = ['Contents', '1 Introduction . . . . . 2', '2 Methods . . . . . 3', '3 Results', '5', '1 Introduction', 'Running text of the introduction begins here and goes on.']
    .map((text, i) => textLine(text, { y: 60 + 14 * i }))
  t.same([...findContents(lines)].map(({ text }) => text), lines.slice(0, 5).map(({ text }) => text))
  t.equal(findContents(lines.slice(5)).size, 0)
  const found = headings(['b', 'Peer review'], ['b', 'References'], ['b', 'Open Peer Review'], ['b', 'Version 1'])
  t.equal(findReports(found), found[2])
})

t.test('names and their marks are read from lists of many kinds', async t => {
  const names = (text: string) => readMarkedNames(text).map(({ name, marks }) => `${name}${marks.length > 0 ? ` ${marks.join('')}` : ''}`)
  t.same(names('Patrick N.J. Lane{a,c,}*, Alice E. Best{b} and Lu Zhang{c}'), ['Patrick N.J. Lane ac*', 'Alice E. Best b', 'Lu Zhang c'])
  t.same(names('Jane Roe, MD, MPH; Juan de la Cruz, PhD'), ['Jane Roe', 'Juan de la Cruz'])
  t.same(names('\uAE40\uCCA0\uC218*, \uC774\uC601\uD76C**'), ['\uAE40\uCCA0\uC218 *', '\uC774\uC601\uD76C **'])
  t.same(names('Department of Physics, University of Somewhere'), [])
  t.same(names('Received March 3, 2020'), [])
})

t.test('authors get the addresses that their marks name or that stand below them', async t => {
  const marked = (text: string, mark: string, y: number): Line => {
    const line = textLine(`${text}${mark}`, { y })
    const [span] = line.spans
    return { ...line, spans: [{ ...span!, text }, { ...span!, text: mark, raised: true }] }
  }
  const address = { ...textLine('1 University of Here', { y: 40, size: 8 }), font: 1 }
  const found = findAuthors([marked('Ada Lovelace', '1', 20), address], [])
  t.same(found, [{ name: 'Ada Lovelace', affiliations: ['University of Here'] }])
  const cell = (text: string, x: number, y: number) =>
    ({ ...textLine(text, { x, y, width: 100 }), font: y === 20 ? 0 : 1 })
  const cells = [
    cell('Ada Lovelace', 60, 20), cell('Mary Shelley', 300, 20),
    cell('University of Here', 60, 32), cell('Institute of There', 300, 32)
  ]
  t.same(findAuthors(cells, []).map(({ affiliations }) => affiliations), [['University of Here'], ['Institute of There']])
})

t.test('entries of many styles are taken apart', async t => {
  t.same(readReference('Simopoulos AP, Roe J. Fatty acids and chronic diseases. Food Rev Int 2004;20(1):77-90. doi: 10.1081/FRI-120028831.'),
    { title: 'Fatty acids and chronic diseases', authors: ['Simopoulos AP', 'Roe J'], year: 2004, doi: '10.1081/FRI-120028831' })
  t.match(readReference('Burba, C. M., and Frech, R. (2004). Raman study of phosphates. J. Electrochem. Soc. 151, 1032\u20132047.'),
    { title: 'Raman study of phosphates', authors: ['Burba, C. M.', 'Frech, R.'], year: 2004 })
  t.match(readReference('A. Cohan, S. Feldman, and D. van der Berg, \u201CA study of studies,\u201D in Proc. X, 2019, pp. 1\u20139.'),
    { title: 'A study of studies', authors: ['A. Cohan', 'S. Feldman', 'D. van der Berg'], year: 2019 })
  const bare = readReference('K. Nakashima and D. Tanaka, J. Am. Chem. Soc., 2010, 12, 3.')
  t.same(bare, { authors: ['K. Nakashima', 'D. Tanaka'], year: 2010 })
  t.equal(readReference('Nergiz C. Food Chem 1991;39:237. doi:10.1016/0308-8146(91)90164-j.').doi, '10.1016/0308-8146(91)90164-j')
})

t.test('a list is split where most entries take one line, and a DOI goes on over a line end', async t => {
  const entry = (text: string, y: number, x = 60) => textLine(text, { y, x, width: x > 60 ? 285 : 300 })
  const lines = ['Atteia, J. 2003, GCN, 2256', 'Berger, E., & Frail, D. A. 2001, ApJ, 560', 'Castro Ceron, J. M., Hjorth, J., et al. 2006,', '>ApJ, 653, L85', 'Condon, J. J. 1992, ARA&A, 30, doi:10.1016/j.foo.', '>2008.01.016', 'Fox, D. W. 2002, GCN, 1249']
    .map((text, i) => entry(text.replace('>', ''), 10 + 12 * i, text.startsWith('>') ? 75 : 60))
  const found = splitReferences(lines, new Map())
  t.equal(found.length, 5)
  t.equal(found[3]?.doi, '10.1016/j.foo.2008.01.016')
  t.ok(closesList({ ...textLine('Copyright \u00A9 2020 Roe. This is an open-access article', { y: 10 }) }))
})

t.test('a list without a heading may begin among the notes of the page before', async t => {
  const entry = (i: number, page: number) => ({ ...textLine(`${i}Roe J., Title ${i}, Journal, 2001.`, { y: 12 * i }), page })
  const notes = [1, 2, 3].map(i => [entry(i, 1)])
  const lines = [{ ...textLine('The text ends here.', { y: 8 }), page: 2 }, ...Array.from({ length: 9 }, (_, i) => entry(i + 4, 2))]
  t.match(findBareList(lines, notes), { at: 1, notes })
  t.equal(findBareList(lines, []), undefined)
})

t.test('parts of an abstract are told by labels in capitals too', async t => {
  const parts = splitParts('IMPORTANCE Little is known of it. DESIGN, SETTING, AND PARTICIPANTS This study had 20. CONCLUSIONS AND RELEVANCE It works.')
  t.same(parts.map(({ label }) => label), ['IMPORTANCE', 'DESIGN, SETTING, AND PARTICIPANTS', 'CONCLUSIONS AND RELEVANCE'])
  t.same(splitParts('Results of this kind are rare. We found some.'), [])
})

t.test('mentions keep to their kind and name ranges of lettered numbers', async t => {
  const keys = (text: string) => findMentions(text).map(({ kind, key }) => `${kind} ${key}`)
  t.same(keys('Figs. S1\u2013S3'), ['figure S1', 'figure S2', 'figure S3'])
  t.same(keys('Table 1 and Fig. 3'), ['table 1', 'figure 3'])
  t.same(keys('Figs. 1(a) and 2(b)'), ['figure 1', 'figure 2'])
  t.same(keys('Plate 1; Scheme 2'), ['figure plate1', 'figure scheme2'])
})

t.test('a bold lead with a stop is a section where sections have no numbers', async t => {
  const prose = (from: number, lines: number) => Array.from({ length: lines }, (_, i) =>
    ({ text: 'Running text of this section goes on for the whole of the line.', x: 60, y: from + 12 * i, size: 10 }))
  const lead = (text: string, y: number) => [
    { text, x: 60, y, size: 10, font: 1 },
    { text: 'Text goes on behind the name on the line.', x: 60 + 5 * text.length + 5, y, size: 10 }
  ]
  const page = drawPage([
    { text: 'A Study of Synthetic Pages for Parsers', x: 60, y: 60, size: 18, font: 1 },
    { text: 'Introduction', x: 60, y: 120, size: 13, font: 1 }, ...prose(136, 6),
    { text: 'Methods', x: 60, y: 240, size: 13, font: 1 },
    ...lead('Sample preparation.', 256), ...prose(268, 4), ...lead('Statistical tests.', 330), ...prose(342, 4)
  ])
  const layout = layOut([page], fonts)
  const { sections } = findStructure(layout, findFloats(layout, new Map()), '')
  t.same(sections.map(({ heading }) => `${heading?.title} ${heading?.runIn}`), [
    'Introduction false', 'Methods false', 'Sample preparation true', 'Statistical tests true'
  ])
})

t.test('a dotted number in bold opens a run-in without a stop, a number of a list does not', async t => {
  const bold = (text: string, y: number, numberFont = 1): Line => {
    const [number = '', ...rest] = text.split(' ')
    const at = { x0: 60, x1: 60 + 5 * text.length }
    const lead = { ...at, font: 1, size: 10, bold: true, italic: false, raised: false }
    const plain = { ...lead, font: 0, bold: false }
    const spans = numberFont === 1
      ? [{ ...lead, text: `${text} ` }]
      : [{ ...plain, text: `${number} ` }, { ...lead, text: `${rest.join(' ')} ` }]
    const line = textLine(`${text} The text goes on behind it.`, { y })
    const behind = { ...plain, text: 'The text goes on behind it.', x0: lead.x1 + 5, x1: line.box[2] }
    return { ...line, spans: [...spans, behind] }
  }
  const body = { size: 10, fonts: new Set([0]), leading: 12, bold: false }
  const read = (line: Line) => findRunIns([line, textLine('and ends on the next line of it.', { y: 112 })], new Set(), body)
    .map(({ number, title }) => `${number} ${title}`)
  t.same(read(bold('3.1 Second-Level Headings', 100)), ['3.1 Second-Level Headings'])
  t.same(read(bold('3.1 Second-Level Headings', 100, 0)), [])
  t.same(read(bold('3 Weighted Sum', 100)), [])
})
