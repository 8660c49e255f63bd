import t from 'tap'
import { encode } from 'fast-png'
import type { Report } from '../../../shared/contracts/report.ts'
import { findBaseline } from '../domain/baselines/baselines.ts'
import { blankPrediction, errorPrediction } from '../domain/plan.ts'
import { questionOf } from '../domain/question.ts'
import { readReply } from '../domain/read-reply.ts'
import { analysesOf } from '../domain/report/analyses.ts'
import { intervalUses, meaningsOf } from '../domain/report/glossary.ts'
import { metricName } from '../domain/report/numbers.ts'
import { chooseExamples, exampleOf, worthOf } from '../domain/report/examples.ts'
import { placedIn } from '../domain/report/item-scores.ts'
import { addColumn, gridsFor } from '../domain/report/run-differences.ts'
import { inOneGo } from '../../../shared/text/in-one-go.ts'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import { reportHtml } from '../domain/report/report-html.ts'
import { reportOf, runReport } from '../domain/report/report.ts'
import { reportMarkdown } from '../domain/report/report-markdown.ts'
import { reportCsv } from '../domain/report/report-text.ts'
import { plotLabels, runNames } from '../domain/report/run-names.ts'
import { scorePrediction } from '../domain/scored.ts'
import { pngSize, shrinkPng } from '../../../shared/images/shrink-png.ts'
import { createShrinker } from '../../../shared/images/shrinker.ts'
import { summaryText } from '../../../scripts/exam/summary.ts'
import { nothingWalked } from '../../../scripts/exam/walk.ts'
import { benchmarkOf, conditionOf, documentOf, itemsOf } from './fixtures.ts'

const documents = [documentOf('one'), documentOf('two')]
const items = documents.flatMap(itemsOf)
const benchmark = benchmarkOf(documents, items)

function runOf (model: string, replyTo: (kind: string) => string | null, condition = conditionOf()) {
  const runId = `run_${Buffer.from(model).toString('hex').padEnd(32, '0').slice(0, 32)}`
  const predictions = items.map(item => {
    const reply = replyTo(item.kind)
    if (reply === null) return errorPrediction(runId, item, 'The model server is gone.')
    return {
      ...blankPrediction(runId, item), ...readReply(questionOf(item), { content: reply, finishReason: 'stop', refusal: false })
    }
  })
  const rows = predictions.map((prediction, index) => scorePrediction(prediction, items[index]!))
  const report = runReport({ runId, model, condition, prompts: [], items, rows, skipped: {} })
  const worths = { model, outcomes: rows.map(({ outcome }) => outcome), worths: rows.map(worthOf) }
  return { model, predictions, report, rows, worths }
}

const documentOfItem = ({ source }: BenchmarkItem) =>
  documents.find(({ paperId }) => 'paperId' in source && paperId === source.paperId)!

function makeReport (runs: Array<ReturnType<typeof runOf>>): Report {
  const worthById = runs.map(({ rows }) => new Map(rows.map(row => [row.itemId, worthOf(row)])))
  const examples = chooseExamples(items, worthById).map(item => exampleOf(item, {
    benchmark,
    document: documentOfItem(item),
    replies: runs.map(({ model, predictions }) => ({ model, prediction: predictions[items.indexOf(item)]! }))
  }))
  const grids = gridsFor(items)
  for (const { report: { runId, model, condition }, rows } of runs) {
    for (const grid of grids) addColumn(grid, { runId, name: model, model, condition }, rows)
  }
  const reports = runs.map(({ report }) => report)
  const placed = new Map(items.map(item => [item.id, placedIn(item, documentOfItem(item))]))
  const worths = runs.map(run => run.worths)
  const analyses = inOneGo(analysesOf({ benchmark, items, runs: reports, worths, grids, placed }))
  return reportOf(benchmark, reports, { examples, ...analyses })
}

const none = { figures: new Map(), thumbnails: new Map() }
const pictures = (url: string) => new Map(documents.map(({ figures }) => [figures[0]!.imageId!, url]))

