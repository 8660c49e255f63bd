import t from 'tap'
import type { Check, Item } from '../../../shared/contracts/item.ts'
import { criteria } from '../../../shared/contracts/review.ts'
import { seededRandom, type Random } from '../../../shared/testing/random.ts'
import { feedbackFor } from '../domain/loop/feedback.ts'
import { groundQuotes } from '../domain/loop/ground.ts'
import { reviewLoop, type Judged, type Step, type Version, type Written } from '../domain/loop/loop.ts'
import { materialFor } from '../domain/loop/material.ts'
import { applyRewrite, formOf, rewriteSchema } from '../domain/loop/rewrite.ts'
import { criteriaOf, reviewSchema, rubricOf } from '../domain/loop/rubric.ts'
import { compareStandings, readScores, standingOf, verdictOf, worstOf, type Scores } from '../domain/loop/verdict.ts'
import { captionText, choice, descriptive, document, pair, paragraphText } from './fixtures.ts'

const scoresOf = (...values: number[]): Scores =>
  Object.fromEntries(values.map((value, i) => [criteria[i]!, value]))

t.test('a verdict follows the lowest score, a creation error first of all', async t => {
  const cases: Array<[number[], string]> = [
    [[4, 4, 4, 4, 4, 4], 'good'], [[5, 5, 5, 5, 5, 4], 'good'],
    [[5, 5, 5, 5, 5, 3], 'fair'], [[5, 5, 5, 5, 5, 2], 'fair'], [[2, 2, 2, 2, 2, 2], 'fair'],
    [[5, 5, 5, 5, 5, 1], 'poor'], [[1, 1, 1, 1, 1, 3], 'poor'],
    [[1, 1, 1, 1, 1, 2], 'error'], [[1, 1, 1, 1, 1, 1], 'error'],
    // Fewer criteria, the same mean: at most 7/6.
    [[1, 1, 1, 1], 'error'], [[1, 1, 1, 2], 'poor'], [[1, 1, 1, 1, 1], 'error'], [[1, 1, 1, 1, 2], 'poor']
  ]
  for (const [values, verdict] of cases) t.equal(verdictOf(scoresOf(...values)), verdict, values.join())
  for (const values of [[], [4, 4.5], [0, 4], [6, 4], [NaN]]) {
    t.throws(() => verdictOf(scoresOf(...values)), RangeError)
  }
  t.equal(worstOf(['good', 'fair']), 'fair')
  t.equal(worstOf(['good', 'unreviewed']), 'unreviewed', 'half a review is none')
  t.equal(worstOf(['unreviewed', 'error']), 'error')
})

t.test('scores are read as they are or not at all', async t => {
  const reply = (score: unknown, own: object = {}) => ({
    ...Object.fromEntries(criteria.map(name => [name, { reason: 'So.', score: 4 }])),
    accuracy: { reason: 'So.', score, ...own }
  })
  t.match(readScores(reply(4), criteria), { scores: { accuracy: 4 }, reasons: { accuracy: 'So.' } })
  for (const score of [0, 6, 4.5, '4', null, undefined, NaN, [4]]) {
    t.match(readScores(reply(score), criteria).faults, [/accuracy must be a whole number from 1 to 5/])
  }
  t.match(readScores(reply(4, { reason: ' ' }), criteria).faults, [/reason for accuracy/])
  t.match(readScores(reply(4), criteriaOf('binary')).faults, [/completeness was not asked for/, /stepByStep/])
  for (const value of [null, 'good', [], 4]) t.match(readScores(value, criteria).faults, [/no object/])
  t.match(readScores({ __proto__: reply(4) }, criteria).faults, { length: 12 }, 'what is inherited is not given')
})

t.test('criteria go by kind', async t => {
  const [yes] = pair()
  t.same([descriptive(), choice(), yes, descriptive({ answerability: 'unanswerable' }), choice({ answerability: 'false-premise' })].map(rubricOf),
    ['descriptive', 'choice', 'binary', 'unanswerable', 'unanswerable'])
  t.notOk(criteriaOf('binary').includes('completeness') || criteriaOf('binary').includes('stepByStep'))
})

const passed: Check = { name: 'evidence', passed: true, detail: '' }
const failed: Check = { name: 'hedging', passed: false, detail: 'It hedges.' }
const versionOf = (revision: number, items: readonly Item[], check = passed): Version =>
  ({ revision, items, checks: items.map(() => [check]) })

