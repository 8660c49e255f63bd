import t from 'tap'
import type { Item } from '../../../shared/contracts/item.ts'
import { checkItem } from '../domain/check-item.ts'
import { numbersOf } from '../domain/checks/numbers.ts'
import { reviewItems } from '../domain/review-items.ts'
import { choice, descriptive, document, humid, pair, quoted } from './fixtures.ts'

/** Names of the checks an item fails, with its partners beside it. */
function failedBy (item: Item, partners: Item[] = []): string[] {
  return checkItem({ item, document, partners })
    .filter(check => !check.passed).map(check => check.name)
}

t.test('sound items of every kind pass every check', async t => {
  const [yes, no] = pair()
  t.same(failedBy(descriptive()), [])
  t.same(failedBy(choice()), [])
  t.same(failedBy(yes, [no]), [])
  t.same(failedBy(no, [yes]), [])
})

t.test('each check fails the item that breaks its rule, and no other check does', async t => {
  const answer = descriptive().answer!
  const [yes] = pair()
  const abstract = { type: 'abstract' } as const
  const wrongSlice = { ...quoted('12 % faster', { type: 'paragraph', id: 'p1' }), quote: '13 % faster' }
  const cases: Array<[string, string, Item]> = [
    ['as-made', 'a check it failed when made', descriptive({ checks: [{ name: 'x', passed: false, detail: 'y' }] })],
    ['place', 'a section the paper has not', descriptive({ place: 's9' })],
    ['place', 'a figure the paper has not', descriptive({ figureIds: ['f9'] })],
    ['place', 'a figure question without figure', descriptive({ kind: 'vqa' })],
    ['evidence', 'a digit flipped in the quote', choice({ evidence: [...choice().evidence, wrongSlice] })],
    ['evidence', 'a target that is not there', choice({ evidence: [...choice().evidence, quoted('12 %', { type: 'paragraph', id: 'p2' })] })],
    ['evidence', 'offsets beyond the end', choice({ evidence: [...choice().evidence, { ...wrongSlice, charEnd: 900 }] })],
    ['evidence', 'a page the figure is not on', choice({ evidence: [...choice().evidence, quoted('10 °C', { type: 'figure', id: 'f1' }, 1)] })],
    ['evidence', 'no evidence at all', descriptive({ answer: 'Dust settles faster in dry air.', evidence: [] })],
    ['numbers-agree', 'another number in the answer', descriptive({ answer: answer.replace('1,200', '1,300') })],
    ['numbers-agree', 'a lost minus sign', descriptive({ answer: answer.replace('−3.5', '3.5') })],
    ['numbers-agree', 'another number in the right choice', choice({ answerIndex: 2 })],
    ['choices', 'choices of a descriptive item', descriptive({ choices: [{ text: 'a' }, { text: 'b' }] })],
    ['choices', 'two choices alike', choice({ choices: [{ text: '12 %' }, { text: ' 12  %' }], answerIndex: 0 })],
    ['choices', 'no right choice', choice({ answerIndex: 3 })],
    ['choices', 'no answer', (({ answer, ...rest }) => rest)(descriptive())],
    ['pair', 'a yes/no question alone', yes],
    ['length', 'a question too short', descriptive({ question: 'Why so?' })],
    ['length', 'an abstract answer of 501 characters', descriptive({ answer: 'Drop. '.repeat(83) + 'abc' })],
    ['meta-phrases', 'talk about the text', descriptive({ answer: 'This section describes grains that fell faster.' })],
    ['hedging', 'a hedge of the writer', descriptive({ answer: 'The speed is likely to be lower in dry air.' })],
    ['repetition', 'the question said again', descriptive({ answer: 'The main findings and contributions of this paper are: what are the main findings and contributions of this paper in dry air' })],
    ['colon', 'an answer that ends in a colon', descriptive({ answer: 'Grains settle faster under these conditions:' })],
    ['concrete', 'a vague answer', descriptive({ answer: 'Various factors change settling speed.' })],
    ['concrete', 'an answer without content', descriptive({ answer: 'It is so.' })]
  ]
  for (const [name, title, item] of cases) t.same(failedBy(item), [name], title)
  t.same(failedBy(descriptive({ answer: 'Drop. '.repeat(83) + 'ab' })), [], '500 characters are allowed')
  t.same(failedBy(descriptive({ evidence: [quoted('1,200 grains 𝛼 and found a drop of −3.5 %', abstract)] })), [],
    'offsets count code points: a letter outside the basic plane is one')
})

