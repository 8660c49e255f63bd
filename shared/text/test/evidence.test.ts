import t from 'tap'
import type { Document } from '../../contracts/document.ts'
import { stepCounter } from '../../testing/steps.ts'
import { evidenceSourceOf, groundEvidence, locateQuote } from '../evidence.ts'
import { codePointSlice } from '../normalise.ts'

const stepsOf = await stepCounter('/shared/text/')

const box = [0, 0, 0, 0]
const paragraph = (id: string, text: string, page = 1) => ({ id, text, page, box })
const section = (id: string, paragraphs: Document['sections'][number]['paragraphs'], kind: 'results' | 'references' = 'results') =>
  ({ id, number: '', title: id, level: 1, parentId: null, kind, runIn: false, page: 1, box, paragraphs })

const filler = Array.from({ length: 40 }, (_, i) => paragraph(`f${i}`, `Note ${i} tells of weather station ${i * 7}, its fences, its keeper and the birds seen there. Nobody painted door ${i} in spring.`))

const paper = {
  title: 'Lamps in fog',
  language: 'en',
  abstract: { text: 'We present a lamp that is seen in fog. It was not dimmer than the old lamp, and saved 12.5% of the power.', page: 1 },
  sections: [
    section('s1', [
      paragraph('p1', 'The new lamp reached 450 lm at 3 V (Lee et al., 2010), whereas the old lamp reached 310 lm [4, 5]. No difference in colour was found between lamp A and lamp B. It failed'),
      paragraph('p2', 'only in heavy rain, where the light was weaker than −5 dB. We did not observe any loss of colour in dry air. The efﬁcient “cold” driver needs 𝑥 = 2 mA.', 2)
    ]),
    section('s2', [
      paragraph('p3', '새 램프의 밝기는 안개 속에서 12.5% 증가하였다. 그러나 색의 변화는 크지 않았다. 비 오는 날에는 밝기가 감소하였다.'),
      paragraph('p4', 'Water was kept at 20 ◦C in 1,200 L of “clear” glass. The “cold” box held CO2 over 3 cm2 of CO3. [7] Ice was stabilized in organic solvents.'),
      ...filler
    ]),
    section('s3', [paragraph('r1', 'Lee A. On the brightness of very old lamps in fog. 2010.')], 'references')
  ],
  figures: [{ id: 'g1', label: 'Figure 1', caption: 'Brightness of both lamps against distance in fog of three kinds.', page: 3, box, captionBox: box, imageId: null, width: 0, height: 0, sectionId: 's1', placedBy: 'mention', mentions: [] }],
  tables: [{
    id: 't1',
    label: 'Table 1',
    caption: 'Power of the lamps.',
    page: 4,
    box,
    captionBox: box,
    rows: [['Lamp', 'Power (W)', 'Life (h)'], ['old', '12.1', '900'], ['new', '10.6', '1,200']],
    sectionId: 's1',
    mentions: []
  }],
  equations: [{ id: 'e1', number: '(1)', page: 2, box, text: 'P = U·I − P₀' }]
} as unknown as Document

const source = evidenceSourceOf(paper)

interface Placed {
  target: { type: string, id?: string | undefined }
  cell?: { row: number, column: number } | undefined
}

function textOf ({ target, cell }: Placed): string {
  if (target.type === 'abstract') return paper.abstract?.text ?? ''
  if (target.type === 'figure') return paper.figures[0]?.caption ?? ''
  if (target.type === 'equation') return paper.equations[0]?.text ?? ''
  if (target.type === 'table') {
    const [table] = paper.tables
    return (cell === undefined ? table?.caption : table?.rows?.[cell.row]?.[cell.column]) ?? ''
  }
  return paper.sections.flatMap(({ paragraphs }) => paragraphs).find(({ id }) => id === target.id)?.text ?? ''
}

