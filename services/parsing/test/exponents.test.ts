import t from 'tap'
import { exponentWarnings } from '../domain/exponent-warnings.ts'

const box: [number, number, number, number] = [0, 0, 0, 0]
const paragraph = (text: string) => ({ id: 'p1', text, page: 3, box })
const draft = (text: string, kind: 'methods' | 'references' = 'methods') => ({
  abstract: null,
  sections: [{ id: 's1', kind, level: 1, title: 'Cells', page: 3, paragraphs: [paragraph(text)] }],
  figures: [],
  tables: [],
  footnotes: []
} as unknown as Parameters<typeof exponentWarnings>[0])

t.test('a document says once where exponents stand on the line', async t => {
  t.match(exponentWarnings(draft('Of 1.2 × 104 cells few live. They were 1.5 × 108 before. All is well.')), [{
    code: 'exponent-uncertain', page: 3, detail: /2 sentences or cells, among them "Of 1\.2 × 104 cells few live\." \(page 3\)/
  }])
  t.same(exponentWarnings(draft('Of 1.2 × 10⁴ cells few live.')), [])
  t.same(exponentWarnings(draft('Of 1.2 × 104 cells.', 'references')), [])
})