t.test('a hedge that the quote itself has is the claim of the paper', async t => {
  const evidence = [{ ...descriptive().evidence[0]!, quote: 'Grains may be charged' }]
  const checks = checkItem({ item: descriptive({ answer: 'Grains may be charged in dry air.', evidence }), document, partners: [] })
  t.equal(checks.find(check => check.name === 'hedging')?.passed, true)
})

t.test('evidence is read in captions, table cells and equations alike', async t => {
  const found = [
    quoted('10 °C', { type: 'figure', id: 'f1' }, 2),
    quoted('12 %', { type: 'paragraph', id: 'p1' }, 2),
    quoted('gt', { type: 'equation', id: 'e1' }),
    { quote: '3.10', target: { type: 'table', id: 't1' }, cell: { row: 1, column: 1 }, page: 2, charStart: 0, charEnd: 4 } as const
  ]
  t.same(failedBy(choice({ evidence: found })), [])
  t.same(failedBy(choice({ evidence: [...found, { ...found[3]!, cell: { row: 9, column: 1 } }] })), ['evidence'])
})

t.test('a pair differs in exactly one fact', async t => {
  const [yes, no] = pair()
  const withQuestion = (question: string) => failedBy(no, [{ ...yes, question }])
  const ask = (claim: string) => `According to Figure 7, is it true that settling speed ${claim}?`
  t.same(withQuestion(ask('rises from 3 mm/s to 5 mm/s')), [])
  t.same(withQuestion(ask('does not change at all, it never falls from 3 mm/s to 5 mm/s')), ['pair'], 'too many words')
  t.same(withQuestion(ask('rises from 4 mm/s to 5 mm/s')), ['pair'], 'two facts')
  t.same(withQuestion(no.question), ['pair'], 'none')
  t.same(withQuestion(ask('falls from 5 mm/s to 3 mm/s')), [], 'two values that change places are one fact')
  t.same(failedBy(no, [{ ...yes, answerIndex: 1 }]), ['pair'], 'the same answer twice')
  t.same(failedBy(no, [{ ...yes, place: 's1' }]), ['pair'], 'different places')
  t.same(failedBy(no, [{ ...yes, evidence: [] }]), ['pair'], 'different evidence')
  t.same(failedBy(no, [yes, yes]), ['pair'], 'three members')
})

t.test('the false member of a pair finds no support in the whole paper', async t => {
  const [yes, no] = pair()
  const failing = (speed: string, own: (item: Item) => Partial<Item> = () => ({})) => {
    const other = { ...no, question: yes.question.replace('5 mm/s', speed) }
    const [one, two] = [yes, other].map(item => ({ ...item, ...own(item) })) as [Item, Item]
    const checks = [[one, two], [two, one]].map(([item, partner]) =>
      checkItem({ item: item!, document: humid, partners: [partner!] }).filter(({ passed }) => !passed))
    t.same(checks[0], checks[1], 'both members fail by it or none')
    return checks[0]!.map(({ name, detail }) => `${name}: ${detail}`)
  }
  const by = (strategy: string) => ({ provenance }: Item) => ({ provenance: { ...provenance, strategy } })
  const supported = 'false-member: The paper may say so: "In humid air, settling speed rises from 3 mm/s to 4 mm/s.".'
  for (const strategy of ['extractive', 'model']) {
    t.same(failing('4 mm/s', by(strategy)), [supported], strategy)
    t.same(failing('6 mm/s', by(strategy)), [], strategy)
  }
  t.same(failing('10 mm/s'), [], 'a sentence has other numbers that may be put in the place of one')
  t.match(failing('10 mm/s', by('model')), [/^false-member: "10" stands in the evidence too/], 'but a model does not know which')
  t.match(failing('500 mm/s', by('model')), [/^false-member: .* tells by itself/])
  t.same(failing('4 mm/s', by('tables')), [], 'what was computed is not looked up')
  t.same(failing('4 mm/s', item => ({ ...by('tables')(item), checks: [] })), [supported], 'unless it was edited')
})

t.test('numbers are read with sign and value, and not out of names', async t => {
  t.same(numbersOf('1,200 of −3.50, p < .05 and 007'), ['1200', '-3.5', '0.05', '7'])
  t.same(numbersOf('CO2 and p53; 3-5 g, 10–20 %, (1,2) and 4.'), ['3', '5', '10', '20', '1', '2', '4'])
})

t.test('the number of the figure asked about is no claim, any other is', async t => {
  const asked = (figure: string) => {
    const question = `Does ${figure} show that settling speed rises from 3 mm/s to 5 mm/s?`
    const [yes, no] = pair([{ question }, { question: question.replace('rises', 'falls') }])
    return failedBy(yes, [no])
  }
  for (const own of ['Figure 7', 'Fig. 7', 'FIG 7', 'fig.7', '그림 7']) t.same(asked(own), [], own)
  for (const other of ['Figure 8', 'Figure 7.5', '7 figures']) t.same(asked(other), ['numbers-agree'], other)
})

