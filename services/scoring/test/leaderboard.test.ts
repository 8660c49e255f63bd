import t from 'tap'
import { LeaderboardQuery } from '../../../shared/contracts/leaderboard.ts'
import { idOf } from '../../../shared/contracts/hash.ts'
import type { Outcome } from '../../../shared/contracts/run.ts'
import { normalCdf } from '../../../shared/stats/distributions.ts'
import { seededRandom } from '../../../shared/testing/random.ts'
import { inOneGo } from '../../../shared/text/in-one-go.ts'
import type { Mark, Unit } from '../domain/compare/grid.ts'
import { measuredBy } from '../domain/compare/measured.ts'
import { entriesOf, type RunMarks } from '../domain/leaderboard/entries.ts'
import { leaderboardCsv, leaderboardLatex, leaderboardMarkdown } from '../domain/leaderboard/leaderboard-tables.ts'
import { linkOf } from '../domain/leaderboard/link.ts'
import { leaderboardOf } from '../domain/leaderboard/leaderboard.ts'
import { sensitivityOf } from '../domain/leaderboard/sensitivity.ts'
import { benchmarkOf, conditionOf, documentOf, itemsOf } from './fixtures.ts'
import { promptOf, says, startScoring } from './given-scoring.ts'

const documents = [documentOf('one'), documentOf('two')]
const items = documents.flatMap(itemsOf)
const benchmark = benchmarkOf(documents, items)
const query: LeaderboardQuery = { metric: 'accuracy', baselines: true, humans: true, itemsShare: 0.5, level: 0.95 }

/** 1 right, 0 wrong, e error, s skipped; a space between papers. */
function runOf (model: string, marks: string, repeat = 0): RunMarks {
  const of = (mark: string): Mark => {
    const outcome: Outcome = mark === 'e' ? 'error' : mark === 's' ? 'skipped' : 'answered'
    return { outcome, value: outcome === 'answered' ? Number(mark) : null, answerIndex: null }
  }
  const row = [...marks.replaceAll(' ', '')].map(of)
  return { runId: `run_${model}${repeat}`, model, condition: conditionOf({ repeat }), prompts: [], marks: row }
}

function unitsFor (marks: string): Unit[] {
  return marks.split(' ').flatMap((paper, p) => [...paper].map((_, i) => ({
    itemId: `itm_${p}_${i}`, kind: 'choice' as const, cluster: `paper ${p}`, pairId: null, slices: {}, referenceIndex: 0
  })))
}

function board (runs: readonly RunMarks[], like: string, given: Partial<LeaderboardQuery> = {}) {
  return inOneGo(leaderboardOf({
    benchmark, measured: measuredBy('accuracy'), units: unitsFor(like), runs, leftOut: [], query: { ...query, ...given }
  }))
}

const papers = (one: string, count = 8) => Array.from({ length: count }, () => one).join(' ')
const good = runOf('good', papers('1110'))
const close = runOf('close', `1111 0110 ${papers('1110', 6)}`)
const bad = runOf('bad', papers('0001'))

t.test('rows stand by rank, with the ranks that the data leave open and groups of ties', async t => {
  const found = board([bad, close, good], papers('xxxx'))
  t.strictSame(found.rows.map(({ name, rank, rankSet, tieGroup }) => ({ name, rank, rankSet, tieGroup })), [
    { name: 'close', rank: 1, rankSet: { best: 1, worst: 2 }, tieGroup: 1 },
    { name: 'good', rank: 1, rankSet: { best: 1, worst: 2 }, tieGroup: 1 },
    { name: 'bad', rank: 3, rankSet: { best: 3, worst: 3 }, tieGroup: 2 }
  ])
  t.strictSame(board([good, bad, close], papers('xxxx')), found, 'whatever order the runs come in')
})

