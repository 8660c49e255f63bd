import { mkdir, open, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'
import t from 'tap'
import { embeddedStore } from '../embedded.ts'
import { compareText } from '../filter.ts'
import { groupCommit } from '../group-commit.ts'
import type { Doc, Filter } from '../store.ts'
import { storeContract } from './contract.ts'
import { ledgerOf, runWriter } from './kill-round.ts'

type Any = Doc & Record<string, any>
const dir = t.testdir({})
const at = (name: string): string => join(dir, `${name}.db`)

await storeContract(t, { name: 'SQLite', open: async key => await embeddedStore(at(key)) })

t.test('of two processes that write to one file, one is killed', async t => {
  const file = at('killed')
  const [killed, finished] = await Promise.all([
    runWriter(file, { round: 1, acknowledgements: 300 }),
    runWriter(file, { round: 2, acknowledgements: Infinity, share: 600 })
  ])
  t.ok(killed.length >= 300)
  t.equal(finished.length, 600)
  t.match(await ledgerOf(file, [...killed, ...finished]), {
    acknowledged: killed.length + 600, lost: 0, torn: 0, indexFaults: 0, integrity: 'ok'
  }, 'nothing acknowledged is lost, nothing is half written')
})

t.test('while another process holds the lock', async t => {
  const store = await embeddedStore(at('locked'))
  const things = await store.collection<Any>('things')
  const impatient = await embeddedStore(at('locked'), { busyMaxMs: 1 })
  const same = await impatient.collection<Any>('things')
  await things.insert({ _id: 'before' })
  const other = new Database(at('locked'))

  await t.test('reads go on; a write waits, and is made when the lock is gone', async t => {
    other.exec('BEGIN IMMEDIATE')
    const waiting = things.insert({ _id: 'waited' })
    // One turn of the event loop, in which the write has met the lock.
    await new Promise(resolve => setImmediate(resolve))
    t.equal(await things.count({}), 1)
    other.exec('ROLLBACK')
    t.equal(await waiting, true)
  })
  await t.test('for too long, a write is store-unavailable and not made later', async t => {
    other.exec('BEGIN IMMEDIATE')
    await t.rejects(same.insert({ _id: 'late' }), { name: 'Problem', kind: 'store-unavailable' })
    await t.rejects(impatient.collection('new'), { name: 'Problem', kind: 'store-unavailable' })
    other.exec('INSERT INTO c_things VALUES (\'theirs\', \'{"_id":"theirs"}\')')
    other.exec('COMMIT')
    t.same(await same.find('theirs'), { _id: 'theirs' }, 'what it held the lock for is seen')
    t.equal(await same.insert({ _id: 'next' }), true)
    t.equal(await same.find('late'), undefined)
  })
  other.close()
  await impatient.close()
  await store.close()
})

t.test('a file that may not grow', async t => {
  const store = await embeddedStore(at('full'), { bytesMax: 400_000 })
  const things = await store.collection<Any>('things', [{ keys: ['state'] }])
  const long = (i: number): Any => ({ _id: `d${i}`, state: 'x', text: 'x'.repeat(10_000) })
  let stored = 0
  await t.test('is disk-full in the end, and what was acknowledged is there', async t => {
    await t.rejects((async () => { for (;;) if (await things.insert(long(stored))) stored++ })(),
      { name: 'Problem', kind: 'disk-full' })
    t.ok(stored > 20)
    t.equal(await things.count({ state: 'x' }), stored)
  })
  await t.test('refuses a batch as one, and takes up again once there is room', async t => {
    const batch = await Promise.allSettled([900, 901, 902].map(async i => await things.insert(long(i))))
    t.ok(batch.every(({ status }) => status === 'rejected'))
    t.equal(await things.count({}), stored)
    for (let i = 0; i < 10; i++) await things.delete(`d${i}`)
    t.equal(await things.insert(long(903)), true)
  })
  await store.close()
})

t.test('where MongoDB would reach into a list, an update is refused', async t => {
  const store = await embeddedStore(at('lists'))
  const things = await store.collection<Any>('things')
  await things.insert({ _id: 'a', list: [{ n: 1 }] })
  await t.rejects(things.update('a', {}, { $set: { 'list.0': 1 } }), TypeError)
  await t.rejects(things.update('a', {}, { $inc: { 'list.0.n': 1 } }), TypeError)
  t.equal(await things.count({ 'list.n': 1 }), 0)
  t.same(await things.find('a'), { _id: 'a', list: [{ n: 1 }] })
  await store.close()
})

t.test('opening', async t => {
  await t.test('makes the folders on the way', async t => {
    const store = await embeddedStore(join(dir, 'a', 'b', 'c.db'), { sync: 'full' })
    await store.ping()
    await store.close()
    t.ok((await stat(join(dir, 'a', 'b', 'c.db'))).isFile())
  })
  await t.test('what is no store is store-unavailable, and is left as it was', async t => {
    await writeFile(at('text'), 'not a database '.repeat(1_000))
    await mkdir(at('folder'))
    for (const name of ['text', 'folder', 'text.db/below']) {
      await t.rejects(embeddedStore(at(name)), { name: 'Problem', kind: 'store-unavailable' }, name)
    }
    t.equal((await stat(at('text'))).size, 15_000)
  })
  await t.test('a store of a later version is refused', async t => {
    await (await embeddedStore(at('later'))).close()
    const database = new Database(at('later'))
    database.exec('PRAGMA user_version = 2')
    database.close()
    await t.rejects(embeddedStore(at('later')), { name: 'Problem', kind: 'store-unavailable', message: /schema 2/ })
  })
  await t.test('a damaged page is named when it is met, and no wrong document is read', async t => {
    const store = await embeddedStore(at('damaged'))
    const things = await store.collection<Any>('things')
    await things.insertMissing(Array.from({ length: 200 }, (_, i) => ({ _id: `d${i}`, text: 'x'.repeat(1_000) })))
    await store.close()
    const file = await open(at('damaged'), 'r+')
    const { size } = await file.stat()
    const garbage = Buffer.alloc(4_096, 0xff)
    for (let start = 3 * 4_096; start < size; start += 4_096) await file.write(garbage, 0, 4_096, start)
    await file.close()
    const again = await embeddedStore(at('damaged'))
    const damaged = await again.collection<Any>('things')
    await t.rejects(damaged.findMany({}, { limit: 1_000 }), { name: 'Problem', kind: 'store-unavailable' })
    await again.close()
  })
})

t.test('the queries that pages of work make come from an index', async t => {
  const store = await embeddedStore(at('plans'))
  await store.collection('things', [{ keys: ['state', 'n'] }, { keys: ['jobId'] }])
  await store.close()
  const { whereSql, orderSql } = await import('../sql.ts')
  const { conditionsOf } = await import('../filter.ts')
  const database = new Database(at('plans'))
  const planOf = (filter: Filter, sort: Record<string, 1 | -1>): string => {
    const where = whereSql(conditionsOf(filter))
    const sql = `EXPLAIN QUERY PLAN SELECT doc FROM "c_things"${where.text}${orderSql(sort)} LIMIT 10`
    return (database.prepare(sql).all(where.values) as Array<{ detail: string }>).map(({ detail }) => detail).join('; ')
  }
  const searched = /^SEARCH c_things USING INDEX [^;]+$/
  t.match(planOf({ state: 'queued' }, { n: 1 }), searched)
  t.match(planOf({ state: 'queued', n: { $gte: 5 } }, { n: 1 }), searched)
  t.match(planOf({ jobId: 'j' }, {}), searched)
  t.match(planOf({ jobId: 'j', _id: { $gt: 'x' } }, {}), searched)
  t.match(planOf({ jobId: { $in: ['a', 'b'] } }, {}), /^SEARCH c_things USING INDEX/)
  t.match(planOf({}, {}), /^SCAN c_things USING INDEX sqlite_autoindex/, 'all in order of _id')
  database.close()
})

t.test('strings are ordered as their UTF-8 bytes are', async t => {
  const texts = ['', 'a', 'ab', 'b', 'Z', 'é', '\u007f', '\u0080', '\ud7ff', '\ue000', '\uffff', '😀', '😀a', '😁', '\u{10ffff}', 'a\ue000', 'a😀']
  for (const a of texts) {
    for (const b of texts) {
      t.equal(Math.sign(compareText(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)), `${JSON.stringify(a)} ${JSON.stringify(b)}`)
    }
  }
})

t.test('writes that take long are not held together in one transaction', async t => {
  const sizes: number[] = []
  const queue = groupCommit(async take => {
    const settles: Array<() => void> = []
    for (const { change, resolve } of take()) {
      const value = change()
      settles.push(() => resolve(value))
    }
    sizes.push(settles.length)
    return settles
  })
  const slow = (): number => { for (const end = performance.now() + 30; performance.now() < end;); return 1 }
  const changes = [slow, slow, ...Array.from({ length: 50 }, () => () => 1)]
  t.equal((await Promise.all(changes.map(async change => await queue.add(change)))).length, 52)
  t.same(sizes.slice(0, 2), [1, 1])
})