interface Judge {
  /** Of one look at a version, all criteria of all members; null: no review could be had. */
  scores: (version: Version, role: string) => number[] | null
  /** A check that what is written fails, or passes; null: nothing is written. */
  write: (step: Step) => Check | null
}

/** Runs the loop to its end and keeps what was seen on the way. */
function simulate (made: Version, maxRounds: number, judge: Judge) {
  const looks: Array<{ version: Version, scores: number[] | null, role: string }> = []
  const asked: Step[] = []
  const loop = reviewLoop(made, { maxRounds })
  for (let next = loop.next(); ;) {
    if (next.done === true) return { ended: next.value, looks, asked }
    asked.push(next.value)
    next = loop.next(answerTo(next.value))
  }

  function answerTo (step: Step): Judged | Written {
    if (step.ask !== 'review') {
      const check = judge.write(step)
      if (check === null) return { rejected: [{ about: 'unparsable', reason: 'No JSON.' }] }
      if (!check.passed) return { rejected: [{ about: check.name, reason: check.detail }] }
      const { ask, from } = step
      const items = from.items.map(item => ask === 'shorten' ? { ...item, answer: 'Short.' } : item)
      return { version: versionOf(step.revision, items) }
    }
    const scores = judge.scores(step.version, step.role)
    looks.push({ version: step.version, scores, role: step.role })
    if (scores === null) return { verdict: 'unreviewed', standing: null, objections: [] }
    const own = scoresOf(...scores)
    const objections = [{ about: 'accuracy', reason: `Look ${looks.length}.` }]
    return { verdict: verdictOf(own), standing: standingOf([own]), objections }
  }
}

function normalOf ({ next }: Random): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}
const whole = (value: number) => Math.max(1, Math.min(5, Math.round(value)))

t.test('whatever judges and writers do, the loop ends, and the best of what was seen stands', async t => {
  const random = seededRandom(7)
  const [yes, no] = pair()
  const long = descriptive({ answer: 'word '.repeat(120) })
  for (let run = 0; run < 3000; run++) {
    const items = random.pick([[descriptive()], [yes, no], [long]])
    const maxRounds = random.whole(0, 10)
    const quality = 1 + 4 * random.next()
    const faulty = random.chance(0.2) ? random.next() : 0
    const made = versionOf(0, items, random.chance(0.2) ? failed : passed)
    const { ended, looks, asked } = simulate(made, maxRounds, {
      scores: () => random.chance(faulty)
        ? null
        : Array.from({ length: 6 }, () => whole(quality + 1.2 * normalOf(random))),
      write: () => random.chance(0.3) ? random.pick([failed, null]) : passed
    })
    const problem = problemWith()
    if (problem !== undefined) t.fail(`run ${run}: ${problem}`)

    function problemWith (): string | undefined {
      const [first] = looks
      const confirmed = looks.filter(({ role }) => role === 'confirmatory')
      const rounds = looks.filter(({ role }) => role === 'round')
      if (asked.length > 2 * maxRounds + 6) return 'too many steps'
      if (ended.rounds > maxRounds) return 'too many rounds'
      if (ended.kept.items.map(({ id }) => id).join() !== items.map(({ id }) => id).join()) return 'a member was lost'
      const excluded = first!.scores === null || verdictOf(scoresOf(...first!.scores)) === 'error'
      if (excluded) return asked.length === 1 && ended.verdict !== 'good' ? undefined : 'it went on'
      if (confirmed.length !== 1 || looks.at(-1) !== confirmed[0]) return 'no single confirmation at the end'
      if (confirmed[0]!.version !== ended.kept) return 'another version was confirmed'
      const scores = confirmed[0]!.scores
      if (ended.verdict !== (scores === null ? 'unreviewed' : verdictOf(scoresOf(...scores)))) return 'the verdict is not the confirmation\'s'
      if (ended.kept.items.some(({ answer }) => answer === 'Short.')) return undefined
      const sound = rounds.filter(({ version, scores }) => scores !== null &&
        version.checks.flat().every(check => check.passed) &&
        version.items.every(({ answer }) => answer !== 'Short.') && verdictOf(scoresOf(...scores)) !== 'error')
      const best = sound.reduce<typeof sound[number] | undefined>((one, other) => one === undefined ||
        compareStandings(standingOf([scoresOf(...other.scores!)]), standingOf([scoresOf(...one.scores!)])) > 0
        ? other
        : one, undefined)
      return (best?.version ?? first!.version) === ended.kept ? undefined : 'a better version was left, or a later of equals taken'
    }
  }
  t.pass('3,000 loops')
})

