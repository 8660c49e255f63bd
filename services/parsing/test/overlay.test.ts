import t from 'tap'
import type { Document } from '../../../shared/contracts/document.ts'
import { drawMarks } from '../domain/draw-marks.ts'
import { markColors, marksOf } from '../domain/marks.ts'

const box = [10, 10, 50, 20]
const section = { id: 's1', number: '1', title: 'Stones', level: 1, parentId: null, kind: 'other', runIn: false, page: 1, box } as const
const document: Document = {
  paperId: 'pap_',
  documentHash: 'doc_',
  schemaVersion: 1,
  parser: { engine: 'x', version: '1' },
  language: 'en',
  title: '',
  authors: [],
  abstract: null,
  pages: [],
  sections: [{ ...section, box: [...box], paragraphs: [{ id: 'p1', text: 'On stones', page: 1, box: [10, 30, 50, 60], continues: [{ page: 2, box: [10, 10, 50, 40] }] }] }],
  figures: [{ id: 'f1', label: 'Figure 1', caption: '', page: 2, box: [10, 50, 50, 80], captionBox: [10, 82, 50, 90], imageId: null, width: 0, height: 0, sectionId: 's1', placedBy: 'mention', mentions: [] }],
  tables: [{ id: 't1', label: 'Table 1', caption: '', page: 1, box: [0, 0, 0, 0], captionBox: [0, 0, 0, 0], sectionId: null, mentions: [] }],
  equations: [],
  references: [],
  highlights: { problem: [], solution: [], results: [] },
  footnotes: [],
  warnings: []
}

t.test('marks are what stands on the page, numbered in reading order, nothing without a size', async t => {
  t.match(marksOf(document, 1), [{ kind: 'heading', place: 1 }, { kind: 'paragraph', place: 2, box: [10, 30, 50, 60] }])
  t.equal(marksOf(document, 1).length, 2)
  t.same(marksOf(document, 2).map(({ kind, place }) => [kind, place]), [['paragraph', 1], ['figure', null], ['caption', null]])
  t.same(marksOf(document, 3), [])
})

t.test('boxes, ways and numbers are drawn, and nothing outside the picture', async t => {
  const blank = () => ({ width: 120, height: 160, data: new Uint8Array(120 * 160 * 3).fill(255) })
  const at = ({ width, data }: ReturnType<typeof blank>, x: number, y: number) =>
    data.slice(3 * (y * width + x), 3 * (y * width + x) + 3).reduce((sum, value) => sum * 256 + value, 0)
  const drawn = blank()
  drawMarks(drawn, marksOf(document, 1), 2)
  t.equal(at(drawn, 60, 18), markColors.heading)
  t.equal(at(drawn, 60, 58), markColors.paragraph)
  t.not(at(drawn, 60, 100), 0xFFFFFF)
  t.equal(at(drawn, 118, 158), 0xFFFFFF)
  t.not(at(drawn, 20, 40), at(drawn, 40, 40), 'the way from the first to the second')
  const outside = blank()
  drawMarks(outside, [{ kind: 'figure', box: [-50, -50, 500, 1e9], place: 12_345 }], 2)
  t.equal(outside.data.length, 120 * 160 * 3)
  const unmarked = blank()
  t.same(drawMarks(unmarked, [], 2), blank())
})
