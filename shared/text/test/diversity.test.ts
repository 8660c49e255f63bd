import t from 'tap'
import type { Document } from '../../contracts/document.ts'
import type { Evidence, Item } from '../../contracts/item.ts'
import { roomsOf } from '../diversity/allotment.ts'
import { mostDiverse } from '../diversity/choose.ts'
import { paperDiversity } from '../diversity/compare.ts'
import { figureTypeOf } from '../diversity/figure-type.ts'
import { groundOf } from '../diversity/ground.ts'
import { labelsOf } from '../diversity/labels.ts'
import { measuresOf } from '../diversity/measure.ts'
import { questionClassOf } from '../diversity/question-class.ts'
import { centreChoice, randomChoice } from '../diversity/rivals.ts'
import { subjectOf } from '../diversity/subject.ts'
import { diversityOver, selectionOver } from '../diversity/summary.ts'
import { allDuplicatesAmong, unitsOf } from '../duplicates.ts'

const paragraphs = [
  'Copper films grow on cold glass within one hour. Their grains stay small when the glass is cold.',
  'Silver mirrors reflect most light in the visible range. Dust on a mirror scatters light at large angles.',
  'Engineers clean mirrors with soft brushes every spring. Wet cleaning leaves stains near the edge.'
]
const abstract = 'Cold glass makes copper grains small. Dust scatters the light of mirrors. Brushes clean mirrors well enough.'
const box = [0, 0, 1, 1]
const document = {
  paperId: 'pap_1',
  documentHash: 'doc_1',
  abstract: { text: abstract, page: 1 },
  sections: paragraphs.map((text, i) => ({ id: `s${i}`, title: 'results', kind: 'results', paragraphs: [{ id: `p${i}`, text, page: 1, box }] })),
  figures: ['Bar chart of sizes.', 'Schematic of the brush.', 'Map of the sites.'].map((caption, i) =>
    ({ id: `f${i}`, label: `Figure ${i + 1}`, caption, page: 1, sectionId: `s${i}`, imageId: i < 2 ? 'x' : null })),
  tables: []
} as unknown as Document
const ground = groundOf(document)

/** Quotes sentence `at` of paragraph `paragraph`. */
function quote (paragraph: number, at: number): Evidence {
  const text = paragraphs[paragraph]!
  const cut = text.indexOf('. ') + 1
  const [charStart, charEnd] = at === 0 ? [0, cut] : [cut + 1, text.length]
  return { quote: text.slice(charStart, charEnd), target: { type: 'paragraph', id: `p${paragraph}` }, sectionId: `s${paragraph}`, page: 1, charStart, charEnd }
}

let count = 0
function itemOf (changes: Partial<Item>): Item {
  const id = `itm_${count++}`
  return {
    id, kind: 'qa', source: { paperId: 'pap_1', documentHash: 'doc_1' }, place: 's0', figureIds: [], question: `${id}?`, answer: id, evidence: [quote(0, 0)], language: 'en', slices: {}, checks: [], provenance: {} as Item['provenance'], ...changes
  }
}
const subjectsOf = (items: readonly Item[]) => unitsOf(items).map(unit => subjectOf(unit, ground))
const pairOf = (pairId: string, changes: Partial<Item> = {}): Item[] => [0, 1].map(answerIndex => itemOf({
  kind: 'binary', pairId, answerIndex, question: `Does ${pairId} ${answerIndex === 0 ? 'hold' : 'fail'} here?`, ...changes
}))

