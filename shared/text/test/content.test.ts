import t from 'tap'
import type { Document, Section } from '../../contracts/document.ts'
import { estimateTokens } from '../content-budget.ts'
import { contentModes, contentOf } from '../content.ts'
import { escaped, markdownOf } from '../markdown.ts'

const box = [0, 0, 1, 1]
function section (id: string, parentId: string | null, ...texts: string[]): Section {
  return {
    id,
    number: id.slice(1),
    title: `Title ${id}`,
    level: parentId === null ? 1 : 2,
    parentId,
    kind: 'other',
    runIn: false,
    page: 1,
    box,
    paragraphs: texts.map((text, i) => ({ id: `${id}p${i}`, text, page: 1, box }))
  }
}
const highlight = (text: string) => ({ text, sectionId: null, paragraphId: null, keyword: 'x', score: 1 })
const document: Document = {
  paperId: 'pap_',
  documentHash: 'doc_',
  schemaVersion: 1,
  parser: { engine: 'x', version: '1' },
  language: 'en',
  title: 'A paper',
  authors: [{ name: 'Ada *Lovelace*' }],
  abstract: { text: 'What it is about.', page: 1 },
  pages: [],
  sections: [
    section('s1', null, 'First of one.', 'Second of one.'),
    section('s2', null, 'Enzyme kinetics of the mutant were measured.'),
    section('s2.1', 's2', 'Deeper text.')
  ],
  figures: [{ id: 'f1', label: 'Figure 1', caption: 'A curve.', page: 1, box, captionBox: box, imageId: 'i', width: 1, height: 1, sectionId: 's1', placedBy: 'mention', mentions: [] }],
  tables: [{ id: 't1', label: 'Table 1', caption: 'Rates.', page: 1, box, captionBox: box, rows: [['k', '|'], ['1', '2']], sectionId: null, mentions: [] }],
  equations: [],
  references: [{ id: 'r1', label: '[1]', text: 'Some book.' }],
  highlights: { problem: [highlight('It is hard.')], solution: [highlight('We do it.')], results: [] },
  footnotes: [],
  warnings: []
}
const kinds = (content: ReturnType<typeof contentOf>) => content.parts.map(({ kind, id }) => `${kind} ${id}`)

