/**
 * A real worker process that kills itself at a moment it is told: `crash-worker.ts DIR LIFE POINT
 * NTH`. It first completes what earlier lives left, then opens a job of its own and dies at the
 * NTH time it passes POINT (`none`: it lives, and reports). Everything that must outlast it goes to
 * DIR/journal.txt, written synchronously: what was acknowledged, each call, when it began.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { pino } from 'pino'
import { memoryBus } from '../bus/memory.ts'
import { embeddedStore } from '../store/embedded.ts'
import { systemClock, pause } from '../tasks/clock.ts'
import { createWorker } from '../tasks/worker.ts'
import { callConcurrency, callsOfJob, type CallResult, type CrashReport } from './crash-ledger.ts'
import { sha256 } from '../contracts/hash.ts'

const [dir = '', life = '', point = 'none', nth = '1'] = process.argv.slice(2)
const earlyMs = 60_000
let armed = false
let passed = 0
let startedAt = performance.now()

function pass (moment: string): void {
  if (!armed || moment !== point) return
  passed += 1
  if (passed === Number(nth)) process.kill(process.pid, 'SIGKILL')
}

function note (...words: Array<string | number>): void {
  appendFileSync(join(dir, 'journal.txt'), `${words.join(' ')}\n`)
}

const store = await embeddedStore(join(dir, 'tasks.db'))
const results = await store.collection<CallResult>('results', [{ keys: ['jobId'] }])
const log = pino({ level: 'warn' }, pino.destination(2))
const worker = await createWorker({
  store, bus: memoryBus(), service: 'inference', workerId: `life-${life}`, log, probe: pass
})
const jobs = await worker.define<{ count: number }, { index: number }>({
  name: 'call',
  concurrency: callConcurrency,
  async plan ({ spec }) {
    const indexes = Array.from({ length: spec.count }, (_, index) => index)
    return indexes.map(index => ({ key: String(index), input: { index } }))
  },
  async perform (task, job) {
    note('call', job._id, task.input.index, life, Math.round(performance.now() - startedAt))
    await pause(systemClock, 3)
    pass('after-call')
    const value = sha256(`${job._id} ${task.input.index}`)
    await results.insert({ _id: `res_${value.slice(0, 32)}`, jobId: job._id, value })
  },
  async finish () {}
})
startedAt = performance.now()
await worker.start()

const earlier = await jobs.list({ limit: 1_000 })
// Some die while they clear up after the one before.
armed = Number(life) % 4 === 3
for (const { _id } of earlier) await jobs.wait(_id, earlyMs)
armed = point !== 'none'
if (armed) {
  const id = `job-${life.padStart(4, '0')}`
  await jobs.open(id, { count: callsOfJob })
  note('acknowledged', id)
  process.stdout.write('working\n')
  await jobs.wait(id, earlyMs)
  // The moment never came, or the parent is about to kill.
  await pause(systemClock, 1_000)
} else {
  const reports: CrashReport[] = []
  for (const { _id } of earlier) {
    const written = await results.findMany({ jobId: _id }, { limit: 1_000 })
    reports.push({ id: _id, view: await jobs.view(_id), values: written.map(({ value }) => value) })
  }
  process.stdout.write(`${JSON.stringify(reports)}\n`)
}
await worker.stop()
await store.close()
