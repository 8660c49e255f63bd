/** The walk over the sample paper on MongoDB, the store of which goes away in its middle. */
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { silentLog } from '../../../shared/app/log.ts'
import { startServices } from '../../../shared/app/start.ts'
import type { JobView } from '../../../shared/contracts/job.ts'
import { cutProxy, type CutProxy } from '../../../shared/testing/cut-proxy.ts'
import { api, type Api } from '../../exam/api.ts'
import { exampleBody, sampleWalk } from '../../sample-walk.ts'
import { suite } from '../../suite.ts'
import { patient } from './load.ts'

const sample = 'examples/sample-paper/sample-paper.pdf'

/** What a caller saw while the store was away. */
export interface Sight {
  path: string
  status: number
  type: string
  retryAfter: string
  ms: number
  body: string
}

export interface Walked { items: Buffer, report: Buffer, seconds: number }

export interface CutWalked extends Walked {
  sights: Sight[]
  /** From restoring to the next step of the job that ran when the store went away. */
  resumedMs: number
  doneBefore: number
}

export interface Cut {
  /** Where MongoDB listens, on loopback. */
  port: number
  /** First part of the databases' names. */
  database: string
  dataDir: string
  how: 'cut' | 'blackhole'
  /** The store is away for so long, and at least until what callers see has been seen. */
  cutMs: number
}

/** The sample's walk in one process, on MongoDB or, without a URL, on embedded stores. */
export async function walkSample (dataDir: string, mongoUrl = ''): Promise<Walked> {
  const running = await startServices(suite, { PORT: '0', DATA_DIR: dataDir, MONGO_URL: mongoUrl }, { log: silentLog() })
  try { return await walked(api(running.url)) } finally { await running.close() }
}

/** Walks, cuts the store off when the generation has begun, looks, restores, and walks on to the end. */
export async function walkThroughCut (options: Cut): Promise<CutWalked> {
  const { port, database, dataDir } = options
  const proxy = await cutProxy(port)
  const MONGO_URL = `mongodb://127.0.0.1:${proxy.port}/${database}`
  const running = await startServices(suite, { PORT: '0', DATA_DIR: dataDir, MONGO_URL }, { log: silentLog() })
  let seen: Omit<CutWalked, keyof Walked> | undefined
  try {
    const http = patient(api(running.url))
    const results = await walked({
      ...http,
      async follow<T extends JobView> (path: string, show: (job: T) => void) {
        if (path.startsWith('/v1/generations/')) seen = await away({ ...options, proxy, http, url: running.url, path })
        return await http.follow<T>(path, show)
      }
    })
    if (seen === undefined) throw new Error('The walk has no generation any more.')
    return { ...results, ...seen }
  } finally {
    await running.close()
    await proxy.close()
  }
}

async function walked (http: Api): Promise<Walked> {
  const began = performance.now()
  const { benchmark, report } = await sampleWalk(http, sample, exampleBody)
  return {
    items: await http.download(`/v1/benchmarks/${benchmark}/items.jsonl`),
    report: await http.download(`/v1/reports/${report}.json`),
    seconds: (performance.now() - began) / 1_000
  }
}

interface Away extends Cut { proxy: CutProxy, http: Api, url: string, path: string }

async function away ({ proxy, http, url, path, how, cutMs }: Away): Promise<Omit<CutWalked, keyof Walked>> {
  const before = await jobWhen(http, path, ({ progress }) => progress.done > 0)
  await proxy[how]()
  const [id] = path.split('/').slice(-1)
  const looks = ['/health/live', '/health/ready', path, `${path}/rejections`, '/v1/papers', '/v1/generations', `/v1/items?generationId=${id}`,
    '/v1/dead-letters'].map(async path => await look(url, path))
  const [sights] = await Promise.all([Promise.all(looks), pause(cutMs)])
  await proxy.restore()
  const restored = performance.now()
  await jobWhen(http, path, ({ state, progress }) => state !== 'running' || progress.done > before.progress.done)
  return { sights, resumedMs: performance.now() - restored, doneBefore: before.progress.done }
}

async function jobWhen (http: Api, path: string, holds: (job: JobView) => boolean): Promise<JobView> {
  for (;;) {
    const job = await http.get<JobView>(path)
    if (holds(job)) return job
    await pause(10)
  }
}

async function look (url: string, path: string): Promise<Sight> {
  const began = performance.now()
  const { statusCode: status, headers, body } = await request(url + path, { headersTimeout: 60_000 })
  return {
    path,
    status,
    type: String(headers['content-type'] ?? ''),
    retryAfter: String(headers['retry-after'] ?? ''),
    body: await body.text(),
    ms: performance.now() - began
  }
}