t.test('contentOf', async t => {
  t.test('full is the whole paper in order', async t => {
    const content = contentOf(document, { mode: 'full' })
    t.same(kinds(content), [
      'title title', 'abstract abstract', 'heading s1', 'paragraph s1p0', 'paragraph s1p1', 'caption f1', 'heading s2', 'paragraph s2p0', 'heading s2.1', 'paragraph s2.1p0', 'table t1', 'reference r1'
    ])
    t.same(content.leftOut, [])
    t.equal(content.tokens, estimateTokens(content.text))
    t.match(content.text, 'Table 1: Rates.\nk | |\n1 | 2')
  })

  t.test('sections is one section with its subsections, or all', async t => {
    t.same(kinds(contentOf(document, { mode: 'sections', sectionId: 's2' })), ['heading s2', 'paragraph s2p0', 'heading s2.1', 'paragraph s2.1p0'])
    t.equal(contentOf(document, { mode: 'sections' }).parts.length, 7)
    t.throws(() => contentOf(document, { mode: 'sections', sectionId: 's9' }), { kind: 'section-not-found', message: /s9/ })
  })

  t.test('semantic is abstract, highlights, section, in that order', async t => {
    const content = contentOf(document, { mode: 'semantic', sectionId: 's1' })
    t.same(kinds(content), ['abstract abstract', 'highlights problem', 'highlights solution', 'heading s1', 'paragraph s1p0', 'paragraph s1p1'])
    t.match(content.text, 'Problem\n- It is hard.')
  })

  t.test('retrieved is what answers the query, in reading order', async t => {
    const one = contentOf(document, { mode: 'retrieved', query: 'enzyme kinetics', maxTokens: 12 })
    t.same(kinds(one), ['paragraph s2p0'])
    t.match(one.leftOut, [/^6 of 7 passages/])
    t.throws(() => contentOf(document, { mode: 'retrieved', query: ' ' }), { kind: 'invalid-request', message: /query/ })
  })

  t.test('oracle is the evidence and none is nothing', async t => {
    const evidence = [{ quote: 'First of one.', target: { id: 's1p0' } }, { quote: 'A curve.' }]
    t.equal(contentOf(document, { mode: 'oracle', evidence }).text, 'First of one.\n\nA curve.')
    t.throws(() => contentOf(document, { mode: 'oracle' }), { kind: 'invalid-request', message: /evidence/ })
    t.same(contentOf(document, { mode: 'none' }), { text: '', parts: [], tokens: 0, leftOut: [], figureIds: [] })
  })

  t.test('oracle by id is those parts in reading order', async t => {
    t.same(kinds(contentOf(document, { mode: 'oracle', paragraphIds: ['f1', 's2p0', 'abstract'] })), ['abstract abstract', 'paragraph s2p0', 'caption f1'])
    t.throws(() => contentOf(document, { mode: 'oracle', paragraphIds: ['s2p0', 's7p0'] }), { kind: 'invalid-request', message: /s7p0/ })
  })

  t.test('on a figure: its caption, what mentions it, then the rest of its section', async t => {
    const [figure] = document.figures
    const mentioned = { ...document, figures: [{ ...figure!, mentions: [{ sectionId: 's1', paragraphId: 's1p1' }, { sectionId: 's2.1', paragraphId: 's2.1p0' }] }] }
    const content = contentOf(mentioned, { mode: 'semantic', figureId: 'f1' })
    t.same(kinds(content).slice(3), [
      'caption f1', 'heading s1', 'paragraph s1p1', 'heading s2.1', 'paragraph s2.1p0', 'paragraph s1p0'
    ])
    t.same(content.figureIds, ['f1'])
    t.match(contentOf(mentioned, { mode: 'sections', figureId: 'f1', maxTokens: 20 }).leftOut.at(-1), 's1p0')
    t.throws(() => contentOf(document, { mode: 'sections', figureId: 'f7' }), { kind: 'figure-not-found', message: /f7/ })
    t.throws(() => contentOf(document, { mode: 'sections', figureId: 'f1', sectionId: 's1' }), { kind: 'invalid-request', message: /not both/ })
  })

  t.test('every figure that the text speaks of is named by its id', async t => {
    const [figure] = document.figures
    const mentioned = { ...document, figures: [{ ...figure!, mentions: [{ sectionId: 's2', paragraphId: 's2p0' }] }] }
    t.same(contentOf(mentioned, { mode: 'sections', sectionId: 's2' }).figureIds, ['f1'])
    t.same(contentOf(mentioned, { mode: 'sections', sectionId: 's1' }).figureIds, [])
    t.same(contentOf(mentioned, { mode: 'full' }).figureIds, ['f1'])
  })

  t.test('every budget holds, and whatever it cuts is stated', async t => {
    for (const mode of contentModes) {
      const options = { mode, query: 'enzyme text', evidence: [{ quote: 'First of one.' }] }
      const whole = contentOf(document, options)
      for (let maxTokens = 1; maxTokens <= whole.tokens + 1; maxTokens++) {
        const content = contentOf(document, { ...options, maxTokens })
        t.ok(content.tokens <= maxTokens, `${mode} ${maxTokens}`)
        t.equal(content.text === whole.text, content.leftOut.join() === whole.leftOut.join(), `${mode} ${maxTokens}`)
      }
    }
    const { text, leftOut } = contentOf(document, { mode: 'full', maxTokens: 10 })
    t.equal(text, 'A paper\n\nAbstract\nWhat it is about.')
    t.same(leftOut, ['heading s1', '2 of paragraph, s1p0 to s1p1', 'caption f1'].concat(leftOut.slice(3)))
    t.throws(() => contentOf(document, { mode: 'full', maxTokens: 0 }), { kind: 'invalid-request', message: /maxTokens/ })
  })

  t.test('a cut never splits a character', async t => {
    const emoji = { ...document, abstract: { text: '🙂🙂 🙂🙂🙂', page: 1 }, highlights: { problem: [], solution: [], results: [] } }
    for (let maxTokens = 1; maxTokens < 10; maxTokens++) {
      const { text } = contentOf(emoji, { mode: 'semantic', maxTokens })
      t.equal(Buffer.from(text).toString(), text)
    }
  })
})

t.test('markdownOf', async t => {
  t.test('gives headings, captions, tables and references', async t => {
    const markdown = markdownOf(document)
    t.match(markdown, /^# A paper\n\nAda \\\*Lovelace\\\*\n\n## Abstract\n/)
    t.match(markdown, '\n### 2.1 Title s2.1\n')
    t.match(markdown, '![Figure 1](figures/f1/image)\n\n**Figure 1** A curve.')
    t.match(markdown, '| k | \\| |\n| --- | --- |\n| 1 | 2 |')
    t.match(markdown, '- \\[1\\] Some book.')
  })

  const cases: Array<[string, string]> = [
    ['<img src=x onerror=alert(1)>', '\\<img src=x onerror=alert(1)\\>'],
    ['[a](javascript:alert(1))', '\\[a\\](javascript\\:alert(1))'],
    ['see http://x.example and www.x.example', 'see http\\://x.example and www\\.x.example'],
    ['![x](y)', '!\\[x\\](y)'],
    ['a\n\n# b\n---\n', 'a # b ---'],
    ['# no heading', '\\# no heading'],
    ['1. no list', '1\\. no list'],
    ['- no list', '\\- no list'],
    ['&lt;b&gt;', '\\&lt;b\\&gt;'],
    ['`code` $x^2$ ~~y~~', '\\`code\\` \\$x\\^2\\$ \\~\\~y\\~\\~'],
    ['a\\', 'a\\\\']
  ]
  for (const [text, expected] of cases) {
    t.test(`shows ${JSON.stringify(text)} as it is`, async t => { t.equal(escaped(text), expected) })
  }
})
