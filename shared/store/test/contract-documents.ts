/** What a document may hold, and that it comes back as it went in. */
import type { Test } from 'tap'
import type { Doc } from '../store.ts'
import type { Adapter } from './contract.ts'

type Any = Doc & Record<string, any>

export async function documentContract (t: Test, { name, open, exempt = [] }: Adapter): Promise<void> {
  const store = await open('documents')
  const things = await store.collection<Any>('things', [{ keys: ['state', 'at.place'] }])
  const returns = async (t: Test, doc: Any): Promise<void> => {
    t.equal(await things.insert(doc), true)
    t.same(await things.find(doc._id), doc)
  }

  await t.test(`store of ${name}: documents`, async t => {
    await t.test('text comes back to the letter', async t => {
      await returns(t, {
        _id: 'é/日本/😀/\u2028 "quoted" \\ud800',
        text: 'e\u0301 é ﬁ \u{10ffff} \ufffd \ue000 \u2028\u2029 \\ud83d "\\" \t\r\n %_?',
        'k é y 😀': { '': 'empty key', a$b: 'dollar inside', 0: 'digit' },
        sql: '\'; DROP TABLE things; --'
      })
    })
    await t.test('so does a NUL', async t =>
      await returns(t, { _id: 'nul', state: 'a\0b', text: '\0' }))
    await t.test('so do numbers, to the last bit', async t => await returns(t, {
      _id: 'numbers',
      n: [0, 1, -1, 0.1, 0.1 + 0.2, 1e21, 1e300, 5e-324, Number.MAX_VALUE],
      whole: [2 ** 53 - 1, -(2 ** 53), 2 ** 60]
    }))
    await t.test('so do nothing, truth and emptiness', async t => await returns(t, {
      _id: 'rest', none: null, yes: true, no: false, text: '', list: [], object: {}, deep: [{ a: [{ b: null }] }]
    }))
    await t.test('so do lists of lists', { skip: exempt.includes('nested arrays') && 'exempt' }, async t =>
      await returns(t, { _id: 'lists', n: [[1, [2]], []] }))
    await t.test('keys that mean something in JavaScript are only keys', async t => {
      const doc = JSON.parse('{"_id":"proto","meta":{"__proto__":{"polluted":1},"constructor":[{"a":1}],"toString":null}}') as Any
      await things.insert(doc)
      const found = await things.find('proto') as Any
      t.equal(JSON.stringify(found), JSON.stringify(doc))
      t.equal(await things.update('proto', {}, { $set: { more: doc.meta } }), true)
      t.equal(JSON.stringify((await things.find('proto'))?.more), JSON.stringify(doc.meta))
      t.equal(({} as any).polluted, undefined)
    })
    await t.test('so do keys that mean something to a driver, and zero has no sign', async t => {
      const doc = { _id: 'typed', meta: { _bsontype: 'Code', code: 'return 1' }, list: [{ _bsontype: 'ObjectId', id: 1 }], n: -0 }
      await returns(t, { ...doc, n: 0 })
      t.equal(await things.update('typed', {}, { $set: { more: doc.list, n: -0 } }), true)
      t.strictSame(await things.find('typed'), { ...doc, more: doc.list, n: 0 })
    })
    await t.test('a document of a megabyte is one document', async t =>
      await returns(t, { _id: 'long', text: 'long é '.repeat(150_000) }))
    await t.test('undefined members are left out; half a character becomes U+FFFD', async t => {
      await things.insert({ _id: 'cleaned', a: undefined, b: { c: undefined, d: 1 }, half: 'a\ud83d', state: '\udc00b' })
      t.same(await things.find('cleaned'), { _id: 'cleaned', b: { d: 1 }, half: 'a\ufffd', state: '\ufffdb' })
      t.equal(await things.count({ state: '\udc00b' }), 1)
      t.equal(await things.update('cleaned', { state: '\udc00b' }, { $set: { half: '\ud83d' } }), true)
      t.equal((await things.find('cleaned'))?.half, '\ufffd')
    })
    await t.test('a document that was handed in or out is not shared', async t => {
      const doc: Any = { _id: 'own', list: [1] }
      const inserted = things.insert(doc)
      doc.list.push(2)
      await inserted
      const found = await things.find('own')
      t.same(found?.list, [1])
      found?.list.push(3)
      t.same((await things.find('own'))?.list, [1])
    })
    await t.test('what an adapter would alter is refused', async t => await refused(t, things))
  })
  await store.close()
}

async function refused (
  t: Test, things: { insert: (doc: Any) => Promise<boolean>, count: (filter: {}) => Promise<number> }
): Promise<void> {
  const before = await things.count({})
  let deep: unknown = 1
  for (let i = 0; i < 101; i++) deep = { deep }
  const types: unknown[] = [
    NaN, Infinity, new Date(0), Buffer.from('x'), new Map(), /x/, 1n, () => 1, Symbol('x'), { 'a.b': 1 }, { $gt: 1 },
    { 'a\0': 1 }
  ]
  for (const value of types) await t.rejects(things.insert({ _id: 'x', value }), TypeError, String(value))
  for (const value of types) await t.rejects(things.insert({ _id: 'x', list: [{ value }] }), TypeError)
  await t.rejects(things.insert({ _id: 'x', deep }), RangeError)
  await t.rejects(things.insert({ _id: 'x', text: 'x'.repeat(17 * 1024 * 1024) }), RangeError)
  await t.rejects(things.insert({ _id: '' }), TypeError)
  for (const state of [['a'], { a: 1 }]) await t.rejects(things.insert({ _id: 'x', state }), TypeError)
  await t.rejects(things.insert({ _id: 'x', at: { place: [] } }), TypeError)
  t.equal(await things.count({}), before)
}
