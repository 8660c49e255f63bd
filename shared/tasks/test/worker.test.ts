import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate as soon } from 'node:timers/promises'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { memoryBus } from '../../bus/memory.ts'
import { Problem } from '../../errors/problem.ts'
import { embeddedStore } from '../../store/embedded.ts'
import type { Doc, Index, Store } from '../../store/store.ts'
import { startBare } from '../../testing/bare-process.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { exclusiveIdentity, hostIdentity } from '../identity.ts'
import type { JobKind } from '../tasks.ts'
import { createWorker } from '../worker.ts'

interface Spec { count: number }

async function workerOn (t: Test, kind: Partial<JobKind<Spec, number>> = {}) {
  const store = await embeddedStore(join(temporaryFolder(t), 'tasks.db'))
  const log = pino({ level: 'silent' })
  const bus = memoryBus()
  const worker = await createWorker({ store, bus, service: 'scoring', workerId: 'w', log })
  const jobs = await worker.define<Spec, number>({
    name: 'sum',
    concurrency: 4,
    async plan ({ spec }) {
      return Array.from({ length: spec.count }, (_, index) => ({ key: `${index}`, input: index }))
    },
    async perform () {},
    ...kind
  })
  t.teardown(async () => { await worker.stop(); await store.close() })
  await worker.start()
  return { worker, jobs, store }
}

/** Resolves when told, and rejects when aborted. */
async function held (signal: AbortSignal): Promise<void> {
  await once(signal, 'abort')
  throw signal.reason
}

async function thrownBy (promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(() => undefined, (error: unknown) => error)
}

t.test('a job of 2,000 tasks is done once each, a bounded number at a time', async t => {
  const seen = new Map<number, number>()
  let running = 0
  let most = 0
  const { jobs } = await workerOn(t, {
    async perform ({ input }) {
      running += 1
      most = Math.max(most, running)
      await new Promise(resolve => setImmediate(resolve))
      seen.set(input, (seen.get(input) ?? 0) + 1)
      running -= 1
    }
  })
  t.same(await jobs.open('a', { count: 2_000 }), { created: true })
  t.same(await jobs.open('a', { count: 2_000 }), { created: false }, 'the same id is the same work')
  await jobs.wait('a', 60_000)
  const progress = { done: 2_000, total: 2_000, failed: 0 }
  t.same(await jobs.view('a'), { state: 'succeeded', progress, problems: [] })
  t.equal(seen.size, 2_000)
  t.ok([...seen.values()].every(times => times === 1))
  t.equal(most, 4)
})

t.test('a dead task makes the job fail, is a dead letter, and can be retried', async t => {
  let broken = true
  let finishes = 0
  const { jobs, worker } = await workerOn(t, {
    async perform ({ input }) {
      if (broken && input === 1) throw new Problem('paper-damaged', 'Page 3 is torn.')
    },
    async finish () { finishes += 1 }
  })
  await jobs.open('a', { count: 3 })
  await jobs.wait('a', 10_000)
  const failed = { state: 'failed', progress: { done: 2, total: 3, failed: 1 } }
  t.match(await jobs.view('a'), { ...failed, problems: [{ detail: 'Page 3 is torn.' }] })
  const letters = await worker.deadLetters({ limit: 10 })
  t.match(letters, [{ kind: 'sum', jobId: 'a', attempts: 1 }])
  broken = false
  await worker.retryDeadLetter(String(letters[0]?.id))
  await jobs.wait('a', 10_000)
  t.match(await jobs.view('a'), { state: 'succeeded', progress: { done: 3 } })
  t.equal(finishes, 2, 'each round is finished')
  t.match(await thrownBy(worker.retryDeadLetter('tsk_none')), { kind: 'dead-letter-not-found' })
  t.equal(await jobs.retry('a'), 0)
})

t.test('a plan that cannot be made fails the job with its problem', async t => {
  const { jobs } = await workerOn(t, {
    async plan () { throw new Problem('paper-empty', 'There is nothing to plan.') }
  })
  await jobs.open('a', { count: 1 })
  await jobs.wait('a', 10_000)
  t.match(await jobs.view('a'), { state: 'failed', problems: [{ type: '/problems/paper-empty' }] })
  t.match(await jobs.find('a'), { problem: { type: '/problems/paper-empty' } })
})

