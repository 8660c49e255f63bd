import { readFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { fileURLToPath } from 'node:url'
import type { Document, Table } from '../../../shared/contracts/document.ts'
import type { DocumentVersion, Paper } from '../../../shared/contracts/paper.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { parseEngines } from '../domain/external-engine.ts'
import { mergeDocling } from '../domain/merge/docling.ts'
import { mergeMathpix } from '../domain/merge/mathpix.ts'
import { externalEngines } from '../external/engines.ts'
import type { DocumentDraft } from '../parser.ts'
import { fakeEngines } from './fixtures/fake-engines.ts'
import { runningService } from './fixtures/running-service.ts'

const ourParser = fileURLToPath(new URL('../parse.ts', import.meta.url))
const samplePaper = new URL('../../../examples/sample-paper/sample-paper.pdf', import.meta.url)
const secrets: Record<string, string> = { DOCLING_API_KEY: 'docling-key', MATHPIX_APP_ID: 'app', MATHPIX_APP_KEY: 'mathpix-key' }
const pdf = Buffer.from('%PDF-1.7 of a test')

async function started (t: Test, only = ['grobid', 'docling', 'mathpix']) {
  const fake = await fakeEngines()
  t.teardown(fake.close)
  const slept: number[] = []
  const settings = only.map(name => ({ name, baseUrl: fake.url, timeoutMs: 60_000 }))
  const engines = externalEngines(parseEngines(JSON.stringify(settings)), {
    secret: name => secrets[name], sleep: async ms => { slept.push(ms) }
  })
  t.teardown(engines.close)
  const kindOf = async (asking: Promise<unknown>) =>
    await asking.then(() => 'answered', (cause: unknown) => cause instanceof Problem ? cause.kind : String(cause))
  return { fake, engines, slept, kindOf }
}

const tei = (body: string) => `<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title level="a" type="main">Another title</title></titleStmt>
<sourceDesc><biblStruct><analytic><author><persName><forename type="first">Ada</forename><surname>Byron</surname></persName>
<affiliation key="aff0"><orgName type="institution">Analytical Society</orgName></affiliation></author></analytic></biblStruct></sourceDesc></fileDesc>
<encodingDesc><appInfo><application version="0.8.2" ident="GROBID"/></appInfo></encodingDesc></teiHeader>
<text><body><div><head n="1">Introduction</head><p>Text of GROBID.</p></div></body><back>${body}</back></text></TEI>`

t.test('GROBID is asked by its form, waits while it is busy, and is not asked for ever', async t => {
  const { fake, engines, slept, kindOf } = await started(t)
  fake.tei = tei('')
  fake.faults.push({ status: 503, body: '<html>busy' }, { status: 503, headers: { 'retry-after': '7' } }, { status: 503, headers: { 'retry-after': '600' } })
  const answer = await engines.ask('grobid', pdf)
  t.match(answer, { name: 'grobid', version: '0.8.2' })
  t.same(slept, [5_000, 7_000, 10_000])
  t.equal(fake.asked.length, 4)
  const { headers, body } = fake.asked[3]!
  t.match(headers['content-type'], /^multipart\/form-data/u)
  t.match(body, /name="input"; filename="paper.pdf"\r\nContent-Type: application\/pdf\r\n\r\n%PDF-1.7 of a test/u)
  t.match(body, /name="consolidateHeader"\r\n\r\n0\r\n/u)
  t.equal(body.split('name="teiCoordinates"').length - 1, 9)
  fake.faults.push({ status: 204 })
  t.equal((await engines.ask('grobid', pdf)).bytes.byteLength, 0)
  for (const [fault, kind] of [
    [{ status: 500, body: 'BAD_INPUT_DATA' }, 'engine-invalid'], [{ status: 200, body: '<html>a proxy</html>' }, 'engine-invalid'], [{ status: 404 }, 'engine-refused'], [{ status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 'engine-refused']
  ] as const) {
    fake.faults.push(fault)
    t.equal(await kindOf(engines.ask('grobid', pdf)), kind)
  }
  fake.faults.push(...Array.from({ length: 100 }, () => ({ status: 503 })))
  const short = externalEngines(parseEngines(JSON.stringify([{ name: 'grobid', baseUrl: fake.url, timeoutMs: 6_000 }])), { secret: () => undefined, sleep: async () => undefined })
  t.teardown(short.close)
  t.equal(await kindOf(short.ask('grobid', pdf)), 'engine-timeout', 'the next wait would end after its time')
  t.equal(await kindOf(engines.ask('mineru', pdf)), 'engine-refused')
  const stopped = AbortSignal.abort(new Error('cancelled'))
  t.equal(await kindOf(engines.ask('docling', pdf, stopped)), 'Error: cancelled')
  const nobody = externalEngines(parseEngines('grobid=http://127.0.0.1:9'), { secret: () => undefined })
  t.teardown(nobody.close)
  t.equal(await kindOf(nobody.ask('grobid', pdf)), 'engine-unavailable')
})

t.test('docling and Mathpix are followed until they are done, with their keys', async t => {
  const { fake, engines, slept, kindOf } = await started(t)
  fake.docling = { status: 'success', document: { json_content: { version: '1.5.0' } } }
  fake.lines = { pages: [] }
  t.same(JSON.parse(Buffer.from((await engines.ask('docling', pdf)).bytes).toString()), fake.docling)
  t.same(fake.asked.map(({ method, path }) => `${method} ${path}`), [
    'POST /v1/convert/file/async', ...Array(3).fill('GET /v1/status/poll/task-1'), 'GET /v1/result/task-1'
  ])
  t.ok(fake.asked.every(({ headers }) => headers['x-api-key'] === 'docling-key'))
  t.match(fake.asked[0]!.body, /name="files"; filename="paper.pdf"/u)
  fake.asked.length = 0
  t.match(await engines.ask('mathpix', pdf), { name: 'mathpix', version: 'v3' })
  t.equal(fake.asked.at(-1)?.path, '/v3/pdf/2026_pdf.lines.json')
  t.ok(fake.asked.every(({ headers }) => headers.app_id === 'app' && headers.app_key === 'mathpix-key'))
  t.same(slept, [2_000, 2_000, 3_000, 3_000])
  for (const [name, faults, kind] of [
    ['docling', [{ status: 200, body: '{"task_id": "../../admin"}' }], 'engine-invalid'],
    ['docling', [{ status: 200, body: '{"task_id": "a"}' }, { status: 404 }], 'engine-refused'],
    ['docling', [{ status: 403 }], 'engine-refused'],
    ['docling', [{ status: 200, body: '{"task_id": "a"}' }, { status: 200, body: '{"task_status": "failure"}' }], 'engine-invalid'],
    ['mathpix', [{ status: 200, body: '{"error": "no"}' }], 'engine-invalid'],
    ['mathpix', [{ status: 200, body: '{"pdf_id": "a"}' }, { status: 200, body: '{"status": "error"}' }], 'engine-invalid'],
    ['mathpix', [{ status: 200, body: 'x'.repeat(2 ** 21) }], 'engine-refused']
  ] as const) {
    fake.faults.push(...faults)
    const problem = await engines.ask(name, pdf).catch((cause: unknown) => cause) as Problem
    t.equal(problem.kind, kind, `${name} ${JSON.stringify(faults).slice(0, 80)}`)
    t.notMatch(problem.message, /-key/u)
  }
  const keyless = externalEngines(parseEngines(`mathpix=${fake.url}`), { secret: () => undefined })
  t.teardown(keyless.close)
  t.equal(await kindOf(keyless.ask('mathpix', pdf)), 'engine-refused')
})

t.test('a paper read with GROBID has its authors and references, our text, and tells where they differ', async t => {
  const fake = await fakeEngines()
  t.teardown(fake.close)
  const service = await runningService(ourParser, { PARSER_ENGINES: `grobid=${fake.url}` })
  t.teardown(service.close)
  const bytes = await readFile(samplePaper)
  const own = await service.parsed(bytes)
  const before = await (await service.get(`/${own.id}/document`)).json() as Document
  const [first] = before.references
  const title = 'Survey Sampling'
  t.match(first?.text, title)
  fake.tei = tei(`<div type="references"><listBibl><biblStruct xml:id="b0"><analytic><title level="a" type="main">${title}</title>
    <author><persName><forename type="first">B</forename><surname>Example</surname></persName></author></analytic></biblStruct></listBibl></div>`)
  fake.faults.push({ status: 503 })
  const sent = await service.uploadAs('engine=grobid', bytes)
  t.equal(sent.status, 202)
  const paper = await (await service.get(`/${own.id}?wait=60`)).json() as Paper
  t.match(paper, { id: own.id, state: 'succeeded' })
  t.not(paper.documentHash, own.documentHash)
  const merged = await (await service.get(`/${own.id}/document`)).json() as Document
  t.same(merged.parser, { engine: 'pdfium+grobid', version: `${before.parser.version}+0.8.2` })
  t.same(merged.authors, [{ name: 'Ada Byron', affiliations: ['Analytical Society'] }])
  t.match(merged.references, [{ id: 'r1', label: first?.label, text: first?.text, title, authors: [/Example/] }])
  t.equal(merged.references.length, 1)
  for (const key of ['title', 'sections', 'figures', 'tables', 'equations', 'abstract'] as const) t.same(merged[key], before[key], key)
  const conflicts = merged.warnings.filter(({ code }) => code === 'engine-conflict').map(({ detail }) => detail).join('\n')
  for (const told of [/title as "Another title"/u, /headings/u, /1 references, we/u]) t.match(conflicts, told)
  t.same(await (await service.get(`/${own.id}/document?documentHash=${own.documentHash}`)).json(), before)
  t.equal((await service.uploadAs('engine=grobid', bytes)).status, 200)
  const asked = fake.asked.length
  t.equal((await service.uploadAs('engine=own', bytes)).status, 200)
  t.match(await (await service.get(`/${own.id}`)).json(), { documentHash: own.documentHash }, 'back to ours without parsing again')
  t.equal(fake.asked.length, asked)
  const { items } = await (await service.get(`/${own.id}/documents`)).json() as { items: DocumentVersion[] }
  t.same(items.map(({ parser }) => parser?.engine).sort(), ['pdfium', 'pdfium+grobid'])
  const unknown = await service.uploadAs('engine=docling', bytes)
  t.equal(unknown.status, 400)
  t.match(await unknown.json(), { type: /invalid-request$/, detail: /own, grobid/ })
  const other = await service.uploadAs('engine=grobid', tei(''))
  t.equal(other.status, 400)

  fake.tei = '<TEI><unclosed>'
  const broken = await (await service.uploadAs('engine=grobid', Buffer.concat([bytes, Buffer.from('\n')]))).json() as Paper
  const failed = await (await service.get(`/${broken.id}?wait=60`)).json() as Paper
  t.match(failed, { state: 'failed', documentHash: null, problems: [{ type: /engine-refused$/ }] }, 'never merged by half')
})

const captionBox = [50, 80, 250, 95]
const place = { page: 1, box: [50, 100, 250, 200], captionBox, sectionId: null, mentions: [] }
const draft = {
  title: 'A title',
  authors: [],
  pages: [{ number: 1, width: 600, height: 800 }],
  sections: [],
  warnings: [],
  tables: [
    { id: 't1', label: 'Table 1', caption: '', ...place },
    { id: 't2', label: 'Table 2', caption: '', ...place, box: [300, 100, 500, 200], rows: [['a', 'b']] }
  ] satisfies Table[],
  equations: [
    { id: 'e1', number: '(1)', page: 1, box: [100, 300, 400, 320], text: 'x' },
    { id: 'e2', number: '(2)', page: 1, box: [100, 400, 400, 420], text: 'y' }
  ]
} as unknown as DocumentDraft

t.test('docling gives cells to tables that have none, and only where it is clear which', async t => {
  const table = (bbox: object, cells: string[]) => ({
    prov: [{ page_no: 1, bbox }],
    data: {
      num_rows: 1,
      num_cols: cells.length,
      table_cells: cells.map((text, i) => ({ text, start_row_offset_idx: 0, start_col_offset_idx: i }))
    }
  })
  const value = {
    tables: [
      table({ l: 52, t: 700, r: 248, b: 604, coord_origin: 'BOTTOMLEFT' }, ['x', ' y\u0000 ', 'z']),
      table({ l: 300, t: 100, r: 500, b: 200, coord_origin: 'TOPLEFT' }, ['a', 'b', 'c']),
      { prov: 'odd' },
      null
    ],
    texts: [{ label: 'title', text: 'A  Title.' }, { label: 'section_header', text: 'One' }]
  }
  const { tables, warnings } = mergeDocling(draft, value)
  t.same(tables.map(({ rows }) => rows), [[['x', 'y', 'z']], [['a', 'b']]])
  t.match(warnings.map(({ detail }) => detail), [/1 headings, we 0/, /Table 2 as 1 × 3 cells, we as 1 × 2/])
  const doubled = mergeDocling(draft, { ...value, tables: [...value.tables, value.tables[0]] })
  t.equal(doubled.tables[0]?.rows, undefined)
  for (const odd of [null, 7, [], { tables: {} }, { tables: [{ data: { num_rows: 1e9, num_cols: 1e9 }, prov: [{ page_no: 1, bbox: { l: 50, t: 100, r: 250, b: 200, coord_origin: 'TOPLEFT' } }] }] }]) {
    t.same(mergeDocling(draft, odd).tables, draft.tables)
  }
})

t.test('Mathpix gives LaTeX to the equations we found', async t => {
  const region = (y: number) => ({ top_left_x: 400, top_left_y: y, width: 1_200, height: 80 })
  const lines = [
    { text: '\\[ x = \\frac{a}{b} \\tag{1} \\]', region: region(1_200) }, { text: '$$y \\tag{(3)}$$', region: region(1_600) },
    { text: 'Text with \\( z \\) inline', region: region(1_200) }, { text: '\\[ w \\tag{9} \\]', region: region(2_800) }, { text: '\\[ no place \\]' }, null
  ]
  const page = { page: 1, page_width: 2_400, page_height: 3_200, lines }
  const { equations, warnings } = mergeMathpix(draft, { pages: [page] })
  t.same(equations.map(({ latex }) => latex), ['x = \\frac{a}{b} \\tag{1}', 'y \\tag{(3)}'])
  t.match(warnings.map(({ detail }) => detail), [/number of equation 2 as 3/, /we do not: 9/])
  for (const odd of [null, [], { pages: 7 }, { pages: [{ ...page, page_width: 0 }] }]) {
    t.same(mergeMathpix(draft, odd).equations, draft.equations)
  }
})

t.test('the setting names engines that exist, each once, and no password', async t => {
  t.match(parseEngines('grobid=http://a:8070/, mathpix=https://api.mathpix.com'), [
    { name: 'grobid', baseUrl: 'http://a:8070', timeoutMs: 300_000 }, { name: 'mathpix', baseUrl: 'https://api.mathpix.com', apiKeyEnv: 'MATHPIX_APP_KEY' }
  ])
  t.same(parseEngines(' '), [])
  for (const setting of ['grobid', 'mineru=http://a', 'grobid=ftp://a', 'grobid=http://u:p@a', 'grobid=http://a,grobid=http://b', '[', '[7]', '[{"name": "docling", "baseUrl": "http://a", "timeoutMs": 5}]', 'grobid=']) {
    t.throws(() => parseEngines(setting), /^PARSER_ENGINES: /u, setting)
  }
})
