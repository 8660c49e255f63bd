/** The measures themselves: a wrong figure here would be believed everywhere. */
import t from 'tap'
import type { Document } from '../../shared/contracts/document.ts'
import { withXml } from '../bench/parsing/corpus.ts'
import { readJats } from '../bench/parsing/jats.ts'
import { macroOf, read, sumOf, yes } from '../bench/parsing/measures.ts'
import { isExpected } from '../bench/parsing/nasty.ts'
import { scorePaper } from '../bench/parsing/score.ts'
import { pairsInOrder, tokensOf } from '../bench/parsing/text.ts'

const xml = `<?xml version="1.0"?><!DOCTYPE article [<!ENTITY x "y">]><article xmlns:xlink="x"><front><article-meta>
<title-group><article-title>On <italic>stones</italic><fn><p>note</p></fn></article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Smith</surname><given-names>A</given-names></name></contrib></contrib-group>
<abstract><p><bold>Background:</bold> Stones are heavy. <bold>Methods:</bold> We weighed &lt;stones&gt;.</p></abstract></article-meta></front>
<body><sec><title>1. Introduction</title><p>Stones lie in rivers and on hills everywhere<sup><xref ref-type="bibr" rid="b1">1</xref></sup>
and few people weigh any of them<fig id="f1"><label>Figure 1</label><caption><p>A stone.</p></caption></fig>, see <xref ref-type="fig" rid="f1">Fig. 1</xref>.</p>
<disp-formula><label>(1)</label><tex-math>a=b</tex-math></disp-formula></sec>
<sec><title>Methods</title><p>We weighed all stones twice on the same scale in one long summer.</p></sec></body>
<back><ack><p>We thank the river.</p></ack><ref-list><ref id="b1"><element-citation><name><surname>Doe</surname></name><year>2001</year><volume>3</volume><fpage>7</fpage></element-citation></ref></ref-list></back>
<sub-article><body><p>A review of it.</p></body></sub-article></article>`

const box = [0, 0, 1, 1]
function documentWith (...texts: string[]): Document {
  const paragraphs = texts.map((text, i) => ({ id: `p${i}`, text, page: 1, box }))
  return {
    paperId: 'pap_',
    documentHash: 'doc_',
    schemaVersion: 1,
    parser: { engine: 'x', version: '1' },
    language: 'en',
    title: 'On stones',
    authors: [{ name: 'A. Smith' }],
    abstract: { text: 'Background: Stones are heavy. Methods: We weighed <stones>.', page: 1 },
    pages: [],
    sections: [{ id: 's1', number: '1', title: 'Introduction', level: 1, parentId: null, kind: 'introduction', runIn: false, page: 1, box, paragraphs }],
    figures: [],
    tables: [],
    equations: [{ id: 'e1', number: '(1)', page: 1, box, text: 'a = b' }],
    references: [{ id: 'r1', label: '1', text: 'Doe, 3, 7 (2001)', year: 2001 }],
    highlights: { problem: [], solution: [], results: [] },
    footnotes: [],
    warnings: []
  }
}
const first = 'Stones lie in rivers and on hills everywhere1 and few people weigh any of them, see Fig. 1.'
const second = 'We weighed all stones twice on the same scale in one long summer.'
function scoreOf (document: Document) {
  const known = readJats(xml)
  return scorePaper({ document, lines: [] }, { truth: withXml({}, known), xml: known })
}

t.test('the publisher\'s XML is read as what is printed as text', async t => {
  const truth = readJats(xml)
  t.match(truth, {
    title: 'On stones',
    authors: ['A Smith'],
    abstract: [{ label: 'Background', text: 'Stones are heavy.' }, { label: 'Methods', text: 'We weighed <stones>.' }],
    sections: [{ number: '1', title: 'Introduction', kind: 'problem' }, { title: 'Methods', kind: 'solution' }],
    equations: ['1'],
    homes: [{ label: 'Figure 1', cited_in_section: 'Introduction' }],
    floats: [{ kind: 'figure', label: 'Figure 1', caption: 'A stone.' }],
    references: [{ years: [2001] }]
  })
  t.equal(truth.paragraphs.length, 2)
  t.notMatch(truth.paragraphs[0]?.required.join(' '), /a stone|everywhere 1/)
  t.same(truth.paragraphs[0]?.optional, ['1'])
})

t.test('body text and its order are measured', async t => {
  const right = scoreOf(documentWith(first, second))
  t.match([right.counts.body, right.counts.bodyFound].map(count => read(count, 'recall')), [1, 1])
  t.equal(read(right.counts.order, 'tau'), 1)
  const swapped = scoreOf(documentWith(second, first))
  t.equal(read(swapped.counts.body, 'recall'), 1)
  t.equal(read(swapped.counts.order, 'tau'), -1)
  t.match(swapped.misses.join(), 'paragraph out of order: We weighed')
  const half = scoreOf(documentWith(first, 'Received in May and accepted in June by the editors of a journal.'))
  t.ok((read(half.counts.body, 'recall') ?? 1) < 0.7)
  t.ok((read(half.counts.bodyFound, 'recall') ?? 1) < 0.8)
  t.match(half.misses.join(), /body missed: We weighed.*body extra p1: received in may/)
  t.match(half.counts, { equations: { hit: 1, found: 1, of: 1 }, years: { hit: 1, of: 1 } })
})

t.test('what the truth does not say is null, and left out of totals', async t => {
  const { counts } = scorePaper({ document: documentWith(first), lines: [] }, { truth: {}, xml: null })
  t.ok(Object.values(counts).every(count => count === null || count.of === 0), JSON.stringify(counts))
  t.equal(sumOf([null, null]), null)
  t.same(sumOf([yes(true), null, yes(false)]), { hit: 1, found: 2, of: 2 })
  t.equal(macroOf([null, { hit: 1, found: 1, of: 1 }, { hit: 1, found: 2, of: 2 }], 'recall'), 0.75)
  t.equal(read({ hit: 0, found: 3, of: 0 }, 'recall'), null)
  t.equal(read({ hit: 0, found: 0, of: 2 }, 'precision'), null)
})

t.test('tokens are runs of letters, runs of digits and single CJK characters', async t => {
  t.same(tokensOf('co-view Japan8 ﬁne\u00AD x² 제안'), ['co', 'view', 'japan', '8', 'fine', 'x', '2', '제', '안'])
  t.same(pairsInOrder([1, 3, 2]), { hit: 2, of: 3 })
})

t.test('hostile files: a crash is never expected, a typed problem only where one may be', async t => {
  const document = { document: { ...documentWith(first), warnings: [{ code: 'no-text-layer', detail: '' }] }, image: true }
  t.ok(isExpected('clear \'no text layer\' error/diagnostic', document))
  t.notOk(isExpected('clear \'no text layer\' error/diagnostic', { problem: 'paper-damaged' }))
  t.ok(isExpected('typed error \'encrypted\'', { problem: 'paper-encrypted' }))
  t.notOk(isExpected('typed error \'encrypted\'', document))
  t.ok(isExpected('typed error or a partial document', document))
  t.notOk(isExpected('no crash, bounded time', { problem: 'crash' }))
  t.notOk(isExpected('same text order as the original', { problem: 'paper-damaged' }))
})