t.test('ranks compare the items that count for every ranked run; scores are of all own items', async t => {
  const seeing = runOf('seeing', '11 11 11 00 00')
  const blind = runOf('blind', '1s 1s 1s 1s 0s')
  const { rows, commonItems, items: all, notes } = board([seeing, blind], 'xx xx xx xx xx')
  t.match({ all, commonItems }, { all: 10, commonItems: 5 })
  t.match(rows[0], { name: 'blind', rank: 1, score: { value: 0.8, n: 5 }, common: { value: 0.8, n: 5 } })
  t.match(rows[1], { name: 'seeing', rank: 2, score: { value: 0.6, n: 10 }, common: { value: 0.6, n: 5 } })
  t.match(notes.join(), /5 of 10 items that count for every ranked run/)
})

t.test('bounds take a pair in error that is lost already as lost', async t => {
  const lost: Mark = { outcome: 'error', value: null, answerIndex: null, most: 0 }
  const run = runOf('erring', '11 1e')
  const { rows: [row] } = board([{ ...run, marks: [lost, ...run.marks.slice(1)] }], 'xx xx')
  t.match(row, { bounds: { low: 0.5, high: 0.75, errors: 2 } })
})

t.test('runs that count too little, not at all, or have errors are shown and not ranked', async t => {
  const { rows, notes } = board([
    runOf('some', '1s ss ss'), runOf('none', 'ss ss ss'), runOf('erring', '11 1e 11'), runOf('whole', '10 11 01')
  ], 'xx xx xx')
  t.strictSame(rows.map(({ name, rank }) => [name, rank]), [['whole', 1], ['erring', null], ['none', null], ['some', null]])
  t.match(rows[1], { notRanked: /1 of 6 items ended in error/, bounds: { low: 5 / 6, high: 1, errors: 1 }, score: { value: 1, n: 5 } })
  t.match(rows[2], { notRanked: /None of 6/, score: { value: null, n: 0 } })
  t.match(rows[3], { notRanked: /Only 1 of 6/ })
  t.match(notes.join(), /ranks of others may still change: erring/)
})

t.test('what ranked runs have in common is at least the share asked for, whoever else comes', async t => {
  const like = papers('xx', 10)
  const miss = (model: string, items: number[]) =>
    runOf(model, [...'1'.repeat(20)].map((mark, at) => items.includes(at) ? 's' : mark).join(''))
  const whole = runOf('whole', '1'.repeat(20))
  const by = (runs: RunMarks[], itemsShare: number) => {
    const { rows, commonItems } = board(runs, like, { itemsShare })
    return [commonItems, ...rows.filter(({ rank }) => rank !== null).map(({ name }) => name)]
  }
  const blind = miss('blind', [0, 2, 4, 6, 8, 10, 12, 14])
  t.strictSame(by([whole, blind], 0.9), [20, 'whole'], 'a model that skips much takes nothing from the others')
  t.strictSame(by([whole, blind], 0.5), [12, 'blind', 'whole'])
  const few = [miss('a', [0]), miss('b', [1]), miss('c', [2, 3])]
  t.strictSame(by([whole, ...few], 0.9), [18, 'a', 'b', 'whole'], 'nor do several together')
  t.match(board([whole, ...few], like, { itemsShare: 0.9 }).rows.at(-1), { name: 'c', notRanked: /18 of 20 items count, .* would leave 16 in common/ })
  t.strictSame(by([whole, ...few], 0), [16, 'a', 'b', 'c', 'whole'])
  const halves = [miss('p', [0, 1]), miss('q', [2, 3])]
  t.strictSame(by(halves, 0.9), [0], 'of two that leave different parts, no name decides')
  t.strictSame(by([...few.toReversed(), whole], 0.9), by([whole, ...few], 0.9))
  t.match(LeaderboardQuery.properties.itemsShare, { default: 0.9 })
})

