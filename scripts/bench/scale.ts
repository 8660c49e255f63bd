/**
 * What more replicas bring: `node scripts/run.mjs scripts/bench/scale.ts [--seconds 6] [--json]`.
 * Tasks a second, and what one costs beyond its own waiting, at 1, 2 and 4 processes of the noop
 * service on one embedded store, with the bus inside each process, or the one NATS_URL names. CPU
 * time hardly depends on what else the machine does; rates do, so compare those of one run.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startNoop, type NoopProcess } from '../../shared/testing/noop-house.ts'

const options = { seconds: { type: 'string', default: '6' }, json: { type: 'boolean', default: false } } as const
const { values } = parseArgs({ options })
const seconds = Number(values.seconds)
/** Of each process and kind, as the services have it. */
const atOnce = 4
const replicaCounts = [1, 2, 4]
/** What one process of the no-op task does a second at least, to know how many make a run long enough. */
const noopsPerSecond = 500

interface Row {
  taskMs: number
  replicas: number
  tasks: number
  perSecond: number
  /** Against one replica, in this run. */
  gain: number
  /** Of all processes together, for one task. */
  cpuMs: number
  /** For which a place is taken beyond the task's own waiting. */
  overheadMs: number
  /** Tasks done by each replica, as shares of all. */
  shares: number[]
  load: number
}

async function measure (taskMs: number, replicas: number): Promise<Omit<Row, 'gain'>> {
  const folder = await mkdtemp(join(tmpdir(), 'viva-scale-'))
  // NATS_URL and the like reach it as part of our environment.
  const env = { DATA_DIR: folder, NOOP_AT_ONCE: String(atOnce) }
  const house = await Promise.all(Array.from({ length: replicas }, async () => await startNoop(env)))
  try {
    await run(house, 50 * replicas, 0)
    const perSecond = taskMs === 0 ? noopsPerSecond : replicas * atOnce * 1_000 / taskMs
    const count = Math.ceil(perSecond * seconds / replicas) * replicas
    const done = async () => await Promise.all(house.map(async each =>
      await each.metric('viva_task_duration_seconds_count', 'stage="work"')))
    const before = await done()
    const cpuBefore = cpuOf(house)
    const tookSeconds = await run(house, count, taskMs)
    const cpuMs = (cpuOf(house) - cpuBefore) * 1_000 / count
    const own = (await done()).map((after, at) => after - (before[at] ?? 0))
    return {
      taskMs,
      replicas,
      tasks: count,
      perSecond: count / tookSeconds,
      cpuMs,
      overheadMs: replicas * atOnce * tookSeconds * 1_000 / count - taskMs,
      shares: own.map(each => each / count),
      load: loadavg()[0] ?? NaN
    }
  } finally {
    await Promise.all(house.map(async ({ stop }) => await stop()))
    await rm(folder, { recursive: true, force: true })
  }
}

/** A job opened at each replica, so that each knows of work; its tasks are anyone's. */
async function run (house: readonly NoopProcess[], count: number, ms: number): Promise<number> {
  const began = performance.now()
  await Promise.all(house.map(async ({ post, get }, at) => {
    const { body } = await post('/v1/noops', { name: `${began} ${at}`, count: count / house.length, ms })
    for (;;) {
      const { body: { state } } = await get(`/v1/noops/${body.id}?wait=60`)
      if (state === 'succeeded') return
      if (state !== 'queued' && state !== 'running') throw new Error(`A job ended as ${state}`)
    }
  }))
  return (performance.now() - began) / 1_000
}

function cpuOf (house: readonly NoopProcess[]): number {
  return house.reduce((sum, each) => sum + each.cpuSeconds(), 0)
}

const rows: Row[] = []
for (const taskMs of [0, 50]) {
  let alone = NaN
  for (const replicas of replicaCounts) {
    const row = await measure(taskMs, replicas)
    if (replicas === 1) alone = row.perSecond
    rows.push({ ...row, gain: row.perSecond / alone })
    process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`)
  }
}
const bus = process.env.NATS_URL === undefined ? 'a bus in each process' : 'NATS'
if (values.json) console.log(JSON.stringify({ bus, atOnce, cores: availableParallelism(), rows }))
else {
  console.log(`${availableParallelism()} cores, ${atOnce} tasks at once in a process, ${bus}\n`)
  console.log('| task | replicas | tasks/s | gain | CPU ms a task | place held beyond the task, ms | shares | load |')
  console.log('|---|--:|--:|--:|--:|--:|---|--:|')
  for (const { taskMs, replicas, perSecond, gain, cpuMs, overheadMs, shares, load } of rows) {
    const parts = shares.map(share => `${Math.round(100 * share)} %`).join(', ')
    console.log(`| ${taskMs === 0 ? 'no-op' : `${taskMs} ms`} | ${replicas} | ${perSecond.toFixed(0)} | ${gain.toFixed(2)} | ${cpuMs.toFixed(2)} | ${overheadMs.toFixed(1)} | ${parts} | ${load.toFixed(1)} |`)
  }
}
