import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { Value } from 'typebox/value'
import { madeBenchmark, madePredictions, type MadeRun } from '../../../scripts/bench/scoring/made-runs.ts'
import type { Report } from '../../../shared/contracts/report.ts'
import { Condition } from '../../../shared/contracts/run.ts'
import { findChromium, openTab } from '../../../shared/testing/chromium.ts'
import { inOneGo } from '../../../shared/text/in-one-go.ts'
import { analysesOf } from '../domain/report/analyses.ts'
import { worthOf } from '../domain/report/examples.ts'
import { placedIn } from '../domain/report/item-scores.ts'
import { plotCsv, plotJson, plotsOf, plotSvg } from '../domain/report/plots.ts'
import { reportHtml } from '../domain/report/report-html.ts'
import { reportLatex } from '../domain/report/report-latex.ts'
import { reportMarkdown } from '../domain/report/report-markdown.ts'
import { reportOf, runReport } from '../domain/report/report.ts'
import { addColumn, gridsFor } from '../domain/report/run-differences.ts'
import { scorePrediction } from '../domain/scored.ts'

const made = madeBenchmark({ papers: 6, itemsPerPaper: 16, seed: 3 })
const { benchmark, items } = made
const placed = new Map(items.map(item => [
  item.id, placedIn(item, made.documents.get((item.source as { documentHash: string }).documentHash)!)
]))

function reportOfRuns (runs: Array<Omit<MadeRun, 'runId' | 'condition'> & { condition?: Partial<Condition> }>): Report {
  const grids = gridsFor(items)
  const scored = runs.map(({ condition = {}, ...run }, at) => {
    const own = { ...run, runId: `run_${String(at).padStart(32, '0')}`, condition: Value.Default(Condition, structuredClone(condition)) as Condition }
    const rows = madePredictions(made, own).map((prediction, index) =>
      scorePrediction(prediction, items[index]!))
    const head = { runId: own.runId, name: own.model, model: own.model, condition: own.condition }
    for (const grid of grids) addColumn(grid, head, rows)
    return {
      report: runReport({ ...own, prompts: [], items, rows, skipped: {} }),
      worths: { model: own.model, outcomes: rows.map(({ outcome }) => outcome), worths: rows.map(worthOf) }
    }
  })
  const reports = scored.map(({ report }) => report)
  const worths = scored.map(run => run.worths)
  const analyses = inOneGo(analysesOf({ benchmark, items, runs: reports, worths, grids, placed }))
  return reportOf(benchmark, reports, { examples: [], ...analyses })
}

const modes = ['none', 'retrieved', 'oracle'] as const
const several = reportOfRuns([
  ...modes.map((contentMode, at) => ({ model: 'lab/alpha', ability: 2 * at - 2, condition: { contentMode } })),
  ...[1, 2, 3, 4].map(at => ({ model: `org/model-${at}`, ability: at / 2 - 1, faults: at === 2 ? 0.1 : 0 }))
])
const one = reportOfRuns([{ model: 'only', ability: 1 }])
const gone = reportOfRuns([{ model: 'gone', ability: 0, faults: 1 }, { model: 'gone too', ability: 0, faults: 1 }])
const longName = (at: number) => `an-organisation-of-a-long-name/a-model-of-an-even-longer-name-${at % 25}-instruct-preview-quantised-awq`
const many = reportOfRuns(Array.from({ length: 50 }, (_, at) => (
  { model: longName(at), ability: at / 16 - 1.5, condition: { repeat: Math.floor(at / 25) } })))
const named = (report: Report, name: string) => plotsOf(report).find(plot => plot.name === name)!

