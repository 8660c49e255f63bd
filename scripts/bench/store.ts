/**
 * How fast the embedded store is, beside the engine alone: `node scripts/run.mjs
 * scripts/bench/store.ts [--json] [--kill ROUNDS]`. Rates of one run only; machines differ, so the
 * ratio is what to compare. With --kill it kills a writing process ROUNDS times instead, and looks
 * for what was lost.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'libsql'
import { embeddedStore } from '../../shared/store/embedded.ts'
import type { Collection, Doc } from '../../shared/store/store.ts'
import { killRound } from '../../shared/store/test/kill-round.ts'

interface Task extends Doc {
  key: string
  state: string
  n: number
  run: object
  text: string
  tags: string[]
}
interface Claim extends Doc { worker: string, beat: number }
interface Rate { work: string, perSecond: number, engine: number, prototype: number }

/** Operations a second of the prototype this store was designed by, on a quiet machine of 2 cores. */
const prototype = {
  sequential: 20_000, concurrent: 58_800, get: 104_000, page: 2_800, update: 18_000, claim: 3_500
}
const writersCount = 64
const rounds = 3

/** About 300 bytes, as small documents of ours are. */
function task (i: number): Task {
  return {
    _id: `doc-${i}`,
    key: `k${i}`,
    state: ['queued', 'running', 'done'][i % 3] as string,
    n: i % 1_000,
    run: { model: `m${i % 7}`, score: (i % 100) / 100 },
    text: 'one line of text to fill it '.repeat(7),
    tags: ['a', 'b']
  }
}

async function milliseconds (work: () => Promise<void> | void): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function sequentially (count: number, one: (i: number) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < count; i++) await one(i)
}

async function concurrently (count: number, one: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(Array.from({ length: writersCount }, async () => {
    while (next < count) await one(next++)
  }))
}

