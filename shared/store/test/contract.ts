/** What every adapter of Store does. An adapter's own test calls this with a way to open it. */
import type { Test } from 'tap'
import type { Doc, Store } from '../store.ts'
import { filterContract } from './contract-filter.ts'
import { documentContract } from './contract-documents.ts'

/** Where an adapter may fall short and say so; the tests of these names are skipped. */
export type Exemption = 'concurrent updates' | 'unique updates' | 'nested arrays'

export interface Adapter {
  name: string
  /** A handle on the store called `key`, new and empty at first; the same key opens the same store. */
  open: (key: string) => Promise<Store>
  exempt?: readonly Exemption[]
}

interface Thing extends Doc { state?: string, n?: number, key?: string, owner?: string }

export async function storeContract (t: Test, adapter: Adapter): Promise<void> {
  await documentContract(t, adapter)
  await filterContract(t, adapter)
  await t.test(`store of ${adapter.name}: inserting`, async t => await inserting(t, adapter))
  await t.test(`store of ${adapter.name}: updating`, async t => await updating(t, adapter))
  await t.test(`store of ${adapter.name}: many at once`, async t => await manyAtOnce(t, adapter))
  await t.test(`store of ${adapter.name}: handles`, async t => await handles(t, adapter))
}

async function inserting (t: Test, { open }: Adapter): Promise<void> {
  const store = await open('inserting')
  t.teardown(async () => await store.close())
  const things = await store.collection<Thing>('things', [{ keys: ['key'], unique: true }])

  await t.test('a new document is inserted, the same _id again is not and changes nothing', async t => {
    t.equal(await things.insert({ _id: 'a', n: 1 }), true)
    t.equal(await things.insert({ _id: 'a', n: 2 }), false)
    t.same(await things.find('a'), { _id: 'a', n: 1 })
  })
  await t.test('a unique path is held, and documents without it do not collide', async t => {
    t.equal(await things.insert({ _id: 'k1', key: 'one' }), true)
    t.equal(await things.insert({ _id: 'k2', key: 'one' }), false)
    t.equal(await things.find('k2'), undefined)
    t.equal(await things.insertMissing([{ _id: 'n1' }, { _id: 'n2' }]), 2)
  })
  await t.test('null on a unique path is refused, since adapters differ on it', async t => {
    const nothing = { _id: 'k3', key: null } as unknown as Thing
    await t.rejects(things.insert(nothing), TypeError)
  })
  await t.test('of many, the new ones are inserted and counted, also after a duplicate', async t => {
    const batch = ['m1', 'a', 'm2', 'm1', 'm3'].map(_id => ({ _id, state: 'batch' }))
    t.equal(await things.insertMissing(batch), 3)
    t.equal(await things.count({ state: 'batch' }), 3)
    t.equal(await things.insertMissing(batch), 0)
    t.equal(await things.insertMissing([]), 0)
  })
  await t.test('a deleted document is gone and can be inserted again', async t => {
    t.equal(await things.delete('a'), true)
    t.equal(await things.delete('a'), false)
    t.equal(await things.find('a'), undefined)
    t.equal(await things.insert({ _id: 'a' }), true)
  })
  await t.test('an _id that is no string is refused everywhere, above all an object', async t => {
    for (const id of [{ $ne: null }, 7, null, undefined, ['a']] as unknown as string[]) {
      await t.rejects(things.insert({ _id: id }), TypeError)
      await t.rejects(things.find(id), TypeError)
      await t.rejects(things.update(id, {}, { $set: { n: 0 } }), TypeError)
      await t.rejects(things.delete(id), TypeError)
    }
    t.equal((await things.find('m1'))?.n, undefined)
  })
  await t.test('collections are apart, also where names differ only in case', async t => {
    const others = await store.collection<Thing>('Things')
    t.equal(await others.count({}), 0)
    t.equal(await others.insert({ _id: 'a' }), true)
    for (const name of ['', 'a b', 'x"; DROP TABLE y', 'a.b', '$x', 'a'.repeat(61)]) {
      await t.rejects(store.collection(name), TypeError, name)
    }
  })
}