t.test('classes of questions and types of figures are told by rules', async t => {
  const questions: Array<[string, string]> = [
    ['Summarize the contents of this section', 'summary'], ['What does LSTM stand for?', 'definition'],
    ['Why does the range fall in fog?', 'cause'], ['Is the lamp faster than the radar?', 'comparison'],
    ['How does the error change with rain?', 'trend'], ['How many patients took part?', 'quantity'],
    ['How was the film prepared?', 'method'], ['What limitations does the study have?', 'limitation'],
    ['Which gas fills the lamp?', 'identity'], ['Regarding Figure 2, does the paper state that the error increased?', 'trend'],
    ['Regarding Figure 2, does the paper state that fog is air?', 'other'], ['환자는 몇 명인가?', 'quantity'], ['A lamp', 'other']
  ]
  for (const [question, expected] of questions) t.equal(questionClassOf(question), expected, question)
  const captions: Array<[string, string]> = [
    ['Bar chart of errors', 'bar-chart'], ['Schematic of the setup', 'diagram'], ['SEM micrograph of the film', 'image'],
    ['XRD patterns: spectra of both', 'spectrum'], ['Range as a function of fog', 'curve'], ['시스템 구성도', 'diagram'], ['Figure', 'other']
  ]
  for (const [caption, expected] of captions) t.equal(figureTypeOf(caption), expected, caption)
  const long = 'in, '.repeat(20_000)
  t.ok(questionClassOf(long) !== '' && figureTypeOf(long) !== '', 'in time that grows with the length')
})

t.test('labels come from place, question, evidence and caption, not from who wrote the item', async t => {
  const easy = itemOf({ question: 'Do copper films grow on cold glass?', place: 'f0', figureIds: ['f0'], slices: { level: 'complex' } })
  t.same(labelsOf(easy, ground), { section: 's0', questionClass: 'trend', difficulty: 'medium', figureType: 'bar-chart' })
  const hard = itemOf({ question: 'Why do brushes beat water?', place: 's2', evidence: [quote(2, 0), quote(1, 1)] })
  t.same(labelsOf(hard, ground), { section: 's2', questionClass: 'cause', difficulty: 'hard' })
  const fixed = itemOf({ place: 'abstract', slices: { aspect: 'abstract', questionClass: 'solution' } })
  t.match(labelsOf(fixed, ground), { section: 'abstract', questionClass: 'solution' })
  t.equal(labelsOf(itemOf({ slices: { operation: 'ratio', difficulty: 'hard' } }), ground).difficulty, 'hard')
})

t.test('paraphrases are repeats; what points the other way, or elsewhere, is none', async t => {
  const asks = (question: string, changes: Partial<Item> = {}) => itemOf({ question, answer: 'It is 60 °C in the cell.', ...changes })
  const repeats = (...items: Item[]) => allDuplicatesAmong(items.map(item => [item])).size > 0
  const highest = asks('What is the highest temperature reached by the cell?')
  t.ok(repeats(highest, asks('Which temperature was the highest that the cell reached?')))
  t.notOk(repeats(highest, asks('What is the lowest temperature reached by the cell?')))
  t.notOk(repeats(highest, asks('Which temperature was the highest that the cell reached?', { answer: 'It is 70 °C in the cell.' })))
  t.notOk(repeats(asks('Which data set suits model A best?'), asks('Which data set suits model B best?')))
  t.notOk(repeats(asks('Is R2 higher for R4 than for R1?'), asks('Is R4 higher for R2 than for R1?')), 'names in another order')
  t.notOk(repeats(asks('What drives the left ventricle in mice?'), asks('What drives the right ventricle in mice?')))
  t.notOk(repeats(asks('How does copper conduct in thin warm films?'), asks('How does silver conduct in thin warm films?')), 'one thing in the place of another')
  const curve = { question: 'How does the curve go on?', answer: 'It rises.', kind: 'vqa' as const }
  const [one, other] = [itemOf({ ...curve, figureIds: ['f0'] }), itemOf({ ...curve, figureIds: ['f1'], evidence: [quote(1, 0)] })]
  t.notOk(repeats(one, other), 'of another figure')
  t.ok(repeats(one, { ...other, evidence: one.evidence }), 'unless the same words answer it')
})

