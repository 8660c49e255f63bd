import t from 'tap'
import type { ComparisonRequest } from '../../../shared/contracts/comparison.ts'
import type { Outcome } from '../../../shared/contracts/run.ts'
import { inOneGo } from '../../../shared/text/in-one-go.ts'
import { comparisonCsv, comparisonLatex, comparisonMarkdown } from '../domain/compare/comparison-tables.ts'
import { comparisonOf, decided, tested } from '../domain/compare/comparison.ts'
import { assumedValue, marksOf, unitsOf, type Column, type Mark, type Unit } from '../domain/compare/grid.ts'
import { measuredBy } from '../domain/compare/measured.ts'
import { adjusted, maxTLimit } from '../domain/compare/multiplicity.ts'
import { pairedDifference } from '../domain/compare/paired.ts'
import { choiceScores } from '../domain/choice-scores.ts'
import { scorePrediction, type ScoredChoice } from '../domain/scored.ts'
import { blankPrediction } from '../domain/plan.ts'
import { questionOf } from '../domain/question.ts'
import { readReply } from '../domain/read-reply.ts'
import { benchmarkOf, conditionOf, documentOf, itemsOf } from './fixtures.ts'

/** 1 right, 0 wrong, e error, s skipped; one mark an item, "110 0e1" has two papers. */
function column (name: string, marks: string): Column {
  const of = (mark: string): Mark => {
    const outcome: Outcome = mark === 'e' ? 'error' : mark === 's' ? 'skipped' : 'answered'
    const value = outcome === 'answered' ? Number(mark) : null
    return { outcome, value, answerIndex: value === null ? null : value === 1 ? 0 : 1 }
  }
  return { runId: `run_${name.padEnd(32, '0')}`, name, model: name, condition: conditionOf(), marks: [...marks.replaceAll(' ', '')].map(of) }
}

function unitsFor (marks: string): Unit[] {
  return marks.split(' ').flatMap((paper, p) => [...paper].map((_, i) => ({
    itemId: `itm_${p}_${i}`, kind: 'choice' as const, cluster: `paper ${p}`, pairId: null, slices: { aspect: i % 2 === 0 ? 'text' : 'figure' }, referenceIndex: 0
  })))
}

const measured = measuredBy('accuracy')

function pair (first: string, second: string) {
  return pairedDifference({
    measured, units: unitsFor(first), first: column('a', first), second: column('b', second), level: 0.95
  })
}

t.test('a difference is of the items both have, and says which are left out and why', async t => {
  const found = pair('111e 10s 110', '010e 1e0 011')
  t.match(found, { n: 7, clusters: 3, firstScore: 6 / 7, secondScore: 4 / 7 })
  t.strictSame(found.leftOut, [
    { reason: 'error of the first, error of the second', n: 1 },
    { reason: 'error of the second', n: 1 },
    { reason: 'skipped of the first', n: 1 }
  ])
})

t.test('the numbers of a difference, worked out by hand', async t => {
  // Differences by paper: 1 1 | 1 0 | 0 0, sums 2, 1, 0, mean 1/2.
  const found = pair('11 11 00', '00 01 00')
  t.equal(found.difference, 0.5)
  // CR2: residual sums 1, 0, -1; each paper a third of the items.
  const se = Math.sqrt((1 + 0 + 1) / (1 - 1 / 3)) / 6
  t.match(found.tests.t, { statistic: 0.5 / se, df: 2 })
  // Two papers that differ: of 4 sign patterns of (2, 1) one is as large, and its mirror.
  t.match(found.tests.signFlip, { p: 0.5, smallestP: 0.5, clusters: 3 })
  t.equal(found.p, 0.5, 'the exact test counts')
  t.equal(found.tests.mcnemar, null)
  t.match(found.tests.notes.join(' '), /not independent/)
  t.match(found.effect, { onlyFirst: 3, onlySecond: 0 })
  t.ok(found.minimumDetectableEffect! > 4 * se)
})

t.test('McNemar where every item is of a paper of its own', async t => {
  const [first, second] = ['1 1 1 1 1 0 1 1', '0 0 0 0 0 1 1 1']
  const { tests } = pair(first, second)
  t.match(tests.mcnemar, { onlyFirst: 5, onlySecond: 1, exactP: Number })
  t.ok(Math.abs(tests.mcnemar!.exactP - 2 * 7 / 64) < 1e-14)
  t.equal(tests.signFlip!.p, 2 * 7 / 64, 'and then it is the sign-flip test')
})

t.test('equal runs differ by 0 with an interval that is no point', async t => {
  const found = pair('10 11 01 11', '10 11 01 11')
  t.match(found, { difference: 0, p: 1, tests: { t: null } })
  t.ok(found.interval!.low < 0 && found.interval!.high === -found.interval!.low && found.interval!.high < 1)
  t.match(found.interval!.method, /4 papers/)
})