function ground (quote: string, asked: { question?: string, answer?: string, place?: string } = {}) {
  const { question = 'What is said?', answer = quote, place } = asked
  const statement = { question, answer, quotes: [quote], ...place !== undefined && { place } }
  const grounded = groundEvidence(source, statement)
  for (const one of grounded.evidence) {
    t.equal(codePointSlice(textOf(one), one.charStart, one.charEnd), one.quote)
  }
  return grounded
}

const quotesOf = (quote: string) => ground(quote).evidence.map(({ quote }) => quote)
const reasonOf = (quote: string) => ground(quote).faults[0]?.reason

t.test('a quote is found as a careful reader would find it, and given as the paper has it', async t => {
  const same: Array<[string, string, string[]]> = [
    ['another case', 'no difference in colour was found between lamp A and lamp B', ['No difference in colour was found between lamp A and lamp B.']],
    ['no citation marks', 'The new lamp reached 450 lm at 3 V, whereas the old lamp reached 310 lm.', ['The new lamp reached 450 lm at 3 V (Lee et al., 2010), whereas the old lamp reached 310 lm']],
    ['citation marks', 'whereas the old lamp reached 310 lm [4, 5].', ['whereas the old lamp reached 310 lm [4, 5].']],
    ['ligature, quotes, mathematical letters', "the efficient 'cold' driver needs x = 2 mA", ['The efﬁcient “cold” driver needs 𝑥 = 2 mA.']],
    ['line ends', 'We did not ob-\nserve any loss\nof colour', ['We did not observe any loss of colour']],
    ['quotation marks around it', '“We did not observe any loss of colour in dry air.”', ['We did not observe any loss of colour in dry air.']],
    ['two paragraphs', 'It failed only in heavy rain, where the light was weaker', ['It failed', 'only in heavy rain, where the light was weaker']],
    ['a caption with its label', 'Figure 1. Brightness of both lamps against distance', ['Brightness of both lamps against distance']],
    ['Markdown and HTML', 'The **new lamp** reached 450 lm at <i>3 V</i>, whereas the *old* lamp', ['The new lamp reached 450 lm at 3 V (Lee et al., 2010), whereas the old lamp']],
    ['another mark for the degree', 'Water was kept at 20 °C in 1200 L of “clear” glass', ['Water was kept at 20 ◦C in 1,200 L of “clear” glass.']],
    ['"the" before a quotation mark', 'The "cold" box held CO2 over 3 cm² of CO3', ['The “cold” box held CO2 over 3 cm2 of CO3.']],
    ['a citation mark before it', '[7] Ice was stabilized in organic solvents', ['Ice was stabilized in organic solvents.']],
    ['-ize at a line end', 'Ice was stabili-\nzed in organic solvents', ['Ice was stabilized in organic solvents.']],
    ['a row', 'new | 10.6 | 1,200', ['new', '10.6', '1,200']],
    ['a row with its header', 'Lamp | Power (W) | Life (h)\nold | 12.1 | 900', ['Lamp', 'Power (W)', 'Life (h)', 'old', '12.1', '900']],
    ['an equation', 'P = U·I − P₀', ['P = U·I − P₀']],
    ['an ellipsis inside a sentence', 'The new lamp reached 450 lm at 3 V … the old lamp reached 310 lm', ['The new lamp reached 450 lm at 3 V', 'the old lamp reached 310 lm']],
    ['an ellipsis at the end', 'It was not dimmer than the old lamp [...]', ['It was not dimmer than the old lamp']],
    ['whole sentences from apart', 'The new lamp reached 450 lm at 3 V, whereas the old lamp reached 310 lm. We did not observe any loss of colour in dry air.', ['The new lamp reached 450 lm at 3 V (Lee et al., 2010), whereas the old lamp reached 310 lm', 'We did not observe any loss of colour in dry air.']],
    ['Korean with other spaces', '새 램프의 밝기는 안개속에서 12.5 % 증가하였다', ['새 램프의 밝기는 안개 속에서 12.5% 증가하였다.']]
  ]
  for (const [name, quote, expected] of same) t.same(quotesOf(quote), expected, name)
})