t.test('cancelling ends what waits and what runs; a retry takes it up again', async t => {
  let holds = true
  let begun = (): void => {}
  const running = new Promise<void>(resolve => { begun = resolve })
  const { jobs } = await workerOn(t, {
    async perform (_task, _job, signal) {
      begun()
      if (holds) await held(signal)
    }
  })
  await jobs.open('a', { count: 20 })
  await running
  await jobs.cancel('a')
  await jobs.wait('a', 10_000)
  t.match(await jobs.view('a'), { state: 'cancelled', progress: { done: 0, total: 20, failed: 0 } })
  holds = false
  t.equal(await jobs.retry('a'), 20)
  await jobs.wait('a', 10_000)
  t.match(await jobs.view('a'), { state: 'succeeded', progress: { done: 20 } })
  await jobs.delete('a')
  t.equal(await jobs.find('a'), undefined)
  t.match(await thrownBy(jobs.view('a')), { kind: 'not-found' })
  t.same(await jobs.open('a', { count: 1 }), { created: true }, 'a deleted job can be opened anew')
  await jobs.wait('a', 10_000)
  t.match(await jobs.view('a'), { state: 'succeeded', progress: { total: 1 } })
})

t.test('stopping hands running tasks back, which counts as no attempt', async t => {
  let begun = (): void => {}
  const running = new Promise<void>(resolve => { begun = resolve })
  const { jobs, worker, store } = await workerOn(t, {
    async perform (_task, _job, signal) { begun(); await held(signal) }
  })
  await jobs.open('a', { count: 1 })
  await running
  await worker.stop()
  const tasks = await store.collection<{ _id: string }>('tasks')
  const [task] = await tasks.findMany({ stage: 'work' }, { limit: 1 })
  t.match(task, { state: 'queued', attempt: 1, failures: 0, losses: 0, pauseMs: 0 })
})

t.test('a process is known to be gone once it has ended', async t => {
  const own = hostIdentity()
  t.notOk(own.isGone(own.process), 'this one lives')
  t.notOk(own.isGone('elsewhere/1/1'), 'of another host nothing is known')
  t.ok(exclusiveIdentity(own).isGone('elsewhere/1/1'), 'unless the store is ours alone')
  t.notOk(exclusiveIdentity(own).isGone(own.process))
  if (process.platform !== 'linux') return
  const module = new URL('../identity.ts', import.meta.url).href
  const code = `import { hostIdentity } from '${module}'; console.log(hostIdentity().process); setInterval(() => {}, 1000)`
  const child = startBare(['--import', 'tsx', '--input-type=module', '-e', code])
  const [output] = await once(child.stdout, 'data')
  const other = String(output).trim()
  t.notOk(own.isGone(other), 'the other lives')
  child.kill('SIGKILL')
  await once(child, 'exit')
  t.ok(own.isGone(other))
  const [machine, , start] = own.process.split('/')
  t.ok(own.isGone(`${machine}/${process.pid}/${Number(start) - 1}`), 'a reused PID is another process')
})

/** Whose calls fail as on a full disk, by name, from the moment they are broken. */
function breakable (store: Store) {
  const broken = new Set<string>()
  const refused = async () => { throw new Problem('disk-full', 'There is no space left.') }
  return {
    break: (...names: string[]) => { for (const name of names) broken.add(name) },
    store: {
      ...store,
      async collection<T extends Doc> (name: string, indexes?: readonly Index[]) {
        const whole = await store.collection<T>(name, indexes)
        return new Proxy(whole, { get: (target, call: 'find') => broken.has(call) ? refused : target[call] })
      }
    }
  }
}

t.test('a store that refuses is asked again after a pause, and is a few lines of log', async t => {
  const timers = new Map<object, { at: number, call: () => void }>()
  let now = 0
  const after = (ms: number, call: () => void) => {
    const key = {}
    timers.set(key, { at: now + ms, call })
    return () => { timers.delete(key) }
  }
  /** Ten seconds of this clock; a few hundred timers at most. */
  const pass = async () => {
    const end = now + 10_000
    for (let turns = 0; turns < 500; turns++) {
      const [next] = [...timers].sort(([, a], [, b]) => a.at - b.at)
      if (next === undefined || next[1].at > end) break
      timers.delete(next[0])
      now = Math.max(now, next[1].at)
      next[1].call()
      for (let i = 0; i < 5; i++) await soon()
    }
    return now
  }
  const real = await embeddedStore(join(temporaryFolder(t), 'tasks.db'))
  const { store, break: breakDown } = breakable(real)
  let lines = 0
  const log = pino({ level: 'warn' }, { write: () => { lines += 1 } })
  const worker = await createWorker({ store, bus: memoryBus(), service: 'scoring', workerId: 'w', log, clock: { now: () => now, after } })
  t.teardown(async () => { await real.close() })
  const jobs = await worker.define<Spec, number>({ name: 'sum', concurrency: 4, plan: async () => [], async perform () {} })
  await jobs.open('a', { count: 1 })
  breakDown('insert', 'update')
  await worker.start()
  t.ok(await pass() > 8_000, 'time goes on')
  t.ok(lines > 0 && lines < 40, `nothing can be written: ${lines} lines in 10 s`)
  lines = 0
  breakDown('find', 'findMany', 'count')
  t.ok(await pass() > 16_000)
  t.ok(lines > 0 && lines < 40, `nothing can be read either: ${lines} lines in 10 s`)
})