async function updating (t: Test, { open, exempt = [] }: Adapter): Promise<void> {
  const store = await open('updating')
  t.teardown(async () => await store.close())
  const things = await store.collection<Doc & Record<string, any>>('things', [{ keys: ['key'], unique: true }])
  await things.insert({ _id: 'a', state: 'queued', lease: { by: null, beat: 1 }, list: [1], key: 'A' })
  await things.insert({ _id: 'b', key: 'B' })

  await t.test('happens if the guard holds, and says so', async t => {
    t.equal(await things.update('a', { state: 'running' }, { $set: { state: 'done' } }), false)
    t.equal(await things.update('a', { state: 'queued', 'lease.by': null }, {
      $set: { state: 'running', 'lease.by': 'w1' }, $inc: { 'lease.beat': 2, tries: 1 }
    }), true)
    t.same(await things.find('a'), {
      _id: 'a', state: 'running', lease: { by: 'w1', beat: 3 }, list: [1], key: 'A', tries: 1
    })
  })
  await t.test('of an unknown _id does not happen, and makes nothing', async t => {
    t.equal(await things.update('zzz', {}, { $set: { n: 1 } }), false)
    t.equal(await things.find('zzz'), undefined)
  })
  await t.test('says true also when the values were so before', async t => {
    t.equal(await things.update('a', { state: 'running' }, { $set: { state: 'running' } }), true)
  })
  await t.test('makes missing objects on the way, and unsets what is there or not', async t => {
    t.equal(await things.update('b', {}, { $set: { 'x.y.z': 1, 'x.w': [2] } }), true)
    t.same((await things.find('b'))?.x, { y: { z: 1 }, w: [2] })
    t.equal(await things.update('b', {}, { $unset: { 'x.y': true, 'no.such': true } }), true)
    t.same(await things.find('b'), { _id: 'b', key: 'B', x: { w: [2] } })
  })
  await t.test('of the wrong type is refused and changes nothing', async t => {
    const before = await things.find('a')
    const wrong: unknown[] = [
      { $inc: { state: 1 } }, { $inc: { 'lease.by': 1 } }, { $inc: { tries: NaN } }, { $inc: { tries: '1' } },
      { $set: { 'state.x': 1 } }, { $set: { _id: 'c' } }, { $set: { n: NaN } },
      { $set: { at: new Date(0) } }, { $set: { n: undefined } }, { $set: { $x: 1 } }, { $set: { 'a..b': 1 } },
      { $set: { '__proto__.polluted': 1 } }, { $set: { 'x._bsontype': 1 } }, { $set: { n: 1 }, $inc: { n: 1 } }, { $set: { 'n.m': 1, n: 1 } },
      { $push: { list: 2 } }, { state: 'done' }, {}, { $set: {} }, { $unset: { n: '' } },
      { $set: { key: ['A'] } }, { $set: { key: null } }, { $set: { 'key.x': 1 } }, { $inc: { tries: 1e300 } },
      { $set: { 'list.0': 2 } }, { $inc: { 'list.0': 1 } }
    ]
    for (const update of wrong) await t.rejects(things.update('a', {}, update as {}), TypeError, JSON.stringify(update))
    const deep = (levels: number): string => Array(levels).fill('d').join('.')
    const nested: unknown = JSON.parse('{"d":'.repeat(51) + '1' + '}'.repeat(51))
    const [tooLong, half] = [deep(101), deep(50)]
    const tooDeep = [{ $set: { [tooLong]: 1 } }, { $inc: { [tooLong]: 1 } }, { $set: { [half]: nested } }]
    for (const wrong of tooDeep) {
      await t.rejects(things.update('a', {}, wrong), RangeError, 'deeper than a document')
    }
    t.same(await things.find('a'), before)
    t.equal(({} as any).polluted, undefined)
  })
  await t.test('that would double a unique value is a conflict and changes nothing', {
    skip: exempt.includes('unique updates') && 'exempt'
  }, async t => {
    await t.rejects(things.update('b', {}, { $set: { key: 'A' } }), { name: 'Problem', kind: 'conflict' })
    t.equal((await things.find('b'))?.key, 'B')
  })
}

