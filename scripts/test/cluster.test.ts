import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument } from 'pdf-lib'
import tap, { type Test } from 'tap'
import { request } from 'undici'
import { silentLog } from '../../shared/app/log.ts'
import type { ServiceName } from '../../shared/app/service.ts'
import { startServices } from '../../shared/app/start.ts'
import type { Generation } from '../../shared/contracts/generation.ts'
import type { Page } from '../../shared/contracts/page.ts'
import type { Paper } from '../../shared/contracts/paper.ts'
import type { Reviewing } from '../../shared/contracts/review.ts'
import { embeddedStore } from '../../shared/store/embedded.ts'
import { openLedger } from '../../shared/tasks/records.ts'
import { startCluster, type Cluster } from '../../shared/testing/cluster/cluster.ts'
import { temporaryFolder } from '../../shared/testing/temporary-folder.ts'
import { engineOrSkip } from '../../shared/testing/engines.ts'
import { startNats } from '../../shared/testing/nats-server.ts'
import { api } from '../exam/api.ts'
import { parseExamArguments } from '../exam/arguments.ts'
import { walk } from '../exam/walk.ts'
import { suite } from '../suite.ts'

const sample = 'examples/sample-paper/sample-paper.pdf'
const replicated: ServiceName[] = ['generation', 'reviewing', 'scoring']

/** A second paper: the first pages of the sample, as an author might send a draft. */
async function draftOf (file: string, target: string): Promise<string> {
  const whole = await PDFDocument.load(readFileSync(file))
  const draft = await PDFDocument.create()
  for (const page of await draft.copyPages(whole, [0, 1, 2])) draft.addPage(page)
  writeFileSync(target, await draft.save())
  return target
}

async function walkAt (t: Test, url: string, files: string[]): Promise<Record<string, string>> {
  const http = api(url)
  const { benchmark, report, faults } = await walk(http, parseExamArguments(files))
  t.strictSame(faults, [])
  const text = async (path: string) => (await http.download(path)).toString('utf8')
  return {
    'items.jsonl': await text(`/v1/benchmarks/${benchmark?.id}/items.jsonl`),
    'report.json': await text(`/v1/reports/${report?.id}.json`)
  }
}

/** By chance one replica of a service may have been quicker each time: then there is more to do. */
async function untilAllWorked (cluster: Cluster, dir: string): Promise<void> {
  const http = api(cluster.url)
  for (let seed = 2; seed < 10 && (await idle(cluster, dir)).length > 0; seed++) {
    const { items: papers } = await http.get<Page<Paper>>('/v1/papers')
    const made = await http.post<Generation>('/v1/generations', { paperIds: papers.map(({ id }) => id), recipe: { seed } })
    await http.follow(`/v1/generations/${made.id}`, () => {})
    const seen = await http.post<Reviewing>('/v1/reviewings', { source: { generationId: made.id } })
    await http.follow(`/v1/reviewings/${seen.id}`, () => {})
  }
}

/** The replicas that made no attempt. */
async function idle (cluster: Cluster, dir: string): Promise<string[]> {
  const names: string[] = []
  for (const service of replicated) {
    const attempts = await attemptsOf(dir, service)
    const own = cluster.names.filter(name => name.startsWith(service))
    names.push(...own.filter(name => !attempts.has(`${service}-${cluster.pidOf(name)}`)))
  }
  return names
}

/** How many attempts each worker made; a worker is named by service and pid. */
async function attemptsOf (dir: string, service: ServiceName): Promise<Map<string, number>> {
  const store = await embeddedStore(join(dir, 'data', `${service}.db`))
  const { claims } = await openLedger(store)
  const counts = new Map<string, number>()
  for (const { worker } of await claims.findMany({}, { limit: 10_000 })) {
    counts.set(worker, (counts.get(worker) ?? 0) + 1)
  }
  await store.close()
  return counts
}

async function pagesOf (t: Test, { url }: Cluster): Promise<void> {
  const documents = await (await request(`${url}/openapi.json`)).body.text()
  t.strictSame(JSON.parse(documents), JSON.parse(readFileSync('openapi/viva.json', 'utf8')))
  t.match(await (await request(`${url}/docs`)).body.text(), /swagger-ui/)
  t.match(await (await request(`${url}/health/ready`)).body.json(), { services: suite.map(({ name }) => name) })
}

tap.test('two papers through the front door of nine processes end in the bytes of one process', async t => {
  const natsPath = await engineOrSkip(t, 'nats-server')
  if (natsPath === undefined) return
  const dir = temporaryFolder(t)
  const files = [sample, await draftOf(sample, join(dir, 'draft.pdf'))]
  const nats = await startNats(natsPath, dir)
  t.teardown(nats.kill)
  const began = performance.now()
  const cluster = await startCluster({
    dir,
    replicas: { generation: 2, reviewing: 2, scoring: 2 },
    // One thing at a time each, so that there is always something left for the other.
    env: {
      NATS_URL: nats.url,
      GENERATION_PLACES_AT_ONCE: '1',
      REVIEWING_PAPERS_AT_ONCE: '1',
      SCORING_PREDICTIONS_AT_ONCE: '4'
    }
  })
  t.comment(`${cluster.names.length} processes listen after ${Math.round(performance.now() - began)} ms`)
  let stopped = false
  t.teardown(async () => { if (!stopped) await cluster.stop() })
  await pagesOf(t, cluster)
  const many = await walkAt(t, cluster.url, files)
  await untilAllWorked(cluster, dir)
  t.strictSame(await idle(cluster, dir), [], 'every replica did some of the work')
  for (const service of replicated) t.comment(service, Object.fromEntries(await attemptsOf(dir, service)))
  stopped = true
  await cluster.stop()

  const one = await startServices(suite, { PORT: '0', DATA_DIR: join(dir, 'one') }, { log: silentLog() })
  t.teardown(one.close)
  const expected = await walkAt(t, one.url, files)
  t.match(expected['items.jsonl'], /"paperId"[^]*\n[^]*"paperId"/)
  for (const name of ['items.jsonl', 'report.json']) {
    t.ok(many[name] === expected[name], `${name} has the same bytes`)
  }
})