t.test('models without a common item are not ranked, and an empty board is one', async t => {
  const { rows, sensitivity } = board([runOf('a', '11 ss'), runOf('b', 'ss 11')], 'xx xx')
  t.match(rows, [{ rank: null, notRanked: /would leave 0 in common/ }, { rank: null }])
  const all = board([runOf('a', '11 ss'), runOf('b', 'ss 11')], 'xx xx', { itemsShare: 0 })
  t.match(all.rows, [{ rank: null, notRanked: /No item counts for every run/ }, { rank: null }])
  t.equal(sensitivity, null)
  t.match(board([], 'xx'), { rows: [], commonItems: 0, sensitivity: null })
  t.match(board([], '').notes, [])
})

t.test('few items that differ rank nobody before another: the sets are wide and a note says why', async t => {
  const nine = papers('x', 9)
  const runs = [runOf('luck', '1 1 1 1 0 0 0 0 0'), ...['a', 'b', 'c'].map(name => runOf(name, papers('0', 9)))]
  const found = board(runs, nine)
  t.strictSame(found.rows.map(({ rankSet, tieGroup }) => ({ rankSet, tieGroup })),
    runs.map(() => ({ rankSet: { best: 1, worst: 4 }, tieGroup: 1 })))
  t.match(found.notes, ['Undecided in any case: in 3 of 6 pairs of rows so few papers differ that no p below 0.125 can come out.'])
  const seven = board([runOf('b', papers('0', 20)), runOf('a', `${papers('1', 7)} ${papers('0', 13)}`)], papers('x', 20))
  t.strictSame(seven.rows.map(({ rankSet }) => rankSet), [{ best: 1, worst: 1 }, { best: 2, worst: 2 }], 'seven can')
  t.strictSame(seven.notes, [])
})

t.test('one paper, and one run: ranks without sets', async t => {
  const { rows, notes } = board([runOf('a', '110'), runOf('b', '100')], 'xxx')
  t.match(rows, [{ rank: 1, rankSet: null, leaveOnePaperOut: null }, { rank: 2 }])
  t.match(notes.join(), /no rank confidence sets/)
  t.match(board([runOf('a', '11 0')], 'xx x').rows, [{ rank: 1, rankSet: { best: 1, worst: 1 } }])
})

t.test('repeats are one row: an item is worth their mean, and one in error leaves it in error', async t => {
  const [entry, ...others] = entriesOf([runOf('a', '1 0', 1), runOf('a', '1 1', 0)])
  t.equal(others.length, 0)
  t.strictSame(entry!.runIds, ['run_a0', 'run_a1'])
  t.strictSame(entry!.marks.map(({ value }) => value), [1, 0.5])
  const erring = entriesOf([runOf('a', '1 e', 1), runOf('a', '1 1', 0)])[0]!
  t.match(erring.marks[1], { outcome: 'error', value: null })
  t.match(board([runOf('a', '1 0', 1), runOf('a', '1 1', 0)], 'x x').rows[0], { score: { value: 0.75, n: 2 }, outcomes: { answered: 2 } })
})

t.test('the fewest items that turn the first two are exact', async t => {
  const of = (first: number[], second: number[]) => sensitivityOf({
    first: { name: 'a', values: first },
    second: { name: 'b', values: second },
    itemIds: first.map((_, at) => `i${at}`),
    clusters: first.map((_, at) => at < 3 ? 'p' : 'q')
  })
  // Five net wins of seven to two: six must go for the second to lead.
  t.match(of([1, 1, 1, 1, 1, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1, 1]), { itemsToTie: 5, itemsToFlip: 6, items: ['i0', 'i1', 'i2', 'i3', 'i4', 'i5'] })
  t.match(of([1, 1], [0, 0]), { itemsToTie: 2, itemsToFlip: null, items: [] })
  t.match(of([1, 1, 1, 0, 0], [0, 0, 0, 1, 1]), { papers: 2, papersThatFlip: ['p'] })
  t.match(of([0.9, 0.2], [0.4, 0.5]), { itemsToFlip: 1, items: ['i0'] })
  t.match(of([1, 0], [1, 0]), { itemsToTie: 0, itemsToFlip: null })
})

