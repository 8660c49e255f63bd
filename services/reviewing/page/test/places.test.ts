import t from 'tap'
import { captionText, document, paragraphText, quoted } from '../../test/fixtures.ts'

const { boxesOf, byTarget, firstPageOf, marksOf, placeOf, segmentsOf, shareOf, textOf } =
  await import(new URL('../places.js', import.meta.url).href)

const { namesOf } = await import(new URL('../names.js', import.meta.url).href)
const { ApiError, faultIn } = await import(new URL('../api.js', import.meta.url).href)

const inParagraph = (quote: string) => quoted(quote, { type: 'paragraph', id: 'p1' })
const joined = (segments: Array<{ text: string }>) => segments.map(({ text }) => text).join('')

t.test('boxes are those of what the evidence stands in, over page breaks, caption apart', async t => {
  t.same(boxesOf(inParagraph('12 %'), document).map(({ page }: { page: number }) => page), [1, 2])
  const figure = boxesOf(quoted('3 mm/s', { type: 'figure', id: 'f1' }, 2), document)
  t.same(figure.map(({ caption }: { caption: boolean }) => caption), [false, true])
  const flat = { ...document, abstract: { ...document.abstract, box: [0, 0, 0, 0] } }
  t.same(boxesOf(quoted('dry air', { type: 'abstract' }), flat), [], 'a source without pages has none')
  t.same(boxesOf(quoted('dry air', { type: 'abstract' }), { ...document, abstract: null }), [])
})

t.test('evidence is framed once, and so is a figure that is asked about', async t => {
  const looks = (item: object) => marksOf(item, document).map(({ look, page }: any) => `${look} ${page}`)
  const text = [inParagraph('12 %'), inParagraph('type A')]
  t.same(looks({ evidence: text, figureIds: ['f1'] }), ['evidence 1', 'evidence 2', 'asked 2'])
  const caption = [quoted('3 mm/s', { type: 'figure', id: 'f1' }, 2)]
  t.same(looks({ evidence: caption, figureIds: ['f1'] }), ['evidence 2', 'evidence caption 2'])
})

t.test('a box is a share of its page, a little larger than the ink', async t => {
  t.same(shareOf([103, 53, 297, 147], { width: 600, height: 800 }),
    { left: 100 / 6, top: 6.25, width: 200 / 6, height: 12.5 })
})

t.test('quotes are marked in their text, which is whole where it is short', async t => {
  const quotes = [inParagraph('12 % faster'), inParagraph('type A')]
  t.equal(byTarget([...quotes, quoted('dry', { type: 'abstract' })]).length, 2)
  const segments = segmentsOf(quotes, textOf(quotes[0], document))
  t.same(segments.filter(({ quoted }: any) => quoted).map(({ text }: any) => text), ['type A', '12 % faster'])
  t.equal(joined(segments), paragraphText)
  t.equal(textOf(quoted('3 mm/s', { type: 'figure', id: 'f1' }), document), captionText)
})

t.test('a quote is marked by code points, also behind letters of two code units', async t => {
  const text = '𝛼𝛽 falls by 3 %.'
  const segments = segmentsOf([{ quote: '3 %', charStart: 12, charEnd: 15 }], text)
  t.same(segments, [{ text: '𝛼𝛽 falls by ', quoted: false }, { text: '3 %', quoted: true }, { text: '.', quoted: false }])
})

t.test('what is far from a quote is left out at a space, and a quote that is not at its place stands alone', async t => {
  const text = `${'word '.repeat(100)}QUOTE${' after'.repeat(100)}`
  const segments = segmentsOf([{ quote: 'QUOTE', charStart: 500, charEnd: 505 }], text)
  t.match(joined(segments), /^… word (word )*QUOTE( after)* …$/)
  t.ok(joined(segments).length < 550)
  t.same(segmentsOf([{ quote: 'gone', charStart: 0, charEnd: 4 }], text), [{ text: 'gone', quoted: true }])
})

t.test('an item opens at its evidence, and says what it asks about', async t => {
  const item = { evidence: [inParagraph('12 %')], figureIds: [], place: 's1' }
  t.equal(firstPageOf(item, document), 1)
  t.equal(firstPageOf({ evidence: [], figureIds: ['f1'] }, document), 2)
  t.equal(placeOf(item, document), 'Section 1 Results')
  t.equal(placeOf({ place: 'f1' }, document), 'Figure 7')
  t.equal(placeOf({ place: 's1' }, undefined), '')
})

t.test('a reviewing goes by its papers and how its items came about, and no two by the same name', async t => {
  const reviewing = (id: string, generationId: string, own: object = {}) => ({
    id, source: { generationId }, recipe: { strategy: 'mechanical' }, state: 'succeeded', verdictCounts: { unreviewed: 7 }, progress: { done: 1, total: 1 }, ...own
  })
  const generations = [
    { id: 'gen_1', paperIds: ['one'], recipe: { strategy: 'extractive', kinds: ['qa', 'binary'] } },
    { id: 'gen_2', paperIds: ['two', 'one', 'three'], recipe: { strategy: 'model', model: 'm', kinds: ['vqa'] } }
  ]
  const papers = [{ id: 'one', title: 'On Dust', fileName: 'a.pdf' }, { id: 'two', title: null, fileName: 'b.pdf' }]
  const model = { recipe: { strategy: 'model', model: 'n' }, state: 'running', progress: { done: 2, total: 9 } }
  t.same(namesOf([reviewing('rvg_1', 'gen_1'), reviewing('rvg_2', 'gen_2', model)], { generations, papers }), [
    'On Dust · qa, binary by extractive · checked · 7 items', 'b.pdf and 2 more · vqa by m · reviewed by n · running, 2 of 9 tasks'
  ])
  const twice = [reviewing('rvg_aaaaaaaa0', 'gen_00112233445'), reviewing('rvg_bbbbbbbb0', 'gen_00112233445')]
  t.same(namesOf(twice, { generations: [], papers: [] }), [
    'Generation 00112233 · checked · 7 items · aaaaaaaa', 'Generation 00112233 · checked · 7 items · bbbbbbbb'
  ])
})

t.test('what does not fit is counted from 1, as its field is', async t => {
  const errors = [{ pointer: '/body/edit/evidence/0/quote', detail: 'does not stand in the paper' }]
  t.equal(faultIn(new ApiError(400, { detail: 'No.', errors })), 'edit evidence 1 quote does not stand in the paper')
})