t.test('what it refuses, and why', async t => {
  const refused: Array<[string, string, string]> = [
    ['a digit', 'The new lamp reached 460 lm at 3 V', 'not-found'],
    ['a digit across spaces', 'The new lamp reached 4 50 lm at 3 V', 'other-facts'],
    ['a sign', 'where the light was weaker than 5 dB', 'not-found'],
    ['a unit by its case', 'The efficient cold driver needs x = 2 MA', 'other-facts'],
    ['a name by its case', 'was found between lamp a and lamp B', 'other-facts'],
    ['names exchanged', 'No difference in colour was found between lamp B and lamp A', 'not-found'],
    ['a negation left out inside', 'It was dimmer than the old lamp', 'not-found'],
    ['a negation cut off before', 'difference in colour was found between lamp A and lamp B', 'cut'],
    ['a negation cut off before', 'observe any loss of colour in dry air', 'cut'],
    ['a Korean negation cut off after', '그러나 색의 변화는 크지', 'cut'],
    ['a Korean direction', '새 램프의 밝기는 안개 속에서 12.5% 감소하였다.', 'not-found'],
    ['a word cut', 'ew lamp reached 450 lm at 3 V', 'cut'],
    ['a number cut', '.5% of the power, and saved', 'not-found'],
    ['a number cut', '50 lm at 3 V (Lee et al., 2010)', 'cut'],
    ['another citation', 'whereas the old lamp reached 310 lm [4, 6].', 'other-facts'],
    ['another citation', 'The new lamp reached 450 lm at 3 V (Lee et al., 2011), whereas the old', 'other-facts'],
    ['one word', 'fog', 'too-short'],
    ['three words', 'in heavy rain', 'too-short'],
    ['one cell', '10.6', 'too-short'],
    ['cells of two rows', 'new | 12.1 | 1,200', 'not-found'],
    ['cells exchanged', 'new | 1,200 | 10.6', 'not-found'],
    ['an ellipsis over a negation', 'We present a lamp … dimmer than the old lamp, and saved', 'cut'],
    ['an ellipsis over a negation in its sentence', 'It was … dimmer than the old lamp, and saved', 'cut'],
    ['an ellipsis over a comparison', 'the old lamp reached 310 lm … and saved 12.5% of the power', 'hidden-words'],
    ['an ellipsis over a negation', 'It failed only in heavy rain … observe any loss of colour in dry air', 'cut'],
    ['an ellipsis over a turn', 'only in heavy rain, where the light … than −5 dB. We did not observe', 'hidden-words'],
    ['parts in the wrong order', 'only in heavy rain, where the light was weaker … The new lamp reached 450 lm', 'hidden-words'],
    ['parts of sentences joined', 'The new lamp reached 450 lm. We did not observe any loss of colour in dry air.', 'hidden-words'],
    ['the words of another caption label', 'Figure 2. Brightness of both lamps against distance', 'not-found'],
    ['the list of references', 'On the brightness of very old lamps in fog', 'not-found'],
    ['an article for a word', 'The lamp reached 450 lm at 3 V', 'cut'],
    ['another citation mark before it', '[8] Ice was stabilized in organic solvents', 'other-facts'],
    ['an opposite by joining', 'Ice was stabilized inorganic solvents', 'other-facts'],
    ['a digit of a name', 'box held CO2 over 3 cm2 of CO', 'cut'],
    ['a thousand', 'Water was kept at 20 °C in 120 L', 'not-found'],
    ['nothing', ' … ', 'not-found'],
    ['too much', 'lamp '.repeat(1000), 'too-long']
  ]
  for (const [name, quote, reason] of refused) t.equal(reasonOf(quote), reason, `${name}: ${quote.slice(0, 60)}`)
})