t.test('rooms keep kinds in proportion, pairs whole, and supported ones first', async t => {
  const pairs = ['a', 'b', 'c', 'd'].flatMap(pairId => pairOf(pairId))
  const unsupported = { checks: [{ name: 'evidence', passed: false, detail: '' }] }
  const singles = [0, 1, 2, 3].map(i => itemOf(i < 3 ? unsupported : {}))
  const subjects = subjectsOf([...pairs, ...singles])
  const total = (rooms: ReadonlyMap<string, number>) => [...rooms].reduce((sum, [cell, room]) => sum + room * (cell.startsWith('binary') ? 2 : 1), 0)
  const rooms = roomsOf(subjects, 6)
  t.equal(total(rooms), 6)
  t.same([...rooms].sort(), [['binary answered  supported', 2], ['qa answered  supported', 1], ['qa answered  unsupported', 1]])
  t.equal(total(roomsOf(subjects, 1)), 1, 'a pair does not fit, a single item does')
  t.equal(total(roomsOf(subjects, 100)), 12)
  const kept = new Set(subjects.slice(0, 3).map(({ key }) => key))
  t.equal(total(roomsOf(subjects, 6, kept)), 0, 'what stays has taken it all')
  for (const choose of [
    () => mostDiverse(subjects, { rooms, ground, seed: 1 }),
    () => randomChoice(subjects, rooms, '1'),
    () => centreChoice(subjects, rooms, '1')
  ]) {
    const chosen = choose()
    t.equal(chosen.flatMap(({ unit }) => unit).length, 6)
    t.equal(chosen.filter(({ supported }) => !supported).length, 1)
    t.same(chosen, choose(), 'the same every time')
  }
})

t.test('measures are shares of what the paper has; what there is nothing of is null', async t => {
  const none = measuresOf([], ground)
  const nothing = { value: null, n: 0 }
  t.match(none, {
    sentences: { value: 0, n: ground.sentenceCount },
    tables: nothing,
    supportRate: nothing,
    distinct2: nothing,
    sectionEntropy: nothing
  })
  const items = [
    itemOf({ question: 'Why are grains small?', answer: 'Cold glass makes copper grains small.', figureIds: ['f0'] }),
    itemOf({ question: 'Which tool cleans mirrors?', answer: 'Soft brushes.', place: 's2', evidence: [quote(2, 0)], checks: [{ name: 'x', passed: false, detail: '' }] })
  ]
  const found = measuresOf(subjectsOf(items), ground)
  // Six sentences in sections, three in the abstract; no caption is long enough for one.
  t.equal(ground.sentenceCount, 9)
  t.same(found.sentences, { value: 2 / 9, n: 9 })
  t.same(found.sections, { value: 2 / 3, n: 3 })
  t.same(found.figures, { value: 1 / 2, n: 2 }, 'figures without a picture cannot be asked about')
  t.same(found.claims, { value: 2 / 3, n: 3 })
  t.same([found.sectionEntropy, found.questionClassEntropy], [{ value: 1, n: 2 }, { value: 1, n: 2 }])
  t.same(found.figureTypeEntropy, { value: null, n: 1 })
  t.same(found.supportRate, { value: 1 / 2, n: 2 })
  t.same([found.distinct2.value, found.meanOverlap.value], [1, 0], 'they share no two words')
  const twice = measuresOf(subjectsOf([items[0]!, { ...items[0]!, id: 'again' }]), ground)
  const [one, zero] = [{ value: 1 }, { value: 0 }]
  t.match(twice, { distinct2: { value: 1 / 2 }, meanOverlap: one, nearestOverlap: one, sectionEntropy: zero })
  const pair = pairOf('p')
  t.same(measuresOf(subjectsOf(pair), ground).supportRate.n, 2)
  t.same(measuresOf(subjectsOf(pair), ground).nearestOverlap.n, 1, 'a pair speaks once')
})