t.test('leaving a paper out moves ranks, and says so', async t => {
  const { rows } = board([runOf('a', '111 000'), runOf('b', '000 110')], 'xxx xxx')
  t.match(rows, [{ name: 'a', rank: 1, leaveOnePaperOut: { best: 1, worst: 2 } }, { name: 'b', leaveOnePaperOut: { best: 1, worst: 2 } }])
})

t.test('files hold what the rows do, and no name is taken for a formula or a command', async t => {
  const found = board([runOf('=cmd|x', '11 10'), runOf('$\\write18{x}$', '10 e0')], 'xx xx')
  t.match(leaderboardCsv(found), /\r\n1,1,1,'=cmd\|x,0\.75,/)
  t.match(leaderboardMarkdown(found), /=cmd\\\|x/)
  const tex = leaderboardLatex(found)
  t.notMatch(tex, /\\write18/)
  t.match(tex, /\\toprule/)
})

/** Models of known ability answer items of known difficulty; of the anchors the first so many moved. */
function versions ({ drifting = 0, anchors = 60, models = 24 } = {}) {
  const random = seededRandom(11)
  const difficulty = new Map<string, number>()
  const unitsOf = (own: string) => Array.from({ length: 160 }, (_, i): Unit => {
    const itemId = i < anchors ? `anchor_${i}` : `${own}_${i}`
    if (!difficulty.has(itemId)) difficulty.set(itemId, 2.4 * random.next() - 1.2 + (own === 'there' ? 0.5 : 0))
    return { itemId, kind: 'choice', cluster: `paper ${i % 16}`, pairId: null, slices: {}, referenceIndex: 0 }
  })
  const [here, there] = [unitsOf('here'), unitsOf('there')]
  const normal = () => Array.from({ length: 12 }, random.next).reduce((a, b) => a + b, 0) - 6
  const answer = (units: readonly Unit[], ability: number, isThere: boolean) => units.map(({ itemId }, i) =>
    ability + normal() > difficulty.get(itemId)! + (isThere && i < drifting ? 3 : 0) ? '1' : '0').join('')
  const ability = (m: number, mean: number) => mean + 1.6 * (m + 0.5) / models - 0.8
  const rows = (
    units: readonly Unit[], mean: number, isThere: boolean
  ) => Array.from({ length: models }, (_, m) =>
    runOf(`${isThere ? 'there' : 'here'}-${m}`, answer(units, ability(m, mean), isThere)))
  const expected = (m: number) => here.reduce(
    (sum, { itemId }) => sum + normalCdf(ability(m, -0.4) - difficulty.get(itemId)!), 0
  ) / here.length
  return {
    link: linkOf({ benchmark, units: here, runs: rows(here, 0.2, false) }, { benchmark, units: there, runs: rows(there, -0.4, true) }, 'accuracy'),
    expected
  }
}

t.test('versions are linked by anchors, and what weaker models scored on harder items is put on this scale', async t => {
  const { link, expected } = versions()
  t.match(link, { linked: true, anchors: { shared: 60 } })
  t.ok(link.anchors.kept >= 54, 'good anchors are rarely refused')
  const there = link.rows.filter(({ from }) => from === 'other version')
  const errors = there.map(row => row.onThisVersion! - expected(Number(row.name.split('-')[1])))
  const bias = errors.reduce((a, b) => a + b, 0) / errors.length
  t.ok(Math.abs(bias) < 0.025, `bias ${bias}`)
  const untouched = there.map(row => row.score! - expected(Number(row.name.split('-')[1]))).reduce((a, b) => a + b, 0) / there.length
  t.ok(untouched < -0.05, 'where the scores as they stand are biased')
})

t.test('anchors that drift are refused, and so is a link by too few, by drifting ones, or with few models', async t => {
  const some = versions({ drifting: 6 }).link
  t.equal(some.linked, true)
  const named = some.anchors.drifting.map(({ itemId }) => itemId)
  // Those that were hard already cannot be seen to become harder.
  t.ok(named.filter(itemId => Number(itemId.split('_')[1]) < 6).length >= 3 && named.length <= 9, named.join())
  t.match(versions({ drifting: 8, anchors: 20 }).link, { linked: false, reason: /drift/, shift: null })
  t.match(versions({ anchors: 5 }).link, { linked: false, reason: /anchors are left/ })
  t.match(versions({ models: 3 }).link, { linked: false, reason: /3 rows/ })
  t.ok(versions({ anchors: 5 }).link.rows.every(({ from, onThisVersion }) => from === 'this version' || onThisVersion === null))
  t.match(linkOf({ benchmark, units: [], runs: [] }, { benchmark, units: [], runs: [] }, 'accuracy'), { linked: false, rows: [] })
})

t.test('over HTTP: runs, their comparison, and the leaderboard', async t => {
  const { ask, run } = await startScoring(t, { documents, frozen: [{ benchmark, items }] }, {
    answer: asked => says(/Answer: Yes/.test(promptOf(asked)) ? (/21 percent/.test(promptOf(asked)) ? 'Answer: No' : 'Answer: Yes') : 'Answer: A')
  })
  const [seeing, yes] = [await run('seeing'), await run('baseline/always-yes')]
  const body = { runIds: [seeing.id, yes.id], metrics: ['accuracy', 'pairAccuracy'], slices: ['aspect'] }
  const made = await ask('POST', '/comparisons', body)
  t.equal(made.status, 201)
  t.equal(made.headers.location, `/v1/comparisons/${made.body.id}`)
  t.match(made.body.differences[0], { metric: 'accuracy', n: 4, clusters: 2, difference: 0.5, leftOut: [{ reason: 'skipped of the second', n: 2 }], verdict: 'undecided' })
  t.match(made.body.discordant[0], { total: 2, items: [{ reference: 'No', first: { answer: 'No' }, second: { answer: 'Yes' } }, {}] })
  t.equal((await ask('POST', '/comparisons', body)).status, 200, 'the same again')
  const json = await ask('GET', `/comparisons/${made.body.id}.json`)
  t.strictSame(JSON.parse(json.text), made.body)
  t.match((await ask('GET', `/comparisons/${made.body.id}.csv`)).text, /^first,second,metric/)
  t.match((await ask('GET', `/comparisons/${made.body.id}.md`)).text, /## What can be claimed/)
  t.match((await ask('GET', `/comparisons/${made.body.id}.tex`)).text, /\\toprule/)
  const unknown = await ask('GET', `/comparisons/${idOf('comparison', 'none')}`)
  t.equal(unknown.body.type.split('/').at(-1), 'comparison-not-found')
  const stranger = await ask('POST', '/comparisons', { ...body, pairs: [[seeing.id, `run_${'0'.repeat(32)}`]] })
  t.match(stranger, { status: 400, body: { errors: [{ pointer: '/body/pairs/0' }] } })
  t.equal((await ask('POST', '/comparisons', { ...body, pairs: 'variants' })).status, 400)

  const found = await ask('GET', `/leaderboards/${benchmark.id}?metric=accuracy&kind=binary`)
  t.match(found.body, { items: 4, commonItems: 4, rows: [{ model: 'seeing', rank: 1, common: { value: 1 } }, { model: 'baseline/always-yes', baseline: true, rank: 2, common: { value: 0.5 } }] })
  t.match((await ask('GET', `/leaderboards/${benchmark.id}?baselines=false`)).body.rows.map(({ model }: any) => model), ['seeing'])
  t.match((await ask('GET', `/leaderboards/${benchmark.id}?contentMode=none`)).body.rows, [])
  const file = await ask('GET', `/leaderboards/${benchmark.id}.csv?kind=binary`)
  t.match(file.text, /\r\n1,1 to 2,1,seeing,1,/)
  t.equal((await ask('GET', `/leaderboards/${benchmark.id}.csv?kind=binary`)).text, file.text)
  t.equal((await ask('GET', `/leaderboards/bmk_${'0'.repeat(32)}`)).status, 404)
  t.equal((await ask('GET', `/leaderboards/${benchmark.id}/links/${benchmark.id}`)).status, 400)
})
