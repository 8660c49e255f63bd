/**
 * How cost grows with what is stored: `node scripts/run.mjs scripts/bench/growth.ts
 * [--sizes 1000,10000,100000] [--freeze 1000,10000,50000] [--json]`. CPU milliseconds of one call
 * of the services' own stores, so that other work on the machine hardly shows; add 1000000 to the
 * sizes on a quiet machine (a few minutes). Documents are as long as those of the sample paper.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { silentLog } from '../../shared/app/log.ts'
import { memoryBus } from '../../shared/bus/memory.ts'
import { idOf } from '../../shared/contracts/hash.ts'
import { embeddedStore } from '../../shared/store/embedded.ts'
import { newJob, newTask, openJobs, openLedger } from '../../shared/tasks/records.ts'
import { createWorker } from '../../shared/tasks/worker.ts'
import { generationStore } from '../../services/generation/store.ts'
import { reviewingStore } from '../../services/reviewing/store.ts'
import { freezeCosts, itemOf, itemsOfGeneration, itemsOfPaper, reviewedOf } from './growth/made-items.ts'

const options = {
  sizes: { type: 'string', default: '1000,10000,100000' },
  freeze: { type: 'string', default: '1000,10000,50000' },
  json: { type: 'boolean', default: false }
} as const
const { values } = parseArgs({ options })
const sizes = values.sizes.split(',').map(Number)
const freezeSizes = values.freeze.split(',').filter(Boolean).map(Number)
const pageSize = 20
const calls = 7

/** Median CPU milliseconds of one call. */
async function cpuOf (call: () => Promise<unknown>): Promise<number> {
  const all: number[] = []
  for (let at = 0; at < calls; at++) {
    const before = process.cpuUsage()
    await call()
    const { user, system } = process.cpuUsage(before)
    all.push((user + system) / 1_000)
  }
  return all.sort((a, b) => a - b)[Math.floor(calls / 2)] ?? NaN
}

type Cost = Record<string, number>
const costs: Record<string, Cost> = {}

async function note (what: string, size: number, call: () => Promise<unknown>): Promise<void> {
  const row = costs[what] ??= {}
  row[size] = await cpuOf(call)
}

async function measureGeneration (folder: string): Promise<void> {
  const file = join(folder, 'generation.db')
  const store = await embeddedStore(file)
  const items = await generationStore(store)
  let filled = 0
  for (const size of sizes) {
    const before = process.cpuUsage()
    const from = filled
    for (; filled < size; filled += itemsOfPaper) {
      const generation = Math.floor(filled / itemsOfGeneration)
      const paperIndex = Math.floor(filled % itemsOfGeneration / itemsOfPaper)
      const made = Array.from({ length: itemsOfPaper }, (_, at) => itemOf(filled + at))
      const generationId = idOf('generation', generation)
      await items.insertItems({ generationId, paperIndex, placeIndex: 0 }, made)
    }
    const { user, system } = process.cpuUsage(before)
    const inserted = costs['items: insert'] ??= {}
    inserted[size] = (user + system) / 1_000 / (size - from)
    const middle = itemOf(Math.floor(size / 2))
    const paperId = 'paperId' in middle.source ? middle.source.paperId : ''
    const generationId = idOf('generation', Math.floor(size / 2 / itemsOfGeneration))
    const far = await items.listItems({ limit: 200, generationId })
    const cursor = far.nextCursor ?? `${generationId}-00000-00000-00010`
    const limit = pageSize
    await note('items: first page', size, async () => await items.listItems({ limit }))
    await note('items: a page from the middle', size, async () => await items.listItems({ limit, cursor }))
    await note('items: of a generation', size, async () => await items.listItems({ limit, generationId }))
    await note('items: of a paper', size, async () => await items.listItems({ limit, paperId }))
    await note('items: of a paper in a generation', size, async () => await items.listItems({ limit, paperId, generationId }))
    await note('items: of a kind', size, async () => await items.listItems({ limit, kind: 'binary' }))
    await note('items: of a kind that is not there', size, async () => await items.listItems({ limit, kind: 'choice' }))
    await note('items: that kind in a generation', size, async () => await items.listItems({ limit, kind: 'choice', generationId }))
    await note('items: get one', size, async () => await items.getItem(middle.id))
    await note('items: count of a generation (10,000)', size, async () => await items.countItems(generationId))
  }
  await store.close()
  await noteBytes('items: bytes each, with indexes', file, filled)
}