t.test('a number needs its unit, its place and the name it is part of', async t => {
  const quote = 'At 20 °C the mean speed rose from 3 mm/s to 5 mm/s after CO2 was added to 12 of 30 samples.'
  const evidence = [{ ...descriptive().evidence[0]!, quote }]
  const fault = (answer: string) => checkItem({
    item: descriptive({ answer, evidence }), document, partners: []
  }).find(check => check.name === 'numbers-agree' && !check.passed)?.detail
  t.equal(fault(quote), undefined)
  t.equal(fault('With CO2 in 12 of 30 samples, speed grew to 5 mm/s; before it was 3 mm/s (20°C).'), undefined, 'free wording')
  t.match(fault(quote.replace('20 °C', '20 K')), /unit of 20 K.*°C/)
  t.match(fault(quote.replace('12 of', '12 % of')), /unit of 12 %/, 'a unit that the evidence does not know')
  t.match(fault(quote.replace('from 3 mm/s to 5', 'from 5 mm/s to 3')), /Where it says 5, the evidence says 3/)
  t.match(fault(quote.replace('12 of', '20 of')), /Where it says 20, the evidence says 12/)
  t.match(fault(quote.replace('CO2', 'CO3')), /co3/)
})

t.test('hostile text costs linear time', async t => {
  const long = 'a1 -,.:'.repeat(40_000)
  const before = process.cpuUsage()
  const [yes, no] = pair([{ question: long }, { question: `${long} x` }])
  failedBy(descriptive({ answer: long + ' '.repeat(100_000), question: long }))
  failedBy(yes, [no])
  t.ok(process.cpuUsage(before).user < 3_000_000, 'quadratic, it would be minutes')
})

t.test('a review of a paper', async t => {
  const review = (items: Item[]) => {
    const steps = reviewItems({ reviewingId: 'rvg', document, items })
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
    }
  }
  const failedOf = (items: Item[]) => Object.fromEntries(
    review(items).map(({ reviewed }) => [reviewed.item.id, reviewed.failedChecks]))

  t.test('never calls an item good, and says so once for each item', async t => {
    const reviewed = review([...pair(), descriptive(), choice()])
    t.same(reviewed.map(({ reviewed }) => reviewed.item.place), ['abstract', 's1', 'f1', 'f1'], 'in reading order')
    t.ok(reviewed.every(({ review, reviewed }) => review.verdict === 'unreviewed' && reviewed.eligible && review.checks.length > 5))
    t.equal(new Set(reviewed.map(({ review }) => review.id)).size, 4)
  })

  t.test('does not depend on the order in which items arrive', async t => {
    const items = [...pair(), descriptive(), choice(), descriptive({}, 'again')]
    t.same(review(items), review([...items].reverse()))
  })

  t.test('lets a pair die together, and says whose fault it was', async t => {
    const [yes, no] = pair([{}, { choices: [{ text: 'No' }, { text: 'Yes' }] }])
    t.same(failedOf([yes, no]), { [yes.id]: ['partner'], [no.id]: ['choices'] })
  })

  t.test('keeps the first of two items that ask the same', async t => {
    const [first, second] = [descriptive({}, 'a'), descriptive({}, 'b')].sort((a, b) => a.id < b.id ? -1 : 1)
    t.same(failedOf([first!, second!]), { [first!.id]: [], [second!.id]: ['duplicate'] })
  })

  t.test('does not let an item that failed take its duplicate with it', async t => {
    const items = ['a', 'b', 'c'].map(name => descriptive({}, name)).sort((a, b) => a.id < b.id ? -1 : 1)
    items[0] = { ...items[0]!, language: 'en', checks: [{ name: 'x', passed: false, detail: 'y' }] }
    t.same(failedOf(items), { [items[0].id]: ['as-made'], [items[1]!.id]: [], [items[2]!.id]: ['duplicate'] })
  })

  t.test('drops the whole pair when one member repeats an earlier pair', async t => {
    const [yes, no] = pair()
    const [otherYes, otherNo] = pair([{}, { question: yes.question.replace('rises', 'does not rise') }], 'other')
    const failed = failedOf([yes, no, otherYes, otherNo])
    const dead = Object.values(failed).filter(names => names.length > 0)
    t.same(dead.map(names => names.join()).sort(), ['duplicate', 'partner'])
  })
})