async function manyAtOnce (t: Test, { open, exempt = [] }: Adapter): Promise<void> {
  const first = await open('many')
  const second = await open('many')
  t.teardown(async () => await Promise.all([first.close(), second.close()]))
  const handles = [await first.collection<Thing>('things'), await second.collection<Thing>('things')]
  const either = (i: number) => handles[i % 2] as typeof handles[0] & {}

  await t.test('200 claims of one _id over two handles: one gets it', async t => {
    const got = await Promise.all(Array.from({ length: 200 }, async (_, i) =>
      await either(i).insert({ _id: 'claim#1', owner: `w${i}` }) && `w${i}`))
    const winners = got.filter(Boolean)
    t.equal(winners.length, 1)
    t.equal((await either(0).find('claim#1'))?.owner, winners[0])
  })
  await t.test('200 claims of 50 documents by guarded update: each goes to one', {
    skip: exempt.includes('concurrent updates') && 'exempt'
  }, async t => {
    await either(0).insertMissing(Array.from({ length: 50 }, (_, i) => ({ _id: `t${i}`, state: 'queued' })))
    const got = await Promise.all(Array.from({ length: 200 }, async (_, i) =>
      await either(i).update(`t${i % 50}`, { state: 'queued' }, { $set: { state: 'running', owner: `w${i}` } })))
    t.equal(got.filter(Boolean).length, 50)
    const owners = await either(0).findMany({ state: 'running' }, { limit: 100 })
    t.equal(owners.length, 50)
    t.ok(owners.every(({ owner }) => got[Number(owner?.slice(1))]), 'each belongs to who was told so')
  })
  await t.test('200 increments over two handles are 200', {
    skip: exempt.includes('concurrent updates') && 'exempt'
  }, async t => {
    await either(0).insert({ _id: 'counter', n: 0 })
    await Promise.all(Array.from({ length: 200 }, async (_, i) =>
      await either(i).update('counter', {}, { $inc: { n: 1 } })))
    t.equal((await either(1).find('counter'))?.n, 200)
  })
  await t.test('one that is refused among many leaves the others alone', async t => {
    const results = await Promise.allSettled(Array.from({ length: 40 }, async (_, i) => i % 4 === 0
      ? await either(0).update('claim#1', {}, { $inc: { owner: 1 } })
      : await either(0).insert({ _id: `ok${i}` })))
    t.equal(results.filter(({ status }) => status === 'rejected').length, 10)
    t.equal(await either(1).count({ _id: { $gte: 'ok', $lt: 'ol' } }), 30)
  })
}

async function handles (t: Test, { open }: Adapter): Promise<void> {
  const first = await open('handles')
  const writer = await first.collection<Thing>('things', [{ keys: ['state'] }])
  await t.test('what one handle has written the other sees at once', async t => {
    const second = await open('handles')
    const reader = await second.collection<Thing>('things')
    for (let n = 0; n < 10; n++) {
      await writer.insert({ _id: `h${n}`, n, state: 'new' })
      t.same(await reader.find(`h${n}`), { _id: `h${n}`, n, state: 'new' })
      await reader.update(`h${n}`, { n }, { $set: { state: 'seen' } })
      t.equal(await writer.count({ state: 'seen' }), n + 1)
    }
    await second.close()
  })
  await t.test('an index may be asked for later, and again', async t => {
    const again = await first.collection<Thing>('things', [{ keys: ['n'] }, { keys: ['state'] }])
    t.equal((await again.findMany({ state: 'seen' }, { sort: { n: -1 }, limit: 1 }))[0]?._id, 'h9')
  })
  await t.test('a closed store refuses, with store-unavailable; what it took before is kept', async t => {
    const last = writer.insert({ _id: 'last' })
    await first.close()
    t.equal(await last, true)
    await first.close()
    await t.rejects(first.ping(), { name: 'Problem', kind: 'store-unavailable' })
    await t.rejects(writer.insert({ _id: 'late' }), { name: 'Problem', kind: 'store-unavailable' })
    await t.rejects(writer.find('last'), { name: 'Problem', kind: 'store-unavailable' })
  })
  await t.test('everything is there after opening it again', async t => {
    const reopened = await open('handles')
    await reopened.ping()
    const things = await reopened.collection<Thing>('things')
    t.equal(await things.count({}), 11)
    t.equal(await things.find('late'), undefined)
    await reopened.close()
  })
}
