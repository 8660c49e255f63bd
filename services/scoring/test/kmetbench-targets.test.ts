/** The seven compatibility targets with K-MetBench's released code and public leaderboard. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { geoGaps, modalityGaps, reasoningOfRows, type LeaderboardFile } from '../../../scripts/golden/kmetbench-claims.ts'
import { extractionAdapters, kmetbenchCases } from '../../../scripts/golden/extraction.ts'
import { readKmetbenchStrictly, type KmetbenchViolation } from '../../../shared/answers/kmetbench-strict.ts'
import { inOneGo } from '../../../shared/text/in-one-go.ts'
import { bootstrapShare } from '../domain/analyses/two-shares.ts'
import { kmetbenchRows } from '../score-tables/domain/export-rows.ts'
import { rankTable } from '../score-tables/domain/rank-table.ts'
import { readTable } from '../score-tables/domain/read-table.ts'

const corpus = process.env.VIVA_CORPUS
const skip = corpus === undefined && 'VIVA_CORPUS is not set'
const golden = (name: string) => JSON.parse(readFileSync(`${corpus}/golden/${name}.json`, 'utf8'))
const leaderboard = (): LeaderboardFile => golden('kmetbench_leaderboard')
const tableFrom = (file: unknown) => inOneGo(readTable(file as never, 'K-MetBench'))

t.test('1: every recorded string is read as the toolkit reads it', { skip }, async t => {
  const cases = kmetbenchCases(golden('kmetbench_extraction_cases'))
  t.ok(cases.length >= 70)
  t.same(cases.filter(each => extractionAdapters[each.kind]!(each) !== null).map(({ id }) => id), [])
})

t.test('1: held to the format, what the toolkit accepts besides is a violation with a name', async t => {
  const missed: Array<[string, KmetbenchViolation]> = [
    ['', 'empty'], ['정답: 2', 'no-json'], ['The final answer is option 3.', 'no-json'], ['{"정답": 2}', 'extra-text'],
    ["```json\n{'정답': 3}\n```", 'bad-json'], ['```json\n{"정답": 3,}\n```', 'bad-json'], ['```json\n{"정답": "2번"}\n```', 'wrong-form'],
    ['```json\n{"정답": 2.7}\n```', 'wrong-form'], ['```json\n{"정답": -2}\n```', 'out-of-range'], ['```json\n{"정답": 7}\n```', 'out-of-range'],
    ['```json\n{"answer": 2}\n```', 'key-missing'], ['<think>정답 1 ...', 'unclosed-reasoning'], ['So:\n```json\n{"정답": 2}\n```', 'extra-text'],
    ['```json\n{"정답": 1}\n```\n```json\n{"정답": 2}\n```', 'multiple'], ['```json\n{"생성된_추론_근거": "$\\sigma$", "정답": 2}\n```', 'bad-json']
  ]
  for (const [reply, violation] of missed) {
    t.match(readKmetbenchStrictly(reply, 4), { index: null, violation }, JSON.stringify(reply))
  }
  const whole = '<scratchpad>{F = 9/5}</scratchpad>\n```json\n{"생성된_추론_근거": "a", "정답": 3}\n```'
  t.match(readKmetbenchStrictly(whole, 4), { index: 2, label: 'C', rule: 'kmetbench-strict' })
})

t.test('1: on the recorded strings the strict reading takes nothing that the toolkit reads otherwise', { skip }, async t => {
  interface Recorded { input: string, upstream_answer: number }
  const { answers } = golden('kmetbench_extraction_cases') as { answers: Recorded[] }
  const strict = answers.map(({ input }) => readKmetbenchStrictly(input, 4))
  const taken = answers.filter((_, at) => strict[at]!.index !== null)
  t.ok(taken.length >= 3 && taken.length < answers.length / 2, `${taken.length} of ${answers.length}`)
  const isOther = ({ input, upstream_answer: theirs }: Recorded) =>
    readKmetbenchStrictly(input, 4).index !== theirs - 1
  t.same(taken.filter(isOther), [])
})

t.test('2: order and correlation of accuracy and judged reasoning', { skip }, async t => {
  const { rows } = leaderboard()
  const near = (found: unknown, wanted: number, within: number) => t.ok(Math.abs(Number(found) - wanted) < within, `${found}`)
  const paper = reasoningOfRows(rows.filter(row => row.in_paper_table4)).summary
  near(paper.kendallTauB, 7 / 9, 1e-9)
  near(paper.pearson, 0.9210672, 1e-7)
  const all = reasoningOfRows(rows).summary
  near(all.kendallTauB, 0.7905011, 1e-7)
  near(all.pearson, 0.9339675, 1e-7)
})

t.test('3: in all 71 rows parts come to the total, and items without and with images do', { skip }, async t => {
  const { rows } = tableFrom(leaderboard())
  t.equal(rows.length, 71)
  const codes = rows.flatMap(({ warnings }) => warnings.map(({ code }) => code))
  t.same(codes.filter(code => ['parts-do-not-sum', 'kinds-do-not-sum', 'percent-differs', 'not-a-count'].includes(code)), [])
  const cell = (at: number, slice: string) => rows[at]!.cells.find(each => each.slice === slice)!
  for (const at of rows.keys()) {
    const parts = [1, 2, 3, 4, 5].map(part => cell(at, `part${part}`))
    t.equal(parts.reduce((sum, { right }) => sum + right!, 0), cell(at, 'all').right)
    t.equal(cell(at, 'text').right! + (cell(at, 'multimodal').right ?? 0), cell(at, 'all').right)
    t.equal(cell(at, 'text').n, 1692)
  }
})

t.test('4: the percentile bootstrap of 62 of 82 and 56 of 71', async t => {
  for (const [right, n, low, high] of [[62, 82, 54, 69], [56, 71, 49, 62]] as const) {
    const found = bootstrapShare({ right, n })
    t.ok(Math.abs(found.low * n - low) <= 1 + 1e-9 && Math.abs(found.high * n - high) <= 1 + 1e-9, `${found.low * n} to ${found.high * n}`)
  }
})

t.test('5: leaving one item out turns the geo gap of three models, and no modality gap', { skip }, async t => {
  const file = leaderboard()
  const paper = file.rows.filter(row => row.in_paper_table4)
  const flips = ({ rows }: ReturnType<typeof geoGaps>) => rows.filter(row => Number(row.leaveOneOutFlips) > 0)
    .map(row => [row.model, row.leaveOneOutFlips]).sort()
  t.strictSame(flips(geoGaps(paper)), [
    ['LGAI-EXAONE/EXAONE-4.0-32B', 29], ['meta-llama/Llama-3.2-1B-Instruct', 3], ['naver-hyperclovax/HyperCLOVAX-SEED-Text-Instruct-0.5B', 10]
  ])
  t.strictSame(flips(modalityGaps(file, paper)), [])
})

t.test('6: both normalisations of a judged mean, by name', async t => {
  const { rows: [row] } = reasoningOfRows([{
    model: 'm', derived: { n: 2, correct: 1, reasoning_n: 139, reasoning_sum: 2504 }
  } as never])
  t.ok(Math.abs(Number(row!.normalisedFromLowest) - 0.8758993) < 1e-7)
  t.ok(Math.abs(Number(row!.percentOfHighest) - 90.0719424) < 1e-6)
})

t.test('7: the leaderboard goes out in the shape of their rows, and comes back as the same table', { skip }, async t => {
  const table = tableFrom(leaderboard())
  const file = kmetbenchRows(table) as { count: number, rows: Array<Record<string, unknown>> }
  const fields = ['model_key', 'display_model_name', 'canonical_model_name', 'model_size_b', 'model_size_label',
    'is_proprietary_model', 'is_korean_model', 'is_vision_model', 'is_reasoning_model', 'accuracy_pct', 'reasoning_total',
    'reasoning_pct', 'korean_pct', 'text_pct', 'multimodal_pct', 'part1_pct', 'part5_pct', 'timestamps']
  t.equal(file.count, 71)
  for (const row of file.rows) t.same(fields.filter(field => !(field in row)), [])
  t.equal(file.rows.filter(row => row['multimodal_pct'] === null).length, 30, 'null for models without images')
  t.strictSame(tableFrom(JSON.parse(JSON.stringify(file))), table)
})

t.test('7: from their percentages alone every count comes back', { skip }, async t => {
  const table = tableFrom(leaderboard())
  const { rows } = kmetbenchRows(table) as { rows: Array<Record<string, unknown>> }
  const percentages = rows.map(({ counts, reasoning_n: n, dataset_version: version, ...row }) => row)
  const bare = tableFrom({ rows: percentages })
  t.strictSame(bare.rows.map(({ cells }) => cells), table.rows.map(({ cells }) => cells))
  const judged = bare.rows.map(row => row.judged!.n)
  t.ok(judged.every((n, at) => n === null || n === table.rows[at]!.judged!.n), 'of how many a judged mean is, or not known')
  t.ok(bare.rows.every(({ warnings }) => warnings.some(({ code }) => code === 'no-version')))
})

t.test('ranks by the items without images are others for 28 of 71 rows, by up to four places', { skip }, async t => {
  const table = tableFrom(leaderboard())
  const by = (by: 'text' | 'all' | 'published') => inOneGo(rankTable(table, { by, version: null, level: 0.95 }))
  t.match(by('text'), { n: 1692, moved: { rows: 28, most: 4 } })
  const all = by('all')
  t.match([all.n, all.rows.filter(({ rank }) => rank !== null).length], [1774, 41])
  const published = by('published')
  t.equal(published.n, null)
  t.ok(published.rows.every(({ rankSet, tieGroup }) => rankSet === null && tieGroup === null), 'unlike items have no rank sets')
})