t.test('an answer that is long is shortened, and the short one is judged like any other', async t => {
  const long = versionOf(0, [descriptive({ answer: 'word '.repeat(120) })])
  const judge = (short: number, check = passed): Judge => ({
    scores: ({ revision }) => Array<number>(6).fill(revision > 0 ? short : 5), write: () => check
  })
  const { ended, looks } = simulate(long, 3, judge(4))
  t.match([ended.kept.revision, ended.verdict, ended.rounds], [1, 'good', 0])
  t.same(looks.map(({ role, version }) => [role, version.revision]), [['round', 0], ['round', 1], ['confirmatory', 1]])
  t.equal(simulate(long, 3, judge(3)).ended.kept.revision, 0, 'a worse short form is not taken')
  const refused = simulate(long, 3, judge(5, failed))
  t.match([refused.ended.kept.revision, refused.asked.filter(({ ask }) => ask === 'shorten').length], [0, 2])
})

t.test('the confirmatory review undoes optional stopping', async t => {
  // Methodology, section 3: quality 3.8, SD .7, six criteria, four looks: 30 % good without it, 8 % with it.
  const random = seededRandom(11)
  const runs = 20_000
  let within = 0
  let final = 0
  for (let run = 0; run < runs; run++) {
    const { ended, looks } = simulate(versionOf(0, [descriptive()]), 3, {
      scores: () => Array.from({ length: 6 }, () => whole(3.8 + 0.7 * normalOf(random))), write: () => passed
    })
    if (looks.some(({ role, scores }) => role === 'round' && verdictOf(scoresOf(...scores!)) === 'good')) within++
    if (ended.verdict === 'good') final++
  }
  t.ok(Math.abs(within / runs - 0.30) < 0.015, `${within / runs} end good inside the loop`)
  t.ok(Math.abs(final / runs - 0.08) < 0.012, `${final / runs} are good in the end`)
})

t.test('feedback weighs more with every round', async t => {
  const objections = [{ round: 0, about: 'accuracy', reason: 'It says 5.' }, { round: 1, about: 'hedging', reason: 'x\n'.repeat(900) }]
  const [first, second, third, ninth] = [1, 2, 3, 9].map(round => feedbackFor(round, objections))
  const shows = [first!, second!, third!, ninth!].map(({ showsEarlier }) => showsEarlier)
  t.same(shows, [true, true, false, false])
  t.equal(new Set([first!.weight, second!.weight, third!.weight]).size, 3)
  t.equal(third!.weight, ninth!.weight)
  const lines = first!.objections.split('\n')
  t.match(lines, [/^- rewriting 1, hedging: x x/, /^- as first written, accuracy: It says 5\.$/])
  t.ok(lines[0]!.length < 450)
})

t.test('quotes become evidence as the paper prints them, or none', async t => {
  const item = choice()
  const written = { question: item.question, answer: '12 %' }
  const { evidence: [found, ...rest], faults } = groundQuotes({
    ...written, quotes: ['Grains of type A settled 12 %\nfaster than grains of type B', 'Grains of type A settled 13 % faster than grains', 'Of another paper that nobody here has read.']
  }, item, document)
  t.match([rest, faults], [[], { length: 2 }])
  t.match(found, { quote: 'Grains of type A settled 12 % faster than grains of type B', target: { type: 'paragraph', id: 'p1' }, sectionId: 's1', page: 1 })
  t.equal([...paragraphText].slice(found!.charStart, found!.charEnd).join(''), found!.quote)
  t.match(groundQuotes({ question: 'How does settling speed rise?', answer: captionText, quotes: [captionText, captionText] }, item, document),
    { evidence: { length: 1, 0: { target: { type: 'figure', id: 'f1' } } } })
})

