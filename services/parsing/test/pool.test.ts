import t from 'tap'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Problem } from '../../../shared/errors/problem.ts'
import { parserPool, type PoolOptions } from '../pool/pool.ts'

const modulePath = fileURLToPath(new URL('fixtures/scripted-parser.ts', import.meta.url))
const defaults: PoolOptions = {
  modulePath,
  size: 1,
  documentsMax: 10,
  timeoutMs: 60_000,
  memoryBytesMax: 400 * 2 ** 20,
  outputBytesMax: 200 * 2 ** 20,
  limits: { pagesMax: 300, wasmBytesMax: 256 * 2 ** 20 }
}
const paperId = 'pap_0123456789abcdef0123456789abcdef'
const paper = (deed: string) => Buffer.from(`%PDF-${deed}\n`)
const processOf = (bytes: Uint8Array) => Number(Buffer.from(bytes).toString().split(' ').at(-1))

t.test('a pool of parser processes', async t => {
  const pool = parserPool(defaults)
  const impatient = parserPool({ ...defaults, timeoutMs: 2_000 })
  const strict = parserPool({ ...defaults, outputBytesMax: 8 * 2 ** 20, documentsMax: 2 })
  const pools = [pool, impatient, strict]
  t.teardown(async () => { await Promise.all(pools.map(async ({ close }) => { await close() })) })

  t.test('gives the document as canonical JSON with its hash, its highlights and its images', async t => {
    const { json, summary, images } = await pool.parse(paper('fine\nA title\n'), { paperId, format: 'pdf' })
    const document = JSON.parse(Buffer.from(json).toString())
    t.match(document, { paperId, title: 'A title', documentHash: summary.documentHash })
    t.match(document.highlights.problem[0], { keyword: 'problem', sectionId: null })
    t.equal(images.length, 1)
    t.equal(images[0]?.id, summary.figures[0]?.imageId)
  })

  t.test('parses the same bytes to the same bytes', async t => {
    const [a, b] = [await pool.parse(paper('fine'), { paperId, format: 'pdf' }), await pool.parse(paper('fine'), { paperId, format: 'pdf' })]
    t.same(a.json, b.json)
  })

  t.test('keeps a process for the next paper, and replaces it after documentsMax', async t => {
    const pids = []
    for (let i = 0; i < 3; i++) pids.push(processOf(await strict.renderPage(paper('fine'), 1, { dpi: 100 })))
    t.equal(pids[0], pids[1])
    t.not(pids[1], pids[2])
  })

  const ends: Array<[string, RegExp]> = [
    ['hang', /cause: time/], ['exit', /cause: crash, exit code 3/], ['abort', /cause: crash, SIGABRT/], ['eat', /cause: memory/], ['flood', /cause: output/]
  ]
  for (const [deed, detail] of ends) {
    t.test(`a parser that does "${deed}" ends in paper-too-complex, and the next paper parses`, async t => {
      const tried = { hang: impatient, flood: strict }[deed] ?? pool
      await t.rejects(tried.parse(paper(deed), { paperId, format: 'pdf' }), { kind: 'paper-too-complex', message: detail })
      t.match(await tried.parse(paper('fine'), { paperId, format: 'pdf' }), { summary: { pages: 1 } })
    })
  }

  t.test('a problem of the paper arrives as it was, a bug as an error that is no problem', async t => {
    await t.rejects(pool.parse(paper('encrypted'), { paperId, format: 'pdf' }), { kind: 'paper-encrypted', message: /password/ })
    const bug = await pool.parse(paper('bug'), { paperId, format: 'pdf' }).catch((cause: unknown) => cause)
    t.match(bug, { message: /TypeError: no such thing/ })
    t.notOk(bug instanceof Problem)
  })

  t.test('a task that is aborted ends at once, with the reason', async t => {
    const abort = new AbortController()
    const parsing = pool.parse(paper('hang'), { paperId, format: 'pdf' }, abort.signal)
    abort.abort(new Error('enough'))
    await t.rejects(parsing, { message: 'enough' })
    t.match(await pool.parse(paper('fine'), { paperId, format: 'pdf' }), { summary: { pages: 1 } })
  })

  t.test('more papers than processes wait for their turn', async t => {
    const parsed = await Promise.all(Array.from({ length: 6 }, async () => await pool.parse(paper('fine'), { paperId, format: 'pdf' })))
    t.equal(parsed.length, 6)
  })

  t.test('a closed pool refuses', async t => {
    const closing = parserPool(defaults)
    await closing.close()
    await t.rejects(closing.parse(paper('fine'), { paperId, format: 'pdf' }), { kind: 'shutting-down', message: /shutting down/ })
  })

  t.test('a parser that cannot be loaded is our fault and may be tried again', async t => {
    const broken = parserPool({ ...defaults, modulePath: '/nonexistent/parser.ts' })
    await t.rejects(broken.parse(paper('fine'), { paperId, format: 'pdf' }), { kind: 'service-unavailable', message: /could not be started/ })
    await broken.close()
  })
})

t.test('kill -9 of the parent leaves no parser behind, even one that hangs', { skip: process.platform !== 'linux' && 'needs /proc' }, async t => {
  const script = `
    import { parserPool } from ${JSON.stringify(new URL('../pool/pool.ts', import.meta.url).href)}
    const pool = parserPool(${JSON.stringify({ ...defaults, timeoutMs: 60_000 })})
    const page = await pool.renderPage(Buffer.from('%PDF-'), 1, { dpi: 100 })
    pool.parse(Buffer.from('%PDF-hang'), { paperId: ${JSON.stringify(paperId)}, format: 'pdf' })
    process.stdout.write(page.toString().split(' ').at(-1))`
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const parent = spawn(process.execPath, ['--import', tsx, '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env.PATH, HOME: process.env.HOME }
  })
  const [pid] = await once(parent.stdout, 'data')
  const child = String(pid)
  t.ok(existing(child), 'the parser runs')
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  const until = performance.now() + 3_000
  while (existing(child) && performance.now() < until) await new Promise(resolve => setImmediate(resolve))
  t.notOk(existing(child), 'the parser is gone')
})

/** A zombie is gone: only its parent has not looked yet. */
function existing (pid: string): boolean {
  if (!readdirSync('/proc').includes(pid)) return false
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