t.test('one paper, one item, nothing in common: each says what it is', async t => {
  const paper = pair('1110', '0010')
  t.match(paper, { clusters: 1, interval: { note: /says nothing of other papers/ }, tests: { signFlip: { clusters: 4 } } })
  const item = pair('1', '0')
  t.match(item, { n: 1, difference: 1, p: 1, tests: { t: null } })
  t.match(pair('ss', '10'), { n: 0, difference: null, p: null, reason: /no item in common.*2 skipped of the first/ })
  t.match(pairedDifference({ measured, units: [], first: column('a', ''), second: column('b', ''), level: 0.95 }), { n: 0, difference: null })
})

t.test('with errors there are bounds, and no claim that they could undo', async t => {
  const open = pair('1e 1e 1e', '00 01 00')
  t.match(open, { bounds: { low: (3 - 1) / 6, high: 5 / 6, n: 6, errors: 3 } })
  const undecided = pair('ee 1e 00', '00 01 00')
  t.match(undecided, { p: null, bounds: { errors: 3 } })
  t.ok(undecided.bounds!.low <= 0 && undecided.bounds!.high >= 0)
  const many = '1 '.repeat(11)
  const clear = pair(`${many}e`, `${'0 '.repeat(11)}0`)
  t.match(clear.pMethod, /errors assumed against/)
  t.equal(clear.p, 2 * 1 / 2 ** 11, 'the erring item is taken as a tie at best')
})

t.test('families: Holm, BH, BY, none; what has no p is no member', async t => {
  t.strictSame(adjusted([0.01, null, 0.04], 'holm'), [0.02, null, 0.04])
  t.strictSame(adjusted([0.01, null, 0.04], 'none'), [0.01, null, 0.04])
  t.strictSame(adjusted([0.01, 0.04], 'bh'), [0.02, 0.04])
  t.strictSame(adjusted([0.02, 0.04], 'by').map(p => Number(p!.toFixed(6))), [0.06, 0.06])
  t.strictSame(adjusted([null], 'holm'), [null])
})

const documents = [documentOf('one'), documentOf('two')]
const items = documents.flatMap(itemsOf)

function scoredRun (reply: (kind: string, at: number) => string) {
  return items.map((item, at) => scorePrediction({
    ...blankPrediction(`run_${'0'.repeat(32)}`, item),
    ...readReply(questionOf(item), { content: reply(item.kind, at), finishReason: 'stop', refusal: false })
  }, item))
}

t.test('marks of each metric are of the right items; a pair is right when both its members are', async t => {
  const rows = scoredRun(kind => kind === 'binary' ? 'Answer: Yes' : kind === 'choice' ? 'A' : 'heated alloys')
  t.equal(marksOf(rows, 'accuracy').length, 6)
  t.equal(marksOf(rows, 'accuracy', ['choice']).length, 2)
  t.strictSame(marksOf(rows, 'pairAccuracy').map(({ value }) => value), [0, 0])
  t.strictSame(unitsOf(rows, 'pairAccuracy').map(({ itemId }) => itemId),
    rows.filter(({ kind }) => kind === 'binary').filter((_, at) => at % 2 === 0).map(({ itemId }) => itemId))
  t.equal(marksOf(rows, 'responseRate').length, 10)
  t.ok(marksOf(rows, 'rougeL.fmeasure', ['qa']).every(({ value }) => value! > 0 && value! < 1))
})

t.test('a pair with a member in error is lost where the other is wrong, whatever the error would have been', async t => {
  // Pairs of two papers: Yes is right of the first member.
  const of = (outcomes: readonly Outcome[]) => {
    let nth = 0
    return scoredRun(() => 'Answer: Yes').map(row =>
      row.kind === 'binary' ? { ...row, outcome: outcomes[nth] ?? row.outcome, correct: outcomes[nth++] === 'answered' && row.correct } : row)
  }
  const rows = of(['error', 'answered', 'answered', 'error'])
  const [highest] = choiceScores(rows.filter(({ kind }) => kind === 'binary') as ScoredChoice[])
    .filter(({ metric }) => metric === 'pairAccuracy.highest')
  t.match(highest, { value: 0.5, n: 2 }, 'the first is lost, the second open')
  const marks = marksOf(rows, 'pairAccuracy')
  t.strictSame(marks.map(mark => assumedValue(mark, 1)), [0, 1], 'bounds of comparisons say the same as the report')
  const units = unitsOf(rows, 'pairAccuracy')
  const found = pairedDifference({
    measured: measuredBy('pairAccuracy'), units, first: { runId: 'a', marks }, second: { runId: 'b', marks: marks.map(() => ({ outcome: 'answered', value: 1, answerIndex: null })) }, level: 0.95
  })
  t.match(found.bounds, { low: -1, high: -0.5, n: 2, errors: 2 })
  t.strictSame(marksOf(of(['error', 'skipped', 'answered', 'answered']), 'pairAccuracy').map(mark => assumedValue(mark, 1)), [null, 0], 'without a member that is skipped there is no pair')
})