t.test('a rewriting changes texts and never labels', async t => {
  const [yes, no] = pair()
  const quotes = ['Settling speed rises from 3 mm/s to 5 mm/s']
  const applied = applyRewrite({ form: 'pair', value: { trueQuestion: 'Does it rise?', falseQuestion: 'Does it fall?', quotes } }, [no, yes], document)
  t.match(applied, { items: [{ id: no.id, question: 'Does it fall?', answerIndex: 1 }, { id: yes.id, question: 'Does it rise?', answerIndex: 0 }] })
  const value = { question: 'By how much?', right: '12 percent', distractors: ['1 percent', '2 percent'], quotes: ['settled 12 % faster'] }
  t.match(applyRewrite({ form: 'choice', value }, [choice({ rationale: 'Old.' })], document),
    { items: [{ answerIndex: 1, choices: [{ text: '1 percent' }, { text: '12 percent' }, { text: '2 percent' }], rationale: undefined }] })
  t.match(applyRewrite({ form: 'choice', value: { ...value, quotes: ['nowhere'] } }, [choice()], document), { fault: { about: 'quotes' } })
  t.match(applyRewrite({ form: 'choice', value: { ...value, question: 'Der Staub fällt und die Körner sind nicht schnell von der Luft?' } }, [choice()], document), { fault: { about: 'language' } })
  t.match(applyRewrite({ form: 'choice', value: { ...value, right: ' ' } }, [choice()], document), { fault: { about: 'rewriting' } })
  t.match(applyRewrite({ form: 'choice', value: { ...value, distractors: 'none' } }, [choice()], document), { fault: { about: 'unparsable' } })
  const { answer, evidence } = descriptive()
  t.match(applyRewrite({ form: 'descriptive', value: { question: '?', answer, quotes: evidence.map(({ quote }) => quote) } }, [descriptive()], document),
    { fault: { reason: 'Nothing was changed.' } })
  t.match(applyRewrite({ form: 'short', value: { answer: 'It fell.' } }, [descriptive()], document), { items: [{ answer: 'It fell.', longAnswer: answer }] })
  t.same([[yes], [yes, no], [descriptive()], [choice({ choices: [{ text: 'a', imageId: 'i' }, { text: 'b' }] })]].map(formOf), [null, 'pair', 'descriptive', null])
  t.match(rewriteSchema('choice', [choice()]), { properties: { distractors: { minItems: 2, maxItems: 2 } } })
})

t.test('a review as long as its schema allows fits its tokens', async t => {
  for (const [rubric, tokens] of [['descriptive', 1024], ['choice', 512], ['binary', 1024]] as const) {
    const { properties } = reviewSchema(rubric, tokens) as {
      properties: Record<string, { properties: { reason: { maxLength: number } } }>
    }
    const longest = Object.fromEntries(Object.entries(properties).map(([name, { properties: { reason } }]) =>
      [name, { reason: 'x'.repeat(reason.maxLength), score: 5 }]))
    const length = JSON.stringify(longest, null, 2).length
    t.ok(length < tokens * 4 && length > tokens * 2, `${rubric}: ${length} characters in ${tokens} tokens`)
  }
})

t.test('a prompt holds what fits, and says what it leaves out', async t => {
  const [yes] = pair()
  const room = { contextTokens: 8192, maxTokens: 1024, otherText: '', vision: true }
  const whole = materialFor(yes, document, room)
  t.match(whole, { shownFigureIds: ['f1'], leftOut: [] })
  t.match(whole.values, { content: new RegExp(paragraphText.slice(0, 20)), figures: /Figure 7: Settling.*\(image 1 is attached\)/, evidence: /^- Settling/ })
  t.match(materialFor(yes, document, { ...room, vision: false }), { shownFigureIds: [], leftOut: [/image of figure f1: the model takes no images/], values: { figures: /withheld/ } })
  t.match(materialFor(yes, document, { ...room, contextTokens: 2100, vision: true }).leftOut, ['the whole text of the place'])
  t.match(materialFor({ ...yes, place: 't1', figureIds: [] }, document, room).values.content, /A \| 3\.10[^]*Grains of type A/)
  const noted = { ...document, tables: document.tables.map(table => ({ ...table, notes: 'Values are means of five runs.' })) }
  t.match(materialFor({ ...yes, place: 't1', figureIds: [] }, noted, room).values.content, /A \| 3\.10[^]*means of five runs[^]*Grains of type A/, 'what is printed below a table')
  t.match(materialFor({ ...yes, place: 'e1', figureIds: [] }, document, room).values.content, /v = gt/)
  t.match(materialFor({ ...yes, place: 'nowhere' }, document, room).leftOut[0], /no such place/)
})
