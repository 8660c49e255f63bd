/**
 * More work than a process can do at once: `node scripts/run.mjs scripts/bench/overload.ts
 * [--tasks 100000]`. A real process of the noop service on an embedded store; each way of asking
 * for so many tasks begins with an empty one. The flood meets a cap of a tenth of what it asks for,
 * for else the bench would first have to work off 100,000 tasks. Beside memory it prints how
 * /health/live answered meanwhile; the client asks from a process of its own.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startNoop, type Answer, type NoopProcess } from '../../shared/testing/noop-house.ts'

const { values } = parseArgs({ options: { tasks: { type: 'string', default: '100000' } } })
const tasksAll = Number(values.tasks)
const probeMs = 50
const pollMs = 500
const width = 32

interface Figures {
  way: string
  tasks: number
  accepted: number
  refused: number
  /** Of refusals, without Retry-After or with another status. */
  wrongRefusals: number
  /** Tasks that are not done, or attempts beyond one for each. */
  lost: number
  doubled: number
  seconds: number
  tasksPerSecond: number
  /** Highest, of the process while at most a tenth was queued, and at any time. */
  residentMbAtTenth: number
  residentMb: number
  healthMsMedian: number
  healthMsP99: number
  healthMsMax: number
  loadBefore: number
}

interface Plan { jobs: number, count: number, insists: boolean, queueMax?: number }

interface Opened { accepted: Answer[], refused: Answer[] }

/** Opens `jobs` jobs of `count` tasks. @param insists tries again what was refused */
async function open (
  { post }: NoopProcess, { jobs, count, insists }: Plan
): Promise<Opened> {
  const opened: Opened = { accepted: [], refused: [] }
  let next = 0
  await Promise.all(Array.from({ length: Math.min(width, jobs) }, async () => {
    while (next < jobs) {
      const body = { name: `job-${next++}`, count, ms: 0 }
      for (;;) {
        const answer = await post('/v1/noops', body)
        if (answer.status === 202) { opened.accepted.push(answer); break }
        opened.refused.push(answer)
        if (!insists) break
        await new Promise(resolve => setTimeout(resolve, Number(answer.retryAfter ?? 1) * 1_000))
      }
    }
  }))
  return opened
}

/** Watches a process until `stop`; health is asked for at fixed times, whatever is still open. */
function watch (process: NoopProcess, tenth: number) {
  const health: number[] = []
  let residentMb = 0
  let residentMbAtTenth = 0
  const open = new Set<Promise<unknown>>()
  const timer = setInterval(() => {
    const asked = process.get('/health/live').then(({ ms }) => { health.push(ms) })
    open.add(asked)
    void asked.finally(() => open.delete(asked))
  }, probeMs)
  const memory = setInterval(() => {
    residentMb = Math.max(residentMb, process.residentMb())
    void process.metric('viva_queue_tasks', 'state="queued"').then(queued => {
      if (queued <= tenth) residentMbAtTenth = Math.max(residentMbAtTenth, process.residentMb())
    })
  }, pollMs)
  return async () => {
    clearInterval(timer)
    clearInterval(memory)
    await Promise.all(open)
    health.sort((a, b) => a - b)
    const last = health.length - 1
    const at = (share: number) => health[Math.min(last, Math.floor(share * health.length))] ?? NaN
    const times = { healthMsMedian: at(0.5), healthMsP99: at(0.99), healthMsMax: at(1) }
    return { residentMb, residentMbAtTenth, ...times }
  }
}

async function measure (way: string, plan: Plan): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'viva-overload-'))
  const loadBefore = loadavg()[0] ?? NaN
  const cap = plan.queueMax === undefined ? {} : { QUEUE_MAX: String(plan.queueMax) }
  const process = await startNoop({ DATA_DIR: folder, NOOP_AT_ONCE: '16', ...cap })
  try {
    // Code and caches are warm, and a tenth of the queue is the level the rest is held against.
    await settled(process, await open(process, { jobs: 1, count: Math.ceil(tasksAll / 10), insists: true }))
    const residentMbWarm = process.residentMb()
    const before = await process.metric('viva_task_duration_seconds_count', 'stage="work"')
    const stop = watch(process, tasksAll / 10)
    const began = performance.now()
    const opened = await open(process, plan)
    await settled(process, opened)
    const seconds = (performance.now() - began) / 1_000
    const watched = await stop()
    const tasks = opened.accepted.length * plan.count
    const attempts = await process.metric('viva_task_duration_seconds_count', 'stage="work"') - before
    const done = await countDone(process, opened)
    return {
      way,
      tasks,
      accepted: opened.accepted.length,
      refused: opened.refused.length,
      wrongRefusals: opened.refused.filter(isWrong).length,
      lost: tasks - done,
      doubled: attempts - tasks,
      seconds,
      tasksPerSecond: tasks / seconds,
      ...watched,
      residentMbAtTenth: Math.max(watched.residentMbAtTenth, residentMbWarm),
      loadBefore
    }
  } finally {
    await process.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function isWrong ({ status, retryAfter }: Answer): boolean {
  return status !== 503 || retryAfter === undefined
}

async function settled ({ get }: NoopProcess, { accepted }: Opened): Promise<void> {
  for (const { body } of accepted) {
    for (;;) {
      const answer = await get(`/v1/noops/${body.id}?wait=60`)
      if (answer.body.state !== 'queued' && answer.body.state !== 'running') break
    }
  }
}

async function countDone ({ get }: NoopProcess, { accepted }: Opened): Promise<number> {
  let done = 0
  for (const { body } of accepted) done += (await get(`/v1/noops/${body.id}`)).body.resultCount
  return done
}

const ways: Array<[string, Plan]> = [
  ['one job', { jobs: 1, count: tasksAll, insists: true }],
  ['jobs of 100', { jobs: Math.ceil(tasksAll / 100), count: 100, insists: true }],
  // The first jobs fill the queue by what they plan; then it stays full while this goes on.
  ['a flood beyond the cap', {
    jobs: tasksAll, count: 1, insists: false, queueMax: Math.ceil(tasksAll / 10)
  }]
]
const figures: Figures[] = []
for (const [way, plan] of ways) {
  figures.push(await measure(way, plan))
  console.log(JSON.stringify(figures.at(-1)))
}