const request: Omit<ComparisonRequest, 'runIds' | 'pairs'> = {
  metrics: ['accuracy'], slices: ['aspect'], multiplicity: 'holm', level: 0.95
}
const evil = '=cmd|\' /C calc\'!A0 & $x_1$ \\input{/etc/passwd} <script>'

function compared (asked = request) {
  const [first, second] = ['1111 1111 1111 1111 1111 1111', '0000 0010 0000 0000 0000 0000']
  const columns = [{ ...column('a', first), name: evil }, column('b', second)]
  const grid = { measured, units: unitsFor(first), columns }
  const runs = columns.map(({ marks: _, ...head }) => ({ ...head, outcomes: { answered: 24 } as never }))
  const pairs = [{ first: columns[0]!.runId, second: columns[1]!.runId, relation: null }]
  return inOneGo(
    comparisonOf({ benchmark: benchmarkOf(documents, items), runs, grids: [grid], pairs, request: asked })
  )
}

t.test('where the interval leaves out 0 and the exact test does not reject, the verdict says which to go by', async t => {
  const [first, second] = ['1 1 1 1 0 0 0 0 0', '0 0 0 0 0 0 0 0 0']
  const input = { measured, units: unitsFor(first), first: column('a', first), second: column('b', second), level: 0.95 }
  const [found] = decided([tested(input, request)], request)
  t.ok(found!.interval!.low > 0)
  t.match(found, { p: 0.125, verdict: 'undecided', why: /below 0\.125\. The interval leaves out 0/ })
})

t.test('a comparison lists what differs, groups the errors, declares its family, and is the same every time', async t => {
  const comparison = compared()
  t.match(comparison, {
    family: { method: 'holm', size: 3, members: '1 pair of runs × accuracy × all items, and every value of aspect' },
    discordant: [{ total: 23 }],
    errorGroups: [{ byOutcome: [{ first: 'answered', second: 'answered', n: 24, both: 1, onlyFirst: 23 }] }]
  })
  t.equal(comparison.differences[0]!.verdict, 'undecided', 'six papers: p is 1/32, and there are three tests')
  t.equal(comparison.differences[0]!.adjustedP, 3 / 32)
  t.equal(comparison.id, compared().id)
  t.strictSame(comparison.discordant[0]!.items[0], {
    itemId: 'itm_0_0', kind: 'choice', cluster: 'paper 0', reference: 'A', first: { outcome: 'answered', answer: 'A', value: 1 }, second: { outcome: 'answered', answer: 'B', value: 0 }
  })
})

t.test('max-T takes the dependence between the tests, and leaves out what has no t', async t => {
  const pooled = compared({ ...request, multiplicity: 'max-t' })
  t.match(pooled.family, { method: 'max-t', size: 2 })
  // Of 64 sign patterns two are as large; the slice that is the same in every paper has no t.
  t.strictSame(pooled.differences.map(({ adjustedP }) => adjustedP), [2 / 64, null, 2 / 64])
  t.equal(pooled.differences[0]!.verdict, 'first')
  t.match(pooled.notes.join(' '), /not in the family of max-t/)
  t.equal(maxTLimit(100, 20), null)
  t.match(maxTLimit(1_000, 100), /take holm/)
})

t.test('files cannot be taken for formulas, Markdown or commands', async t => {
  const comparison = compared()
  t.match(comparisonCsv(comparison), /\r\n'=cmd/)
  const tex = comparisonLatex(comparison)
  t.match(tex, /\\toprule[^]*\\midrule[^]*\\bottomrule/)
  t.notMatch(tex, /\\input/)
  t.ok(tex.includes('\\& \\$x\\_1\\$ \\textbackslash{}input\\{/etc/passwd\\} \\textless{}script\\textgreater{}'))
  t.notMatch(comparisonMarkdown(comparison), /[^\\]<script/)
})

t.test('errors in common: the same wrong answer, beside what chance would give', async t => {
  const wrong = (choice: number): Mark => ({ outcome: 'answered', value: 0, answerIndex: choice })
  const units = unitsFor('000 000')
  const columns = [column('a', '000 000'), column('b', '000 000')]
  const [first, second] = [[1, 1, 2, 2, 1, 2], [1, 1, 2, 2, 2, 1]]
  const grid = {
    measured,
    units,
    columns: columns.map((each, at) => ({ ...each, marks: (at === 0 ? first : second).map(wrong) }))
  }
  const runs = columns.map(({ marks: _, ...head }) => ({ ...head, outcomes: {} as never }))
  const pairs = [{ first: columns[0]!.runId, second: columns[1]!.runId, relation: null }]
  const { errorGroups: [groups] } = inOneGo(
    comparisonOf({ benchmark: benchmarkOf(documents, items), runs, grids: [grid], pairs, request })
  )
  t.match(groups!.byAnswer, { bothWrong: 6, sameWrong: 4, sameWrongByChance: 3 })
})
