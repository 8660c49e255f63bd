import t from 'tap'
import { isTrivialFact, withoutTrivia } from '../trivial-facts.ts'

/** What is left, with what was taken out as one gap. */
const left = (text: string) => withoutTrivia(text).replaceAll(/\s+/gu, ' ').trim()

t.test('marks and years of citations and numbers of parts are blanked, and nothing moves', async t => {
  const cases: Array<[string, string]> = [
    ['Maps were drawn [42,43] of 12 fields.', 'Maps were drawn of 12 fields.'],
    ['Maps were drawn [KB06; Sm73a] of 12 fields.', 'Maps were drawn of 12 fields.'],
    ['Maps of science (Klavans and Boyack, 2006; Small 1973a) have 12 fields.', 'Maps of science have 12 fields.'],
    ['Small et al. (2014) found 12 fields.', 'found 12 fields.'],
    ['Boyack (2006) found 12 fields.', 'Boyack found 12 fields.'],
    ['홍길동(2006)은 12개 분야를 찾았다.', '홍길동 은 12개 분야를 찾았다.'],
    ['We 1) draw, 2) count and (3) cut 12 maps.', 'We draw, count and cut 12 maps.'],
    ['As in Tables 3 and 4 and Section 2.1, Eq. (5) gives 12 m.', 'As in and , gives 12 m.'],
    ['제3장과 그림 4-1은 12개 분야를 보인다.', '과 은 12개 분야를 보인다.'],
    ['4-1 Setup of 12 lamps', 'Setup of 12 lamps'],
    ['It follows older methods.12,13 There are 12 lamps.', 'It follows older methods. There are 12 lamps.']
  ]
  for (const [text, rest] of cases) {
    t.equal(left(text), rest)
    t.equal(withoutTrivia(text).length, text.length)
  }
})

t.test('amounts, intervals, dates and names with numbers are facts', async t => {
  for (const text of [
    'The range fell from 80 m to 35 m (n = 3) in 2006.',
    'The mean was 3.2 (95% CI [12, 18]) on the interval [0, 1].',
    'Of 50 nights 34 (68%) had fog, 5-10 of them dense, at 0.31-0.33 V.',
    'In June (March 2006) the VGG16 model won 3 of 4 cups (12 lamps).',
    'Doses of 34% (12) and the ratio 3.2 held.'
  ]) t.equal(withoutTrivia(text), text)
})

t.test('a fact is trivial when it is only such a mark', async t => {
  const quotes = ['3) Maps (Klavans and Boyack, 2006) have 12 fields [42,43] since 1999.']
  const pair = (from: string, to: string) =>
    isTrivialFact(from, { yes: `Is it so that ${quotes[0]}`.replace('.', '?'), no: `Is it so that ${quotes[0]!.replace(from, to)}`.replace('.', '?'), quotes })
  t.ok(pair('[42,43]', '[57]'))
  t.ok(pair('2006)', '1866)'))
  t.ok(pair('3)', '7)'))
  t.ok(pair('42,43', '57'))
  t.notOk(pair('12', '15'))
  t.notOk(pair('1999', '1989'))
  t.notOk(pair('Maps', 'Lists'))
  t.ok(isTrivialFact('2006', { yes: '2006', no: '1725', quotes }), 'a key that stands in the quotes as year of a citation alone')
  t.ok(isTrivialFact('Section 3', { yes: 'Section 3', no: 'Section 4', quotes }))
  t.notOk(isTrivialFact('12', { yes: '12', no: '14', quotes }))
  t.notOk(isTrivialFact('12 fields', { yes: '12 fields', no: '14 fields', quotes }))
})

t.test('long runs of digits, brackets and names take no longer than their length', async t => {
  const start = performance.now()
  for (const piece of ['[1,', '(1,', 'Aa', '1-', '(A 2006; ', '¹,', 'Fig. 1, ']) withoutTrivia(piece.repeat(5_000))
  t.ok(performance.now() - start < 3_000)
})
