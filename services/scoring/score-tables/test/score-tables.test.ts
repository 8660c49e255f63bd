import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { ScoreTable, ScoreTableRow } from '../../../../shared/contracts/score-table.ts'
import { findChromium, openTab } from '../../../../shared/testing/chromium.ts'
import { inOneGo } from '../../../../shared/text/in-one-go.ts'
import { benchmarkOf, documentOf, itemsOf } from '../../test/fixtures.ts'
import { says, startScoring } from '../../test/given-scoring.ts'
import { rankTable } from '../domain/rank-table.ts'
import { readTable } from '../domain/read-table.ts'
import { renderTable } from '../score-tables.ts'

const documents = [documentOf('one'), documentOf('two')]
const items = documents.flatMap(itemsOf)
const benchmark = benchmarkOf(documents, items)

const percent = (right: number, n: number) => 100 * right / n
/** As the site has them: of text models the items with images were not asked. */
const textRow = (name: string, right: number, own: object = {}) => ({
  model_key: `lab/${name}`, display_model_name: name, model_size_b: 7, is_proprietary_model: false, is_korean_model: false, is_vision_model: false, is_reasoning_model: false, accuracy_pct: percent(right, 1692), text_pct: percent(right, 1692), multimodal_pct: null, timestamps: { explicit_advanced: '2026-05-01T10:00:00' }, ...own
})
const seeingRow = (name: string, [text, images]: [number, number], own: object = {}) => ({
  ...textRow(name, 0),
  is_vision_model: true,
  accuracy_pct: percent(text + images, 1774),
  text_pct: percent(text, 1692),
  multimodal_pct: percent(images, 82),
  ...own
})
const hostile = '<img src=x onerror=alert(1)>'
const file = {
  rows: [
    textRow('words', 1200, { model_size_b: 70 }), seeingRow('eyes', [1210, 20], { is_proprietary_model: true, model_size_b: null, dataset_version: 'v2' }),
    seeingRow('old', [600, 30], { model_size_b: 3, is_korean_model: true, timestamps: { explicit_advanced: '2025-10-22T00:00:00' } }),
    textRow(hostile, 1190, { is_proprietary_model: null, reasoning_total: 15.5, reasoning_n: 121 })
  ]
}
const table = inOneGo(readTable(file, 'Four'))
const codes = ({ warnings }: ScoreTableRow) => warnings.map(({ code }) => code)

t.test('rows say what keeps them from being compared', async t => {
  type Four = [ScoreTableRow, ScoreTableRow, ScoreTableRow, ScoreTableRow]
  const [words, eyes, old, judged] = table.rows as Four
  t.match(words.cells.slice(0, 3), [{ slice: 'all', right: 1200, n: 1692 }, { slice: 'text', n: 1692 }, { slice: 'multimodal', percent: null, right: null, n: 0 }])
  t.same(codes(words), ['fewer-items', 'no-version'])
  t.same(codes(eyes), [], 'asked all, of a version, at a time')
  t.same(codes(old), ['no-version', 'not-rescored', 'placeholder-time'])
  t.same(codes(judged), ['fewer-items', 'judged-fewer', 'no-version'])
  t.match(table.warnings[0], { code: 'mixed-items', detail: /1774 \(2 rows\), 1692 \(2 rows\)/ })
})

t.test('numbers that contradict each other are told apart from what is missing', async t => {
  const one = (row: object) => inOneGo(readTable({ rows: [row] }, 'x')).rows[0]!
  t.match(codes(one(seeingRow('a', [1000, 40], { accuracy_pct: percent(1000, 1774) }))), ['kinds-do-not-sum'])
  t.match(codes(one(textRow('a', 0, { accuracy_pct: 50.01 }))), ['not-a-count'])
  // A run of the images alone, whose empty slice without images was written as 0.
  const stray = one(seeingRow('a', [0, 62], { accuracy_pct: percent(62, 82) }))
  t.ok(codes(stray).includes('zero-may-be-empty'))
  t.match(stray.cells[1], { slice: 'text', percent: 0, right: null, n: 0 }, 'never a score of nothing')
  t.match(codes(one({ ...textRow('a', 846), counts: [{ slice: 'all', right: 800, n: 1692 }] })), ['kinds-do-not-sum', 'percent-differs'])
  t.match(codes(one(textRow('a', 846, { timestamps: {} }))), ['fewer-items', 'no-version', 'no-time'])
})