const sample = makeReport([
  runOf('good', kind => kind === 'binary' ? 'Answer: Yes' : kind === 'choice' ? 'Answer: A' : 'Heated alloys are harder.'),
  runOf('gone', () => null)
])

/** The report with every text in it, but for what code compares with, replaced. */
function poisoned (report: Report, poison: string): Report {
  const kept = new Set(['kind', 'outcome', 'dimension', 'metric', 'paperId', 'runId'])
  return JSON.parse(JSON.stringify(report), (key, value) =>
    typeof value === 'string' && !kept.has(key) ? `${value}${poison}` : value) as Report
}

t.test('the page escapes every text there is', async t => {
  const poison = '<script>alert(1)</script>" onload=\'x\' \u0000 \ud800 &amp;'
  const html = reportHtml(poisoned(sample, poison), none)
  t.notMatch(html, /<script/i)
  t.notMatch(html, /" onload='/)
  t.notOk(html.includes('\u0000') || html.includes('\ud800'))
  t.match(html, '&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&#39;x&#39;')
  t.equal(html.match(/<[a-z]+ /g)!.length, reportHtml(poisoned(sample, ' plain'), none).match(/<[a-z]+ /g)!.length,
    'and has the same elements as without')
})

t.test('the page is self-contained and accessible', async t => {
  const url = 'data:image/png;base64,AAAA'
  const html = reportHtml(sample, { figures: pictures(url), thumbnails: pictures(url) })
  t.notMatch(html, /<script|<link|src="http|url\(|@import|@font-face/)
  t.match(html, "default-src 'none'")
  t.match(html, /<html lang="en">/)
  t.match(html, '<title>Alloys')
  for (const svg of html.match(/<svg class="chart"[^>]*>/g)!) t.match(svg, /role="img" aria-label="[^"]{20,}"/)
  for (const table of html.match(/<table>\s*<(\w+)/g)!) t.match(table, /<caption/)
  for (const image of html.match(/<img[^>]*>/g)!) t.match(image, /alt="Figure 1: Hardness over temperature\."/)
  t.match(reportHtml(sample, none), /Image left out/, 'a figure that does not fit is said to be left out')
  t.ok(Buffer.byteLength(html) < 5_000_000)
})

t.test('a report says what a reader must know', async t => {
  t.match(sample.notes.join('\n'), /No ranking and no comparison.*gone/)
  t.match(sample.notes.join('\n'), /conditional on these 2 papers/)
  t.match(sample.notes.join('\n'), /10 of 10 items are unreviewed/)
  t.match(sample.runs[1]!.notes.join('\n'), /10 of 10 items ended in error/)
  const gone = sample.runs[1]!.slices[0]!.scores[0]!
  t.match(gone, { value: null, n: 0, reason: /10|2/ })
})

t.test('notes of baselines and conditions', async t => {
  const notes = (model: string, given: object) => runReport({
    runId: 'run_0', model, condition: conditionOf(given), prompts: [], items, rows: [], skipped: { 'No eyes.': 6 }
  }).notes.join('\n')
  t.match(notes('baseline/extractive', {}), /method that wrote 10 of 10 items/)
  t.notMatch(notes('m', {}), /method that wrote/)
  t.match(notes('m', { figures: 'withheld' }), /6 items about figures were asked without their image/)
  t.match(notes('m', { contentMode: 'oracle' }), /shown the evidence/)
  t.match(notes('m', {}), '6 of 10 items were skipped and are in no score: No eyes.')
})

t.test('the same runs give the same report, other replies another', async t => {
  const again = makeReport([runOf('good', () => 'Answer: Yes')])
  t.equal(JSON.stringify(again), JSON.stringify(makeReport([runOf('good', () => 'Answer: Yes')])))
  t.not(again.id, makeReport([runOf('good', () => 'Answer: No')]).id)
  t.notMatch(JSON.stringify(sample), /20\d\d-\d\d-\d\dT|latency|hostname/)
})

t.test('examples: what runs disagree on comes first, replies are cut and say so', async t => {
  const long = makeReport([runOf('long', () => 'word '.repeat(400)), runOf('yes', () => 'Answer: Yes')])
  const [first] = long.examples
  t.equal(first!.kind, 'binary')
  t.match(first!.replies[0], { cut: true, outcome: 'unparsable', correct: false })
  t.equal(first!.replies[0]!.reply!.length, 1000)
  t.match(first!.replies[1], { cut: false, correct: true })
  t.ok(long.examples.filter(({ kind }) => kind === 'binary').length <= 4)
})

t.test('Markdown and CSV hold the same numbers and cannot be broken out of', async t => {
  const poison = '|\n# x <b> `=1+1`'
  const markdown = reportMarkdown({
    ...sample,
    benchmark: { ...benchmark, name: poison, card: { ...benchmark.card, notes: [poison] } },
    runs: sample.runs.map(run => ({ ...run, model: poison, notes: [poison] }))
  })
  t.notMatch(markdown, /^# x/m)
  t.notMatch(markdown, /[^\\]<b>/)
  t.match(reportMarkdown(sample), /\| Accuracy \| 50\.0 % \[.*\] \(n = 4, 2 papers\) \| – \(n = 0\) \|/)
  const model = '=cmd|"x",'
  const csv = reportCsv({ ...sample, runs: sample.runs.map(run => ({ ...run, model })) })
  t.match(csv, /^"'=cmd\|""x"",",run_/m)
  for (const start of ['\n=', ' @', '\uFF1D', '\t-']) {
    const cells = reportCsv({ ...sample, runs: sample.runs.map(run => ({ ...run, model: `${start}1` })) })
    t.match(cells, new RegExp(`^"?'${start}1`, 'mu'), 'however it begins')
  }
  const rows = reportCsv(sample).split('\r\n')
  t.equal(rows.length - 2, sample.runs.flatMap(({ slices }) => slices.flatMap(({ scores }) => scores)).length)
  t.match(rows.find(row => /^gone,.*,binary,all,all,accuracy,/.test(row)), /,accuracy,,0,0,,,,,/, 'no data is an empty cell')
})

t.test('runs of one model are told apart by what differs between them, on every plot', async t => {
  const yes = () => 'Answer: Yes'
  const long = 'lab/a-very-long-name-of-a-model-that-no-phone-can-show-7b'
  const { runs } = makeReport([
    runOf(long, yes), runOf(long, yes, conditionOf({ repeat: 1 })), runOf('once', yes, conditionOf({ seed: 7 })),
    runOf('twice', yes), runOf('twice', yes, conditionOf({ seed: 2, contentMode: 'none' })),
    runOf(`${long.slice(0, 30)}-x-${long.slice(30)}`, yes), runOf(`${long.slice(0, 30)}-y-${long.slice(30)}`, yes)
  ])
  t.match(runNames(runs), [
    `${long} (repeat 0)`, `${long} (repeat 1)`, 'once', 'twice (content semantic, seed 1)', 'twice (content none, seed 2)'
  ])
  const labels = plotLabels(runs)
  t.equal(new Set(labels).size, labels.length, 'no two look equal')
  t.match(labels[1], /^lab\/a-very-.*….*7b \(repeat 1\)$/)
  t.match(labels.slice(5), [/…x-|-x-/, /…y-|-y-/], 'what differs is not what is cut')
  t.ok(labels.every(label => Array.from(label).length <= 43))
  const same = runs.slice(2, 3)
  t.match(runNames([...same, { ...same[0]!, runId: 'run_ffffffffffff' }]), [/^once run_/, 'once run_ffffffff'])
})

t.test('what sets runs and kinds apart is said at the top, each fact once', async t => {
  const shown = runOf('baseline/lead', () => 'Answer: Yes')
  const withheld = runOf('lab-7b', () => 'Answer: Yes', conditionOf({ figures: 'withheld', repeat: 2 }))
  const report = makeReport([shown, withheld])
  const notes = report.notes.join('\n')
  t.match(notes, 'Figures were withheld from lab-7b and not from the other run:')
  t.match(notes, 'The runs differ in their conditions (repeat); see each run.')
  t.notMatch(notes, /come from/)
  t.match(reportMarkdown(report), /\| Figures \| with \| figures withheld \|/)
  t.match(reportHtml(report, none), /lab-7b<small>4 of 4 counted: 4 answered<\/small><small class="mark">figures withheld</)
  const half = makeReport([shown, withheld, runOf('lab-7b', () => 'Answer: Yes', conditionOf({ repeat: 3 }))])
  t.match(half.notes.join('\n'), 'withheld from lab-7b (figures withheld, repeat 2) and not from the other 2 runs')
  const all = makeReport([withheld])
  t.notMatch(reportMarkdown(all), /\| Figures \|/, 'where no run differs there is nothing to mark')

  const third = { paperId: 'pap_3', documentHash: 'doc_3', title: 'On three' }
  const more = reportOf({ ...benchmark, papers: [...benchmark.papers, third] }, report.runs, { examples: [] })
  t.ok(more.notes.includes('The yes/no items come from 2 of the 3 papers: their intervals rest on 2.'))
  const card = { ...benchmark.card, paperCount: 1, notes: ['10 of the 10 items are unreviewed.'] }
  const one = reportMarkdown(reportOf({ ...benchmark, card }, report.runs, { examples: [] }))
  t.match(one, '2 minimal pairs, 1 paper.')
  t.equal(one.match(/unreviewed/g)!.length, 1)
})

t.test('the words of the numbers are explained, those that occur and no others', async t => {
  const terms = meaningsOf(sample).map(({ term }) => term)
  for (const term of ['Accuracy', 'Pair accuracy', 'BLEU', 'Floor', 'Interval: Clopper–Pearson']) t.ok(terms.includes(term), term)
  t.ok(meaningsOf(sample).some(({ meaning }) => meaning.includes('sacreBLEU, version 2.6.0')))
  t.ok(meaningsOf(sample).some(({ meaning }) => meaning.includes('rouge_score (google-research), version 0.1.2')))
  const open = { ...sample, runs: sample.runs.map(run => ({ ...run, slices: run.slices.filter(({ kind }) => kind === 'qa') })) }
  const fewer = meaningsOf(open).map(({ term }) => term)
  for (const term of ['Accuracy', 'MCC', 'Pair accuracy']) t.notOk(fewer.includes(term), term)
  t.notOk(terms.includes('Interval: CR2 t'), 'both papers are alike here, so that no interval is of this kind')
  for (const { metric } of sample.runs.flatMap(({ slices }) => slices.flatMap(({ scores }) => scores))) {
    const word = metricName(metric).replace(/^ROUGE-[12L] F.*/, 'ROUGE').split(/[,:]| if /)[0]!
    t.ok(terms.some(term => term.startsWith(word)), `${metric} is explained`)
  }
  const exact = intervalUses(sample).find(({ method }) => method === 'Clopper-Pearson, n = 2 papers')!
  t.ok(exact.metrics.includes('Accuracy') && !exact.metrics.includes('MCC, answered only'))
  const larger = JSON.parse(JSON.stringify(sample.runs[0]).replaceAll('Wilson, n = 1 ', 'Wilson, n = 12 '))
  t.match(intervalUses({ ...sample, runs: [...sample.runs, larger] }).map(({ method }) => method),
    ['Clopper-Pearson, n = 2 papers', 'Wilson, n = 1 to 12 independent items'])
  const page = reportHtml(sample, none)
  t.match(page, /<dt>MCC<\/dt><dd>Matthews/)
  t.match(page, '<small>n = 4, 2 papers</small>')
  t.match(reportMarkdown(sample), /^- \*\*Pair accuracy\*\*: Share of minimal pairs/m)
})

t.test('every format says n of what is undefined, how many items are left out, and shared lineage', async t => {
  const all = makeReport([runOf('always', () => 'Answer: Yes'), runOf('gone', () => null), runOf('baseline/extractive', () => 'Answer: No')])
  const markdown = reportMarkdown(all)
  t.match(markdown, /\| MCC, answered only \| – \(n = 4\) \| – \(n = 0\) \|/, 'undefined is not unobserved')
  t.match(markdown, /\| Items \| 4 of 4 counted: 4 answered \| 0 of 4 counted; left out: 4 error \|/)
  t.match(markdown, /### Recall, floor and ceiling[^]*ROUGE-L F: floor/)
  t.match(markdown, /method that wrote 10 of 10 items/)
  const page = reportHtml(all, none)
  t.match(page, /<b>50.0 %<\/b>/)
  t.match(page, /–<small>n = 4<\/small>/)
  t.match(page, '0 of 4 counted; left out: 4 error')
  t.match(page, /<details><summary>Open questions: what these numbers stand between/)
  t.match(page, /method that wrote 10 of 10 items/)
  const csv = reportCsv(all).split('\r\n')
  t.match(csv[0], /,note,reason,signature,answered,unparsable,refused,truncated,error,skipped,itemsOfOwnMethod$/)
  t.match(csv.find(row => /^gone,.*,binary,all,all,accuracy,/.test(row)), /,0,0,0,0,4,0,0$/)
  t.match(csv.find(row => /^baseline\/extractive,.*,binary,all,all,accuracy,/.test(row)), /,4,0,0,0,0,0,10$/)
  t.match(csv.find(row => /^always,.*,binary,all,all,accuracy,/.test(row)), /conditional on these papers/)
  const printed = summaryText({ ...nothingWalked(), report: all }, {})
  t.match(printed, /Yes\/no +accuracy[^]*always .* n=4 .*0\n[^]*gone +– n=0 +– n=0 +4 error/)
  t.match(printed, /Open, figures +ROUGE-L/, 'kinds are not mixed')
  t.match(printed, /baseline\/extractive answers by the method that made 10 of the 10 items/)
})

t.test('an image is shrunk to the side asked for, by averaging, in a thread', async t => {
  const width = 40
  const data = Uint8Array.from({ length: width * 20 * 3 }, (_, at) => Math.floor(at / 3) % 2 * 200)
  const png = Buffer.from(encode({ width, height: 20, data, channels: 3, depth: 8 }))
  t.strictSame(pngSize(png), { width: 40, height: 20 })
  t.equal(shrinkPng(png, 40), png, 'one that fits stays as it is')
  const { decode } = await import('fast-png')
  const small = decode(shrinkPng(png, 10))
  t.match(small, { width: 10, height: 5, channels: 3 })
  t.ok(small.data.every(value => value === 100), 'black and white stripes are grey')
  t.equal(pngSize(Buffer.from('no image')), undefined)
  const shrinker = createShrinker()
  t.teardown(async () => { await shrinker.close() })
  const [one, two] = await Promise.all([shrinker.shrink(png, 10), shrinker.shrink(png, 20)])
  t.strictSame([pngSize(one), pngSize(two)], [{ width: 10, height: 5 }, { width: 20, height: 10 }])
})

t.test('every baseline\'s replies are read as it meant them', async t => {
  const binary = items.find(({ kind }) => kind === 'binary')!
  for (const name of ['baseline/always-yes', 'baseline/random', 'baseline/extractive']) {
    const answer = findBaseline(name)!({ question: questionOf(binary), document: documents[0]!, seed: 1 })
    t.ok('reply' in answer)
    const reading = readReply(questionOf(binary), { content: 'reply' in answer ? answer.reply : '', finishReason: 'stop', refusal: false })
    t.match(reading, { outcome: 'answered', lenient: { rule: String }, strict: { rule: 'answer-line' } })
  }
})