t.test('the most diverse few ask of everything before they ask of one thing again', async t => {
  const about = (paragraph: number, at: number, question: string) =>
    itemOf({ question, answer: quote(paragraph, at).quote, place: `s${paragraph}`, evidence: [quote(paragraph, at)] })
  const crowd = ['first', 'next', 'other', 'further', 'late', 'early'].map(word => about(0, 0, `How do ${word} copper films grow on cold glass?`))
  const rare = [about(1, 0, 'Why do silver mirrors reflect light?'), about(2, 1, 'What limitations has wet cleaning?')]
  const subjects = subjectsOf([...crowd, ...rare])
  const rooms = roomsOf(subjects, 3)
  const chosen = mostDiverse(subjects, { rooms, ground, seed: 1 })
  t.same(new Set(chosen.flatMap(({ labels }) => labels.section)), new Set(['s0', 's1', 's2']))
  t.same(mostDiverse(subjects.toReversed(), { rooms, ground, seed: 1 }), chosen, 'in whatever order they come')
  const [stays] = subjects
  const rest = roomsOf(subjects, 3, new Set([stays!.key]))
  const added = mostDiverse(subjects, { rooms: rest, ground, seed: 1, kept: [stays!] })
  t.same(new Set(added.flatMap(({ labels }) => labels.section)), new Set(['s1', 's2']), 'round what stays')
  t.same(new Set(centreChoice(subjects, rooms, 'x').flatMap(({ labels }) => labels.section)).size, 3, 'k-centre spreads too')

  const found = paperDiversity(chosen, ground, { pool: subjects, rooms, seed: 1 })
  const { questionClass } = found.classes
  const expected = { items: 3, of: 8, rivals: { draws: 100 }, questionClass: { cause: 1, limitation: 1 } }
  t.match({ ...found, questionClass }, expected)
  t.ok(found.measures.sections.value! > found.rivals!.random.sections.value!)
  t.equal(found.rivals!.random.supportRate.value, found.measures.supportRate.value)
  t.equal(paperDiversity(subjects, ground, { pool: subjects, rooms, seed: 1 }).rivals, null, 'nothing was left out')
})

t.test('over papers there are means with intervals of papers', async t => {
  const paper = (value: number | null) => {
    const measures = { ...measuresOf([], ground), sections: { value, n: 4 }, claims: { value: 1, n: 2 } }
    const random = { ...measures, sections: { value: value === null ? null : value / 2, n: 4 } }
    const classes = { questionClass: { cause: 2 }, difficulty: {}, figureType: {} }
    return { paperId: 'pap_1', items: 3, of: 6, measures, classes, rivals: { draws: 100, random, kCentre: measures } }
  }
  const papers = [paper(0.2), paper(0.4), paper(0.9), paper(null)]
  const { measures, classes, items } = diversityOver(papers)
  t.same([items, classes.questionClass], [12, { cause: 8 }])
  // t(.975, 2) = 4.302653, standard deviation .360555: the interval is cut at the ends.
  t.same(measures.sections, { value: 0.5, low: 0, high: 1, papers: 3, n: 12 })
  t.match(measures.claims, { value: 1, high: 1, papers: 4, n: 8 })
  t.ok(Math.abs(measures.claims.low! - 0.025 ** (1 / 4)) < 1e-9, 'exact where nothing varies')
  t.same(measures.tables, { value: null, low: null, high: null, papers: 0, n: 0 })
  const { random, kCentre, ...selection } = selectionOver(papers)!
  t.same(selection, { papers: 4, chosen: 12, of: 24, draws: 100 })
  t.match(random.sections, { value: 0.25, difference: { value: 0.25, papers: 3, n: 12 } })
  const half = 4.302653 * 0.360555 / 2 / Math.sqrt(3)
  t.ok(Math.abs(random.sections.difference.low! - (0.25 - half)) < 1e-5)
  t.same(kCentre.sections.difference, { value: 0, low: null, high: null, papers: 3, n: 12 })
  t.equal(selectionOver([{ ...paper(1), rivals: null }]), null)
  t.same(diversityOver([{ ...paper(1), items: 0 }]).papers, 0)
  t.match(diversityOver([paper(0.5)]).measures.sections, { value: 0.5, low: null, high: null, papers: 1 })
})