t.test('ranks compare common items, and leave open what the counts do', async t => {
  const by = (by: 'text' | 'all' | 'published', version: string | null = null) =>
    inOneGo(rankTable(table, { by, version, level: 0.95 }))
  const text = by('text')
  const told = text.rows.map(({ model, rank, rankSet, tieGroup, publishedRank }) =>
    [model, rank, rankSet, tieGroup, publishedRank])
  t.same(told, [
    ['lab/eyes', 1, { best: 1, worst: 3 }, 1, 3], ['lab/words', 2, { best: 1, worst: 3 }, 1, 1],
    [`lab/${hostile}`, 3, { best: 1, worst: 3 }, 1, 2], ['lab/old', 4, { best: 4, worst: 4 }, 2, 4]
  ])
  t.same(text.moved, { rows: 3, most: 2 })
  t.match(by('all').rows, [{ model: 'lab/eyes', rank: 1 }, { model: 'lab/old', rank: 2 }, { rank: null, notRanked: /asked 1692 of 1774/ }, { rank: null }])
  t.ok(by('published').rows.every(({ rankSet }) => rankSet === null))
  t.match(by('text', 'v2').rows.map(({ model }) => model), ['lab/eyes'])
})

t.test('over HTTP: a leaderboard comes in, is ranked, shown and written as theirs', async t => {
  const { ask, run } = await startScoring(t, { documents, frozen: [{ benchmark, items }] }, { answer: () => says('Answer: A') })
  const made = await ask('POST', '/score-tables?name=Four', file)
  t.match(made, { status: 201, headers: { location: `/v1/score-tables/${table.id}` } })
  t.strictSame(made.body, table)
  t.equal((await ask('POST', '/score-tables?name=Four', file)).status, 200, 'the same again')
  t.strictSame((await ask('GET', `/score-tables/${table.id}`)).body, table)
  t.match((await ask('GET', '/score-tables')).body, { items: [{ id: table.id, rowCount: 4 }], nextCursor: null })
  t.match((await ask('GET', `/score-tables/${table.id}/ranking`)).body, { by: 'text', n: 1692 })
  t.match(await ask('GET', `/score-tables/${table.id}/ranking?by=paired`), { status: 400, body: { errors: [{ pointer: '/query/by' }] } })
  const theirs = (await ask('GET', `/score-tables/${table.id}/kmetbench.json`)).body
  t.strictSame((await ask('POST', '/score-tables?name=Four', theirs)).body, table, 'read back it is the same table')
  const page = await ask('GET', `/score-tables/${table.id}/page`)
  t.match(page.headers['content-security-policy'], /default-src 'none'/)
  t.notMatch(page.text, /<script|<img| on[a-z]+="/)
  t.match(await ask('GET', `/score-tables/stb_${'0'.repeat(32)}`), { status: 404, body: { type: /score-table-not-found$/ } })
  const refused: Array<[object, string]> = [
    [{ rows: [] }, '/body/rows'], [{ rows: [textRow('a', 1), textRow('a', 2)] }, '/body/rows/1'], [{ rows: [{}] }, '/body/rows/0/accuracy_pct'],
    [{ rows: [textRow('a', 1, { accuracy_pct: '7' })] }, '/body/rows/0/accuracy_pct'], [{ rows: [textRow('a', 1, { accuracy_pct: 101 })] }, '/body/rows/0/accuracy_pct'],
    [{ rows: [{ ...textRow('a', 1), counts: [{ slice: 'all', right: 3, n: 2 }] }] }, '/body/rows/0/counts/0'], [{ rows: [textRow('a', 1)], subsets: {} }, '/body/subsets/total']
  ]
  for (const [body, pointer] of refused) t.match(await ask('POST', '/score-tables', body), { status: 400, body: { errors: [{ pointer }] } })

  await run('seeing')
  await run('baseline/always-yes')
  const path = `/leaderboards/${benchmark.id}/score-tables`
  const own: ScoreTable = (await ask('POST', path, { models: [{ model: 'seeing', name: 'Seeing 8B', sizeB: 8, vision: true }], itemsShare: 0 })).body
  const seeing = own.rows.find(({ model }) => model === 'seeing')!
  t.match(seeing, { name: 'Seeing 8B', sizeB: 8, vision: true, proprietary: null, korean: null })
  t.equal(seeing.cells[0]!.n, 6)
  t.equal(seeing.cells[1]!.n + seeing.cells[2]!.n, 6, 'with figures and without')
  t.match(own.rows.find(({ model }) => model !== 'seeing'), { sizeB: null, warnings: [{ code: 'fewer-items', detail: /2 were skipped/ }] })
  t.match((await ask('GET', `/score-tables/${own.id}/ranking`)).body, { by: 'paired', n: 4 })
  t.match((await ask('GET', `/score-tables/${own.id}/page`)).text, /Seeing 8B/)
  t.match((await ask('GET', `/leaderboards/${benchmark.id}/page`)).text, /baseline\/always-yes/)
})

t.test('the page in a browser: filters and headers work by style sheet alone, at 1280 pixels', async t => {
  const chromium = findChromium()
  if (chromium === undefined) throw new Error('There is no Chromium here; install one (on Debian: apt install chromium) or name it in CHROMIUM.')
  const page = await renderTable(table, new AbortController().signal)
  const server = createServer((_, response) => { response.setHeader('content-type', 'text/html; charset=utf-8').end(page) })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  const tab = await openTab(chromium)
  t.teardown(async () => {
    await tab.close()
    server.close()
  })
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await tab.until('document.readyState === "complete" && document.querySelector(".lb")')
  t.ok(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing makes the page wider than the window')
  const shown = async () => await tab.evaluate<string[]>(namesShown)
  t.same(await shown(), ['eyes', 'words', hostile, 'old'], 'by the first ranking, and no name is markup')
  const choose = async (label: string, value: string) => {
    await tab.evaluate(`[...document.querySelectorAll('.filters label')].find(label => label.textContent.startsWith(${JSON.stringify(label)})).querySelector('select').value = '${value}'`)
  }
  await choose('Vision', 'v1')
  t.same(await shown(), ['eyes', 'old'])
  t.equal(await tab.evaluate('[...document.querySelectorAll(".m-text g.r:has(.pt), .m-text g.r:has(.unsized)")].filter(mark => getComputedStyle(mark).display !== "none").length'), 2, 'the chart is filtered with the table')
  await choose('Vision', 'any')
  await choose('Parameters from', 'from1')
  t.same(await shown(), ['words', hostile])
  await choose('Parameters from', 'any')
  await choose('Without rows', 'not-fewer-items')
  t.same(await shown(), ['eyes', 'old'])
  await choose('Without rows', 'any')
  await tab.evaluate('document.querySelector("th:has(#s-multimodal-d) .down").click()')
  t.same((await shown()).slice(0, 2), ['old', 'eyes'], 'more first, no data last')
  await tab.evaluate('document.querySelector("th:has(#s-multimodal-d) .up").click()')
  t.same((await shown()).slice(0, 2), ['eyes', 'old'], 'turned around, and still no data last')
  await tab.evaluate('document.querySelector("#m-all").click()')
  t.same(await tab.evaluate('[...document.querySelectorAll(".plot")].filter(plot => getComputedStyle(plot).display !== "none").map(plot => plot.className)'), ['plot m-all'])
  t.same(tab.complaints.filter(said => !said.includes('favicon')), [])
})

const namesShown = `[...document.querySelectorAll('.lb tbody tr')].filter(row => getComputedStyle(row).display !== 'none')
  .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
  .map(row => row.querySelector('th').firstChild.textContent.trim())`