async function measureReviewing (folder: string): Promise<void> {
  const file = join(folder, 'reviewing.db')
  const store = await embeddedStore(file)
  const reviewed = await reviewingStore(store)
  let filled = 0
  for (const size of sizes) {
    for (; filled < size; filled += itemsOfPaper) {
      await reviewed.saveReviewed(reviewedOf(filled, itemsOfPaper))
    }
    const reviewingId = idOf('reviewing', Math.floor(size / 2 / itemsOfGeneration))
    const page = { limit: pageSize }
    await note('reviewed: first page', size, async () => await reviewed.listReviewedItems({}, page))
    await note('reviewed: of a reviewing', size, async () => await reviewed.listReviewedItems({ reviewingId }, page))
    await note('reviewed: with a verdict none has', size, async () => await reviewed.listReviewedItems({ verdict: 'error' }, page))
    await note('reviewed: with that in a reviewing', size, async () => await reviewed.listReviewedItems({ reviewingId, verdict: 'error' }, page))
    await note('reviewed: not eligible (1 %)', size, async () => await reviewed.listReviewedItems({ eligible: false }, page))
    await note('reviewed: of a kind that is not there', size, async () => await reviewed.listReviewedItems({ kind: 'choice' }, page))
    await note('reviewed: state of a reviewing (10,000)', size, async () => {
      await reviewed.countByVerdict(reviewingId)
      await reviewed.countReviewedItems({ reviewingId, eligible: false })
    })
    await note('reviewed: reviews of an item', size, async () => await reviewed.listReviews(itemOf(Math.floor(size / 2)).id, page))
  }
  await store.close()
  await noteBytes('reviewed: bytes each, with review and indexes', file, filled)
}

/** Once it is closed, the file is the whole store. */
async function noteBytes (what: string, file: string, count: number): Promise<void> {
  costs[what] = { [count]: (await stat(file)).size / count }
}

async function measureTasks (folder: string): Promise<void> {
  for (const size of sizes) {
    const store = await embeddedStore(join(folder, `tasks-${size}.db`))
    const { tasks } = await openLedger(store)
    const job = { ...newJob('job', {}), phase: 'working' as const }
    await (await openJobs(store, 'duty')).insert(job)
    for (let at = 0; at < size; at += 200) {
      const count = Math.min(200, size - at)
      await tasks.insertMissing(Array.from({ length: count }, (_, i) => newTask({
        job, kind: 'duty', stage: 'work', key: String(at + i), input: { itemId: idOf('item', at + i), order: at + i }, attemptsMax: 3
      })))
    }
    const worker = await createWorker({
      store, bus: memoryBus(), service: 'bench', workerId: 'bench', log: silentLog()
    })
    const jobs = await worker.define({ name: 'duty', concurrency: 1, plan: async () => [], perform: async () => {} })
    await note('tasks: state and progress of a job of so many', size, async () => await jobs.view('job'))
    await note('tasks: the next 16 queued', size, async () =>
      await tasks.findMany({ kind: 'duty', state: 'queued', stage: 'work', _id: { $gt: 'tsk_8' } }, { sort: { _id: 1 }, limit: 16 }))
    await note('tasks: one count of the sweeper', size, async () => await tasks.count({ kind: 'duty', state: 'queued', stage: 'work' }))
    await worker.stop()
    await store.close()
  }
}

const folder = await mkdtemp(join(tmpdir(), 'viva-growth-'))
const loadBefore = loadavg()[0]
try {
  await measureTasks(folder)
  await measureGeneration(folder)
  await measureReviewing(folder)
  const residentMb = process.memoryUsage().rss / 2 ** 20
  const freezes = []
  for (const size of freezeSizes) freezes.push(await freezeCosts(size))
  if (values.json) console.log(JSON.stringify({ costs, residentMb, freezes, loadBefore }))
  else print(residentMb, freezes)
} finally {
  await rm(folder, { recursive: true, force: true })
}

function print (residentMb: number, freezes: object[]): void {
  console.log(`| CPU ms of one call, with so many stored | ${sizes.map(size => size.toLocaleString('en')).join(' | ')} |`)
  console.log(`|---|${sizes.map(() => '--:|').join('')}`)
  for (const [what, row] of Object.entries(costs)) {
    const digits = what.includes('bytes') ? 0 : 2
    console.log(`| ${what} | ${sizes.map(size => row[size]?.toFixed(digits) ?? '').join(' | ')} |`)
  }
  console.log(`\n${residentMb.toFixed(0)} MB resident after all of these; load ${loadBefore?.toFixed(1)}. POST /v1/benchmarks:\n`)
  for (const each of freezes) console.log(JSON.stringify(each))
}