t.test('a true quote that does not bear on what is asked is refused', async t => {
  const asked = { question: 'How bright are the lamps?', answer: 'The new lamp reached 450 lm and the old one 310 lm.' }
  t.equal(ground('Note 7 tells of weather station 49, its fences, its keeper', asked).faults[0]?.reason, 'irrelevant')
  t.equal(ground('The new lamp reached 450 lm at 3 V', asked).evidence.length, 1)
  const figure = { question: 'What does Figure 1 show?', answer: 'Nothing of the sort.', place: 'g1' }
  t.equal(ground('Brightness of both lamps against distance in fog', figure).evidence[0]?.target.id, 'g1')
  t.equal(ground('new | 10.6 | 1,200', { question: 'What is the Life (h) of new?', answer: '1,200', place: 't1' }).evidence.length, 3)
})

t.test('many quotes: each has its evidence or its fault, once', async t => {
  const quote = 'The new lamp reached 450 lm at 3 V'
  const { evidence, faults } = groundEvidence(source, { question: 'How bright?', answer: quote, quotes: Array.from({ length: 25 }, () => quote) })
  t.equal(evidence.length, 1)
  t.same(faults.map(({ reason }) => reason), Array.from({ length: 5 }, () => 'too-many'))
  t.match(evidence[0], { target: { type: 'paragraph', id: 'p1' }, sectionId: 's1', page: 1, charStart: 0 })
})

t.test('an empty document holds nothing', async t => {
  const nothing = { abstract: null, sections: [], figures: [], tables: [], equations: [] }
  const empty = { ...paper, ...nothing } as unknown as Document
  t.equal(groundEvidence(evidenceSourceOf(empty), { question: 'q', answer: 'a', quotes: ['four words of it'] }).faults[0]?.reason, 'not-found')
})

t.test('the work on hostile texts grows no faster than their length', async t => {
  const units = ['a', 'ab ', '(', '(1900, ', '1 ', '[1', '... ', '- ', '1,000', '**a', '<sup>', 'Figure 1']
  const ground = (text: string) => {
    const document = { ...paper, sections: [section('s', [paragraph('p', text)])] } as unknown as Document
    const hostile = evidenceSourceOf(document)
    for (const quote of [`${text.slice(0, 3900)}b`, `${text.slice(1, 2000)} … ${text.slice(0, 1900)}`, `${'a'.repeat(11)}b`.repeat(300)]) locateQuote(hostile, quote)
    groundEvidence(hostile, { question: text, answer: text, quotes: [text.slice(0, 3000)] })
  }
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(20_000 / unit.length))
    const steps = (share: number) => stepsOf(() => ground(text.slice(0, text.length * share)))
    // Looking for the quotes costs the same each time; what each doubling adds may but double.
    const [quarter, half, whole] = [await steps(1 / 4), await steps(1 / 2), await steps(1)]
    const growth = (whole - half) / (half - quarter)
    t.ok(quarter > 5_000 && growth < 2.5, `${unit}: ${quarter}, ${half}, ${whole} steps`)
    // What backtracks would not come back from this.
    ground(text.repeat(3))
  }
})

t.test('in another language than the paper only the place asked about tells what bears on it', async t => {
  const quote = 'The new lamp reached 450 lm at 3 V'
  const found = (place: string, otherLanguage: boolean) =>
    groundEvidence(source, { question: '새 램프는 얼마나 밝은가?', answer: '새 램프의 밝기는 450 lm이다.', quotes: [quote], place, otherLanguage })
  t.equal(found('s1', true).evidence.length, 1)
  t.match(found('s2', true), { evidence: [], faults: [{ reason: 'irrelevant', detail: /elsewhere/ }] })
  t.equal(groundEvidence(source, { question: '그림 1은 무엇을 보이는가?', answer: '두 램프의 밝기를 보인다.', quotes: ['Brightness of both lamps against distance in fog'], place: 'g1', otherLanguage: true }).evidence.length, 1)
})