/** The same table and plain indexes, by hand: what no adapter could beat. */
function engineRates (file: string): Record<keyof typeof prototype, (count: number) => void> {
  const database = new Database(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536')
  database.exec('CREATE TABLE c (_id TEXT PRIMARY KEY, doc TEXT NOT NULL)')
  database.exec('CREATE INDEX i ON c (json_extract(doc, \'$.state\'), json_extract(doc, \'$.n\'), _id)')
  database.exec('CREATE UNIQUE INDEX u ON c (json_extract(doc, \'$.key\'))')
  database.exec('CREATE TABLE k (_id TEXT PRIMARY KEY, doc TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO c VALUES (?, ?)')
  const get = database.prepare('SELECT doc FROM c WHERE _id = ?').raw(true)
  const write = database.prepare('UPDATE c SET doc = ? WHERE _id = ?')
  const page = database.prepare('SELECT doc FROM c WHERE json_extract(doc, \'$.state\') = ? ORDER BY json_extract(doc, \'$.n\') LIMIT 20').raw(true)
  const queued = database.prepare('SELECT doc FROM c WHERE json_extract(doc, \'$.state\') = ? ORDER BY json_extract(doc, \'$.n\'), _id LIMIT 64').raw(true)
  const claim = database.prepare('INSERT INTO k VALUES (?, ?)')
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const parsed = (row: unknown): Task => JSON.parse((row as string[])[0] as string) as Task
  let k = 0
  const batches = (count: number, one: (i: number) => void): void => {
    for (let i = 0; i < count;) {
      begin.run([])
      for (let j = 0; j < writersCount && i < count; j++) one(i++)
      commit.run([])
    }
  }
  const add = (): void => { insert.run([`doc-${k}`, JSON.stringify(task(k++))]) }
  return {
    sequential: count => { for (let i = 0; i < count; i++) add() },
    concurrent: count => batches(count, add),
    get: count => { for (let i = 0; i < count; i++) parsed(get.get([`doc-${i % k}`])) },
    page: count => { for (let i = 0; i < count; i++) page.all(['queued']).map(parsed) },
    update: count => batches(count, i => {
      const doc = parsed(get.get([`doc-${i % k}`]))
      write.run([JSON.stringify({ ...doc, n: doc.n + 1 }), doc._id])
    }),
    claim: count => {
      for (let i = 0; i < count; i += writersCount) {
        const docs = queued.all(['queued']).map(parsed)
        begin.run([])
        for (const { _id } of docs) {
          claim.run([`${_id}#1`, JSON.stringify({ _id: `${_id}#1`, worker: 'w', beat: 0 })])
          const doc = parsed(get.get([_id]))
          write.run([JSON.stringify({ ...doc, state: 'running' }), _id])
        }
        commit.run([])
      }
    }
  }
}

async function measure (folder: string): Promise<Rate[]> {
  const store = await embeddedStore(join(folder, 'store.db'))
  const tasks = await store.collection<Task>('tasks', [{ keys: ['state', 'n'] }, { keys: ['key'], unique: true }])
  const claims = await store.collection<Claim>('claims')
  const engine = engineRates(join(folder, 'engine.db'))
  const rates: Rate[] = []
  const row = async (
    work: string, kind: keyof typeof prototype, [count, ours]: [number, (count: number) => Promise<void>]
  ): Promise<void> => {
    let oursMs = 0
    let engineMs = 0
    // In turns, so that whatever else the machine does falls on both.
    for (let round = 0; round < rounds; round++) {
      oursMs += await milliseconds(async () => await ours(count))
      engineMs += await milliseconds(() => engine[kind](count))
    }
    const all = count * rounds * 1_000
    rates.push({
      work,
      perSecond: Math.round(all / oursMs),
      engine: Math.round(all / engineMs),
      prototype: prototype[kind]
    })
  }
  let k = 0
  await row('insert, one after another', 'sequential', [4_000, async count =>
    await sequentially(count, async () => await tasks.insert(task(k++)))])
  await row(`insert, ${writersCount} at once`, 'concurrent', [16_000, async count =>
    await concurrently(count, async () => await tasks.insert(task(k++)))])
  await row('find by _id', 'get', [16_000, async count =>
    await sequentially(count, async i => await tasks.find(`doc-${i % k}`))])
  await row('first 20 of an order, by index', 'page', [1_000, async count =>
    await sequentially(count, async () => await tasks.findMany({ state: 'queued' }, { sort: { n: 1 }, limit: 20 }))])
  await row(`guarded update, ${writersCount} at once`, 'update', [8_000, async count =>
    await concurrently(count, async i => await tasks.update(`doc-${i % k}`, {}, { $inc: { n: 1 } }))])
  await row(`claim the first queued, ${writersCount} at once`, 'claim', [1_920, async count =>
    await claimAll(tasks, claims, count)])
  await store.close()
  return rates
}

/** As workers do: read which are queued, insert a claim for each, then say so in the task. */
async function claimAll (
  tasks: Collection<Task>, claims: Collection<Claim>, count: number
): Promise<void> {
  for (let i = 0; i < count; i += writersCount) {
    const queued = await tasks.findMany({ state: 'queued' }, { sort: { n: 1 }, limit: writersCount })
    await Promise.all(queued.map(async ({ _id }) => {
      if (!await claims.insert({ _id: `${_id}#1`, worker: 'w', beat: 0 })) return
      await tasks.update(_id, { state: 'queued' }, { $set: { state: 'running' } })
    }))
  }
}

function table (rates: readonly Rate[]): string {
  const number = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')
  return [
    '| documents of 300 bytes, 2 indexes | store /s | bare engine /s | ratio | prototype, quiet machine /s |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rates.map(({ work, perSecond, engine, prototype }) =>
      `| ${work} | ${number(perSecond)} | ${number(engine)} | ${(perSecond / engine).toFixed(2)} | ${number(prototype)} |`)
  ].join('\n')
}

async function kill (folder: string, rounds: number): Promise<boolean> {
  const file = join(folder, 'killed.db')
  const sum = { rounds, acknowledged: 0, lost: 0, torn: 0, indexFaults: 0, integrity: 'ok' }
  for (let round = 0; round < rounds; round++) {
    // Between start and full swing; a multiplicative step spreads the points without chance.
    const ledger = await killRound(file, { round, acknowledgements: 1 + (round * 1_597) % 4_001 })
    sum.acknowledged += ledger.acknowledged
    sum.lost += ledger.lost
    sum.torn += ledger.torn
    sum.indexFaults += ledger.indexFaults
    if (ledger.integrity !== 'ok') sum.integrity = ledger.integrity
  }
  console.log(JSON.stringify(sum))
  return sum.lost + sum.torn + sum.indexFaults === 0 && sum.integrity === 'ok'
}

const { values } = parseArgs({ options: { json: { type: 'boolean' }, kill: { type: 'string' } } })
const folder = await mkdtemp(join(tmpdir(), 'viva-store-'))
try {
  if (values.kill !== undefined) process.exitCode = await kill(folder, Number(values.kill)) ? 0 : 1
  else {
    const rates = await measure(folder)
    console.log(values.json === true ? JSON.stringify(rates) : table(rates))
  }
} finally {
  await rm(folder, { recursive: true })
}