t.test('every plot is drawn or says why not, and has its numbers as a table', async t => {
  for (const report of [several, one, gone, many]) {
    const plots = plotsOf(report)
    t.equal(new Set(plots.map(({ name }) => name)).size, plots.length)
    for (const plot of plots) {
      t.match(plot.name, /^[a-z-]+$/)
      t.equal(plot.chart === null, plot.reason !== undefined)
      t.ok(plot.reason === undefined || plot.reason.length > 15, `${plot.name}: ${plot.reason}`)
      for (const row of plot.table.rows) t.equal(row.length, plot.table.columns.length, plot.name)
      const svg = plotSvg(plot)
      t.notMatch(svg, /NaN|undefined|<script|href="http|[^-]Infinity/, plot.name)
      t.equal(plotCsv(plot).split('\r\n').length, plot.table.rows.length + 2)
    }
    t.same(JSON.parse(JSON.stringify(plots.map(plotJson))), plots.map(plotJson), 'no number JSON does not have')
  }
  t.ok(plotsOf(several).every(({ chart }) => chart !== null), 'with several models there is nothing that is not drawn')
  t.match(named(one, 'differences-binary').reason, /two runs/)
  t.match(named(one, 'scatter').reason, /needs 3 runs/)
  t.match(named(gone, 'slopes-binary').reason, /No model has two values/)
  t.match(named(gone, 'bars-binary').table.rows[0]!.slice(2, 4), [null, 0], 'no data is null, and its n is 0')
})

t.test('a difference has n, interval, test and what can be claimed; the first run is what others are set against', async t => {
  const rows = several.differences!.filter(({ kind }) => kind === 'binary')
  t.equal(rows.length, 6)
  t.ok(rows.every(({ against }) => against === several.runs[0]!.runId))
  const oracle = rows[1]!
  t.match(oracle, { n: 48, clusters: 6, verdict: /^(better|undecided)$/, pMethod: /sign/i })
  t.ok(oracle.difference! > 0 && oracle.interval!.low < oracle.difference!)
  t.ok(several.differences!.every(({ p, adjustedP }) => p === null || adjustedP! >= p), 'adjusted for being many')
  t.match(named(several, 'differences-binary').said, /lab\/alpha \(content oracle\) \+/)
})

t.test('training candidates fail without the paper and with retrieval, and pass with the evidence', async t => {
  const { models, missing } = several.trainingCandidates!
  const [alpha] = models
  t.equal(models.length, 1)
  t.ok(missing.every(({ reason }) => /no run of it with content mode none, retrieved, oracle/.test(reason)) && missing.length === 4)
  const ids = new Set(alpha!.places.flatMap(({ itemIds }) => itemIds))
  const isCandidate = ({ worths, kind }: NonNullable<Report['items']>[number]) =>
    (kind === 'binary' || kind === 'choice') && worths[0] === 0 && worths[1] === 0 && worths[2] === 1
  const wanted = several.items!.filter(isCandidate).map(({ itemId }) => itemId)
  t.ok(wanted.length > 0)
  t.same([...ids].sort(), wanted.sort())
  t.equal(Math.round(alpha!.share.value! * alpha!.share.n), wanted.length)
  t.ok(Math.abs(alpha!.byChance! - (2 / 3 * 0.125 + 1 / 3 * 0.140625)) < 1e-9, 'what picks at random would give')
  t.match(alpha!.places[0]!.place, /abstract|section|Figure/)
  t.match(reportMarkdown(several), /## Training candidates[^]*lab\/alpha\*\*: \d/)
})

t.test('an item has its difficulty over models, and a discrimination only where there are models enough', async t => {
  t.equal(several.items!.length, items.length)
  t.ok(several.items!.some(({ discrimination }) => discrimination !== null))
  t.ok(one.items!.every(({ discrimination, n }) => discrimination === null && n <= 1))
  t.ok(gone.items!.every(({ mean, n, outcomes }) => mean === null && n === 0 && outcomes === 'ee'))
  t.match(several.items!.find(({ kind }) => kind === 'vqa'), { imageIds: [/^[0-9a-f]{64}$/] })
})

t.test('rank correlations know the order of equal columns, and need three models', async t => {
  const { tau, n } = many.rankCorrelations!.find(({ first, second }) => first === 'binary/accuracy' && second === 'binary/pairAccuracy')!
  t.ok(tau! > 0.5 && n === 50)
  t.ok(one.rankCorrelations!.every(row => row.tau === null && /three runs/.test(row.reason!)))
})

t.test('the LaTeX table has a dash for no data, and no text can be a command', async t => {
  const evil = { ...gone, runs: gone.runs.map(run => ({ ...run, model: '\\input{x} & 50 %' })) }
  const tex = reportLatex(evil)
  t.match(tex, /\\begin\{tabular\}\{lrrrrrrrrr\}/)
  t.notMatch(tex, /\\input\{/)
  t.match(tex, / & -- & /)
})

t.test('the page in a browser: no overlapping words, working filters, nothing refused', async t => {
  const chromium = findChromium()
  if (chromium === undefined) throw new Error('There is no Chromium here; install one (on Debian: apt install chromium) or name it in CHROMIUM.')
  const url = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const imageIds = several.items!.flatMap(item => item.imageIds)
  const thumbnails = new Map(imageIds.map(imageId => [imageId, url]))
  const pages: Record<string, string> = {
    '/several': reportHtml(several, { figures: new Map(), thumbnails }),
    '/many': reportHtml(many, { figures: new Map(), thumbnails: new Map() }),
    '/one': reportHtml(one, { figures: new Map(), thumbnails: new Map() })
  }
  for (const [path, page] of Object.entries(pages)) {
    t.ok(Buffer.byteLength(page) < 5_000_000, path)
    t.notMatch(page, /<script|src="http|@import/)
  }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(pages[request.url!] ?? '')
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  const { port } = server.address() as AddressInfo
  const tab = await openTab(chromium)
  t.teardown(async () => {
    await tab.close()
    server.close()
  })
  for (const path of Object.keys(pages)) {
    await tab.goto(`http://127.0.0.1:${port}${path}`)
    await tab.until(`location.pathname === '${path}' && document.readyState === 'complete'`)
    t.same(await tab.evaluate(overlaps), [], `${path}: words keep off each other`)
    t.ok(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path}: nothing makes the page wider than the window`)
  }
  await tab.goto(`http://127.0.0.1:${port}/several`)
  await tab.until('location.pathname === \'/several\' && document.readyState === \'complete\'')
  const shown = async () => await tab.evaluate<number>('[...document.querySelectorAll(".items tbody tr")].filter(row => getComputedStyle(row).display !== "none").length')
  t.equal(await shown(), items.length)
  await tab.evaluate('document.querySelector(".filters select").value = "k-choice"')
  t.equal(await shown(), items.filter(({ kind }) => kind === 'choice').length, 'the style sheet alone filters')
  t.same(tab.complaints.filter(said => !said.includes('favicon')), [])
})

/** Pairs of words in one chart whose boxes overlap by more than a pixel or two. */
const overlaps = `(() => {
  const found = []
  for (const chart of document.querySelectorAll('svg.chart')) {
    const boxes = [...chart.querySelectorAll('text.name, text.value')].map(text => ({ text: text.textContent.slice(0, 40), box: text.getBoundingClientRect() }))
    for (const [at, one] of boxes.entries()) for (const other of boxes.slice(at + 1)) {
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      if (wide > 2 && high > 3) found.push([one.text, other.text, wide, high])
    }
  }
  return found.slice(0, 5)
})()`
